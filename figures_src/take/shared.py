"""What stands several times in a file is written once, and used."""

import re
from collections import Counter

LEAST = 60  # shorter pieces cost more to name than to repeat


def shared(body: str) -> tuple[str, str]:
    """Return a body whose repeated elements are uses, and the definitions of these."""
    made: list[str] = []
    for piece in sorted(_candidates(body), key=lambda piece: (-len(piece), piece)):
        whole = body + "".join(made)
        count = whole.count(piece)
        name = f"u{len(made)}"
        use = f'<use href="#{name}"/>'
        if (count - 1) * len(piece) <= count * len(use) + len(name) + 6:
            continue
        body = body.replace(piece, use)
        made = [other.replace(piece, use) for other in made]
        made.append(re.sub(r"^<(\w+)", rf'<\1 id="{name}"', piece))
    return body, "".join(made)


def _candidates(body: str) -> set[str]:
    """Return the elements that stand more than once."""
    counts: Counter[str] = Counter()
    open_: list[int] = []
    for found in re.finditer(r"<(/?)(\w+)[^>]*?(/?)>", body):
        if found[1]:
            start = open_.pop()
        elif found[3]:
            start = found.start()
        else:
            open_.append(found.start())
            continue
        piece = body[start : found.end()]
        if len(piece) >= LEAST and not piece.startswith("<tspan"):
            counts[piece] += 1
    return {piece for piece, count in counts.items() if count > 1}
