"""Page Implementation: the products of one layer of ViT-B/16, each array drawn to scale."""

from figures_src.inputs.models import BASE
from figures_src.kit.elements import tag
from figures_src.pages.registry import figure
from vitattn_core.teaching import GRID

TOKENS, WIDTH, HEAD = GRID.tokens, BASE.width, BASE.width // BASE.heads
UNIT = 0.18  # pixels for one number
ROW = 4  # pixels: a row of an array, lifted out
Array = tuple[str, str, int, int]  # name, role, rows, columns
X: Array = ("x", "none", TOKENS, WIDTH)
Q: Array = ("q", "query", TOKENS, HEAD)
KEYS: Array = ("kᵀ", "key", HEAD, TOKENS)
V: Array = ("v", "value", TOKENS, HEAD)
SCORES: Array = ("scores", "none", TOKENS, TOKENS)
WEIGHTS: Array = ("weights", "weight", TOKENS, TOKENS)
OUTPUT: Array = ("output", "output", TOKENS, HEAD)
JOINED: Array = ("joined", "output", TOKENS, WIDTH)
READ: Array = ("what attention adds", "output", TOKENS, WIDTH)
# what the line of code does, its arrays, and the signs between them
LINES: tuple[tuple[str, tuple[Array, ...], str], ...] = (
    ("project: q, and k and v alike", (X, ("w_q", "none", WIDTH, HEAD), Q), "·="),
    ("compare, and divide by √64", (Q, KEYS, SCORES), "·="),
    ("softmax over each row", (SCORES, WEIGHTS), "→"),
    ("mix", (WEIGHTS, V, OUTPUT), "·="),
    ("join 12 heads, and map back", (JOINED, ("w_o", "none", WIDTH, WIDTH), READ), "·="),
)


@figure(
    "implementation-shapes",
    caption="One image through the attention of one block of ViT-B/16, each array as large as it is; x "
    "holds the normed rows. The strong line, thicker than it should be, is one row of the sequence: "
    "it meets other rows where scores are made and where values are mixed, and nowhere else.",
    alt="Five products. x, {{ vit.tokens = 197 }} by {{ vit.width = 768 }}, times w_q, "
    "{{ vit.width = 768 }} by 64, is q, {{ vit.tokens = 197 }} by 64. q times k transposed is "
    "a square of scores, {{ vit.tokens = 197 }} by {{ vit.tokens = 197 }}; softmax makes it "
    "weights. Weights times v is the output, {{ vit.tokens = 197 }} by 64. "
    "{{ vit.heads.word = Twelve }} outputs side by side, {{ vit.tokens = 197 }} by "
    "{{ vit.width = 768 }}, times w_o are {{ vit.tokens = 197 }} by {{ vit.width = 768 }} "
    "again.",
)
def shapes() -> str:
    return tag("div", *(_line(*line) for line in LINES), class_="va-products")


def _line(words: str, arrays: tuple[Array, ...], signs: str) -> str:
    parts = [_array(*arrays[0])]
    for sign, array in zip(signs, arrays[1:], strict=True):
        parts += [tag("span", sign, class_="va-operator"), _array(*array)]
    return tag("p", words) + tag("div", *parts, class_="va-product")


def _array(name: str, role: str, rows: int, columns: int) -> str:
    width, height = columns * UNIT, rows * UNIT
    box = {"width": f"{width:.2f}", "height": f"{height:.2f}"}
    marks = [tag("rect", class_=f"va-extent role-{role}", **box)]
    if name == "joined":
        for head in range(1, BASE.heads):
            x = f"{head * HEAD * UNIT:.2f}"
            marks.append(tag("line", x1=x, x2=x, y1=0, y2=box["height"], class_="va-head-line"))
    if rows == TOKENS:
        y = f"{height * 0.38:.2f}"
        lifted = {"width": box["width"], "height": ROW}
        marks.append(tag("rect", y=y, class_=f"va-one-row role-{role}", **lifted))
    drawing = tag("svg", *marks, **box, aria_hidden="true")
    said = tag("code", name) + tag("small", f"{rows} × {columns}")
    return tag("div", drawing, said, class_="va-array")
