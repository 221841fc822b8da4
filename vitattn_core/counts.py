"""What the core takes as counts: whole numbers of any integer type, which become Python's own.

NumPy's small integers overflow without a word: 4096 pixels · 4096 pixels is 0 in uint16.
"""

import operator


def whole(request: str, value: object, least: int | None = None, unit: str = "") -> int:
    """Return a count as Python's exact integer.

    `request` names the caller and its argument, `unit` what is counted, as in " of pixels".
    Raises TypeError for what is no whole number (2.0 and True are none), ValueError below `least`.
    """
    try:
        exact = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        exact = None
    if exact is None or isinstance(value, bool):
        takes = f"whole numbers{unit}" if unit else "a whole number"
        raise TypeError(f"{request}: got {value!r}, takes {takes}")
    if least is not None and exact < least:
        raise ValueError(f"{request}: got {exact}, takes {least} or more")
    return exact


def flag(request: str, value: object) -> bool:
    """Return Python's own True or False; TypeError for anything else, 0 and 1 included."""
    if isinstance(value, bool) or type(value).__name__ == "bool":  # NumPy's own booleans
        return bool(value)
    raise TypeError(f"{request}: got {value!r}, takes True or False")
