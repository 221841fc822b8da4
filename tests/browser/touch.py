"""A finger on the screen, as the browser gets it from the system."""

from collections.abc import Iterable

from playwright.sync_api import Page

Place = tuple[float, float]


class Finger:
    """One finger: real touch events, so that the browser scrolls where a page lets it."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def _send(self, kind: str, *places: Place) -> None:
        points = [{"x": x, "y": y} for x, y in places]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, place: Place) -> None:
        self._send("touchStart", place)

    def move(self, places: Iterable[Place]) -> None:
        for place in places:
            self._send("touchMove", place)

    def up(self) -> None:
        self._send("touchEnd")

    def drag(self, start: Place, by: Place, steps: int = 8) -> None:
        """Set down, go a way in steps, and lift."""
        (x, y), (across, down) = start, by
        self.down(start)
        self.move((x + across * n / steps, y + down * n / steps) for n in range(1, steps + 1))
        self.up()
