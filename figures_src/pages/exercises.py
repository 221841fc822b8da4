"""The questions at the end of a page: one `Exercise` each, from the pages' modules `exercises`.

A page writes {{ ask id }}. Every number in a question or a choice is computed by the core, the wrong
choices from a named bug (`mistakes.py`, or the site's list of errors), and `solve` finds the right
one a second time, by another way.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from figures_src import discovery

from . import modules

MARKUP = re.compile(r"[$`]")  # choices stand as they are, and would show it


@dataclass(frozen=True)
class Exercise:
    """One question with choices.

    id: lower case with hyphens, begins with the page's name. page: from docs, as "maps.md".
    question: Markdown, one paragraph. choices: (text, why) each, the text plain and shown as it
    stands, why in Markdown. right: place of the right choice, from 0. solve: returns its text.
    Raises ValueError for another form.
    """

    id: str
    page: str
    question: str
    choices: tuple[tuple[str, str], ...]
    right: int
    solve: Callable[[], str]

    def __post_init__(self) -> None:
        texts = [text for text, _ in self.choices]
        if not re.fullmatch(rf"{self.page.removesuffix('.md')}(-[a-z0-9]+)+", self.id):
            raise ValueError(f"exercise {self.id}: takes an id that begins with its page's name")
        if not 3 <= len(texts) <= 5 or len(set(texts)) < len(texts):
            raise ValueError(f"exercise {self.id}: got {texts}, takes three to five, all different")
        if not 0 <= self.right < len(texts):
            raise ValueError(f"exercise {self.id}: right: got {self.right} of {len(texts)} choices")
        if markup := [text for text in texts if MARKUP.search(text) or not text.strip()]:
            raise ValueError(f"exercise {self.id}: got {markup[0]!r}, takes plain words")
        if not all(why.strip() for _, why in self.choices) or "\n" in self.question:
            raise ValueError(f"exercise {self.id}: takes one paragraph and a reason a choice")

    def markdown(self) -> str:
        """Return what stands on the page: the question, the choices, and the answers, folded."""
        choices = "\n".join(f"<li>{html.escape(text)}</li>" for text, _ in self.choices)
        whys = "\n".join(
            f'<li markdown="span"{" data-right" * (place == self.right)}>'
            f"{'**Right.** ' * (place == self.right)}{why}</li>"
            for place, (_, why) in enumerate(self.choices)
        )
        return (
            f'<div class="va-ask" id="ask-{self.id}" markdown>\n\n{self.question}\n\n'
            f'<ol type="A" class="va-choices">\n{choices}\n</ol>\n\n'
            f"<details markdown>\n<summary>Answer</summary>\n\n"
            f'<ol type="A" class="va-answers" markdown>\n{whys}\n</ol>\n\n</details>\n\n</div>'
        )


@cache
def exercises() -> dict[str, Exercise]:
    """Return all exercises by id; ValueError for an id that stands twice."""
    every = discovery.entries(modules("exercises"), Exercise)
    by_id = {exercise.id: exercise for exercise in every}
    if len(by_id) < len(every):
        ids = [exercise.id for exercise in every]
        raise ValueError(f"exercises: got {sorted(i for i in ids if ids.count(i) > 1)[0]!r} twice")
    return by_id
