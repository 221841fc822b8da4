"""What an address may say, written once more for the tests: which state it names, or why it names none.

Limits stand here as literals, so that a table which lets too much through, or too little, is seen.
"""

import random
import re
from urllib.parse import quote, unquote_to_bytes

State = dict[str, str]

PHOTOS = ["chelsea", "coffee", "rocket"]
CHOICES: dict[str, dict[str, list[str]]] = {
    "player": {
        "photo": PHOTOS,
        "stage": [
            "patches",
            "embed",
            "norm",
            "qkv",
            "scores",
            "scale",
            "mask",
            "softmax",
            "mix",
            "heads",
            "residual",
            "mlp",
        ],
        "head": ["1", "2", "3", "mean"],
        "scale": ["head", "model", "off"],
        "position": ["on", "off"],
        "mix": ["v", "k"],
        "axis": ["keys", "queries"],
        "bug": ["merge", "mask", "residual", "offset"],
        "range": ["fit", "fixed"],
    },
    "explorer": {
        "photo": PHOTOS,
        "layer": [str(n) for n in range(1, 13)],
        "head": ["1", "2", "3", "4", "5", "6", "mean"],
        "divisor": ["head", "model", "none"],
        "range": ["fit", "fixed"],
    },
}
NAMES = {
    "player": [
        "photo",
        "stage",
        "query",
        "head",
        "scale",
        "position",
        "mix",
        "axis",
        "dropped",
        "bug",
        "range",
        "at",
        "speed",
    ],
    "explorer": ["photo", "layer", "head", "query", "divisor", "dropped", "range"],
}
FIRST: dict[str, State] = {
    "player": {
        "photo": "chelsea",
        "stage": "softmax",
        "query": "5.4",
        "head": "1",
        "scale": "head",
        "position": "on",
        "mix": "v",
        "axis": "keys",
        "dropped": "",
        "bug": "",
        "range": "fit",
        "at": "1",
        "speed": "1",
    },
    "explorer": {
        "photo": "chelsea",
        "layer": "9",
        "head": "4",
        "query": "7.5",
        "divisor": "head",
        "dropped": "",
        "range": "fit",
    },
}
OPENS = {
    "player": {"chelsea": "5.4", "coffee": "4.2", "rocket": "11.6"},
    "explorer": {"chelsea": "7.5", "coffee": "11.9", "rocket": "10.7"},
}
LEAST = {"player": "stage", "explorer": "layer"}
SIDE = {"player": 14, "explorer": 16}
RANGES = {"at": (0, 1), "speed": (0.25, 4)}
LONGEST = 24


def said(text: str, what: str = "value") -> str:
    """How a sentence repeats what was asked for."""
    return f"“{text[:40]}{'…' if len(text) > 40 else ''}”" if text else f"an empty {what}"


