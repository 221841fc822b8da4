"""The pictures made of the figure show the figure: no box to tick and no button is in them."""

from playwright.sync_api import Browser

from figures_src.by_hand.stills import BARE, NARROW, SHARED_STAGE, STAGES, STILL, WIDE

# The words of a sentence that light a mark are text in a picture too.
PRESSED = """
([style, stage]) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  document.querySelector(`.va-stages [value=${stage}]`).checked = true;
  return [...document.querySelectorAll("button:not(.va-phrase), input, label, select, summary")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => one.getBoundingClientRect().width > 1 && one.getBoundingClientRect().top < innerHeight)
    .map((one) => `${one.localName} ${one.className} ${one.textContent.trim()}`);
}
"""


def test_nothing_to_press_is_in_a_picture(browser: Browser, served: str) -> None:
    width, height = STILL
    faults = []
    for stages, style, size in (
        (STAGES, NARROW, {"width": width, "height": height}),
        ((SHARED_STAGE,), WIDE, {"width": 1200, "height": 630}),
    ):
        context = browser.new_context(viewport=size, java_script_enabled=False)  # type: ignore[arg-type]
        page = context.new_page()
        for stage in stages:
            page.goto(f"{served}/index.html")
            faults += [f"{stage}: {one}" for one in page.evaluate(PRESSED, [BARE + style, stage])]
            assert page.locator("vit-player image, vit-player use").count() > 1
        context.close()
    assert not faults
