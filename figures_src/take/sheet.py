"""One picture of a stage: stage list, photograph, plate, arithmetic line and credit, at fixed places."""

import base64
import io
from dataclasses import dataclass, replace
from functools import cache
from html import escape

from PIL import Image

from vitattn_core import STAGES, Stage, stage
from vitattn_core.teaching import GRID

from .. import captions, cascade, photos, tokens, tree
from ..cascade import Style
from ..lines import KEY_STAGES, lines
from ..marks import Bound, tag
from ..panel import panel
from ..registry import plates
from ..row import Row, State, row
from ..settings import DEFAULTS
from ..shapes import corner
from ..stage_rules import PAINT
from ..tree import Node
from . import flow, paper
from .flat import Drawn, Place, flat
from .formula import formula
from .ink import Classes, look_text, shape_look, words_look
from .lean import lean_out
from .motion import Motion
from .shared import shared
from .words import Run, runs

WIDTH, HEIGHT = 1152, 648
EDGE = 24.0
PHOTO = 448.0
BENCH = EDGE + PHOTO + 32
TOP = 50.0
LINE = 546.0
FOOT = 636.0
FONT = "system-ui,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif"
CREDIT = "Figure: the vitattn contributors, CC BY 4.0. Photograph: Stefan van der Walt, CC0."
# What the paint on the photograph means, beside the CLS cell.
LEGENDS = {
    "colours": "every patch, and CLS, is a row",
    "squares": "above 0 filled, below 0 hollow; area is size",
    "alone": "this row works alone",
}


@dataclass
class Picture:
    """A drawn stage: its written marks, and the marks they come from, to find them by."""

    stage: Stage
    body: Node
    source: Node
    drawn: Drawn
    row: Row
    lean: bool


@cache
def state(key: int | None = None) -> Bound:
    """Return the marks' values in the default state, with another key pointed at if one is told."""
    trace = photos.trace(DEFAULTS["photo"])
    one, mean = row(State(key=key), trace), row(State(head=0, key=key), trace)
    return Bound(replace(one, values=mean.values | one.values))


@cache
def picture(stage_id: str, key: int | None = None, lean: bool = False) -> Picture:
    """Return a stage's picture as written marks, without a frame around it.

    A lean one has no sentence, no arithmetic line and no legend: what moves speaks.
    """
    picked = state(key)
    entry, drawn = stage(stage_id), Drawn(rough=lean)
    source = tree.read(
        tag(
            "vit-player",
            panel(picked, DEFAULTS["photo"]),
            tag("div", plates()[stage_id].draw(picked), class_="va-take"),
            lines(picked),
            head=DEFAULTS["head"],
            query=DEFAULTS["query"],
            **{"class": "va-take-player"},
        )
    ).elements[0]
    body = Node("g")
    own = cascade.style(source, cascade.ROOT)
    photograph = tree.find(source, ".va-panel-photo")[0]
    _paint(photograph, stage_id)
    if lean:
        lean_out(source, stage_id)
    photograph.attrs |= {"x": f"{EDGE:g}", "y": f"{TOP:g}"}
    photograph.attrs |= {"width": f"{PHOTO:g}", "height": f"{PHOTO * 242 / 224:g}"}
    if made := flat(photograph, own, Place(0, 0, wide=WIDTH, high=HEIGHT), drawn):
        body.add(made)
    if not lean:
        body.add(*_legend(stage_id, picked))
    bench = tree.find(source, ".va-take")[0]
    wide = WIDTH - BENCH - EDGE
    body.add(_title(entry, drawn, lean))
    start = TOP + 34
    if lean:
        said = [Run(entry.sentence, 16, "var(--va-ink)")]
        start += flow.put_lines(said, BENCH, start, wide, drawn, body) + 24
    body.add(flow.block(bench, own, BENCH, start, wide, drawn)[0])
    if not lean:
        body.add(_line(source, stage_id, own, drawn))
    return Picture(entry, body, source, drawn, picked.row, lean)


def _paint(photograph: Node, stage_id: str) -> None:
    """Leave on the photograph what belongs to the stage."""
    paint = PAINT[stage_id]
    for node in list(photograph.walk()):
        gone = (
            ("is-key" in node.classes and "va-mark" in node.classes and stage_id not in KEY_STAGES)
            or ("va-square" in node.classes and (paint != "weights" or len(node.classes) < 2))
            or ("va-taken" in node.classes and not node.attrs.get("d"))
        )
        if gone and node.parent is not None:
            node.parent.children.remove(node)
        if "va-paint" in node.classes or "va-spot" in node.classes:
            shown = node.attrs.get("data-for") == stage_id or (
                paint == "alone" and "va-spot" in node.classes
            )
            node.attrs["style"] = f"display:{'inline' if shown else 'none'}"
        if paint == "colours" and "va-picture" in node.classes:
            node.attrs["style"] = "filter:none"
        if paint == "colours" and "va-lines" in node.classes:
            node.attrs["style"] = "stroke-opacity:0.35"


