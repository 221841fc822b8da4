"""Self-attention of a Vision Transformer in PyTorch, to read and to copy.

Source: Vaswani et al. 2017, eq. 1 and section 3.2.2; Dosovitskiy et al. 2020, eq. 2 and 3.
Shapes stand at the line. Weights are stored (in, out), so a projection is `x @ w`; `nn.Linear`
and checkpoints store (out, in).

Masks are boolean, True = this key takes part, as in `scaled_dot_product_attention`. The masks of
`nn.MultiheadAttention` mean the opposite: there True = leave this key out.

Nothing else in the core imports this file, because it imports torch.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def self_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """One head of self-attention; returns the output rows and the weights.

    x [batch, tokens, model_width]; w_q, w_k, w_v [model_width, head_width];
    mask, if any: boolean, True = keep, broadcastable to [batch, tokens, tokens] (query, key).

    A query that keeps no key gives zeros, as the fused kernel does, and not NaN:

    >>> x, eye = torch.ones(1, 2, 2), torch.eye(2)
    >>> keep = torch.tensor([[True, True], [False, False]])
    >>> self_attention(x, eye, eye, 3 * eye, keep)[0].tolist()
    [[[3.0, 3.0], [0.0, 0.0]]]
    """
    q = x @ w_q  # [batch, tokens, head_width]: what a row asks for
    k = x @ w_k  # [batch, tokens, head_width]: what a row is found by
    v = x @ w_v  # [batch, tokens, head_width]: what a row gives
    scores = q / math.sqrt(k.shape[-1]) @ k.transpose(-2, -1)  # [batch, tokens, tokens]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # out before the softmax, exactly
    weights = scores.softmax(dim=-1)  # [batch, tokens, tokens]: each query over its keys
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)  # a row that keeps no key: zeros, not NaN
    output = weights @ v  # [batch, tokens, head_width]
    return output, weights


def multi_head_self_attention(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    *,
    heads: int,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Several heads side by side, joined by w_o; returns the output and every head's weights.

    x [batch, tokens, model_width]; w_q, w_k, w_v [model_width, heads * head_width], head by head;
    w_o [heads * head_width, model_width]; mask as in `self_attention`, the same for all heads.
    Raises ValueError if the columns cannot be shared out evenly among the heads.

    A head divides by the root of its own width, so the same matrices give other weights to two heads:

    >>> x, eye = torch.eye(2)[None], torch.eye(2)
    >>> for heads in (1, 2):
    ...     weights = multi_head_self_attention(x, eye, eye, 3 * eye, eye, heads=heads)[1]
    ...     print([round(a, 3) for a in weights[0, 0, 0].tolist()])
    [0.67, 0.33]
    [0.731, 0.269]
    """
    if w_q.shape[-1] % heads:
        raise ValueError(
            f"multi_head_self_attention: w_q: got {w_q.shape[-1]} columns for {heads} heads, "
            "takes a multiple of heads"
        )
    per_head = zip(w_q.chunk(heads, -1), w_k.chunk(heads, -1), w_v.chunk(heads, -1), strict=True)
    outputs, weights = zip(*(self_attention(x, *w, mask) for w in per_head), strict=True)
    joined = torch.cat(outputs, dim=-1)  # [batch, tokens, heads * head_width]
    return joined @ w_o, torch.stack(weights, dim=-3)  # [..., model_width], [batch, heads, ...]


