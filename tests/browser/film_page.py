"""The film in the player: its buttons, whether it plays, and what moves."""

from playwright.sync_api import Page

from tests.browser.player_page import IDLE, PLAYER, state_of
from vitattn_core import STAGES

ORDER = [entry.id for entry in STAGES]
PLAYING = f"{PLAYER}.hasAttribute('playing')"
MOVING = f"{PLAYER}.getAnimations({{ subtree: true }})"
# How far from the top of the screen a part of the player begins and ends.
EDGES = """(part) => {
  const { top, bottom } = document.querySelector(`vit-player ${part}`).getBoundingClientRect();
  return [top, bottom];
}"""


def button(page: Page, action: str):
    return page.locator(f"vit-player [data-action={action}]").first


def stops(page: Page) -> None:
    page.wait_for_function(f"!{PLAYING}")
    page.evaluate(IDLE)


def plays(page: Page) -> str:
    """Play, and the stage that is played."""
    button(page, "play").click()
    page.wait_for_function(PLAYING)
    return state_of(page)["stage"]
