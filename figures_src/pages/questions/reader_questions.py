"""The 25 questions that readers really ask, each tied to the place that proves its answer.

The page docs/questions.md answers each under a heading with the question's id, in one sentence with
a link to `page`#`anchor`, and to the places of `also`. `proof` is text that stands in that section's
source: a line of a block that is executed. Collected from public threads.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """One question: its anchor on the page, and where the answer is proved."""

    id: str
    page: str
    anchor: str
    proof: str
    also: tuple[tuple[str, str, str], ...] = ()  # further links: page, anchor, proof

    def places(self) -> tuple[tuple[str, str, str], ...]:
        """Return (page, anchor, proof) of every link; none where the answer is only cited."""
        return ((self.page, self.anchor, self.proof), *self.also) if self.page else ()


QUESTIONS = (
    # Rows, columns, weights
    Question("axis", "implementation.md", "shapes", "weights.sum(dim=-1), torch.ones("),
    Question("i-and-j", "cls.md", "offset", "grid.field(row).tolist() == "),
    Question("row-or-column", "implementation.md", "shapes", "weights.sum(dim=-2), torch.ones("),
    Question("who-attends", "maps.md", "good-for", "np.array_equal(changed[0], O[0])"),
    Question("the-map", "implementation.md", "weights", "== (batch, heads, tokens, tokens)"),
    Question("another-query", "implementation.md", "shapes", "(alone, weights[:, [i]])"),
    Question("two-weights", "implementation.md", "shapes", "(x.flip(0), w_q, w_k, w_v)"),
    Question("dropout", "implementation.md", "differences", "(drop.eval()(weights), weights)"),
    Question("which-root", "index.md", "scale", "sharp.max() > right.max() > flat.max()"),
    Question("why-divide", "index.md", "scale", "np.isclose(unscaled.var(), d_h)"),
    # Heads
    Question("slices", "heads.md", "slices", 'np.allclose(again["A"][head], out["A"][head])'),
    Question("head-width", "heads.md", "slices", 'out["M"].shape == (5, 4)'),
    Question("merge", "heads.md", "merge", "not np.array_equal(wrong(heads), joined)"),
    Question("average", "heads.md", "mean", "np.allclose(mean, 1 / 4)"),
    # From the image to rows
    Question("first-row", "cls.md", "rows", "(x[:, 0] == cls).all()"),
    Question("only-cls", "cls.md", "like-others", "(fewer_keys[:, 0], whole.O[:, 0])"),
    Question(
        "cls-position",
        "cls.md",
        "rows",
        "add_position(other_cls, placeless)",
        also=(("cls.md", "like-others", "not np.allclose(block(changed, blk).Z[4], whole.Z[4])"),),
    ),
    Question("how-many", "cls.md", "rows", "== (201, 5, 79)"),
    Question("same-768", "index.md", "inputs", "== (196, 3 * 16 * 16)"),
    Question("convolution", "patches.md", "convolution", "np.allclose(ours, theirs.numpy())"),
    Question(
        "positions",
        "patches.md",
        "order",
        "gap(distinct) > ",
        also=(("patches.md", "kinds", "attend(rows[order], R), attend(rows, R)[order]"),),
    ),
    # The block and its masks
    Question("norm-first", "implementation.md", "parity", "torch.tensor(trace.Z), layer(x)"),
    Question(
        "mask",
        "masks.md",
        "polarity",
        "(multi(~keep[None]), right)",
        also=(("masks.md", "empty", "assert plain.isnan().all()"),),
    ),
    # Reading maps
    Question(
        "background",
        "learned-heads.md",
        "shared",
        "(O, (1 - A[:, [7]]) * without)",
        also=(("weight-and-effect.md", "network", "spread(rows) < 1e-6"),),
    ),
    Question("rollout", "maps.md", "rollout", "(np.argsort(effect), order[::-1])"),
)

# Answered from a cited source until a page proves it: question, source. May only shrink.
LATER: dict[str, str] = {}
