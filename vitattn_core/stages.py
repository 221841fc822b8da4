"""STAGES: the twelve steps from a photograph to the row that leaves the block, in order.

Figures, player, pages and tests all read this list. Formulas are LaTeX; shapes are those of the
teaching block: N = 197 rows, D = 12 channels, h = 3 heads of d_h = 4.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One step: `arrays` are the names it adds to a `Trace`, `section` its anchor in the explainer.

    `sentence` says what the step does to any row, without a number: where a stage stands for itself,
    as in the gallery. Two other texts tell the same step of one row, and are written where they are
    shown: the plate's, with the picked row's numbers, and the film's, move by move.

    What a pass holds by the end of a stage is what the stages so far have added:

    >>> [name for entry in STAGES[:4] for name in entry.arrays]
    ['pixels', 'content', 'position', 'X', 'U', 'Q', 'K', 'V']
    """

    id: str
    title: str
    symbol: str
    formula: str
    shape: str
    sentence: str
    arrays: tuple[str, ...]
    section: str


STAGES = (
    Stage(
        id="patches",
        title="Patches",
        symbol="▦",
        formula=r"N = \frac{H}{P} \cdot \frac{W}{P} + 1",
        shape="196 × 768",
        sentence="The photograph is cut into squares that do not overlap; each becomes one row.",
        arrays=("pixels",),
        section="inputs",
    ),
    Stage(
        id="embed",
        title="Embed and place",
        symbol="x",
        formula=r"x_i = p_i E + b + t_i",
        shape="197 × 12",
        sentence="One matrix turns the pixels of a patch into channels; its place is added.",
        arrays=("content", "position", "X"),
        section="inputs",
    ),
    Stage(
        id="norm",
        title="Layer norm",
        symbol="u",
        formula=r"u_i = \mathrm{LN}_1(x_i)",
        shape="197 × 12",
        sentence="Each row alone is moved to mean 0 and stretched to spread 1.",
        arrays=("U",),
        section="qkv",
    ),
    Stage(
        id="qkv",
        title="Query, key, value",
        symbol="qkv",
        formula=r"q_i = u_i W_Q, \quad k_i = u_i W_K, \quad v_i = u_i W_V",
        shape="197 × 4",
        sentence="One row, three roles: what it asks with, what it shows, what it gives away.",
        arrays=("Q", "K", "V"),
        section="qkv",
    ),
    Stage(
        id="scores",
        title="Scores",
        symbol="qk",
        formula=r"q_i \cdot k_j",
        shape="197 × 197",
        sentence="The query of the picked patch meets the key of every row.",
        arrays=("P",),
        section="scores",
    ),
    Stage(
        id="scale",
        title="Scale",
        symbol="s",
        formula=r"s_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}}",
        shape="197 × 197",
        sentence="All products are divided by one number and are the scores; their order does not change.",
        arrays=("S",),
        section="scores",
    ),
    Stage(
        id="mask",
        title="Mask",
        symbol="−∞",
        formula=r"s_{ij} \to -\infty",
        shape="197 × 197",
        sentence="A key that may not take part is taken out before the weights are formed.",
        arrays=("masked",),
        section="scores",
    ),
    Stage(
        id="softmax",
        title="Softmax",
        symbol="a",
        formula=r"a_{ij} = \frac{e^{s_{ij}}}{\sum_l e^{s_{il}}}",
        shape="197 × 197",
        sentence="The scores of one row become weights that sum to one.",
        arrays=("A",),
        section="scores",
    ),
    Stage(
        id="mix",
        title="Mix",
        symbol="o",
        formula=r"o_i = \sum_j a_{ij} v_j",
        shape="197 × 4",
        sentence="The values of all rows are added up, each as much as its weight says.",
        arrays=("O",),
        section="values",
    ),
    Stage(
        id="heads",
        title="Heads joined",
        symbol="M",
        formula=r"M_i = [o_i^1 \; o_i^2 \; o_i^3] \, W_O",
        shape="197 × 12",
        sentence="The outputs of all heads stand side by side, and one matrix maps them back.",
        arrays=("joined", "M"),
        section="values",
    ),
    Stage(
        id="residual",
        title="Residual",
        symbol="y",
        formula=r"y_i = x_i + M_i",
        shape="197 × 12",
        sentence="The row keeps what it was and adds what it has read.",
        arrays=("Y",),
        section="values",
    ),
    Stage(
        id="mlp",
        title="MLP",
        symbol="z",
        formula=r"z_i = y_i + \mathrm{MLP}(\mathrm{LN}_2(y_i))",
        shape="197 × 12",
        sentence="Each row, alone again, goes through a small network that is added to it.",
        arrays=("W", "H", "G", "F", "Z"),
        section="values",
    ),
)


def stage(id: str) -> Stage:
    """Return the stage with this id; KeyError that lists them all otherwise.

    The mask has its place between scale and softmax:

    >>> ids = [entry.id for entry in STAGES]
    >>> ids.index("scale") < ids.index("mask") < ids.index("softmax"), stage("mask").symbol
    (True, '−∞')
    """
    for entry in STAGES:
        if entry.id == id:
            return entry
    raise KeyError(f"stage: got {id!r}, takes one of {', '.join(entry.id for entry in STAGES)}")
