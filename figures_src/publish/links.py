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

from figures_src.player import page_scripts

from .quoted_numbers import near

# Whose state a link is to, and on which page that figure stands.
HOMES = {"state": "index.md", "explore": "checkpoint.md"}
PAGE = re.compile(r"(?P<page>[^:#?]+\.md)(?:#.*)?")
OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//")


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
        if not target:
            raise ValueError("a link without an address: write [words](page.md#anchor)")
        if OUTSIDE.match(target):
            if not target.startswith(("https:", "http:", "mailto:")):
                raise ValueError(f"{target!r} is no address that a page may link to")
            return
        address, _, anchor = target.partition("#")
        if "=" in anchor:
            raise ValueError(
                f"{target!r} is a state of the player: write {{{{ state … : words }}}}"
            )
        source = _beside(address, page) if address else page
        if (self.docs / source).with_suffix(".md").is_file() and source.endswith(".html"):
            name = f"{address.removesuffix('.html')}.md{'#' if anchor else ''}{anchor}"
            raise ValueError(f"a link to a built page is not checked: write [words]({name})")
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


@page_scripts.once
def reader() -> list[page_scripts.Script]:
    """Return what reads an address: the page's own scripts, so that page and build take the same ones."""
    return page_scripts.of_docs("grid", "address")


def read_state(address: str, manifest: dict[str, Any], of: str = "state") -> dict[str, str]:
    """The whole state that an address names; ValueError, in the page's own words, if it names none."""
    found = reader().call("address.read", address, manifest["states"][of])
    if wrong := found.get("wrong"):
        raise ValueError(wrong)
    state: dict[str, str] = found["state"]
    return state


def state_address(settings: str, page: str, manifest: dict[str, Any], of: str = "state") -> str:
    """The address of a state of the player (`state`) or of the explorer (`explore`).

    ValueError names the setting that does not exist, or the limit of a value that cannot be.
    """
    state = read_state("&".join(settings.split()), manifest, of)
    # With nothing to say the address still names one setting, so that the link leads to the figure.
    address: str = reader().call("address.write", state, manifest["states"][of], True)
    home = HOMES[of]
    if page == home:
        return "#" + address
    there = home.removesuffix(".md") + ".html"
    return posixpath.relpath(there, posixpath.dirname(page) or ".") + "#" + address


def still(address: str, manifest: dict[str, Any], of: str = "state") -> str:
    """The picture nearest to a state of the element's own page, or "" where none is like it."""
    given = dict(part.split("=") for part in address.removeprefix("#").split("&"))
    whole = manifest["states"][of]["defaults"] | given
    if of == "state":
        return f"gallery.html#still-{whole['stage']}"
    if given.keys() - {"layer", "head"}:
        return ""  # the sheet shows one photograph and one patch
    layer, head = whole["layer"], whole["head"]
    return "#sheet" if head == "mean" else f"#sheet-{layer}-{head}"
