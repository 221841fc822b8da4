"""Panels that several plates use: a row of numbers, an axis of ticks, the unit bar.

Panels are SVG laid out in per cent, so that text keeps its size when the panel gets narrow. A strip
is one line of the bench: label | plot | result (kit/strips.py).
"""

from collections.abc import Sequence

from figures_src.kit.colours import weight_level
from figures_src.kit.elements import tag
from figures_src.kit.geometry import corner
from figures_src.kit.strips import strip, svg
from figures_src.player.bound import Bound
from vitattn_core.teaching import GRID, HEADS

from .row import Row
from .styles.mark_sizes import ROOM

SLOTS = 4  # numbers of a head
RISE_HEIGHT = 132  # of the columns of the residual, in pixels
TOP = 34  # of the marks on an axis, under two lines of numbers, in pixels


CHANNEL_WORDS = (
    "light",
    "red green",
    "blue yellow",
    "spot",
    "row cos",
    "row sin",
    "col cos",
    "col sin",
    "keel",
    "cls",
    "diff",
    "out",
)
GROUPS = tuple(range(start, start + SLOTS) for start in range(0, len(CHANNEL_WORDS), SLOTS))


def channels(
    bound: Bound,
    letter: str,
    words: str,
    prefix: str,
    role: str = "none",
    named: bool = True,
    mark: str | None = None,
    names: Sequence[str] = CHANNEL_WORDS,
) -> str:
    """Return a row of 12 channels in three groups: one line where there is room, else three.

    With `named` false the names of the row above serve this one too, where both are one line.
    """
    groups = "".join(
        tag(
            "div",
            tag("div", *(tag("span", names[c]) for c in group), class_="va-names"),
            numbers(bound, prefix, role, group),
        )
        for group in GROUPS
    )
    return strip(
        letter,
        role,
        words,
        tag("div", groups, class_="va-groups"),
        cls="va-wide"
        + ("" if named else " va-nameless")
        + (" va-short" if names != CHANNEL_WORDS else ""),
        mark=mark,
    )


def rises(bound: Bound) -> str:
    """Return a column a channel: x as a bar from zero, what is added on top, and where that ends."""
    groups = "".join(
        tag(
            "div",
            tag("div", *(tag("span", CHANNEL_WORDS[c]) for c in group), class_="va-names"),
            svg(RISE_HEIGHT + 50, *_columns(bound, group), cls="va-rises"),
        )
        for group in GROUPS
    )
    return tag("div", groups, class_="va-groups")


def _columns(bound: Bound, group: Sequence[int]) -> list[str]:
    zero, width = RISE_HEIGHT / 2, 100 / len(group)
    marks = [tag("line", class_="va-zero", x1="0", x2="99%", y1=zero, y2=zero)]
    for place, c in enumerate(group):
        left, middle = place * width, f"{(place + 0.5) * width:g}%"
        column = {"y": zero, "height": zero, "width": f"{width * 0.28:g}%"}
        end = {"x1": f"{left + width * 0.12:g}%", "x2": f"{left + width * 0.88:g}%"}
        marks += [
            bound.rise(f"rise.base.{c}", x=f"{left + width * 0.2:g}%", **column),
            bound.added(f"rise.base.{c}", f"rise.M.{c}", x=f"{left + width * 0.52:g}%", **column),
            bound.end(f"rise.Y.{c}", y1=zero, y2=zero, **end),
            bound.text(f"base.{c}", "text", x=middle, y=RISE_HEIGHT + 14),
            bound.text(f"added.{c}", "text", x=middle, y=RISE_HEIGHT + 30, class_="role-output"),
            bound.text(f"Y.{c}", "text", x=middle, y=RISE_HEIGHT + 46, class_="va-end-number"),
        ]
    return marks


def names(bound: Bound, prefix: str) -> str:
    """Return the line of channel names above rows of numbers."""
    cells = (bound.text(f"{prefix}.{slot}", "span") for slot in range(SLOTS))
    return strip("", "none", "", tag("div", *cells, class_="va-names"), cls="va-head")


