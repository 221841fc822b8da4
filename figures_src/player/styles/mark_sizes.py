"""The sizes that the player draws its marks with: lengths, axes, and bounds below which a mark is left out.

Lengths on the photograph's panel are its pixels; axes are drawn in their own units. What depends on the
picked row is drawn by `docs/javascripts/row.js`, in the page and at build, from these sizes, which
`player/state.py` hands to it.
"""

from typing import TypeAlias

Arrow: TypeAlias = tuple[str, str, str]  # shaft, head, width

AXES = (6.0, 12.0, 24.0, 48.0, 96.0)  # how far an axis of products or scores may reach
CLS_TOP = -18  # CLS is a cell above patch (0,0)
# Shares of the unit bar below which a part has no room for a patch, for a number, for one on a phone.
ROOM = {"is-narrow": 0.055, "is-small": 0.085, "is-middling": 0.115}
STRIP = 4.5  # how high and how low the strips of a mixture reach, the same for all channels
ARROWS = 9  # at most so many arrows lead to the query, from the keys that weigh most
NOTHING = 1e-9  # a product this small is 0 but for rounding: neither above nor below
CROSS = 4  # from the edge of a cell to the cross that takes its key out
WIDEST = 4.0  # the strongest arrow, in units of the panel
RIM = 9.0  # from the middle of the query's cell to the tip of an arrow
REACH = 6.0  # bars of channels: half a cell is 6
NORM_AXIS = 6.0  # normalised numbers are drawn on an axis from −6 to 6
WORKING = (0, 1)  # the units of the MLP that are not zero