class Block(nn.Module):
    """One pre-norm encoder block: x + attention(norm(x)), then y + mlp(norm(y)).

    Attention runs on the fused kernel, which hands out no weights. eps is 1e-6, as in
    torchvision's ViT; PyTorch's own default is 1e-5.

    An encoder is blind to order: rows in another order come out in that order.

    >>> torch.manual_seed(0) and None
    >>> block, x = Block(4, heads=2).double(), torch.randn(1, 3, 4, dtype=torch.float64)
    >>> torch.allclose(block(x[:, [2, 0, 1]]), block(x)[:, [2, 0, 1]])
    True
    """

    def __init__(self, width: int, *, heads: int, ratio: int = 4, eps: float = 1e-6) -> None:
        """width: D, a multiple of heads, else ValueError; ratio: width of the MLP in units of D."""
        super().__init__()
        if width % heads:
            raise ValueError(
                f"Block: got width {width} for {heads} heads, takes a multiple of heads"
            )
        self.heads = heads
        self.norm_1 = nn.LayerNorm(width, eps=eps)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.norm_2 = nn.LayerNorm(width, eps=eps)
        self.mlp = nn.Sequential(
            nn.Linear(width, ratio * width), nn.GELU(), nn.Linear(ratio * width, width)
        )

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """x [batch, tokens, width] -> same; mask as in `self_attention`, the same for all heads.

        A mask of four axes, [batch, heads, tokens, tokens], each 1 or full, is one a head.
        """
        if mask is not None and mask.ndim == x.ndim == 3:
            mask = mask.unsqueeze(-3)  # [batch, 1, tokens, tokens]: an image's, not a head's
        u = self.norm_1(x)  # [batch, tokens, width]
        q, k, v = (self.split(linear(u)) for linear in (self.query, self.key, self.value))
        o = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)  # [batch, heads, tokens, d_h]
        joined = o.transpose(-3, -2).flatten(-2)  # [batch, tokens, width]
        y = x + self.output(joined)  # raw x, not norm_1(x)
        return y + self.mlp(self.norm_2(y))  # [batch, tokens, width]

    def split(self, rows: Tensor) -> Tensor:
        """[batch, tokens, width] -> [batch, heads, tokens, head_width]: columns go head by head."""
        return rows.unflatten(-1, (self.heads, -1)).transpose(-3, -2)


@contextmanager
def recorded_weights() -> Iterator[list[Tensor]]:
    """Record the weights of every fused attention call made inside the `with` block, in order.

    `torch.nn.functional.scaled_dot_product_attention` hands out no weights. While recording, each
    call of it by this path is also computed step by step; weights times values must equal what the
    kernel returned. Code that imported the function by its name beforehand is not seen. Yields the
    list of weights, [batch, heads, queries, keys] each.
    Raises RuntimeError where nothing was recorded (a path that never calls the function has no
    weights to give), where a call drops weights at random or shares keys among heads, and where the
    weights do not give the kernel's output.

    The kernel hands out the mixture alone; the recording has the weights too:

    >>> q, k, v = torch.zeros(1, 1, 1, 2), torch.eye(2)[None, None], torch.tensor([[[[10.0], [20.0]]]])
    >>> with recorded_weights() as maps:
    ...     output = F.scaled_dot_product_attention(q, k, v)
    >>> output.item(), maps[0].tolist()
    (15.0, [[[[0.5, 0.5]]]])
    """
    fused, recorded = F.scaled_dot_product_attention, []

    def both(
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Tensor:
        if dropout_p or enable_gqa:
            raise RuntimeError(
                f"recorded_weights: got dropout_p={dropout_p}, enable_gqa={enable_gqa}; takes calls "
                "without either: put the model into eval mode"
            )
        output = fused(query, key, value, attn_mask, 0.0, is_causal, scale=scale)
        weights = _explicit_weights(query, key, attn_mask, is_causal, scale)
        off = _largest(weights @ value - output)
        largest = max(1.0, _largest(value))
        if not off <= 100 * torch.finfo(output.dtype).eps * largest:
            raise RuntimeError(
                f"recorded_weights: weights times values are {off:.1e} off the kernel's output"
            )
        recorded.append(weights.detach())
        return output

    F.scaled_dot_product_attention = both
    try:
        yield recorded
    finally:
        F.scaled_dot_product_attention = fused
    if not recorded:
        raise RuntimeError(
            "recorded_weights: scaled_dot_product_attention was never called through "
            "torch.nn.functional, so this path has no weights to record; for torch's own layers, "
            "torch.backends.mha.set_fastpath_enabled(False)"
        )


def _explicit_weights(
    query: Tensor, key: Tensor, mask: Tensor | None, is_causal: bool, scale: float | None
) -> Tensor:
    """The weights [..., queries, keys]; a boolean mask is True = keep, another one is added."""
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query * factor @ key.transpose(-2, -1)
    if is_causal:  # besides the mask, if there is one
        earlier = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
        scores = scores.masked_fill(~earlier, -math.inf)
    if mask is not None and mask.dtype == torch.bool:
        scores = scores.masked_fill(~mask, -math.inf)
    elif mask is not None:
        scores = scores + mask
    return scores.softmax(dim=-1).masked_fill(scores == -math.inf, 0.0)  # no key left: zeros


def _largest(numbers: Tensor) -> float:
    """The largest absolute value, 0 where there are no numbers, as in a batch of none."""
    return float(numbers.detach().abs().max()) if numbers.numel() else 0.0
