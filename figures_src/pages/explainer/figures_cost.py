"""Section Cost: what one block of ViT-B/16 spends, as shares, at three image sizes."""

from figures_src.kit.elements import tag
from figures_src.kit.numbers import fixed
from figures_src.kit.strips import share_key, strip, svg
from figures_src.pages.registry import figure
from vitattn_core import Grid, cost

WIDTH, PATCH = 768, 16
SIDES = (224, 384, 1024)


@figure(
    "cost-shares",
    caption="One block of ViT-B/16: the share of the MACs that goes into projections, pair term and "
    "MLP. The pair term’s share grows with the image; the other two keep their ratio of one to two.",
    alt="Three bars of length one, for images of {{ vit.side = 224 }}, {{ cost.side_384 = 384 }} "
    "and {{ cost.side_1024 = 1,024 }} pixels: the pair term takes "
    "{{ cost.share_224 = 4.1% }}, {{ cost.share_384 = 11.1% }} and "
    "{{ cost.share_1024 = 47.1% }}, the rest is shared by the four projections and the MLP, "
    "one to two.",
)
def draw() -> str:
    lines = []
    for side in SIDES:
        tokens = Grid(side, side, PATCH).tokens
        block = cost.block_macs(tokens, WIDTH)
        pair = cost.pair_macs(tokens, WIDTH) / block
        mlp = cost.mlp_macs(tokens, WIDTH) / block
        result = tag("b", f"{fixed(100 * pair, 1)}%", class_="role-weight") + tag("small", "pairs")
        words = f"px, N = {tokens:,}"
        lines.append(strip(f"{side:,}", "none", words, _bar(1 - pair - mlp, pair, mlp), result))
    return "".join(lines) + share_key()


def _bar(projections: float, pair: float, mlp: float) -> str:
    parts, start = [], 0.0
    for share, kind, words in (
        (projections, "ink", "projections"),
        (pair, "weight", "pairs"),
        (mlp, "quiet", "MLP"),
    ):
        place = {"x": f"{100 * start:.2f}%", "width": f"{100 * share:.2f}%"}
        parts.append(tag("rect", height=34, class_=f"va-share is-{kind}", **place))
        if share > (0.1 if kind == "weight" else 0.22):
            parts.append(
                tag(
                    "text", words, x=f"{100 * (start + share / 2):.2f}%", y=22, class_="va-on-share"
                )
            )
        start += share
    return svg(34, *parts)
