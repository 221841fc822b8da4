"""What the property tests draw (numbers, masks, weights), and the settings they run with.

Importing this module loads the settings: the same examples in every run (derandomised), no
deadline, since machines are shared and slow, and no database of earlier failures. VITATTN_EXAMPLES
sets the number of examples, and then no smaller failing example is looked for.
"""

import os

import hypothesis.extra.numpy as hnp
import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st

from vitattn_core import AttentionWeights, BlockWeights

EXAMPLES = os.environ.get("VITATTN_EXAMPLES")
settings.register_profile(
    "vitattn",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=int(EXAMPLES or 50),
    phases=[Phase.generate] if EXAMPLES else list(Phase),
)
settings.load_profile("vitattn")

dtypes = st.sampled_from([np.float32, np.float64])
leading = st.sampled_from([(), (1,), (3,), (2, 3)])  # no leading axis, a batch, batch and heads
small = st.integers(1, 6)


def numbers(shape, dtype, largest=100.0):
    """Arrays of finite numbers from -largest to largest, each entry drawn by itself."""
    width = 8 * np.dtype(dtype).itemsize
    entries = st.floats(-largest, largest, width=width, allow_subnormal=False)
    return hnp.arrays(dtype, shape, elements=entries, fill=st.nothing())


@st.composite
def masks(draw, scores_shape):
    """Boolean masks with as many axes as the scores, each 1 or full; some rows keep no key."""
    shape = tuple(draw(st.sampled_from(sorted({1, size}))) for size in scores_shape)
    mask = draw(hnp.arrays(np.bool_, shape))
    if draw(st.booleans()):
        mask[..., draw(st.integers(0, shape[-2] - 1)), :] = False
    return mask


@st.composite
def attention_weights(draw, *, width, heads, head_width, dtype=np.float64, biases=True):
    """Multi-head attention with every number drawn, from -1 to 1; with all biases or with none."""
    inner = heads * head_width
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("w_q", "w_k", "w_v"), (width, inner))
    shapes["w_o"] = (inner, width)
    if biases:
        shapes |= {"b_q": (inner,), "b_k": (inner,), "b_v": (inner,), "b_o": (width,)}
    drawn = {name: draw(numbers(shape, dtype, 1)) for name, shape in shapes.items()}
    return AttentionWeights(heads=heads, **drawn)


@st.composite
def block_weights(draw, *, width, heads, hidden, dtype=np.float64, eps=0.1):
    """A whole block with every number drawn, from -1 to 1."""
    attention = draw(
        attention_weights(width=width, heads=heads, head_width=width // heads, dtype=dtype)
    )
    shapes: dict[str, tuple[int, ...]]
    shapes = {"w_1": (width, hidden), "b_1": (hidden,), "w_2": (hidden, width), "b_2": (width,)}
    shapes |= {f"{part}_{norm}": (width,) for norm in (1, 2) for part in ("gain", "shift")}
    drawn = {name: draw(numbers(shape, dtype, 1)) for name, shape in shapes.items()}
    return BlockWeights(attention=attention, eps=eps, **drawn)


def plain_block(width, heads, matrix=None):
    """A block whose matrices are all the same, the identity unless told otherwise; no biases."""
    m = np.eye(width) if matrix is None else matrix
    attention = AttentionWeights(w_q=m, w_k=m, w_v=m, w_o=m, heads=heads)
    return BlockWeights(attention=attention, w_1=m, w_2=m, eps=1e-6)


def tolerance(dtype, scores, values=1.0):
    """1e-10 in float64, 1e-5 in float32, times the largest score, times the largest value."""
    largest = [max(1.0, float(np.max(np.abs(x), initial=0.0))) for x in (scores, values)]
    return {np.float64: 1e-10, np.float32: 1e-5}[np.dtype(dtype).type] * largest[0] * largest[1]
