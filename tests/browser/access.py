"""Accessibility by axe, in both schemes on one page that is open already."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SCRIPT = Axe().axe_script  # half a megabyte: a page is given it once
# Only what is wrong comes over: all that axe looked at is a long answer.
RUN = """async ([context, options]) => {
  const { violations } = await axe.run(context ?? document, options);
  return violations.map(({ id, help, nodes }) => [id, help, nodes.map(({ html }) => html.slice(0, 150))]);
}"""
ALL = {"resultTypes": ["violations"]}
# The markup is that of the light scheme, which has been looked at: only colours are others.
COLOURS = {**ALL, "runOnly": ["color-contrast"]}
SHAPES = {**ALL, "rules": {"color-contrast": {"enabled": False}}}


def in_scheme(page: Page, scheme: str) -> None:
    """Ask for light or dark, as the system does, and wait until nothing fades any more."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    shown = {"light": "default", "dark": "slate"}[scheme]
    page.wait_for_function(f"document.body.dataset.mdColorScheme === '{shown}'")
    page.wait_for_function(
        "document.getAnimations().every((animation) => animation.playState !== 'running')"
    )


def violations(page: Page, context: str | None = None, *, contrast: bool = True) -> list[str]:
    """What axe finds inside an element: with all its rules in light, with that of contrast in dark.

    Its contrast rule takes longer than all others together: without it where pixels are compared.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    found = []
    runs = (("light", ALL), ("dark", COLOURS)) if contrast else (("light", SHAPES),)
    for scheme, options in runs:
        in_scheme(page, scheme)
        for rule, told, nodes in page.evaluate(RUN, [context, options]):
            found.append(f"{scheme}: {rule}: {told}: {'; '.join(nodes)}")
    in_scheme(page, "light")
    return found
