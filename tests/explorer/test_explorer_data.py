"""The explorer's files and page: scripts that hold the captures exactly, and what is drawn from them."""

import json
import math
import re
from itertools import product

import numpy as np
import pytest

from figures_src.explorer import element, page_data
from figures_src.explorer import values as learned
from figures_src.inputs import captures
from figures_src.kit.numbers import fixed
from figures_src.pages.facts import facts
from figures_src.publish import links
from tests.built import Tags, read
from vitattn_core import products, softmax

LAYER_BYTES = 205_000
PLACES = list(product(captures.PHOTOS, range(1, captures.LAYERS + 1)))
SIZE = captures.TOKENS * captures.HEAD_WIDTH


def held(script):
    """What a browser reads: the entry's name and its string, as (whole numbers, half-precision numbers)."""
    assert script.startswith(b"\xff\xfe")
    text = script.decode("utf-16")  # strict: half a pair would stop it
    found = re.fullmatch(
        r'\(\(window\.vitattn\?\?=\{\}\)\.learned\?\?=\{\}\)\["([\w-]+)"\]="([^"\\\r\n]*)"', text
    )
    assert found is not None
    stored = np.frombuffer(found[2].encode("utf-16-le"), dtype=np.uint8)
    whole = stored[: 2 * SIZE].astype(int)
    return found[1], whole - 1 - 8 * (whole > 0xDF) - 123, stored[2 * SIZE :].view("<f2")


@pytest.mark.parametrize(("photo", "layer"), PLACES)
def test_each_script_holds_its_head_exactly(photo, layer):
    total = 0
    for head in range(1, captures.HEADS + 1):
        script = page_data.script(photo, layer, head)
        total += len(script)
        name, whole, halves = held(script)
        assert name == f"{photo}-{layer:02d}-{head}"
        stored = captures.records(photo, layer)[head - 1]
        assert np.array_equal(whole[:SIZE].reshape(-1, captures.HEAD_WIDTH), stored["Q"])
        assert np.array_equal(whole[SIZE:].reshape(-1, captures.HEAD_WIDTH), stored["K"])
        assert np.array_equal(halves[: captures.HEAD_WIDTH], stored["q"])
        assert np.array_equal(halves[captures.HEAD_WIDTH : -captures.HEAD_WIDTH], stored["k"])
        assert np.array_equal(halves[-captures.HEAD_WIDTH :], stored["mean"])
    assert total <= LAYER_BYTES


def test_the_files_of_the_site_are_these_scripts():
    made = page_data.files()
    assert len(made) == 3 * 12 * 6
    for photo, layer in PLACES[::7]:
        name = f"{page_data.FOLDER}/{page_data.name_of(photo, layer, 3)}.js"
        assert made[name] == page_data.script(photo, layer, 3)


@pytest.mark.parametrize(
    ("number", "unit"), [(-200.0, "0xda40"), (2.03e-6, "0x0022"), (float(10 * 2**-24), "0x000a")]
)
def test_a_number_that_a_string_cannot_hold_is_refused(number, unit):
    stored = captures.records("chelsea", 9)[0].copy()
    stored["mean"][5] = number
    with pytest.raises(ValueError, match=f"got {unit}"):
        page_data.units(stored)


def test_the_page_is_told_what_it_can_be_set_to():
    script = page_data.settings()
    told = json.loads(script.partition(" = ")[2].rstrip(";\n"))
    assert told["defaults"] == learned.DEFAULTS
    assert told["limits"] == learned.TABLE.limits
    for name, values in learned.states().items():
        assert learned.DEFAULTS[name] in values
    grid = captures.GRID
    assert (told["grid"]["rows"], told["grid"]["columns"]) == (grid.rows, grid.columns)
    assert (told["width"], told["head_width"], told["heads"]) == (384, 64, 6)


# The first view ------------------------------------------------------------------------------------


def test_the_first_view_is_the_core_s_row():
    head = int(learned.DEFAULTS["head"])
    row = captures.row("chelsea", 9, head, captures.GRID.token(7, 5))
    shown = learned.default()
    assert shown.query == captures.GRID.token(7, 5)
    assert shown.key == int(row.argmax()) == captures.GRID.token(7, 13)
    values = shown.values
    assert values["weight.largest"] == values["weight"] == fixed(row.max(), 3)
    assert values["cls.share"] == fixed(row[0], 3)
    entropy = -sum(a * math.log(a) for a in row)
    assert values["entropy"] == fixed(entropy, 2)
    assert values["keys"] == fixed(math.exp(entropy), 1)
    score = captures.load("chelsea", 9).true_scores[head - 1, shown.query, shown.key]
    assert values["score"] == fixed(score, 2)
    assert np.count_nonzero(shown.levels) < captures.TOKENS


def test_the_row_lies_on_both_eyes():
    """Why this head is shown first; most of the row is on two places far apart, and hardly any on CLS."""
    row = learned.default_rows()[int(learned.DEFAULTS["head"]) - 1]
    left, right = (learned.share_of(eye, row) for eye in ("left", "right"))
    assert left > 0.4
    assert right > left  # the page says: more
    assert row[0] < 0.02


