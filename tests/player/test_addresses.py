"""One table of limits, one reader: the link checker and the page take and refuse the same, in one sentence.

The page's scripts run in the embedded engine, with the data that the built page gets.
"""

import json
import re
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest

from figures_src.explorer import values as learned
from figures_src.inputs import captures
from figures_src.player import limits, page_scripts
from figures_src.player import state as settings
from figures_src.publish import links
from tests.built import ROOT, Tags
from tests.player import address_truth
from tests.player.address_truth import State, verdict
from tests.player.broken_addresses import BROKEN
from vitattn_core.teaching import GRID

FIGURES = {"player": "state", "explorer": "explore"}
COUNT = 400
# A page asks its own table, as it was told; `write` as a page does whose markup says `first`.
ASKED = """
window.vitattn.asked = {
  read: (figure, address) => window.vitattn.address.read(address, window.vitattn[figure]),
  check: (figure, given) => window.vitattn.address.check(given, window.vitattn[figure]),
  write: (figure, state, named, first) =>
    window.vitattn.address.write(state, { ...window.vitattn[figure], ...(first && { first }) }, named),
};
"""


@cache
def page() -> page_scripts.PageScripts:
    told = [ROOT / "site" / "assets" / f"{name}.js" for name in ("teaching", "explorer")]
    data = [(path.name, path.read_text(encoding="utf-8")) for path in told]
    own = page_scripts.of_docs("attention", "grid", "address")
    return page_scripts.PageScripts([*own, *data, ("asked", ASKED)])


@cache
def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "build" / "manifest.json").read_text("utf-8"))
    return found


def checked(figure: str, address: str) -> tuple[State, str]:
    """What the checker of links makes of an address."""
    try:
        return links.read_state(address, manifest(), FIGURES[figure]), ""
    except ValueError as error:
        return {}, str(error)


def asked(figure: str, address: str) -> tuple[State, str]:
    """What the page makes of it; where it refuses, it shows the default."""
    found = page().call("asked.read", figure, "#" + address)
    wrong = found.get("wrong", "")
    if wrong:
        assert found["state"] == address_truth.FIRST[figure]
        return {}, wrong
    return found["state"], ""


@pytest.mark.parametrize("figure", FIGURES)
def test_builder_and_page_give_one_verdict_in_one_sentence(figure: str) -> None:
    told = address_truth.addresses(figure, 21, COUNT)
    faults, taken = [], 0
    for address in told:
        truth = verdict(figure, address)
        taken += not truth[1]
        for who, found in (
            ("links", checked(figure, address)),
            ("page", asked(figure, address)),
        ):
            if found != truth:
                faults.append(f"{who}: {address[:80]}: {found} is not {truth}")
    assert not faults, f"{len(faults)} faults: " + "\n".join(faults[:8])
    assert COUNT / 2 <= taken <= len(told) - COUNT / 2


def test_a_broken_address_is_refused_in_one_sentence_by_both() -> None:
    """As a browser hands it on, which writes some signs in another way."""
    for broken in BROKEN:
        address = re.sub(r'[ "<>`]', lambda sign: quote(sign[0]), broken.removeprefix("#"))
        state, wrong = asked("player", address)
        assert wrong and not state, broken[:60]
        assert checked("player", address) == verdict("player", address) == ({}, wrong)


@pytest.mark.parametrize("figure", FIGURES)
def test_an_attribute_is_taken_or_refused_as_in_an_address(figure: str) -> None:
    """And what a script sets: several at once, or a number in place of its text."""
    for name in address_truth.NAMES[figure]:
        for text in address_truth.ODD:
            value, wrong = address_truth.value(figure, name, text)
            found = page().call("asked.check", figure, {"photo": "rocket", name: text})
            expected = {"wrong": wrong} if wrong else {"state": {"photo": "rocket", name: value}}
            assert found == expected, (name, text)
    assert page().call("asked.check", figure, {"head": 2}) == {"state": {"head": "2"}}


@pytest.mark.parametrize("figure", FIGURES)
def test_what_is_written_leads_back_to_the_state(figure: str) -> None:
    """As the page writes it, as a link of a page, and where the markup says something else."""
    first = address_truth.FIRST[figure]
    elsewhere = first | {"photo": "coffee", "query": "1.1"}
    for address in address_truth.addresses(figure, 22, COUNT):
        state, wrong = verdict(figure, address)
        if wrong:
            continue
        plain = address_truth.address_of(figure, state)
        named = address_truth.address_of(figure, state, named=True)
        assert page().call("asked.write", figure, state, False, None) == plain
        assert page().call("asked.write", figure, state, False, elsewhere) == named
        spaced = " ".join(address.split("&"))
        link = links.state_address(spaced, "deeper/page.md", manifest(), FIGURES[figure])
        assert link.partition("#")[2] == named
        assert verdict(figure, named) == (state, "")
    assert page().call("asked.write", figure, first, False, None) == ""


