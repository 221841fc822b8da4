"""A fault in any step of attention.js is seen, and seen first where it was made."""

from dataclasses import dataclass

import pytest

from tests.player.passes import (
    ATTENTION,
    NAMES,
    TOLERANCE,
    Engine,
    Request,
    differences,
    error_of_erf,
    in_numpy,
)

SOURCE = ATTENTION.read_text(encoding="utf-8")

STANDARD: Request = {"photo": "chelsea"}
WIDE: Request = {"photo": "coffee", "scale": "model", "mix": "k"}
UNSCALED: Request = {"photo": "coffee", "scale": "off"}
COLUMNS: Request = {"photo": "rocket", "axis": "queries"}
FEWER: Request = {"photo": "chelsea", "dropped": [0, 75]}
NOTHING: Request = {"photo": "chelsea", "dropped": list(range(197))}


@dataclass(frozen=True)
class Fault:
    """A line of attention.js, the line in its place, and the first array that must differ."""

    first: str
    right: str
    wrong: str
    shown_by: Request


def fault(first: str, right: str, wrong: str, shown_by: Request = STANDARD) -> Fault:
    return Fault(first, right, wrong, shown_by)


FAULTS = [
    # from the photograph to rows
    fault("content", "product += a[c] * b[c]", "product += a[c] * b[0]"),
    fault("content", "dot(channel, patch) + offset[c]", "dot(channel, patch)"),
    fault(
        "content",
        "[teaching.cls, ...embed(sums, teaching.from_sums)]",
        "[...embed(sums, teaching.from_sums), teaching.cls]",
    ),
    fault("position", "columns.map((place) => add(row, place))", "columns.map(() => row)"),
    fault("position", "[cls, ...rows.flatMap(", "[rows[0], ...rows.flatMap("),
    fault("X", "add(row, position[i])", "add(row, position[0])"),
    fault("X", 'on.position === "on" ?', 'on.position === "off" ?'),
    fault("position", "number + b[c]", "number - b[c]"),
    # layer norm
    fault("U", "row.map((number) => number - mean)", "row.map((number) => number)"),
    fault("U", "dot(centred, centred) / row.length", "dot(centred, centred) / (row.length - 1)"),
    fault("U", "Math.sqrt(variance + eps)", "Math.sqrt(variance)"),
    fault("U", "Math.sqrt(variance + eps)", "Math.sqrt(variance) + eps"),
    fault("U", "X.map((row) => layerNorm(row, eps))", "content.map((row) => layerNorm(row, eps))"),
    # query, key, value
    fault(
        "Q",
        "teaching.W_Q.map((weight) => linear(U, weight))",
        "teaching.W_Q.map((weight) => linear(X, weight))",
    ),
    fault("K", "const K = teaching.W_K", "const K = teaching.W_Q"),
    fault("V", "const V = teaching.W_V", "const V = teaching.W_K"),
    # scores
    fault("P", "products(Q[head], K[head])", "products(K[head], Q[head])"),
    fault("P", "row[j] = dot(query, k[j])", "row[j] = dot(query, k[0])"),
    fault("divisor", "head: teaching.head_width, model", "head: teaching.channels.length, model"),
    fault("divisor", "model: teaching.channels.length", "model: teaching.head_width", WIDE),
    fault("divisor", "off: 1", "off: 4", UNSCALED),
    fault("S", "scores[j] = row[j] / divisor", "scores[j] = row[j] / headWidth"),
    fault("S", 'on.scale === "off" ? P[head]', 'on.scale === "head" ? P[head]'),
    # dropped keys
    fault("masked", "keep[key] ? score : -Infinity", "keep[key] ? score : -1e9", FEWER),
    fault("masked", "keep[key] ? score : -Infinity", "keep[key] ? -Infinity : score", FEWER),
    fault("masked", "hide(S[head], keep) : S[head]", "S[head] : S[head]", FEWER),
    # softmax
    fault("top", "if (row[j] > most) most = row[j]", "if (row[j] > most) most = row[0]"),
    fault("top", "largest(row) === -Infinity ? 0 : largest(row)", "0"),
    fault("top", 'axis === "queries"', 'axis === "columns"', COLUMNS),
    fault("total", "Math.exp(row[j] - top)", "Math.exp(row[j])"),
    fault("total", "const total = sum(weights)", "const total = sum(row)"),
    fault("A", "weights[j] /= total", "weights[j] /= 1"),
    fault("A", "if (total > 0) for (", "for (", NOTHING),
    fault("A", "weights: transpose(turned.weights)", "weights: turned.weights", COLUMNS),
    # mix and join
    fault(
        "O",
        "channels.map((channel) => dot(row, channel))",
        "channels.map((channel) => dot(channel, channel))",
    ),
    fault("O", '=== "v" ? V[head] : K[head]', '=== "v" ? V[head] : Q[head]', WIDE),
    fault("joined", "outputs.flatMap((head) => head[i])", "outputs.flatMap(() => outputs[0][i])"),
    fault("M", "linear(joined, teaching.W_O)", "linear(joined, transpose(teaching.W_O))"),
    # residual and MLP
    fault("Y", '"residual" ? U : X', '"residual" ? U : U'),
    fault("W", "Y.map((row) => layerNorm(row, eps))", "X.map((row) => layerNorm(row, eps))"),
    fault("H", "linear(W, mlp.w_1, mlp.b_1)", "linear(W, mlp.w_1)"),
    fault("H", "all[unit] = row[u]", "all[unit + 1] = row[u]"),
    fault("G", "(1 + erf(x / Math.SQRT2))", "(1 + erf(x))"),
    fault(
        "G",
        "(1 + erf(x / Math.SQRT2))",
        "(1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))",
    ),
    fault("F", "linear(after, mlp.w_2)", "linear(before, mlp.w_2)"),
    fault("Z", "Y.map((row, i) => add(row, F[i]))", "X.map((row, i) => add(row, F[i]))"),
]