def _title(entry: Stage, drawn: Drawn, lean: bool) -> Node:
    title = Run(entry.title, 22, "var(--va-ink)", weight="700")
    if lean:
        return flow.text_line([title], BENCH, TOP + 20, drawn)
    first, *others = formula(entry.formula, 18)
    parts = [title, replace(first, gap=16), *others]
    return flow.text_line(parts, BENCH, TOP + 20, drawn)


def _legend(stage_id: str, picked: Bound) -> list[Node]:
    """Return what the paint means, and which patch is picked."""
    quiet = look_text(words_look(fill="var(--va-quiet)", font_size="12px"))
    y, x = TOP + 21, EDGE + 42
    marks = []
    if (words := LEGENDS.get(PAINT[stage_id])) is None:
        ramp = {"x": f"{x + 12:g}", "y": f"{y - 8:g}", "width": "84", "height": "9"}
        end = f"{picked.values['range.end']} weight"
        marks = [
            Node("text", {"look": quiet, "x": f"{x:g}", "y": f"{y:g}"}).add("0"),
            Node("rect", {"fill": "url(#ramp)", **ramp}),
            Node("text", {"look": quiet, "x": f"{x + 102:g}", "y": f"{y:g}"}).add(end),
        ]
    else:
        marks = [Node("text", {"look": quiet, "x": f"{x:g}", "y": f"{y:g}"}).add(words)]
    drawn = Drawn()
    query = Run("q", 16, "var(--va-query)", weight="700", slant="italic", family="serif")
    is_ = Run(f" of {picked.values['query']}", 13, "var(--va-ink)")
    return [*marks, flow.text_line([query, is_], EDGE + PHOTO, y, drawn, "end")]


def _line(source: Node, stage_id: str, own: Style, drawn: Drawn) -> Node:
    """Return the arithmetic line: what comes after the stage shows its sign only."""
    name = "key" if stage_id in KEY_STAGES else stage_id
    line = next(
        node
        for node in tree.find(source, f'[data-line="{name}"]')
        if "va-heads" not in node.classes
    )
    inner = {**own, "font-size": "14px", "display": "flex"}
    parts: list[Run] = []
    for child in line.elements:
        told, here = child, child.attrs.get("data-from")
        if here == "mask" and stage_id != "mask":
            continue
        if here and KEY_STAGES.index(here) > KEY_STAGES.index(stage_id):
            told = child.elements[0]
        found = [part for part in runs(told, inner) if part.text.strip() or part.text == " "]
        if "va-who" in child.classes:
            found = [replace(part, weight="700") for part in found]
        if here:  # a step is not cut
            found = [replace(part, text=part.text.replace(" ", "\u00a0")) for part in found]
        if here == stage_id:
            found = [replace(part, line=True) for part in found]
        if found:
            parts += [replace(found[0], gap=13.0 if parts else 0.0), *found[1:]]
    panel_ = shape_look({"fill": "var(--va-panel)"})
    box = {"x": f"{EDGE:g}", "y": f"{LINE:g}", "width": f"{WIDTH - 2 * EDGE:g}", "height": "62"}
    group = Node("g").add(Node("rect", {"look": look_text(panel_), **box}))
    words = Node("g")
    high = flow.put_lines(parts, EDGE + 12, 0, WIDTH - 2 * EDGE - 24, Drawn(), words)
    y = LINE + (62 - high) / 2
    flow.put_lines(parts, EDGE + 12, y, WIDTH - 2 * EDGE - 24, drawn, group)
    return group


