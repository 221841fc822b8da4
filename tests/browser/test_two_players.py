"""Two players on one page do not disturb each other."""

import pytest
from playwright.sync_api import Page

from figures_src.player.state import DEFAULTS
from tests.browser.conftest import Watch
from tests.browser.player_page import PLAYER, put, ready, state_of
from tests.browser.state_page import hash_of, load

ADD = {
    "clone": f"""() => {{
      const other = {PLAYER}.cloneNode(true);
      other.setAttribute("stage", "mix");
      document.body.append(other);
    }}""",
    "new": """() => {
      const other = document.createElement("vit-player");
      other.setAttribute("stage", "mix");
      document.body.append(other);
    }""",
}


@pytest.mark.parametrize("hash_", ["", "#query=cls&stage=norm&photo=rocket"])
@pytest.mark.parametrize("way", ADD)
def test_two_players_do_not_disturb_each_other(
    small: Page, loud: Watch, home: str, way: str, hash_: str
) -> None:
    """The second is made while the first shows its default, or a row whose bar has one part only."""
    load(small, home, hash_)
    loud.console.clear()
    before = state_of(small)
    small.evaluate(ADD[way])
    small.wait_for_function("document.querySelectorAll('vit-player')[1]?.shown")
    ready(small)
    told = small.evaluate("[...document.querySelectorAll('vit-player')].map((p) => p.state)")
    # A copy brings its attributes, a new one has but what it was given.
    assert told == [before, (before if way == "clone" else DEFAULTS) | {"stage": "mix"}]

    twice = small.evaluate("""() => {
      const ids = [...document.querySelectorAll("[id]")].map((marked) => marked.id);
      return ids.filter((id, n) => ids.indexOf(id) < n);
    }""")
    assert twice == []
    small.evaluate("""() => {
      for (const use of document.querySelectorAll("vit-player use")) {
        const target = document.querySelector(use.getAttribute("href"));
        if (target.closest("vit-player") !== use.closest("vit-player")) throw new Error(target.id);
      }
    }""")
    assert small.evaluate(
        "[...document.querySelectorAll('vit-player')].map((p) => p.querySelectorAll('[aria-live]').length)"
    ) == [1, 1]

    first, second = (small.locator("vit-player").nth(n) for n in (0, 1))
    assert first.locator(f".va-plate[id$=stage-{before['stage']}]").is_visible()
    assert second.locator(".va-plate[id$=stage-mix]").is_visible()
    length = small.evaluate("history.length")
    second.locator(".va-stages [value=softmax]").check(force=True)
    second.locator("[data-state=head][value='3']").check(force=True)
    second.locator(".va-cells [data-token='75']").click()
    small.mouse.move(0, 0)  # a click points too: leave the photograph
    ready(small)
    assert state_of(small) == before
    assert hash_of(small) == hash_
    assert small.evaluate("history.length") == length
    assert second.get_attribute("head") == "3"
    assert second.get_attribute("query") == "5.4"
    groups = small.evaluate("""[...document.querySelectorAll("vit-player")].map((player) =>
      [...player.querySelectorAll("input:checked")].map((box) => box.dataset.state ?? "stage").sort())""")
    assert groups[0] == groups[1]
    assert len(groups[0]) == len(set(groups[0]))

    shown = second.evaluate("(p) => JSON.stringify([p.shown.values, p.shown.segments])")
    photo = second.get_attribute("photo") or ""
    put(small, {"stage": "softmax", "head": "3", "query": "5.4", "photo": photo, "range": "fixed"})
    put(small, {"range": "fit"})
    assert first.evaluate("(p) => JSON.stringify([p.shown.values, p.shown.segments])") == shown
    for part in ("#stage-softmax", ".va-readouts", ".va-segments"):
        ours, theirs = (
            player.locator(
                part.replace("#stage", "[id$=stage") + ("]" if "#" in part else "")
            ).first
            for player in (first, second)
        )
        assert ours.text_content() == theirs.text_content()
    assert not loud.console