def numbers(
    bound: Bound,
    prefix: str,
    role: str,
    which: Sequence[int] = range(SLOTS),
    text_prefix: str | None = None,
) -> str:
    """Return numbers side by side, each over a bar that grows from the middle of its cell.

    `text_prefix` names the texts where they are not those of the bars: a number that stands in the
    arithmetic line too has the digits that it has there.
    """
    width = 100 / len(which)
    marks = [_cells(len(which))]
    for place, slot in enumerate(which):
        middle = (place + 0.5) * width
        marks += [
            bound.bar(f"bar.{prefix}.{slot}", x=middle, width=width / 2 - 1, y=27, height=7),
            bound.text(f"{text_prefix or prefix}.{slot}", "text", x=f"{middle:g}%", y=18),
        ]
    return svg(36, *marks, cls=f"va-numbers role-{role}")


def _cells(count: int) -> str:
    """Return the grounds of as many cells, side by side, and the zero lines under their numbers."""
    grounds = "".join(
        f"M{place} 0h{1 - 0.006 * count:g}v36h-{1 - 0.006 * count:g}z" for place in range(count)
    )
    zeros = "".join(f"M{place + 0.5} 24v12" for place in range(count))
    box = {"viewBox": f"0 0 {count} 36", "preserveAspectRatio": "none", "width": "100%"}
    return tag(
        "svg",
        tag("path", d=grounds, class_="va-cell"),
        tag("path", d=zeros, class_="va-zero"),
        **box,
        height=36,
    )


def axis_labels(bound: Bound, kind: str) -> str:
    """Return the five numbers under an axis."""
    places = zip(range(5), (0, 25, 50, 75, 100), strict=True)
    marks = (
        bound.text(f"axis.{kind}.{n}", "text", x=f"{x}%", y=12, class_=f"at-{n}") for n, x in places
    )
    return svg(16, *marks, cls="va-axis")


def tick_panel(
    bound: Bound,
    *,
    marks: str,
    box: str,
    height: float,
    own_value: str,
    key: str,
    behind: str = "",
    measured: bool = False,
) -> str:
    """Return an axis with one mark for each key, the query's own and the pointed key's lifted out.

    `marks` names a path in the axis's units and `box` its view box; `own_value` and `key` name
    the written values, and x. before these names the places on the axis; `behind` is drawn first.
    With `measured` the two are as high as the values named with height. before them, from 0 to 1.
    """
    path = bound.path(marks, class_="va-tick")
    plot = axis_plot(bound, box, behind, path, y=TOP, height=height - TOP)
    return svg(
        height,
        plot,
        _foot(height),
        _lifted(bound, own_value, "query", "itself ", 12, height, measured),
        _lifted(bound, key, "key", "key ", 28, height, measured),
    )


def axis_plot(bound: Bound, box: str, *children: str, y: float, height: float) -> str:
    """Return an inner drawing in the axis's own units, stretched over the panel's width."""
    return tag(
        "svg",
        *children,
        viewBox=bound.values[box],
        preserveAspectRatio="none",
        width="100%",
        y=y,
        height=height,
        data_box=box,
    )


def _lifted(
    bound: Bound,
    name: str,
    role: str,
    verb: str,
    baseline: float,
    height: float,
    measured: bool,
) -> str:
    """Return one key's mark with its number above; the thin line only leads from one to the other."""
    lead = tag("line", class_="va-lead-line", y1=baseline + 4, y2=height if measured else TOP)
    if name.endswith(("masked", "masked.own")):  # a key that is out stands nowhere on the axis
        lead = bound.rise(f"height.{name}", x=-0.5, y=TOP, width=1, height=TOP - baseline - 4)
    mark = (
        upright(bound, f"height.{name}", height, height - TOP)
        if measured
        else tag("line", class_="va-marked", y1=TOP, y2=height)
    )
    tip = tag("text", verb, bound.text(name, "tspan"), y=baseline)
    return bound.at(f"x.{name}", "svg", lead, mark, tip, class_=f"va-over role-{role}")


def upright(bound: Bound, name: str, foot: float, full: float) -> str:
    """Return a thick stick on the line at `foot`, `full` pixels high where the value is 1."""
    return bound.rise(name, x=-1.75, y=foot, width=3.5, height=full)


def _foot(height: float) -> str:
    return tag("line", class_="va-zero", x1="0", x2="100%", y1=height - 0.5, y2=height - 0.5)