# Each interval of the error function, and its joints.
ERF_FAULTS = [
    ("size <= 0.46875", "size <= 1.5"),
    ("size <= 4", "size <= 1.5"),
    ("3.77485237685302021e2", "3.77485327685302021e2"),
    ("8.8195222124176909e2", "8.8195222142176909e2"),
    ("1.25781726111229246e-1", "1.52781726111229246e-1"),
    ("1 / Math.sqrt(Math.PI)", "1 / Math.sqrt(2 * Math.PI)"),
    ("Math.sign(x) * (1 - rest)", "1 - rest"),
]


def changed(right: str, wrong: str) -> str:
    assert SOURCE.count(right) == 1, f"{right!r} stands {SOURCE.count(right)} times, takes 1"
    return SOURCE.replace(right, wrong)


def test_every_array_of_a_pass_has_a_fault_of_its_own() -> None:
    assert {entry.first for entry in FAULTS} == set(NAMES)


@pytest.fixture(scope="module")
def spoilt() -> Engine:
    """An engine of this file's own: its attention.js is taken out again and again."""
    return Engine()


def compared(spoilt: Engine, request: Request) -> dict[str, float]:
    """Return the differences of a pass; every fifth query of the large arrays is enough here."""
    return differences(spoilt.run(request, every=5), in_numpy(request, every=5))


@pytest.mark.parametrize("entry", FAULTS, ids=lambda entry: f"{entry.first}: {entry.wrong}")
def test_a_fault_is_seen_first_where_it_was_made(spoilt: Engine, entry: Fault) -> None:
    spoilt.load(changed(entry.right, entry.wrong))
    apart = compared(spoilt, entry.shown_by)
    assert max(apart.values()) > TOLERANCE
    assert next(name for name in NAMES if not apart[name] <= TOLERANCE) == entry.first, apart


@pytest.mark.parametrize(("right", "wrong"), ERF_FAULTS)
def test_a_fault_in_the_error_function_is_seen(spoilt: Engine, right: str, wrong: str) -> None:
    spoilt.load(changed(right, wrong))
    assert not error_of_erf(spoilt) <= 1e-12


def test_without_a_fault_the_same_passes_are_numpys(spoilt: Engine) -> None:
    spoilt.load(SOURCE)
    for request in (STANDARD, WIDE, UNSCALED, COLUMNS, FEWER, NOTHING):
        apart = compared(spoilt, request)
        assert max(apart.values()) <= TOLERANCE, apart
