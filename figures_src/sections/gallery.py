"""The gallery: every file to take away, still until the reader asks for movement."""

from html import escape

from vitattn_core import STAGES, stage

from ..marks import tag
from ..registry import figure, plates
from ..take import files, moving, sheet
from ..timeline import chapters


@figure(
    "gallery-film",
    caption="The whole film: twelve chapters, one a stage, without sound. It plays once and stops.",
    alt="A picture of the softmax stage stands for the film; the film itself plays when asked.",
)
def film() -> str:
    return _entry(
        "The whole film",
        (files.still("softmax"), sheet.still("softmax"), plates()["softmax"].alt),
        (files.FILM, moving.film()),
        [entry.sentence for entry in STAGES],
    )


@figure(
    "gallery-stages",
    caption="The twelve stages, each as a picture and as a chapter that plays once and stops.",
    alt="Twelve pictures, one a stage: the photograph at the left, the bench with its numbers at the "
    "right, one line of arithmetic below.",
)
def stages() -> str:
    return tag("div", *(_stage(entry.id) for entry in STAGES), class_="va-takes")


def _stage(stage_id: str) -> str:
    entry = stage(stage_id)
    words = sheet.picture(stage_id).row.values
    return _entry(
        entry.title,
        (files.still(stage_id), sheet.still(stage_id), plates()[stage_id].alt),
        (files.chapter(stage_id), moving.chapter(stage_id)),
        [moving.caption(step.say, words) for step in chapters()[stage_id].steps],
        f"still-{stage_id}",
    )


def _entry(
    title: str,
    still: tuple[str, str, str],
    moves: tuple[str, str],
    steps: list[str],
    id: str | None = None,
) -> str:
    """Return a picture, the two files behind it, and a fold that plays the moving one."""
    place, text, alt = still
    size = {"width": sheet.WIDTH, "height": sheet.HEIGHT, "loading": "lazy"}
    picture = tag("img", src=place, alt=alt, **size)
    links = tag(
        "p",
        tag("strong", title),
        _link(place, "still", text, title),
        _link(moves[0], "moving", moves[1], title),
        class_="va-take-files",
    )
    played = tag("img", src=moves[0], alt=f"{title}: what the list below says, moving", **size)
    told = tag("ol", *(tag("li", escape(step)) for step in steps))
    fold = tag(
        "details",
        tag("summary", "Play it here", tag("span", f": {title}", class_="va-unseen")),
        played,
        told,
        class_="va-take-fold",
    )
    return tag("div", picture, links, fold, class_="va-take-entry", id=id)


def _link(place: str, kind: str, text: str, title: str) -> str:
    size = round(len(text.encode()) / 1000)
    name = tag("span", f"{title}, ", class_="va-unseen")
    return tag("a", name, f"{kind}, SVG, {size} KB", href=place, download="")
