"""What is wrong on one page, looked for in what is published of it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bs4 import Tag

from figures_src.publish import links, markdown_spans, markup
from figures_src.publish.page_faults import PageError
from figures_src.publish.quoted_numbers import near

from . import bare_numbers, html_elements, markdown_slips, published_tree, structure, style_classes
from .source_places import Origins

ALTERNATIVES = ("alt", "title", "aria-label")  # attributes that are shown or read out


@dataclass(frozen=True)
class Read:
    """A page with what is published of it."""

    source: markup.Source
    origins: Origins
    own: html_elements.Elements
    page: published_tree.Page

    def error(self, reason: object, fragment: str, before: str = "", after: str = "") -> PageError:
        """The fault, told where the fragment was written."""
        return self.source.error(self.origins.find(fragment, before, after), reason)


def read(source: markup.Source, manifest: dict[str, Any], told: list[PageError]) -> Read:
    """Return the page as it is published; what its expressions have wrong is told."""
    pieces, wrong = markup.expanded(source, manifest)
    told += wrong
    origins = Origins(pieces)
    own = html_elements.read(origins.masked)
    text = html_elements.without(origins.text, (tag for tag, _ in own.faults))
    return Read(source, origins, own, published_tree.read(text))


def faults(one: Read, site: links.Site) -> Iterator[PageError]:
    """Yield every fault of the page."""
    one.origins.forget()
    for tag, reason in one.own.faults:
        if reason:
            yield one.source.error(one.origins.place(tag.start), reason)
    for block, start, end, reason in markdown_slips.slips(one.page.tree):
        yield one.error(reason, block.text[start:end], block.text[:start], block.text[end:])
    for fault in structure.faults(one.page.tree):
        yield one.error(*fault)
    for row in one.page.rows:
        reason = (
            f"a table row with {row.cells} cells under {row.columns} columns (| in a cell: \\|)"
        )
        yield one.error(reason, row.text)
    for formula in one.page.tree.select("span.arithmatex"):
        if (after := str(formula.next_sibling or ""))[:1].isdigit():
            price = f"{formula.get_text()[2:-2]}$"  # arithmatex wrote \\( and \\)
            reason = f"${price}{after[0]} is read as a formula: write \\$ for the sign"
            yield one.error(reason, price, "$", after)
    for item in one.page.items:
        reason = f"an item that is published on the level above: indent it by four spaces: {item.strip()}"
        yield one.error(reason, item.strip())
    for words in one.page.underlined:
        reason = f"a heading by the line below it: a blank line above that, or write ## {words}"
        yield one.error(reason, words)
    if not one.source.computed:
        yield from _numbers(one)
    yield from _links(one, site)
    yield from _pictures(one, site)
    yield from _names(one)


def _numbers(one: Read) -> Iterator[PageError]:
    for block in published_tree.texts(one.page.tree):
        text = markdown_slips.OPEN.sub(
            lambda found: markdown_spans.blank(found[0]), block.text
        )  # told already
        for place, number in bare_numbers.bare(text):
            around = text[:place], text[place + len(number) :]
            yield one.error(bare_numbers.unquoted(number), number, *around)
        for place, words in bare_numbers.counts(text):
            around = text[:place], text[place + len(words) :]
            yield one.error(bare_numbers.uncounted(words), words, *around)
    for element in one.page.tree.find_all(True):
        for name in ALTERNATIVES:
            text = str(element.get(name, ""))
            numbers = [*bare_numbers.bare(text), *bare_numbers.counts(text)]
            for place, number in numbers:
                reason = f"{number}: no such number in {name}=, where none can be quoted"
                yield one.error(reason, number, text[:place], text[place + len(number) :])


def _links(one: Read, site: links.Site) -> Iterator[PageError]:
    for link in one.page.tree.select("a[href]"):
        worn = link.get_attribute_list("class")
        target = str(link["href"])
        if {"va-state", "headerlink", "footnote-ref", "footnote-backref"} & set(worn):
            continue
        try:
            site.check(target, one.source.page)
            if not link.get_text(strip=True) and not link.find("img"):
                raise ValueError(f"a link to {target} without words")
        except ValueError as error:
            yield one.error(error, target, link.get_text())
    for tag in one.own.tags:
        if tag.name == "a" and links.is_page(tag.given.get("href") or ""):
            reason = (
                f"a link in HTML is not turned into an address: write [words]({tag.given['href']})"
            )
            yield one.source.error(one.origins.place(tag.start), reason)


def _pictures(one: Read, site: links.Site) -> Iterator[PageError]:
    for tag in one.own.tags:
        if tag.name == "img" and "alt" not in tag.given:
            reason = 'an image without alt: write what it shows, or alt="" for an ornament'
            yield one.source.error(one.origins.place(tag.start), reason)
    ornaments = {tag.given.get("src") for tag in one.own.tags if tag.given.get("alt") == ""}
    for image in one.page.tree.select("img[src]"):
        address = str(image["src"])
        if "alt" in image.attrs and not str(image["alt"]).strip() and address not in ornaments:
            yield one.error("an image without alt: ![what it shows](…)", f"]({address}")
        if str(image.get("alt", "")) == address.rpartition("/")[2]:
            reason = f"alt is the file's name: write what {address} shows"
            yield one.error(reason, f"{image['alt']}]({address}", address)
        try:
            site.check_file(address, one.source.page)
        except ValueError as error:
            yield one.error(error, address)


def _names(one: Read) -> Iterator[PageError]:
    for element in one.page.tree.find_all(True):
        for name in element.get_attribute_list("class"):
            if name and not _is_known(name, element):
                kind = "box" if "admonition" in element.get_attribute_list("class") else "class"
                like = near(name, style_classes.known())
                yield one.error(f"no style sheet knows the {kind} {name!r}: there is {like}", name)
    for id, count in Counter(published_tree.ids(one.page.tree)).items():
        places = sorted(one.origins.find(f"#{id}") for _ in range(count if count > 1 else 0))
        for place in places[1:]:
            yield one.source.error(place, f"the anchor {id!r} stands here and above")


def _is_known(name: str, element: Tag) -> bool:
    if name.startswith("language-"):
        return True
    return name in style_classes.known() or name.startswith("va-")
