"""The ViTs of the page on cost: their sizes, as their papers give them.

Sources: Dosovitskiy et al. 2020, table 1 (B, L, H), section 4.1 (fine-tuned for ImageNet at 512 px, L,
and at 518 px, H), table 4 (at 384 px where nothing else is said); Touvron et al. 2021, table 1 (Ti, S).
That Ti and S are counted at 384 px too is our choice.
"""

from dataclasses import dataclass

from vitattn_core import Grid

FLOAT32 = 4  # bytes
CLASSES = 1000  # of the classifier


@dataclass(frozen=True)
class Model:
    """One published ViT with CLS: D, h, number of blocks, P, and the two image sides, in pixels."""

    name: str
    width: int
    heads: int
    depth: int
    patch: int
    sides: tuple[int, int]

    def grid(self, side: int) -> Grid:
        """Return the grid of a square image; ValueError unless the patch divides its side."""
        return Grid(side, side, self.patch)

    def tokens(self, side: int) -> int:
        """Return N for a square image."""
        return self.grid(side).tokens


MODELS = {
    "ti": Model("ViT-Ti/16", width=192, heads=3, depth=12, patch=16, sides=(224, 384)),
    "s": Model("ViT-S/16", width=384, heads=6, depth=12, patch=16, sides=(224, 384)),
    "b": Model("ViT-B/16", width=768, heads=12, depth=12, patch=16, sides=(224, 384)),
    "l": Model("ViT-L/16", width=1024, heads=16, depth=24, patch=16, sides=(224, 512)),
    "h": Model("ViT-H/14", width=1280, heads=16, depth=32, patch=14, sides=(224, 518)),
}
BASE = MODELS["b"]
