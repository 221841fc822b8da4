"""The lines above a page: read as YAML, with a title and a description, or the build stops.

MkDocs publishes front matter that YAML cannot read as text of the page, and YAML takes what follows
` #` for a comment: both without a word.
"""

from collections.abc import Iterator

import yaml
from mkdocs.utils.meta import YAML_RE

from .quoted_numbers import near

NEEDED = ("title", "description")
MAY = ("hide", "search", "template")
ENDS = ("---", "...")


def faults(whole: str) -> Iterator[tuple[int, str]]:
    """(line, reason) of whatever is wrong in the front matter of a page's whole text."""
    lines = whole.splitlines()
    if not lines or lines[0].rstrip() != "---":
        yield 1, "has no front matter: begin with ---, title: …, description: …, ---"
        return
    ends = [n for n, line in enumerate(lines[1:], start=1) if line.rstrip() in ENDS]
    if not ends:
        yield 1, "the front matter is not closed by ---"
        return
    if not YAML_RE.match(whole):
        yield ends[0] + 1, "the page ends with its front matter: a line has to follow"
        return
    head = "\n".join(lines[1 : ends[0]])
    try:
        node = yaml.compose(head, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 2 if mark else 1
        yield line, f"not read as front matter ({error.problem}): put the value in quotes"
        return
    if not isinstance(node, yaml.MappingNode):
        yield 1, "the front matter is no list of `name: value`"
        return
    yield from _entries(node, lines)


def _entries(node: yaml.MappingNode, lines: list[str]) -> Iterator[tuple[int, str]]:
    known = (*NEEDED, *MAY)
    missing = list(NEEDED)
    above: set[str] = set()
    for name, value in node.value:
        line = name.start_mark.line + 2
        if name.value in above:
            yield line, f"{name.value} stands here and above: the front matter takes it once"
            continue
        above.add(name.value)
        if name.value in missing:
            missing.remove(name.value)
        elif name.value in known:
            continue
        else:
            yield (
                line,
                f"the front matter takes no {name.value!r}: there is {near(name.value, known)}",
            )
            continue
        if value.tag != "tag:yaml.org,2002:str" or not value.value.strip():
            yield line, f"{name.value} is no text: write words, in quotes where they are a number"
            continue
        end = value.end_mark
        if cut := lines[end.line + 1][end.column :].strip() if end.line + 1 < len(lines) else "":
            yield line, f"{name.value} ends before {cut!r}: put the value in quotes"
    for name in missing:
        yield 1, f"the front matter has no {name}"
