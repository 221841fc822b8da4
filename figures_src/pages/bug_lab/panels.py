"""What the figures of the bug lab share: a right row beside a wrong one, the line, the checks.

Lines come from `vitattn_core.mistakes`, outcomes from `vitattn_core.detection`: nothing is typed.
"""

from html import escape

from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import fixed
from figures_src.kit.photographs import frame, in_front, paint, panel, photograph, side_by_side
from vitattn_core import CHECKS, MISTAKES, outcome
from vitattn_core.reading import effective_keys

from . import examples

RIGHT, WRONG = "as it should be", "with the bug"


def under(id: str) -> str:
    """Return what stands under each figure: the swapped line, and what each check makes of it."""
    mistake = MISTAKES[id]
    start, end = _same(mistake.right, mistake.wrong)

    def line(sign: str, words: str, code: str) -> str:
        middle = code[start : len(code) - end]
        marked = escape(code[:start]) + tag("b", escape(middle)) + escape(code[len(code) - end :])
        return tag("p", tag("span", f"{sign} {words}"), tag("code", marked))

    lines = line("✓", "right", mistake.right) + line("✗", "wrong", mistake.wrong)
    file = tag("small", f"one line of vitattn_core/{mistake.module}.py")
    return tag("div", file, lines, class_="va-swap") + caught(id)


def _same(right: str, wrong: str) -> tuple[int, int]:
    """Return how many characters two lines share at the start and, of the rest, at the end."""
    least = min(len(right), len(wrong))
    start = next((n for n in range(least) if right[n] != wrong[n]), least)
    left = least - start
    end = next((n for n in range(left) if right[-1 - n] != wrong[-1 - n]), left)
    return start, end


def caught(id: str) -> str:
    """Return the sentence that says which checks catch a mistake, and which do not."""
    found: dict[str, list[str]] = {"caught": [], "let through": [], "not run": []}
    for check in CHECKS.values():
        found[outcome(check.id, id)].append(check.title)
    parts = ["Caught by ", ", ".join(str(tag("b", title)) for title in found["caught"])]
    if found["let through"]:
        parts.append(f". Let through by {', '.join(found['let through'])}")
    if found["not run"]:
        parts.append(f". Never asked: {', '.join(found['not run'])}")
    return tag("p", *parts, ".", class_="va-caught")


def row(title: str, weights: Floats, largest: float, *words: str, hidden: str = "") -> str:
    """Return one row of weights (197,) on the photograph, CLS above it, words under it."""
    drawing = photograph(hidden, paint(weights, largest=largest), frame(*examples.PLACE))
    front = in_front(("CLS", float(weights[0])), largest=largest)
    return panel(title, drawing, *words, above=front)


def two(rows: tuple[Floats, Floats], *words: tuple[str, str], hidden: str = "") -> str:
    """Return two rows of weights on the photograph, with one scale for both."""
    largest = max(float(each.max()) for each in rows)
    pairs = zip((RIGHT, WRONG), rows, range(2), strict=True)
    drawn = (
        row(title, each, largest, *(word[n] for word in words), hidden=hidden)
        for title, each, n in pairs
    )
    return side_by_side(*drawn, size=368)


def both(rows: tuple[Floats, Floats], say: str, unit: str = "", digits: int = 3) -> tuple[str, str]:
    """Return one line of words for each of two rows: the largest weight, the sum or the spread."""
    numbers_of = {
        "largest": lambda r: r.max(),
        "sum": lambda r: r.sum(),
        "as spread as": effective_keys,
    }
    one, other = (f"{say} {fixed(float(numbers_of[say](each)), digits)}{unit}" for each in rows)
    return one, other
