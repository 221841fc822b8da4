"""What a ViT checkpoint is made of: sizes, constants that no tensor holds, and the tensors it must have.

A checkpoint does not hold its eps, its activation or how its position table is resized; libraries
differ, so each is given and none assumed.
Shapes: C channels, P patch, D width, R registers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

from .arrays import Array
from .block import gelu
from .counts import flag, whole
from .namings import Naming

ACTIVATIONS: dict[str, Callable[[Array], Array]] = {"gelu": gelu}
METHODS = (None, "linear", "cubic")


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """What a ViT is made of, and the constants that no tensor holds; nothing has a default.

    `table` (rows, columns) of the position table's grid, `table_front` its rows in front of the
    patches: 0, 1 (CLS) or 1 + registers. `registers` rows stand between CLS and the patches.
    `biases` of Q, K and V; `layer_scale` after attention and MLP; `activation` by its name in
    transformers' configurations, `gelu` being the exact one; `eps` of all layer norms.
    `resize`: how the table is brought to another grid, `linear`, `cubic` or None: refuse.
    Raises TypeError for a count that is no whole number and a `biases` or `layer_scale` that is not
    True or False, ValueError for what is out of range; each names its field.

    Registers and layer scale change which tensors there must be, and where they go by each library's names:

    >>> dino = Architecture(
    ...     width=384, layers=12, heads=6, hidden=1536, patch=14, channels=3, registers=4, table=(37, 37),
    ...     table_front=1, biases=True, layer_scale=True, activation="gelu", eps=1e-6, resize="cubic",
    ... )
    >>> shapes = dino.shapes(NAMINGS["transformers-dinov2"])
    >>> len(shapes), shapes["embeddings.position_embeddings"]  # 37 · 37 patches and CLS
    (223, (1, 1370, 384))
    """

    width: int
    layers: int
    heads: int
    hidden: int
    patch: int
    channels: int
    registers: int
    table: tuple[int, int]
    table_front: int
    biases: bool
    layer_scale: bool
    activation: str
    eps: float
    resize: str | None

    def __post_init__(self) -> None:
        exact: dict[str, object] = {
            name: whole(f"Architecture: {name}", getattr(self, name), 1)
            for name in ("width", "layers", "heads", "hidden", "patch", "channels")
        }
        for name in ("registers", "table_front"):
            exact[name] = whole(f"Architecture: {name}", getattr(self, name), 0)
        for name in ("biases", "layer_scale"):
            exact[name] = flag(f"Architecture: {name}", getattr(self, name))
        if not isinstance(self.table, tuple | list) or len(self.table) != 2:
            raise TypeError(f"Architecture: table: got {self.table!r}, takes (rows, columns)")
        exact["table"] = tuple(whole("Architecture: table", side, 1) for side in self.table)
        for name, value in exact.items():
            object.__setattr__(self, name, value)  # the fields are frozen from here on
        if self.width % self.heads:
            raise ValueError(
                f"Architecture: got width {self.width} for {self.heads} heads, "
                "takes a multiple of heads"
            )
        if not isinstance(self.eps, Real):
            raise TypeError(f"Architecture: eps: got {self.eps!r}, takes a number")
        if not 0 < self.eps < math.inf:
            raise ValueError(f"Architecture: eps: got {self.eps}, takes more than 0")
        if self.table_front not in (0, 1, 1 + self.registers):
            raise ValueError(
                f"Architecture: table_front: got {self.table_front}, "
                f"takes 0, 1 or {1 + self.registers}"
            )
        if not isinstance(self.activation, str) or self.activation not in ACTIVATIONS:
            raise ValueError(
                f"Architecture: activation: got {self.activation!r}, "
                f"takes one of {', '.join(ACTIVATIONS)}"
            )
        if self.resize not in METHODS:
            raise ValueError(
                f"Architecture: resize: got {self.resize!r}, takes None, linear or cubic"
            )

    def shapes(self, naming: Naming) -> dict[str, tuple[int, ...]]:
        """Return the shape of every tensor that a checkpoint of this naming has to hold, by name.

        Raises ValueError for registers or layer scales that the naming's library does not have.
        """
        for field, role, without in (
            ("registers", "registers", 0),
            ("layer_scale", "scale_1", False),
        ):
            if getattr(self, field) and role not in naming.names:
                raise ValueError(
                    f"Architecture: {field}: got {getattr(self, field)}, takes {without} with this "
                    "naming, which has no tensor for that"
                )
        D, hidden = self.width, self.hidden
        places = self.table_front + self.table[0] * self.table[1]

        def matrix(inside: int, outside: int) -> tuple[int, int]:
            return (outside, inside) if naming.transposed else (inside, outside)

        shapes: dict[str, tuple[int, ...]] = {
            naming.name("patch.weight"): (D, self.channels, self.patch, self.patch),
            naming.name("patch.bias"): (D,),
            naming.name("cls"): (1, 1, D),
            naming.name("position"): (1, places, D),
            naming.name("norm.weight"): (D,),
            naming.name("norm.bias"): (D,),
        }
        if self.registers:
            shapes[naming.name("registers")] = (1, self.registers, D)
        inside: dict[str, tuple[int, ...]] = {}
        projections = [("qkv", 3 * D)] if naming.fused else [(role, D) for role in "qkv"]
        for role, outside in projections:
            inside[f"{role}.weight"] = matrix(D, outside)
            if self.biases:
                inside[f"{role}.bias"] = (outside,)
        for role, size in (
            ("out", (D, D)),
            ("mlp_1", (D, hidden)),
            ("mlp_2", (hidden, D)),
        ):
            inside |= {f"{role}.weight": matrix(*size), f"{role}.bias": size[1:]}
        for role in ("norm_1", "norm_2"):
            inside |= {f"{role}.weight": (D,), f"{role}.bias": (D,)}
        if self.layer_scale:
            inside |= {"scale_1": (D,), "scale_2": (D,)}
        for i in range(self.layers):
            shapes |= {naming.name(role, i): shape for role, shape in inside.items()}
        return shapes
