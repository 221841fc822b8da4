"""Section Cost: what one block of ViT-B/16 spends, as shares, at three image sizes."""

from figures_src.inputs.models import BASE
from figures_src.kit.elements import tag
from figures_src.kit.numbers import fixed
from figures_src.kit.strips import share_bar, share_key, strip
from figures_src.pages.registry import figure
from vitattn_core import Grid, cost

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
        tokens = Grid(side, side, BASE.patch).tokens
        block = cost.block_macs(tokens, BASE.width)
        pair = cost.pair_macs(tokens, BASE.width) / block
        mlp = cost.mlp_macs(tokens, BASE.width) / block
        result = tag("b", f"{fixed(100 * pair, 1)}%", class_="role-weight") + tag("small", "pairs")
        words = f"px, N = {tokens:,}"
        bar = share_bar(pair, mlp, room=0.22, room_of_pairs=0.1)
        lines.append(strip(f"{side:,}", "none", words, bar, result))
    return "".join(lines) + share_key()