def unit_bar(bound: Bound) -> str:
    """Return all weights laid end to end: together exactly the bar, from 0 to 1.

    Weights that sum to more fill a bar that ends at their sum; weights that sum to less leave a gap.
    """
    segments, bar_end = bound.row.segments, bound.row.bar_end
    segment_marks = "".join(segment(bound.row, *part) for part in segments)
    start = segments[-1][1] + segments[-1][2] if segments else 0.0
    left = max(0.0, bound.row.total - start) / bar_end
    middle = f"{100 * (start / bar_end + left / 2):.2f}%"
    kinds = " ".join(["va-others", *(name for name, least in ROOM.items() if left < least)])
    rest_mark = tag(
        "g",
        tag(
            "rect",
            class_="va-rest",
            x=f"{100 * start / bar_end:.2f}%",
            width=f"{100 * left:.2f}%",
            height=46,
        ),
        tag(
            "text", bound.text("rest.count", "tspan"), " more", x=middle, y=27, class_="va-on-dark"
        ),
        bound.text("rest", "text", x=middle, y=62, class_="va-width"),
        class_=kinds,
    )
    bracket = tag(
        "g",
        tag("line", x1="0", x2="100%", y1=76, y2=76),
        tag("line", x1="0.1%", x2="0.1%", y1=68, y2=76),
        tag("line", x1="99.9%", x2="99.9%", y1=68, y2=76),
        class_="va-bracket",
    )
    ends = tag("text", "0", x="0.8%", y=90, class_="at-0") + bound.text(
        "bar.end", "text", x="99.2%", y=90, class_="at-4"
    )
    caption = tag("text", "all 197 widths, CLS first", x="50%", y=90, class_="at-2")
    return svg(
        94,
        tag("g", segment_marks, class_="va-segments"),
        rest_mark,
        bracket,
        ends,
        caption,
        cls="va-unit",
    )


def segment(row: Row, token: int, x: float, width: float) -> str:
    """Return one key's part of the unit bar: as wide as its weight, with its patch and its number.

    Every part has the same marks; the style sheet hides patch and number where they have no room.
    """
    level = max(1, weight_level(width, row.range_end))
    classes = ["va-segment", f"w{level}"]
    classes += ["is-cls"] if token < GRID.prefix else []
    classes += ["is-query"] if token == row.query else []
    classes += ["is-key"] if token == row.key else []
    classes += [name for name, least in ROOM.items() if width / row.bar_end < least]
    left, top = corner(token)
    middle = f"{100 * (x + width / 2) / row.bar_end:.2f}%"
    patch = tag(
        "svg",
        tag("use", href="#va-photograph"),
        **{"viewBox": f"{left} {top} 16 16", "class": "va-thumb"},
        x=middle,
        y=12,
        width=22,
        height=22,
    )
    block = tag(
        "rect",
        x=f"{100 * x / row.bar_end:.2f}%",
        width=f"{100 * width / row.bar_end:.2f}%",
        height=46,
    )
    number = tag("text", f"{width:.3f}", x=middle, y=62, class_="va-width")
    if token < GRID.prefix:
        share = tag("tspan", f" {width:.3f}", class_="va-cls-share")
        number = tag("text", "CLS", share, x="0%", y=-4, class_="va-width at-0")
    return tag("g", block, patch, number, class_=" ".join(classes), data_token=token)


def heads(bound: Bound, ticks: str, value: str) -> str:
    """Return one axis a head, for the state "mean": `ticks` names the marks, `value` the numbers."""
    lines = []
    for h, name in enumerate(HEADS):
        panel = tick_panel(
            bound,
            marks=f"h{h}.ticks.{ticks}",
            box="box.heads",
            height=96,
            own_value=f"h{h}.{value}.own",
            key=f"h{h}.{value}",
            measured=value == "masked",
        )
        lines.append(strip(str(h + 1), "none", name, panel, bound.text(f"h{h}.{value}")))
    return side_by_side(*lines, strip("", "none", "", axis_labels(bound, "heads")))


def side_by_side(*lines: str) -> str:
    """Return the panels that stand in for a plate's own while the mean of heads is chosen.

    They are a template, which the page's script fills in when that is first chosen.
    """
    say = tag("p", "The heads side by side: the model forms no mean of them.", class_="va-say")
    return tag("template", tag("div", say, *lines, class_="va-heads"), class_="va-late")
