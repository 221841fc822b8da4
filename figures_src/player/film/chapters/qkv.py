"""Query, key, value: three rows of numbers come out of one patch."""

from figures_src.player.film.timeline import Chapter, Move, Step, bars


def _role(role: str, name: str) -> tuple[Move, ...]:
    """Return a row of four that comes from the picked patch, in one head or in all three."""
    comes = Move(
        f".va-numbers.role-{role}",
        ({"opacity": "0"}, {"opacity": "0"}, {"opacity": "1"}),
        source=".va-mark.is-query",
        zoom=True,
        ms=800,
    )
    # The row passes where its label stands: the label is there once it has passed.
    label = Move(f'[data-mark="{role}"] .va-label', ({"opacity": "0"},), start=700, ms=300)
    return comes, label, bars(name, start=700, stagger=60)


CHAPTER = Chapter(
    "qkv",
    (
        Step("The row makes a query: what it asks with.", 1600, _role("query", "q")),
        Step("The same row makes a key: what it shows.", 1600, _role("key", "own.k")),
        Step("And a value: what it gives away.", 1600, _role("value", "own.v")),
    ),
)
