"""The film without JavaScript: a style sheet that plays the twelve plates once, when the reader asks.

Pages load it only where no script runs. The first tick box (.va-playing) starts it, the second holds
it; nothing moves before, and nothing at all for readers who want no motion. Moves that need places
of the page are left to the script.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from bs4 import BeautifulSoup

from figures_src.kit.colours import WEIGHT_LEVELS, weight_opacity
from figures_src.player import element
from figures_src.player.arithmetic_line import KEY_STAGES
from figures_src.player.styles.stage_css import PAINT
from vitattn_core import STAGES

from .timeline import NATURAL, Frame, Move, chapters, filled

CALM = "@media(prefers-reduced-motion:no-preference)"

# Twice, to weigh more than the rules of the chosen stage.
PLAYS = "vit-player:has(.va-playing:checked):has(.va-playing:checked)"
# What has its own time on the photograph.
BUSY = {".va-spot", ".va-cells > g", ".va-mark.is-key", ".va-taken"}


def seconds(ms: float) -> str:
    """Return a time as a style sheet has it."""
    text = f"{ms / 1000:.2f}".rstrip("0").rstrip(".")
    return (text.removeprefix("0") or "0") + "s"


def short(n: int) -> str:
    """Return a name for the nth keyframes rule: a, b, …, aa, ab, …"""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return (short(n // 26 - 1) if n >= 26 else "") + letters[n % 26]


def css() -> str:
    """Return the style sheet; paper shows whole plates, whatever plays on the screen."""
    on_screen = (*_boxes(), *_still(), *_phone(), f"{CALM}{{", *_times(), *_moves(), "}")
    return "\n".join(("@media screen{", *on_screen, "}", *_frames())) + "\n"


def _boxes() -> Iterator[str]:
    """Yield the tick boxes; the one that holds the film is there while it plays."""
    yield ".va-asked{display:inline-flex;gap:.4rem;align-items:center;min-height:2rem;margin-right:.9rem}"
    yield ".va-transport .va-now{display:none}"
    yield ".va-asked input{width:.9rem;height:.9rem;margin:0}"
    yield "vit-player:not(:has(.va-playing:checked)) .va-asked:has(.va-paused){display:none}"
    yield "@media(prefers-reduced-motion:reduce){vit-player .va-asked{display:none}}"


def _still() -> Iterator[str]:
    """Yield what holds while it plays: everything in its place, and not seen."""
    yield f"{PLAYS}:has(.va-paused:checked) *{{animation-play-state:paused!important}}"
    yield f"{PLAYS} .va-bench{{display:grid}}"
    yield f"{PLAYS} .va-plate{{display:block;grid-area:1/1;visibility:hidden}}"
    yield f"{PLAYS} .va-scene>.va-line:not(.va-heads){{display:flex;visibility:hidden}}"
    yield f"{PLAYS} :is(.va-paint,.va-mark.is-key,.va-spot){{display:inline;visibility:hidden}}"
    yield f"{PLAYS} .va-cells{{visibility:hidden}}"
    for level in range(1, WEIGHT_LEVELS):  # as solid as its weight, whatever the chosen stage says
        yield f".w{level}{{--va-solid:{weight_opacity(level / (WEIGHT_LEVELS - 1)):.3f}}}"
    yield f"{PLAYS} .va-square[class*=' w']{{fill-opacity:var(--va-solid)}}"
    yield f"{PLAYS} .va-legend>[class^=va-key]{{display:inline;position:absolute;visibility:hidden}}"
    yield f"{PLAYS} [data-from]>span{{display:inline}}"
    yield f"{PLAYS} .va-stage{{background:none;font-weight:400;border-top-color:var(--va-rule)}}"
    # It cannot be led to another stage: the list tells where it is, and takes no choice meanwhile.
    yield f"{PLAYS} .va-stages{{cursor:not-allowed}}"
    yield f"{PLAYS} .va-stage{{color:var(--va-quiet);pointer-events:none}}"
    yield f"{PLAYS} .va-stage input{{visibility:hidden}}"


def _phone() -> Iterator[str]:
    """Yield what player.css does for a film that plays: on a phone the photograph steps aside."""
    yield "@media screen{@container player (max-width:34.95rem){"
    yield f"{PLAYS} .va-photo{{--cell:.5rem;margin:0}}"
    beside = "calc(14*var(--cell) + .6rem)"
    yield (
        f"{PLAYS} .va-legend{{position:absolute;top:0;left:{beside};margin:0;"
        f"width:calc(100cqw - {beside});height:auto;display:grid}}"
    )
    yield f"{PLAYS} .va-legend>[class^=va-key]{{position:static;grid-area:1/1}}"
    yield f"{PLAYS} :is(.va-cls-label,.va-mark text,.va-say){{display:none}}"
    yield "}}"
    yield "@media screen and (min-height:30.0625em){@container player (max-width:34.95rem){"
    yield (
        f"{PLAYS} .va-transport{{position:sticky;top:calc(2.2rem + 1px);z-index:2;min-height:0;"
        "background:var(--va-page)}"
    )
    yield "}}"


def _times() -> Iterator[str]:
    """Yield when each plate, line, paint and mark is seen."""
    for n, entry in enumerate(STAGES):
        stages = [entry.id]
        yield _visibility_rule(f".va-plate[id$=stage-{entry.id}]", stages)
        yield _visibility_rule(f".va-paint[data-for={entry.id}]", stages)
        if entry.id not in KEY_STAGES:
            yield _visibility_rule(f".va-line[data-line={entry.id}]", stages)
        start, length = _span(stages)
        yield (
            f"{PLAYS} .va-stages>:nth-child({n + 2})"
            f"{{animation:va-reach {seconds(length)} linear {seconds(start)} both}}"
        )
    stages_by_paint = {
        name: [s.id for s in STAGES if PAINT[s.id] == name] for name in PAINT.values()
    }
    for name, stages in stages_by_paint.items():
        yield _visibility_rule(f".va-legend>.va-key-{name}", stages)
    yield _visibility_rule(".va-line[data-line=key]:not(.va-heads)", KEY_STAGES)
    yield _visibility_rule(".va-mark.is-key", KEY_STAGES)
    yield _visibility_rule(".va-cells", stages_by_paint["weights"])
    yield _visibility_rule(".va-spot", stages_by_paint["alone"])
    start, length = _span(stages_by_paint["colours"])
    yield f"{PLAYS} .va-picture{{animation:va-colour {seconds(length)} {seconds(start)}}}"


def _span(stages: Iterable[str]) -> tuple[int, int]:
    """Return when the first of some stages begins, and how long they last together."""
    start, spans = 0, []
    for stage_id, chapter in chapters().items():
        if stage_id in stages:
            spans.append((start, chapter.ms))
        start += chapter.ms
    return spans[0][0], sum(length for _, length in spans)


def _visibility_rule(marks: str, stages: Iterable[str]) -> str:
    start, length = _span(stages)
    stays = " forwards" if start + length == _span([s.id for s in STAGES])[1] else ""
    rule = f"animation:va-shown {seconds(length)} {seconds(start)}{stays}"
    return f"{PLAYS} {marks}{{{rule}}}"


def _moves() -> Iterator[str]:
    """Yield the moves of the marks in the plates and on the photograph."""
    names = {body: short(n) for n, body in enumerate(_bodies())}
    for place, move, at in _movable():
        animation = (
            f"va-{names[_body(move.frames)]} {seconds(move.ms)} ease-in-out {seconds(at)} both"
        )
        yield f"{PLAYS} {place} {move.marks}{{animation:{animation}}}"


@cache
def _movable() -> list[tuple[str, Move, int]]:
    """Return the moves that need no places of the page: where their marks stand, and when they begin."""
    page = BeautifulSoup(element.player(), "html.parser")
    for template in page.find_all(
        "template"
    ):  # not every version of the selectors' library skips them
        template.decompose()
    plates = {plate["id"]: plate for plate in page.select(".va-plate")}
    photograph = page.select(".va-panel-photo")[0]
    movable, start = [], 0
    for stage_id, chapter in chapters().items():
        plate = f".va-plate[id$=stage-{stage_id}]"
        moved_marks = set(BUSY)
        for begin, move in chapter.moves():
            placed = move.source or move.parts or move.copy or move.lay
            if placed or not move.frames or move.marks in moved_marks:
                continue
            moved_marks.add(move.marks)  # one move a mark: the next would take its place
            at = start + begin + move.start
            if plates[f"stage-{stage_id}"].select_one(move.marks):
                movable.append((plate, move, at))
            elif photograph.select_one(move.marks):
                movable.append((".va-panel-photo", move, at))
            # Any other mark waited in a template, which only a script takes out: it is not shown here.
        start += chapter.ms
    return movable


def _bodies() -> list[str]:
    return list(dict.fromkeys(_body(move.frames) for _, move, _ in _movable()))


def _body(frames: tuple[Frame, ...]) -> str:
    """Return frames as the body of a keyframes rule, with the values of the default row."""
    values, body = element.default_row().values, ""
    for n, frame in enumerate(frames):
        declarations = ";".join(f"{name}:{filled(value, values)}" for name, value in frame.items())
        body += f"{100 * n / len(frames):.4g}%{{{declarations}}}"
    held = {name: value for name, value in frames[0].items() if name not in NATURAL}
    last = ";".join(f"{name}:{value}" for name, value in held.items())
    return f"{body}to{{{last};stroke-dashoffset:0}}" if held else body


def _frames() -> Iterator[str]:
    yield "@keyframes va-shown{from,to{visibility:visible}}"
    yield "@keyframes va-reach{to{border-top-color:var(--va-ink)}}"
    yield "@keyframes va-colour{from,to{filter:none}}"
    for n, body in enumerate(_bodies()):
        yield f"@keyframes va-{short(n)}{{{body}}}"