def test_mean_distance_is_that_of_the_findings():
    """A mean over all queries is the manifest's number, but for what eight bits cost."""
    patches = range(1, captures.TOKENS)
    even = np.full(captures.TOKENS, 1 / captures.TOKENS)
    every = [learned.mean_distance(even, token) for token in patches]
    assert np.mean(every) == pytest.approx(captures.finding("heads.uniform_distance"), abs=5e-4)
    assert math.isnan(learned.mean_distance(even, 0))
    for layer, head in ((4, 2), (9, 4), (12, 5)):
        weights = captures.load("chelsea", layer).weights[head - 1]
        found = np.mean([learned.mean_distance(weights[token], token) for token in patches])
        stated = captures.measured("heads.distance.chelsea")[layer - 1, head - 1]
        assert found == pytest.approx(stated, abs=0.5)


# What the page says --------------------------------------------------------------------------------


def test_the_divisor_keeps_the_order_and_the_mean_key_the_weights():
    """Both stand on the page. Equal scores aside, another divisor moves no key past another."""
    captured = captures.load("chelsea", 9)
    for head in range(captures.HEADS):
        scores = products(captured.Q[head], captured.K[head])
        for divisor in (8.0, math.sqrt(384), 1.0):
            ordered = np.take_along_axis(
                softmax(scores / divisor), scores.argsort(axis=-1), axis=-1
            )
            assert (np.diff(ordered, axis=-1) >= 0).all()
    assert abs(softmax(captured.true_scores) - captured.weights).max() < 1e-9
    assert abs(captured.true_scores - captured.scores).max() > 1


def test_a_layer_of_the_cup_has_one_key_for_all():
    weights = captures.load("coffee", 1).weights[5]
    assert set(weights.argmax(axis=-1)) == {captures.GRID.token(4, 11)}


def test_the_shown_losses_cover_the_files():
    """Rounded away from the side that would claim too much."""
    texts = {key: facts()[f"explorer.lost.{key}"].text for key in ("weight", "row", "top")}
    for photo, layer in PLACES:
        lost = captures.manifest()["files"][captures.name_of(photo, layer)]["lost"]
        assert lost["weight"] <= float(texts["weight"])
        assert lost["row"] <= float(texts["row"].rstrip("%")) / 100
        assert lost["same_top"] >= float(texts["top"].rstrip("%")) / 100


def test_provenance_stands_where_the_numbers_are():
    page = read("site", "checkpoint.html")["site/checkpoint.html"]
    drawn = page[page.index("<vit-explorer") : page.index("</vit-explorer>")]
    says = captures.manifest()["provenance"]["says"]
    assert says in drawn
    for word in (
        "may have been fine-tuned",
        "not the original ViT-B/16",
        "257 rows",
        "layer scale",
    ):
        assert word in says
    opening = Tags(drawn).tags[0][1]
    assert opening["data-origin"] == "checkpoint"
    origins = re.findall(r'data-fact="(explorer[\w.]*)" data-origin="(\w+)"', page)
    assert len(origins) > 12
    counted = {"explorer.tokens", "explorer.even", "explorer.even.here"}
    assert {key for key, origin in origins if origin != "checkpoint"} == counted


def test_the_contact_sheet_has_every_head_once():
    page = read("site", "checkpoint.html")["site/checkpoint.html"]
    sheet = page[page.index('class="va-sheet"') :]
    linked = re.findall(r'data-state="#layer=(\d+)&amp;head=(\d)" class="va-state"', sheet)
    assert [(int(a), int(b)) for a, b in linked] == list(product(range(1, 13), range(1, 7)))
    # The brightest step of a map is where its largest weight is.
    maps = sheet.split('class="va-state"')[1 : len(linked) + 1]
    for (layer, head), drawn in zip(linked, maps, strict=True):
        row = captures.row("chelsea", int(layer), int(head), learned.query())
        if int(row.argmax()) > 0:
            down, across = captures.GRID.place(int(row.argmax()))
            bright = "".join(re.findall(r'<path d="([^"]*)" class="w63"', drawn))
            assert f"M{across} {down}h1v1h-1z" in bright


def test_the_explorer_is_drawn_the_same_each_time():
    assert element.explorer() == element.explorer()


# Links to states -----------------------------------------------------------------------------------

MANIFEST = {"states": {"explore": learned.TABLE.as_data()}}


def test_links_to_states_are_checked():
    def address(settings, page="checkpoint.md"):
        return links.state_address(settings, page, MANIFEST, "explore")

    assert address("layer=4 head=2") == "#layer=4&head=2"
    assert address("head=2 layer=4", "maps.md") == "checkpoint.html#layer=4&head=2"
    assert address("layer=9") == "#layer=9"
    assert address("query=cls dropped=15.15,cls") == "#query=cls&dropped=15.15,cls"
    for wrong in (
        "layer=13",
        "layer=0",
        "head=7",
        "query=16.0",
        "divisor=off",
        "stage=mix",
        "layer",
    ):
        with pytest.raises(ValueError, match=r"layer|head|query|divisor|stage"):
            address(wrong)
