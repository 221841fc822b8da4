"""The figures of the pages on maps, implementation and questions: what they print and draw is true."""

import re

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.kit.numbers import fixed
from figures_src.pages import registry
from figures_src.pages.maps import examples
from vitattn_core import attention
from vitattn_core.teaching import GRID

EYE = GRID.token(5, 4)


@pytest.fixture(scope="module")
def trace():
    return photographs.trace("chelsea")


def drawn(name: str) -> str:
    return registry.figures()[name].draw()


def words(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", markup).split())


def test_both_maps_are_rows_of_weights_with_the_same_output(trace) -> None:
    row, other = examples.two_maps()
    np.testing.assert_array_equal(row, trace.A[1, EYE])
    assert other.min() >= 0
    np.testing.assert_allclose(other.sum(), 1, rtol=0, atol=1e-12)
    np.testing.assert_allclose(other @ trace.V[1], trace.O[1, EYE], rtol=0, atol=1e-12)
    for token in range(1, GRID.tokens):
        r, c = GRID.place(token)
        if max(abs(r - 5), abs(c - 4)) <= 4:
            assert other[token] == 0
    # The most even one: its logarithm is linear in the values, where it is not 0
    kept = other > 0
    basis = np.column_stack([trace.V[1][kept], np.ones(kept.sum())])
    fit = basis @ np.linalg.lstsq(basis, np.log(other[kept]), rcond=None)[0]
    np.testing.assert_allclose(np.log(other[kept]), fit, rtol=0, atol=1e-9)


def test_two_maps_prints_shares_and_outputs(trace) -> None:
    said = words(drawn("maps-two-maps"))
    for value in trace.O[1, EYE]:
        assert said.count(f" {fixed(value, 6)}") == 2
    rows, columns = np.indices((GRID.rows, GRID.columns))
    near = (abs(rows - 5) <= 4) & (abs(columns - 4) <= 4)
    inside = GRID.field(trace.A[1, EYE])[near].sum()
    assert f"{fixed(100 * inside, 1)}% of the weight inside" in said
    assert "0.0% of the weight inside" in said


def test_a_cloud_has_a_dot_for_each_pair_at_its_place(trace) -> None:
    scene = examples.small_scene()
    tokens = [GRID.token(r, c) for r in range(3, 7) for c in range(2, 6)]
    q, k, v = (trace[name][0][tokens] for name in "QKV")
    output, weights = attention(q, k, v)
    np.testing.assert_allclose(scene.weights, weights, rtol=0, atol=1e-12)
    away = np.linalg.norm(v[None] - output[:, None], axis=-1)
    between = np.linalg.norm(v[None] - v[:, None], axis=-1)
    own = np.diag(weights)[:, None]
    effects = (
        weights / (1 - weights) * away,
        weights * np.linalg.norm(v, axis=-1),
        abs(weights - own) * between,
    )
    clouds = re.findall(r'<path d="([^"]*)" class="va-dots">', drawn("maps-scatter"))
    assert len(clouds) == 3
    every, off = np.ones((16, 16), dtype=bool), ~np.eye(16, dtype=bool)
    for path, effect, chosen in zip(clouds, effects, (every, every, off), strict=True):
        dots = re.findall(r"M(\S+) (\S+)h0", path)
        xs = 100 * (np.log10(weights[chosen].ravel()) + 4.6) / 4.6
        ys = 100 * (1 - np.log10(effect[chosen].ravel())) / 5
        assert len(dots) == len(xs)
        np.testing.assert_allclose(np.array(dots, float), np.stack([xs, ys], 1), atol=0.051)
    # The row of patch (6,2): its brightest key has the ring; only one key matters less
    (row,) = re.findall(r'<path d="([^"]*)" class="va-dots is-row">', drawn("maps-scatter"))
    (ring,) = re.findall(r'cx="(\S+)%" cy="\S+" r="8"', drawn("maps-scatter"))
    query = tokens.index(GRID.token(6, 2))
    dots = re.findall(r"M(\S+) (\S+)h0", row)
    order = weights[query].argsort()[::-1]
    xs = 100 * (np.log10(weights[query, order]) + 4.6) / 4.6
    ys = 100 * (1 - np.log10(effects[0][query, order])) / 5
    np.testing.assert_allclose(np.array(dots, float), np.stack([xs, ys], 1), atol=0.051)
    assert ring == dots[0][0]
    assert (effects[0][query] < effects[0][query, order[0]]).sum() == 1


def test_three_measures_stand_in_order_with_their_numbers(trace) -> None:
    a, v, o = trace.A[0, EYE], trace.V[0], trace.O[0, EYE]
    keys = {"CLS": 0}
    keys |= {f"({r},{c})": GRID.token(r, c) for r, c in examples.WORTH[1:-1]}
    text = drawn("maps-worth")
    measured = {
        name: (
            a[key],
            a[key] * np.linalg.norm(v[key]),
            a[key] / (1 - a[key]) * np.linalg.norm(v[key] - o) / np.linalg.norm(o),
        )
        for name, key in keys.items()
    }
    for column, (x, written) in enumerate(
        (("16%", lambda n: fixed(n, 3)), ("50%", lambda n: fixed(n, 3)), ("84%", percent))
    ):
        found = re.findall(
            rf'<text x="{x}" y="(\d+)"[^>]*>(\S+) <tspan[^>]*>([^<]*)</tspan></text>', text
        )
        order = [name for _, name, _ in sorted(found, key=lambda entry: int(entry[0]))]
        assert order == sorted(keys, key=lambda name: -measured[name][column])
        for _, name, number in found:
            assert number == written(measured[name][column])
    # The caption: of all keys, only the patch itself moves the output more than CLS does
    moved = a / (1 - a) * np.linalg.norm(v - o, axis=1)
    assert moved.argsort()[::-1][:2].tolist() == [EYE, 0]
    for column in range(3):
        own = (a[EYE], a[EYE] * np.linalg.norm(v[EYE]), moved[EYE] / np.linalg.norm(o))[column]
        assert own > max(values[column] for values in measured.values())


def percent(share: float) -> str:
    return f"{fixed(100 * share, 1)}%"