SENTENCES = [
    ("player", "speed=0", "speed goes from 0.25 to 4; “0” is outside"),
    ("player", "speed=0.0001", "speed goes from 0.25 to 4; “0.0001” is outside"),
    ("player", "at=1.5", "at goes from 0 to 1; “1.5” is outside"),
    ("player", "at=1e-1", "at goes from 0 to 1; “1e-1” is not a number in digits"),
    ("player", "speed=", "speed goes from 0.25 to 4; an empty value is not a number in digits"),
    ("player", "range=wide", "range takes fit or fixed; “wide” is none of them"),
    (
        "explorer",
        "query=16.0",
        "query takes cls or row.column from 0.0 to 15.15; “16.0” is neither",
    ),
    (
        "player",
        "dropped=5.4,5.4",
        "dropped takes cls or row.column from 0.0 to 13.13, each once, between commas; "
        "“5.4” stands twice",
    ),
    (
        "explorer",
        "speed=1",
        "the explorer has photo, layer, head, query, divisor, dropped and range; "
        "“speed” is none of them",
    ),
    ("player", "head=1&head=1", "an address has each name once; “head” stands twice"),
    ("player", "head=1&", "an address has name=value between &; an empty part is not that"),
]


@pytest.mark.parametrize(("figure", "address", "sentence"), SENTENCES)
def test_a_refusal_names_the_setting_the_limit_and_what_was_asked(
    figure: str, address: str, sentence: str
) -> None:
    assert checked(figure, address) == asked(figure, address) == ({}, sentence)


def test_every_control_of_a_figure_sets_what_its_limits_take() -> None:
    """Else a state that a reader has chosen would have an address that the page refuses."""
    for figure, name in (("player", "index"), ("explorer", "checkpoint")):
        tags = Tags((ROOT / "site" / f"{name}.html").read_text(encoding="utf-8")).tags
        inside = [a for tag, a in tags if tag == "input" and a.get("type") == "radio"]
        offered = {
            (a.get("data-state", "stage"), a["value"])
            for a in inside
            if "data-state" in a or a.get("name") == "va-stage"
        }
        assert len(offered) >= 20
        for setting, value in offered:
            assert checked(figure, f"{setting}={value}")[0][setting] == value
        for setting, values in address_truth.CHOICES[figure].items():
            if setting in {name for name, _ in offered}:
                assert {value for name, value in offered if name == setting} == set(values)


# Addresses that people may have kept.
KEPT = {
    "player": [
        "stage=mix&query=7.5&head=mean",
        "photo=rocket&query=5.4",
        "photo=coffee",
        "at=0.123",
        "stage=scores&at=0",
        "at=0.001&speed=0.5",
        "speed=2",
        "speed=4",
        "dropped=cls%2C5.4",
        "scale=off&position=off&mix=k&axis=queries",
        "dropped=0.0,13.13,cls&bug=offset",
        "query=5%2E5",
        "range=fixed",
        "at=0.5000&speed=1.0",
        "photo=chelsea&stage=softmax&bug=",
    ],
    "explorer": [
        "layer=4&head=2",
        "photo=coffee&query=7.5",
        "head=mean&range=fixed",
        "query=15.15",
        "divisor=none&dropped=cls,0.0",
        "layer=9",
        "divisor=model&dropped=",
    ],
}


@pytest.mark.parametrize("figure", FIGURES)
def test_addresses_of_before_are_taken(figure: str) -> None:
    for address in KEPT[figure]:
        state, wrong = asked(figure, address)
        assert not wrong, address
        assert checked(figure, address) == (state, "")
        for part in address.replace("%2C", ",").replace("%2E", ".").split("&"):
            name, value = part.split("=")
            same = float(state[name]) == float(value) if name in ("at", "speed") else False
            assert same or state[name] == value


def test_a_table_says_a_limit_for_each_setting_and_for_no_other() -> None:
    for table, grid in ((settings.TABLE, GRID), (learned.TABLE, captures.GRID)):
        assert list(table.limits) == list(table.defaults)
        assert table.grid == grid
        for photo in table.opens:
            assert verdict(table.name, f"photo={photo}") == (table.at_first(photo), "")
    with pytest.raises(ValueError, match=r"player: limits of \['a'\], for \['a', 'b'\]"):
        limits.Table("player", "a", {"a": "", "b": ""}, {}, {"a": limits.ONE_ROW}, GRID)
