"""A key is pointed at by finger, pen, mouse and keys, in the player and the explorer, and picks nothing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from figures_src.inputs import captures
from figures_src.player.photo_panel import how
from tests.browser import explorer_page
from tests.browser.player_page import IDLE, ready
from tests.browser.touch import Finger, Place
from vitattn_core.teaching import GRID

FIGURES = {
    "vit-player": ("index.html", ready, GRID),
    "vit-explorer": ("checkpoint.html", explorer_page.ready, captures.GRID),
}
# A pen: its events are made here, since the browser's tools send none of them.
PEN = """([token, kinds, buttons]) => {
  const cell = document.querySelector(`.va-cells [data-token='${token}']`);
  const { left, top, width, height } = cell.getBoundingClientRect();
  const where = { clientX: left + width / 2, clientY: top + height / 2 };
  for (const kind of kinds) {
    cell.dispatchEvent(new PointerEvent(kind, {
      bubbles: kind !== "pointerleave", pointerType: "pen", isPrimary: true, pointerId: 9, buttons, ...where,
    }));
  }
}"""


class Figure:
    """A figure on a phone: what is picked in it and what is pointed at."""

    def __init__(self, page: Page, name: str) -> None:
        self.page, self.name, (_, _, self.grid) = page, name, FIGURES[name]

    def place(self, token: int) -> Place:
        box = self.page.locator(f"{self.name} .va-cells [data-token='{token}']").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def key(self) -> str:
        return self.page.evaluate(
            f"""async () => {{
              await {IDLE};
              return document.querySelector('{self.name} .va-mark.is-key').getAttribute('transform');
            }}"""
        )

    def query(self) -> str:
        return self.page.evaluate(f"document.querySelector('{self.name}').state.query")

    def at(self, token: int) -> str:
        """Where the key's mark stands when it is this one."""
        return self.page.evaluate(
            f"""() => {{
              const cell = document.querySelector("{self.name} .va-cells [data-token='{token}']");
              return `translate(${{cell.getAttribute('x')}} ${{cell.getAttribute('y')}})`;
            }}"""
        )


@pytest.fixture(scope="module", params=FIGURES)
def figure(browser: Browser, served: str, request: pytest.FixtureRequest) -> Iterator[Figure]:
    context = browser.new_context(
        viewport={"width": 390, "height": 780},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    home, ready_, _ = FIGURES[request.param]
    page = context.new_page()
    page.goto(f"{served}/{home}")
    ready_(page)
    page.locator(f"{request.param} .va-photo").evaluate(
        "(photo) => photo.scrollIntoView({ block: 'center', behavior: 'instant' })"
    )
    yield Figure(page, request.param)
    context.close()


def test_a_finger_drawn_sideways_points_at_what_it_meets(figure: Figure) -> None:
    query, scroll = figure.query(), figure.page.evaluate("scrollY")
    start, end = figure.grid.token(9, 3), figure.grid.token(6, 11)
    (x, y), (far, high) = figure.place(start), figure.place(end)
    finger = Finger(figure.page)
    finger.down((x, y))
    finger.move((x + (far - x) * n / 6, y) for n in range(1, 7))
    assert figure.key() == figure.at(figure.grid.token(9, 11))
    finger.move((far, y + (high - y) * n / 6) for n in range(1, 7))  # and then any way
    assert figure.key() == figure.at(end)
    finger.up()
    assert figure.key() == figure.at(end), "what it has pointed at stays"
    assert figure.query() == query, "a drag picks nothing"
    assert figure.page.evaluate("scrollY") == scroll, "the page stays"


def test_a_finger_that_is_held_points_and_may_then_go_anywhere(figure: Figure) -> None:
    query, scroll = figure.query(), figure.page.evaluate("scrollY")
    start, end = figure.grid.token(10, 9), figure.grid.token(3, 9)
    finger = Finger(figure.page)
    mark = f"document.querySelector('{figure.name} .va-mark.is-key').getAttribute('transform')"
    finger.down(figure.place(start))
    figure.page.wait_for_function(f"{mark} === '{figure.at(start)}'")
    (x, y), (_, high) = figure.place(start), figure.place(end)
    finger.move((x, y + (high - y) * n / 12) for n in range(1, 13))
    assert figure.key() == figure.at(end)
    finger.up()
    assert figure.query() == query
    assert figure.page.evaluate("scrollY") == scroll


def test_a_tap_picks_and_a_drag_up_scrolls(figure: Figure) -> None:
    token = figure.grid.token(8, 8)
    figure.page.touchscreen.tap(*figure.place(token))
    figure.page.wait_for_function(f"document.querySelector('{figure.name}').state.query === '8.8'")
    figure.page.evaluate(IDLE)
    key, scroll = figure.key(), figure.page.evaluate("scrollY")
    Finger(figure.page).drag(figure.place(figure.grid.token(9, 4)), (6, -180), 12)
    figure.page.wait_for_function(f"scrollY > {scroll} + 80")
    assert figure.key() == key, "a finger that scrolls points at nothing"
    assert figure.query() == "8.8"
    figure.page.evaluate(f"scrollTo({{ top: {scroll}, behavior: 'instant' }})")


def test_a_pen_points_above_the_screen_and_on_it(figure: Figure) -> None:
    query = figure.query()
    above, drawn = figure.grid.token(4, 4), figure.grid.token(4, 9)
    figure.page.evaluate(PEN, [above, ["pointermove"], 0])
    assert figure.key() == figure.at(above)
    figure.page.evaluate(PEN, [above, ["pointerdown"], 1])
    figure.page.evaluate(PEN, [drawn, ["pointermove", "pointerup", "pointerleave"], 1])
    assert figure.key() == figure.at(drawn)
    assert figure.query() == query


def test_a_mouse_and_the_keys_point_too(figure: Figure) -> None:
    query, token = figure.query(), figure.grid.token(5, 6)
    figure.page.mouse.move(*figure.place(token))
    assert figure.key() == figure.at(token)
    cell = figure.page.locator(f"{figure.name} .va-cells [tabindex='0']")
    cell.focus()
    cell.press("ArrowRight")
    there = figure.page.evaluate("Number(document.activeElement.dataset.token)")
    assert figure.key() == figure.at(there)
    assert figure.query() == query


def test_the_figure_says_how(figure: Figure) -> None:
    sentence = figure.page.locator(f"{figure.name} .va-how")
    expect(sentence).to_be_visible()
    assert (sentence.text_content() or "?") in how()
    for way in ("tap", "drag a finger sideways", "press and hold", "arrow keys", "hover"):
        assert way in how()
