"""Links between pages, and links to states of the player or the explorer, checked against what exists.

A link to a state carries its names in the address, `index.html#stage=scores&query=5.4`: the
generator would take that for a missing anchor, so pages write `{{ state stage=scores : words }}`,
or `{{ explore layer=4 : words }}`, and get a plain HTML link.
"""

import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures_src.explorer import values
from figures_src.player.state import DEFAULTS, at_first

from .quoted_numbers import near

# Whose state: its name, its page, its defaults, and what an address says that says nothing else.
ELEMENTS = {
    "state": ("player", "index.md", DEFAULTS, "stage"),
    "explore": ("explorer", "checkpoint.md", values.DEFAULTS, "layer"),
}
# The state that a photograph opens with.
AT_FIRST = {"state": at_first, "explore": values.at_first}
PAGE = re.compile(r"(?P<page>[^:#?]+\.md)(?:#.*)?")
OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//")
NAME = re.compile(r"(?P<name>[a-z]+)=(?P<value>\S+)")


def is_page(target: str) -> bool:
    """Whether an address is that of a page's source."""
    return bool(PAGE.fullmatch(target))


@dataclass(frozen=True)
class Site:
    """What links may lead to: the anchors of each page, by its path from docs, and the files."""

    docs: Path
    anchors: dict[str, list[str]]
    folders: list[Path]
    heavy: dict[str, str] = field(default_factory=dict)

    def check(self, target: str, page: str) -> None:
        """ValueError when a link to another page, or an anchor, leads nowhere. page: from docs."""
        if OUTSIDE.match(target):
            return
        address, _, anchor = target.partition("#")
        if "=" in anchor:
            raise ValueError(
                f"{target!r} is a state of the player: write {{{{ state … : words }}}}"
            )
        source = _beside(address, page) if address else page
        if not source.endswith(".md"):
            return  # a file to download: the generator's own check knows the generated ones
        if not (self.docs / source).is_file():
            raise ValueError(f"there is no page {source!r}")
        known = self.anchors.get(source)  # None: the page cannot be read, which is told already
        if anchor and known is not None and anchor not in known:
            raise ValueError(
                f"page {source!r} has no anchor {anchor!r}: it has {near(anchor, known)}"
            )

    def check_file(self, address: str, page: str) -> None:
        """ValueError when a picture is not of this site, or is not there."""
        if OUTSIDE.match(address):
            raise ValueError(f"a picture from another host: {address}")
        name = _beside(address.partition("#")[0], page)
        if not any((folder / name).is_file() for folder in self.folders):
            raise ValueError(f"there is no picture {name!r}")
        if reason := self.heavy.get(name):
            raise ValueError(f"{name}: {reason}")


def _beside(address: str, page: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), address))


def state_address(settings: str, page: str, manifest: dict[str, Any], of: str = "state") -> str:
    """The address of a state of the player (`state`) or of the explorer (`explore`).

    ValueError names the setting that does not exist.
    """
    _, home, defaults, least = ELEMENTS[of]
    state = {}
    for part in settings.split():
        found = NAME.fullmatch(part)
        if not found:
            raise ValueError(f"a state is name=value, not {part!r}")
        check_setting(found["name"], found["value"], manifest, of)
        state[found["name"]] = found["value"]
    opens = AT_FIRST[of](state.get("photo", defaults["photo"])) | {"photo": defaults["photo"]}
    order = [name for name in defaults if name in state and state[name] != opens[name]]
    # With nothing to say the address still names one setting, so that the link leads to the element.
    address = "&".join(f"{name}={state[name]}" for name in order) or f"{least}={defaults[least]}"
    if page == home:
        return "#" + address
    there = home.removesuffix(".md") + ".html"
    return posixpath.relpath(there, posixpath.dirname(page) or ".") + "#" + address


def still(address: str, of: str = "state") -> str:
    """The picture nearest to a state of the element's own page, or "" where none is like it."""
    given = dict(part.split("=") for part in address.removeprefix("#").split("&"))
    if of == "state":
        return f"gallery.html#still-{given.get('stage', DEFAULTS['stage'])}"
    if given.keys() - {"layer", "head"}:
        return ""  # the sheet shows one photograph and one patch
    layer, head = (given.get(name, values.DEFAULTS[name]) for name in ("layer", "head"))
    return "#sheet" if head == "mean" else f"#sheet-{layer}-{head}"


def check_setting(name: str, value: str, manifest: dict[str, Any], of: str = "state") -> None:
    """ValueError when the element has no such setting, or the setting no such value."""
    element, _, defaults, _ = ELEMENTS[of]
    states = manifest["states" if element == "player" else "explorer"]
    if name not in defaults:
        raise ValueError(f"the {element} has no setting {name!r}: it has {near(name, defaults)}")
    if name in ("query", "dropped"):
        for place in value.split(",") if name == "dropped" else [value]:
            _check_place(name, place, states["grid"])
    elif name in ("at", "speed"):
        _check_amount(name, value)
    elif name == "stage" and any(s["id"] == value and not s["drawn"] for s in manifest["stages"]):
        raise ValueError(f"stage {value!r} is not drawn yet: a link to it would show another one")
    elif value not in (known := [str(v) for v in states.get(name, [])]):
        raise ValueError(
            f"{name} cannot be {value!r}: it can be {', '.join(known) or 'nothing yet'}"
        )


def _check_place(name: str, place: str, grid: list[int]) -> None:
    rows, columns = grid
    found = re.fullmatch(r"(\d+)\.(\d+)", place)
    if place == "cls" or (found and int(found[1]) < rows and int(found[2]) < columns):
        return
    raise ValueError(
        f"{name} cannot be {place!r}: cls, or row.column from 0.0 to {rows - 1}.{columns - 1}"
    )


def _check_amount(name: str, value: str) -> None:
    amount = float(value) if re.fullmatch(r"\d*\.?\d+", value) else -1.0
    if not (0 <= amount <= 1 if name == "at" else amount > 0):
        limits = "from 0 to 1" if name == "at" else "above 0"
        raise ValueError(f"{name} cannot be {value!r}: a number {limits}")