def listed(words: list[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def is_row(word: str, side: int) -> bool:
    found = re.fullmatch(r"(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)", word)
    return word == "cls" or (found is not None and max(int(found[1]), int(found[2])) < side)


def value(figure: str, name: str, text: str) -> tuple[str, str]:
    """The value as a state has it, or "" and why it is refused."""
    if text == FIRST[figure][name]:
        return text, ""
    if name in ("query", "dropped"):
        where = f"{name} takes cls or row.column from 0.0 to {SIDE[figure] - 1}.{SIDE[figure] - 1}"
        where += ", each once, between commas" if name == "dropped" else ""
        words = text.split(",") if name == "dropped" else [text]
        for n, word in enumerate(words):
            if not is_row(word, SIDE[figure]):
                return "", f"{where}; {said(word)} is neither"
            if word in words[:n]:
                return "", f"{where}; {said(word)} stands twice"
        return text, ""
    if name in RANGES:
        low, high = RANGES[name]
        may = f"{name} goes from {low} to {high}; {said(text)}"
        number = re.fullmatch(r"-?[0-9]*\.?[0-9]+", text)
        if not number or (text.startswith("-") and float(text) == 0):
            return "", f"{may} is not a number in digits"
        if len(text) > LONGEST:
            return "", f"{may} is longer than {LONGEST} characters"
        if not low <= float(text) <= high:
            return "", f"{may} is outside"
        whole, _, part = text.partition(".")
        whole, part = whole.lstrip("0") or "0", part.rstrip("0")
        return (f"{whole}.{part}" if part else whole), ""
    choices = CHOICES[figure][name]
    may = f"{name} takes {listed(choices, 'or')}"
    if text in choices:
        return text, ""
    if (figure, name, text) == ("player", "photo", "own"):
        stays = "your own photograph is not in the address, it stays in the page that has opened it"
        return "", f"{may}; {stays}"
    return "", f"{may}; {said(text)} is none of them"


def verdict(figure: str, address: str) -> tuple[State, str]:
    """The whole state that an address names, or {} and the sentence that refuses it."""
    given: State = {}
    for part in address.split("&"):
        name, sign, text = part.partition("=")
        if not sign:
            return {}, f"an address has name=value between &; {said(part, 'part')} is not that"
        if name in given:
            return {}, f"an address has each name once; {said(name, 'name')} stands twice"
        try:
            if re.search(r"%(?![0-9A-Fa-f]{2})", text):
                raise ValueError(text)
            given[name] = unquote_to_bytes(text).decode("utf-8")
        except ValueError:
            byte = "% begins a byte of UTF-8 in two hexadecimal digits"
            return {}, f"{byte}; {said(part)} cannot be read"
    state: State = {}
    for name, text in given.items():
        if name not in NAMES[figure]:
            has = f"the {figure} has {listed(NAMES[figure], 'and')}"
            return {}, f"{has}; {said(name, 'name')} is none of them"
        taken, wrong = value(figure, name, text)
        if wrong:
            return {}, wrong
        state[name] = taken
    photo = state.get("photo", FIRST[figure]["photo"])
    return FIRST[figure] | {"photo": photo, "query": OPENS[figure][photo]} | state, ""


def address_of(figure: str, state: State, *, named: bool = False) -> str:
    """The address of a state; `named`: it never says nothing."""
    opened = FIRST[figure] | {"query": OPENS[figure][state["photo"]]}
    told = [name for name in NAMES[figure] if state[name] != opened[name]]
    told = told or ([LEAST[figure]] if named else [])
    return "&".join(f"{name}={quote(state[name], safe=',')}" for name in told)


# Settings, right and wrong -------------------------------------------------------------------------

# What people and programs write in place of a value, or of a number.
ODD = [
    "",
    " ",
    "1e0",
    "1E-1",
    "+1",
    "-1",
    "-0",
    "-.5",
    "NaN",
    "Infinity",
    "0x1",
    "1,0",
    "½",
    "１",
    "01",
    "1.0",
    ".5",
    "0.50",
    "1.",
    ".",
    "0.25",
    "0.2499",
    "4.0",
    "4.0001",
    "0.0001",
    "1e999",
    "0.3333333333333333",
    "0.5000000000000000000000",
    "0.50000000000000000000000",
    "9" * 60,
    "cls",
    "CLS",
    "cls,cls",
    "cls,",
    ",",
    "5.4",
    "05.4",
    "5.4 ",
    "5.04",
    "13.13",
    "14.0",
    "15.15",
    "5.4,5.4",
    "5.4,cls,0.0",
    "0.0,14.0",
    "16.0",
    "5",
    "5.4.3",
    "-1.0",
    "own",
    "mean",
    "0",
    "7",
    "true",
    "Fit",
    "FIT",
    "fit ",
    "null",
    "undefined",
    "constructor",
    "__proto__",
    "a" * 41,
    "%",
    "%2",
    "%zz",
    "%E0%A4%A",
    "%00",
    "%31",
    "%2E5",
    "1%2E1",
    "%20",
    "%F0%9F%90%88" * 50,
    "chelsea",
    "../../secret",
    "<b>x</b>",
    "x=1",
    "=",
    "#",
    "'",
    '"',
    "\\",
    "a\u202eb",
]
OTHER_NAMES = [
    "",
    " stage",
    "STAGE",
    "size",
    "playing",
    "__proto__",
    "constructor",
    "%73tage",
    "embed",
]


def right(figure: str, name: str, dice: random.Random) -> str:
    """A value that a control, the film or a script gives to a setting."""
    rows = ["cls", *(f"{r}.{c}" for r in range(SIDE[figure]) for c in range(SIDE[figure]))]
    if name == "query":
        return dice.choice(rows)
    if name == "dropped":
        few = dice.choice([0, 1, 2, 3, 40, len(rows)])
        return ",".join(dice.sample(rows, few))
    if name == "at":
        return str(round(dice.random(), 3)) if dice.random() < 0.8 else dice.choice(["0", "1"])
    if name == "speed":
        return dice.choice(["0.25", "0.5", "0.75", "1", "1.25", "2", "4"])
    return dice.choice(CHOICES[figure][name] + [FIRST[figure][name]])


def addresses(figure: str, seed: int, count: int) -> list[str]:
    """Every odd value of every setting, and seeded addresses of a few settings; half of these are right."""
    found = [f"{name}={odd}" for name in NAMES[figure] for odd in ODD]
    dice = random.Random(seed)
    for n in range(count):
        names = dice.sample(NAMES[figure], dice.randint(1, 5))
        parts = [f"{name}={right(figure, name, dice)}" for name in names]
        if n % 2:
            wrong = [
                f"{dice.choice(NAMES[figure])}={dice.choice(ODD)}",
                f"{dice.choice(OTHER_NAMES)}={dice.choice(ODD)}",
                dice.choice([*ODD, *names]),
                dice.choice(parts),
            ]
            parts.insert(dice.randint(0, len(parts)), dice.choice(wrong))
        found.append("&".join(parts))
    return found
