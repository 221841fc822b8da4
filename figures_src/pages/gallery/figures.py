"""The gallery: the twelve plates and the film as files to take away, as docs/assets/take/ holds them.

`make stills` makes the files out of the page; here they are shown, with what they weigh.
"""

from html import escape
from pathlib import Path

from figures_src.kit.elements import tag
from figures_src.pages.registry import figure
from figures_src.player import element
from figures_src.player.film.timeline import chapters
from figures_src.player.registry import plates
from vitattn_core import STAGES, Stage, stage

FOLDER = "assets/take"
FILES = Path(__file__).resolve().parents[3] / "docs" / FOLDER
FILM = f"{FOLDER}/film.mp4"
FILM_SIZE = (1280, 720)


@figure(
    "gallery-film",
    caption="The whole film, without sound: {{ count.stages.word = twelve }} chapters, one a stage, "
    "marked in the file.",
    alt="A video of the player. It shows what the list of chapters tells, from the photograph "
    "to the row that leaves the block.",
)
def film() -> str:
    width, height = FILM_SIZE
    video = tag(
        "video",
        f'<a href="{FILM}">The film</a>',
        src=FILM,
        controls="",
        preload="none",
        playsinline="",
        muted="",
        poster=still("softmax"),
        width=width,
        height=height,
        aria_label="The film: one row through twelve stages, without sound",
    )
    links = tag(
        "p", tag("strong", "The whole film"), _link(FILM, "MP4", "The film"), class_="va-take-files"
    )
    steps = tag("ol", *(_chapter(entry, start) for entry, start in _starts()))
    told = tag("details", tag("summary", "What each chapter shows"), steps, class_="va-take-fold")
    return tag("div", video, links, told, class_="va-take-entry")


@figure(
    "gallery-stages",
    caption="The {{ count.stages.word = twelve }} stages. Each file has its own ground and follows "
    "the reader’s light or dark.",
    alt="{{ count.stages.word = Twelve }} pictures, one a stage: the photograph at the left, the bench "
    "with its numbers at the right, one line of arithmetic below.",
)
def stages() -> str:
    return tag("div", *(_plate(entry) for entry in STAGES), class_="va-takes")


def still(stage_id: str) -> str:
    """Return where a stage's picture stands in the site."""
    return f"{FOLDER}/{stage_id}.svg"


def old_addresses() -> dict[str, str]:
    """Return small pictures for the addresses of the chapters that used to be files of their own."""
    names = [*(f"{entry.id}-moving" for entry in STAGES), "film-moving"]
    return {f"{FOLDER}/{name}.svg": _signpost() for name in names}


def _signpost() -> str:
    words = tag("text", "This chapter is part of the film now: see the gallery.", x=20, y=45)
    link = tag("a", words, href="../../gallery.html#film")
    ground = tag("rect", width="100%", height="100%", fill="#ffffff")
    return tag(
        "svg",
        ground,
        link,
        xmlns="http://www.w3.org/2000/svg",
        viewBox="0 0 560 80",
        fill="#1f5fbf",
        font_family="sans-serif",
        font_size=18,
    )


def _plate(entry: Stage) -> str:
    place = still(entry.id)
    picture = tag("img", src=place, alt=plates()[entry.id].alt, loading="lazy")
    links = tag(
        "p", tag("strong", entry.title), _link(place, "SVG", entry.title), class_="va-take-files"
    )
    return tag("div", picture, links, class_="va-take-entry", id=f"still-{entry.id}")


def _starts() -> list[tuple[Stage, int]]:
    """Return each stage and when its chapter begins, in milliseconds."""
    start, found = 0, []
    for stage_id, chapter in chapters().items():
        found.append((stage(stage_id), start))
        start += chapter.ms
    return found


def _chapter(entry: Stage, start: int) -> str:
    """Return a chapter: when it begins, its title, and what is said while it plays."""
    minutes, seconds = divmod(round(start / 1000), 60)
    values = element.default_row().values
    said = " ".join(_of_step(step.say, values) for step in chapters()[entry.id].steps)
    title = tag("strong", escape(f"{minutes}:{seconds:02d} {entry.title}."))
    return tag("li", f"{title} {escape(said)}")


def _of_step(say: str, values: dict[str, str]) -> str:
    """Return what a step says, with the default row's numbers."""
    for name in values if "{" in say else ():
        say = say.replace(f"{{{name}}}", values[name])
    return say


def _link(place: str, kind: str, title: str) -> str:
    """Return the link that saves a file. ValueError says which command makes a file that is missing."""
    path = FILES / Path(place).name
    if not path.is_file():
        raise ValueError(f"gallery: {path.name} is not in docs/{FOLDER}: make stills makes it")
    size = (
        f"{path.stat().st_size / 1e6:.1f} MB"
        if path.stat().st_size > 1e6
        else (f"{round(path.stat().st_size / 1000)} kB")
    )
    name = tag("span", f"{title}, ", class_="va-unseen")
    return tag("a", name, f"{kind}, {size}", href=place, download="")
