"""The state of the explorer: by address, attribute, history and links, each explorer its own."""

from playwright.sync_api import Browser, Page

from figures_src.explorer import values
from tests.browser.explorer_page import (
    DEFAULTS,
    EXPLORER,
    address,
    note_of,
    opened,
    put,
    random_states,
    ready,
    state_of,
)
from tests.browser.state_page import why


def test_an_address_leads_back_to_its_state(browser: Browser, page: Page, served: str) -> None:
    """Two of them in a page that is loaded for each, the others in one that is open."""
    told = []
    for state in random_states(9, 6, switched=True):
        put(page, state)
        told.append((state, page.evaluate("location.hash"), page.evaluate(f"{EXPLORER}.row")))
        assert told[-1][1] == address(state)
    context = browser.new_context()
    for n, (state, hash_, row) in enumerate(told):
        if n < 2:
            fresh = opened(context, served, hash_)
        else:
            fresh.evaluate("(hash) => { location.hash = hash; }", hash_)
            fresh.wait_for_function(
                f"(told) => JSON.stringify({EXPLORER}.state) === JSON.stringify(told)", arg=state
            )
            ready(fresh)
        assert state_of(fresh) == state
        assert fresh.evaluate(f"{EXPLORER}.row") == row
        assert note_of(fresh) == ""
    context.close()


def test_attributes_set_the_state(page: Page) -> None:
    for name, value in {"layer": "4", "head": "2", "query": "cls", "divisor": "none"}.items():
        page.evaluate(f"{EXPLORER}.setAttribute({name!r}, {value!r})")
        ready(page)
        assert state_of(page)[name] == value
    page.evaluate(f"{EXPLORER}.setAttribute('layer', '13')")
    ready(page)
    assert state_of(page)["layer"] == DEFAULTS["layer"]
    assert "layer" in note_of(page)


BROKEN = (
    "#layer=0",
    "#layer=13",
    "#layer=09",
    "#head=7",
    "#query=16.0",
    "#query=5,4",
    "#photo=own",
    "#divisor=off",
    "#dropped=7.5,7.5",
    "#range=",
    "#stage=mix",
    "#layer=4&layer=4",
    "#=",
    "#constructor=x",
    "#layer=%E0%A4%A",
    "#photo=../../x",
)


def test_a_broken_address_gives_the_default_its_address_and_why(page: Page) -> None:
    faults = []
    for hash_ in BROKEN:
        put(page, {"layer": "4"})
        page.evaluate("(hash) => { location.hash = hash; }", hash_)
        page.wait_for_function(f"{EXPLORER}.state.layer === {DEFAULTS['layer']!r}")
        ready(page)
        shown = (state_of(page), page.evaluate("location.hash"), note_of(page))
        if shown != (DEFAULTS, "", f"Shown is the default: {why(hash_, 'explore')}."):
            faults.append(f"{hash_}: {shown}")
    assert not faults


def test_a_broken_address_that_is_loaded_gives_way_too(browser: Browser, served: str) -> None:
    page = opened(browser, served, "#layer=4&head=7")
    assert state_of(page) == DEFAULTS
    assert "#" not in page.url
    assert note_of(page) == f"Shown is the default: {why('layer=4&head=7', 'explore')}."
    page.close()


def test_back_and_forward_walk_the_picks(page: Page) -> None:
    seen_ = [state_of(page)]
    for name, value in (("layer", "4"), ("head", "2"), ("photo", "coffee"), ("head", "mean")):
        page.locator(f"vit-explorer [data-state={name}][value='{value}']").check(force=True)
        page.wait_for_function(f"{EXPLORER}.state[{name!r}] === {value!r}")
        ready(page)
        opened_ = values.OPENS[value] if name == "photo" else {}
        seen_.append(seen_[-1] | {name: value} | opened_)
        assert state_of(page) == seen_[-1]
    for step, expected in [
        *(("back", s) for s in seen_[-2::-1]),
        *(("forward", s) for s in seen_[1:]),
    ]:
        page.evaluate(f"history.{step}()")
        page.wait_for_function(f"location.hash === {address(expected)!r}")
        ready(page)
        assert state_of(page) == expected


def test_links_of_the_page_lead_to_their_states(page: Page) -> None:
    links = page.locator("a.va-state").all()
    assert len(links) >= 12 * 6 + 8
    for link in [*links[:3], *links[6::30]]:
        target = link.get_attribute("href") or ""
        put(page, {"layer": "2", "query": "9.9"})
        link.click()
        page.wait_for_function(f"location.hash === {target!r}")
        ready(page)
        told = dict(part.split("=") for part in target.removeprefix("#").split("&"))
        assert state_of(page) == values.at_first(told.get("photo", DEFAULTS["photo"])) | told
        assert note_of(page) == ""


def test_two_explorers_do_not_disturb_each_other(browser: Browser, served: str) -> None:
    page = opened(browser, served)
    page.evaluate(f"""() => {{
      const other = {EXPLORER}.cloneNode(true);
      other.setAttribute("layer", "4");
      document.body.append(other);
    }}""")
    page.wait_for_function("document.querySelectorAll('vit-explorer')[1]?.row")
    ready(page)
    told = page.evaluate("[...document.querySelectorAll('vit-explorer')].map((e) => e.state.layer)")
    assert told == [DEFAULTS["layer"], "4"]
    assert page.evaluate("location.hash") == ""
    twice = page.evaluate("""() => {
      const ids = [...document.querySelectorAll("[id]")].map((marked) => marked.id);
      return ids.filter((id, n) => ids.indexOf(id) < n);
    }""")
    assert twice == []
    page.close()
