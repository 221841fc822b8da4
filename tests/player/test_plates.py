"""The plates: in order, each with its own array, and every printed number that of the trace."""

import math
import re
from html.parser import HTMLParser

import pytest

from figures_src.inputs import photographs
from figures_src.player import element, registry
from figures_src.player.registry import plates
from figures_src.player.row import State, row
from figures_src.player.styles import mark_sizes
from vitattn_core import STAGES
from vitattn_core.teaching import GRID

QUERY, KEY = GRID.token(5, 4), GRID.token(6, 11)
VOID = {"input", "img", "br", "meta", "link"}


class Drawn(HTMLParser):
    """The player as drawn: texts by name with the plate they stand in, ids, and open elements."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.texts: list[tuple[str | None, str, str]] = []
        self.ids: list[str] = []
        self.stack: list[tuple[str, dict[str, str | None]]] = []
        self.rects: list[dict[str, str | None]] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag not in VOID:
            self.stack.append((tag, found))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop()[0] == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        if self.stack and (name := self.stack[-1][1].get("data-t")):
            figures = [a.get("id") for tag, a in self.stack if tag == "figure"]
            self.texts.append((figures[-1] if figures else None, name, data))


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return Drawn(element.player())


def test_plates_stand_in_the_order_of_the_stages(drawn: Drawn) -> None:
    figures = [name for name in drawn.ids if name.startswith("stage-")]
    assert figures == [f"stage-{entry.id}" for entry in STAGES]
    assert list(plates()) == [entry.id for entry in STAGES]


def test_no_two_plates_show_the_same_arrays_and_each_is_of_its_stage() -> None:
    every = [drawn_plate.shows for drawn_plate in plates().values()]
    assert len(set(every)) == len(every)
    stage_of = {name: entry.id for entry in STAGES for name in entry.arrays}
    for stage_id, drawn_plate in plates().items():
        assert stage_id in {stage_of[name] for name in drawn_plate.shows}, stage_id


def test_each_plate_prints_at_least_six_numbers_of_the_row(drawn: Drawn) -> None:
    for entry in STAGES:
        names = {
            name
            for figure, name, text in drawn.texts
            if figure == f"stage-{entry.id}" and re.fullmatch(r"−?[\d.]+", text)
        }
        names = {name for name in names if not name.startswith(("h0.", "h1.", "h2.", "axis."))}
        assert len(names) >= 6, f"{entry.id}: {sorted(names)}"


def test_the_markup_is_balanced_and_its_ids_are_unique(drawn: Drawn) -> None:
    assert drawn.stack == []
    assert len(set(drawn.ids)) == len(drawn.ids)
    assert all(re.match(r"stage-|va-", name) for name in drawn.ids)


def test_each_phrase_has_its_mark_in_the_same_plate_and_each_mark_its_phrase() -> None:
    plates_markup = re.findall(
        r'<figure [^>]*id="stage-(\w+)">(.*?)</figure>', element.player(), re.S
    )
    assert len(plates_markup) == len(STAGES)
    for name, markup in plates_markup:
        phrases = re.findall(r'data-phrase="([\w-]+)"', markup)
        marks = re.findall(r'data-mark="([\w-]+)"', markup)
        assert phrases, f"{name}: no phrase points at a mark"
        assert sorted(phrases) == sorted(marks), name


def test_a_second_plate_an_empty_alt_and_an_array_shown_twice_are_refused() -> None:
    plates()
    with pytest.raises(ValueError, match="plate softmax: is there already"):
        registry.plate("softmax", shows=("A", "Z"), alt="A row.")(lambda _: "")
    with pytest.raises(ValueError, match="got an empty alt"):
        registry.plate("softmax", shows=("Z",), alt=" ")
    with pytest.raises(ValueError, match="softmax shows S, A already"):
        registry.plate("mix", shows=("S", "A"), alt="A row.")
    with pytest.raises(KeyError, match="takes one of patches"):
        registry.plate("softmx", shows=("Z",), alt="A row.")


# Each name, and where its number stands in the trace: written here again, by hand, from the notation.
OF_THE_TRACE = {
    **{f"q.{c}": ("Q", (0, QUERY, c)) for c in range(4)},
    **{f"line.q.{c}": ("Q", (0, QUERY, c)) for c in range(4)},
    **{f"line.k.{c}": ("K", (0, KEY, c)) for c in range(4)},
    **{f"own.k.{c}": ("K", (0, QUERY, c)) for c in range(4)},
    **{f"own.v.{c}": ("V", (0, QUERY, c)) for c in range(4)},
    **{f"o.{c}": ("O", (0, QUERY, c)) for c in range(4)},
    **{f"content.{c}": ("content", (QUERY, c)) for c in range(12)},
    **{f"position.{c}": ("position", (QUERY, c)) for c in range(12)},
    **{f"added.{c}": ("M", (QUERY, c)) for c in range(12)},
    **{f"X.{c}": ("X", (QUERY, c)) for c in range(12)},
    **{f"U.{c}": ("U", (QUERY, c)) for c in range(12)},
    **{f"joined.{c}": ("joined", (QUERY, c)) for c in range(12)},
    **{f"M.{c}": ("M", (QUERY, c)) for c in range(12)},
    **{f"Y.{c}": ("Y", (QUERY, c)) for c in range(12)},
    **{f"Z.{c}": ("Z", (QUERY, c)) for c in range(12)},
    "product": ("P", (0, QUERY, KEY)),
    "product.own": ("P", (0, QUERY, QUERY)),
    "scaled": ("S", (0, QUERY, KEY)),
    "scaled.own": ("S", (0, QUERY, QUERY)),
    "masked": ("masked", (0, QUERY, KEY)),
    "weight": ("A", (0, QUERY, KEY)),
    "weight.own": ("A", (0, QUERY, QUERY)),
    "cls.share": ("A", (0, QUERY, 0)),
    "mlp.before.0": ("H", (QUERY, 0)),
    "mlp.before.1": ("H", (QUERY, 1)),
    "mlp.after.0": ("G", (QUERY, 0)),
    "mlp.after.1": ("G", (QUERY, 1)),
    "mlp.diff": ("W", (QUERY, 10)),
    "mlp.out": ("W", (QUERY, 11)),
    "mlp.written": ("F", (QUERY, 11)),
}


def test_printed_numbers_are_those_of_the_trace(drawn: Drawn) -> None:
    trace = photographs.trace("chelsea")
    printed: dict[str, set[str]] = {}
    for _, name, text in drawn.texts:
        printed.setdefault(name, set()).add(text)
    for name, (array, place) in OF_THE_TRACE.items():
        assert len(printed.get(name, ())) == 1, f"{name}: {printed.get(name)}"
        text = next(iter(printed[name])).replace("−", "-")
        digits = len(text.partition(".")[2])
        assert abs(float(text) - trace[array][place]) <= 0.5 * 10**-digits + 1e-12, name


def test_sums_and_counts_on_the_plates_are_those_of_the_trace(drawn: Drawn) -> None:
    trace = photographs.trace("chelsea")
    a, p, s = trace.A[0, QUERY], trace.P[0, QUERY], trace.S[0, QUERY]
    printed = {name: text.replace("−", "-") for _, name, text in drawn.texts}
    assert int(printed["products.above"]) == sum(1 for number in p if number > 0)
    assert int(printed["products.below"]) == sum(1 for number in p if number < 0)
    assert float(printed["row.sum"]) == pytest.approx(sum(a), abs=5e-4)
    assert float(printed["entropy"]) == pytest.approx(-sum(x * math.log(x) for x in a), abs=5e-3)
    assert float(printed["total"]) == pytest.approx(sum(math.exp(x - max(s)) for x in s), abs=5e-3)
    patch = photographs.image("chelsea")[:, 80:96, 64:80].astype(float)
    assert float(printed["pixels.red"]) == pytest.approx(patch[0].mean(), abs=0.05)
    assert float(printed["pixels.centre"]) == pytest.approx(patch[:, 4:12, 4:12].mean(), abs=0.0501)


def test_areas_of_squares_are_the_sizes_of_scores() -> None:
    picked = row(State(), photographs.trace("chelsea"))
    p = photographs.trace("chelsea").P[0, QUERY]
    sides = re.findall(r"h(\d+\.\d)v", picked.values["squares.products.above"])
    sizes = [number for number in p if number > 0]
    assert len(sides) == len(sizes)
    for side, size in zip(sides, sizes, strict=True):
        assert float(side) == pytest.approx(16 * math.sqrt(size / 12), abs=0.051)


def test_each_cell_of_the_panel_covers_exactly_its_patch() -> None:
    cells = re.findall(
        r'<rect x="(\d+)" y="(-?\d+)" width="16" height="16" class="va-square[^"]*" data-token="(\d+)"',
        element.player(),
    )
    assert [int(token) for *_, token in cells] == list(range(GRID.tokens))
    for x, y, token in cells[GRID.prefix :]:
        down, across = GRID.pixels(int(token))
        assert (int(x), int(y)) == (across.start, down.start)
    assert int(cells[0][1]) < 0, "CLS lies above the photograph, not on it"


def test_an_arrow_is_as_wide_as_its_weight() -> None:
    drawn_arrows = row(State(), photographs.trace("chelsea")).arrows
    a = photographs.trace("chelsea").A[0, QUERY]
    strongest = sorted((x for token, x in enumerate(a) if token != QUERY), reverse=True)
    widths = [float(width) for *_, width in drawn_arrows]
    expected = [mark_sizes.WIDEST * x / strongest[0] for x in strongest[: mark_sizes.ARROWS]]
    assert widths == pytest.approx(expected, abs=6e-4)


def test_a_plate_that_draws_something_else_for_the_mean_of_heads_describes_it() -> None:
    for name, plate in plates().items():
        other = "va-heads" in plate.draw(element.default_row())
        assert bool(plate.mean_alt) == other, name