def stage_list(stage_id: str) -> Node:
    """Return the names of all stages, and a bar over each that is filled up to this one."""
    at = [entry.id for entry in STAGES].index(stage_id) if stage_id else -1
    wide = (WIDTH - 2 * EDGE) / len(STAGES)
    group = Node("g")
    for n, entry in enumerate(STAGES):
        fill = "var(--va-ink)" if n == at else "var(--va-quiet)" if n < at else "var(--va-rule)"
        bar = {"x": f"{EDGE + n * wide:g}", "y": "10", "width": f"{wide - 2:g}", "height": "4"}
        bold = "700" if n == at else "400"
        quiet = "var(--va-ink)" if n == at else "var(--va-quiet)"
        look = words_look(fill=quiet, font_size="12px", font_weight=bold, text_anchor="middle")
        words = {"x": f"{EDGE + (n + 0.5) * wide - 1:g}", "y": "32", "look": look_text(look)}
        group.add(Node("rect", {"look": look_text(shape_look({"fill": fill})), **bar}))
        group.add(Node("text", words).add(entry.id))
    return group


@cache
def photograph(webp: int = 0) -> str:
    """Return the default photograph as a data address: JPEG, or WebP of a quality.

    A still is for slides too, which know JPEG best; what moves is for browsers, which know WebP.
    """
    file = io.BytesIO()
    picture = Image.fromarray(photos.image(DEFAULTS["photo"]).transpose(1, 2, 0))
    if webp:
        picture.save(file, "WEBP", quality=webp, method=6)
    else:
        picture.save(file, "JPEG", quality=72, optimize=True)
    kind = "webp" if webp else "jpeg"
    return f"data:image/{kind};base64," + base64.b64encode(file.getvalue()).decode()


def _patch(x: int, y: int) -> str:
    """Return one patch as a data address, every pixel as it is."""
    file = io.BytesIO()
    pixels = photos.image(DEFAULTS["photo"]).transpose(1, 2, 0)
    patch = pixels[y : y + GRID.patch, x : x + GRID.patch]
    Image.fromarray(patch).save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def definitions(body: str, repeated: str, webp: int) -> str:
    """Return the photograph, what is repeated, and what the marks of a picture refer to, if they do."""
    whole = body + repeated
    side = GRID.width
    made = f'<image id="photo" width="{side}" height="{side}" href="{photograph(webp)}"/>'
    if "#pixels" in whole:
        x, y = corner(State().query)
        box = f'x="{x}" y="{y}" width="{GRID.patch}" height="{GRID.patch}"'
        made += f'<image id="pixels" {box} image-rendering="pixelated" href="{_patch(x, y)}"/>'
    if "#grey" in whole:  # grayscale(1) contrast(0.72) brightness(0.66)
        line = 'type="linear" slope="0.475" intercept="0.092"'
        made += (
            '<filter id="grey" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">'
            '<feColorMatrix type="saturate" values="0"/><feComponentTransfer>'
            f"<feFuncR {line}/><feFuncG {line}/><feFuncB {line}/></feComponentTransfer></filter>"
        )
    if "#ramp" in whole:
        last = len(tokens.WEIGHT_STOPS) - 1
        stops = "".join(
            f'<stop offset="{n / last:g}" stop-color="{stop}"/>'
            for n, stop in enumerate(tokens.WEIGHT_STOPS)
        )
        made += f'<linearGradient id="ramp">{stops}</linearGradient>'
    return f"<defs>{made}{repeated}</defs>"


def document(
    body: list[Node], title: str, words: str, motion: Motion = paper.STILL, webp: int = 0
) -> str:
    """Return a whole file: marks, their looks in both schemes, movement, title, description, credit."""
    classes = Classes()
    page = look_text(shape_look({"fill": "var(--va-page)"}))
    quiet = look_text(words_look(fill="var(--va-quiet)", font_size="11px", text_anchor="end"))
    ground = Node("rect", {"look": page, "width": str(WIDTH), "height": str(HEIGHT)})
    foot = Node("text", {"look": quiet, "x": f"{WIDTH - EDGE:g}", "y": f"{FOOT:g}"}).add(CREDIT)
    inside = "".join(paper.text(part, classes, motion) for part in [ground, *body, foot])
    inside, repeated = shared(inside)
    style = (
        f"svg{{font-family:{FONT};font-variant-numeric:tabular-nums lining-nums}}{classes.css()}"
    )
    defined = definitions(inside, repeated, webp)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="title desc">'
        f'<title id="title">{escape(title)}</title><desc id="desc">{escape(words)}</desc>'
        f"<style>{style}{motion.css()}</style>{defined}{inside}</svg>\n"
    )


@cache
def still(stage_id: str) -> str:
    """Return the file of a stage."""
    made = picture(stage_id)
    title = f"{made.stage.title}: self-attention in a Vision Transformer"
    words = f"{made.stage.sentence} {captions.spoken(plates()[stage_id].alt)}"
    return document([stage_list(stage_id), made.body], title, words)
