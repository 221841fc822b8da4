"""The committed captures: hashes, whose photographs, what the steps cost, and rows through the core.

The findings are held to the captures where both say the same thing, within what int8 costs.
"""

import hashlib
import json

import numpy as np
import pytest

from figures_src.by_hand.captures.findings import apart
from figures_src.by_hand.captures.quantise import layer_record, lost, steps_of, values_record
from figures_src.inputs import captures, photographs
from figures_src.kit.numbers import rank_from_top
from tests.built import ROOT
from vitattn_core import softmax
from vitattn_core.reading import rank_correlation

every_photo = pytest.mark.parametrize("photo", captures.PHOTOS)
LIMIT = 8_000_000


def test_the_files_are_the_manifests():
    stated = captures.manifest()["files"]
    there = {p.name: p.read_bytes() for p in captures.FOLDER.iterdir() if p.suffix == ".bin"}
    assert set(there) == set(stated)
    for name, content in there.items():
        assert hashlib.sha256(content).hexdigest() == stated[name]["sha256"], name
        assert len(content) == stated[name]["bytes"]
    kept = [p for p in captures.FOLDER.iterdir() if p.is_file() and p.name != "__init__.py"]
    everything = sum(p.stat().st_size for p in kept)
    assert everything <= LIMIT
    assert {p.suffix for p in kept} == {".bin", ".json"}  # no weights


def test_a_changed_byte_stops_the_reading(tmp_path, monkeypatch):
    name = captures.name_of("chelsea", 1)
    content = bytearray((captures.FOLDER / name).read_bytes())
    content[0] ^= 1
    (tmp_path / name).write_bytes(content)
    captures.manifest()
    monkeypatch.setattr(captures, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=rf"captures/{name}: got SHA-256 .*, the manifest says"):
        captures.read(name)


@every_photo
def test_the_photographs_are_the_sites(photo):
    pixels = hashlib.sha256(photographs.image(photo).tobytes()).hexdigest()
    assert captures.manifest()["photos"] == captures.manifest()["photos"] | {photo: pixels}


def test_the_model_is_named_and_its_licence():
    provenance = captures.manifest()["provenance"]
    notice = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
    for part in ("package", "version", "author", "file"):
        assert provenance[part] in notice
    assert "MIT licence" in notice and "Permission is hereby granted, free of charge" in notice
    assert "Apache License 2.0" in notice and "DINOv2" in notice
    for words in ("may have been fine-tuned", "not the original ViT-B/16", "257 rows, 6 heads"):
        assert words in provenance["says"]


@every_photo
@pytest.mark.parametrize("layer", range(1, captures.LAYERS + 1))
def test_rows_of_cls_from_the_captures_are_the_models(photo, layer):
    """A recomputed through the core against the float32 rows, within what the manifest says is lost."""
    stated = captures.manifest()["files"][captures.name_of(photo, layer)]["lost"]
    A = captures.load(photo, layer).weights
    np.testing.assert_allclose(A.sum(axis=-1), 1, rtol=0, atol=1e-12)
    half = 2.0**-11  # float16 keeps eleven bits
    off = np.abs(A[:, 0] - captures.cls_rows(photo)[layer - 1])
    assert off.max() <= stated["weight"] + half
    assert off.sum(axis=-1).max() / 2 <= stated["row"] + 2 * half
    assert stated["weight"] < 0.025 and stated["row"] < 0.025 and stated["same_top"] > 0.95


def test_one_row_is_the_row_of_all():
    rng = np.random.default_rng(0)
    for _ in range(20):
        photo = captures.PHOTOS[rng.integers(3)]
        layer, head = int(rng.integers(1, 13)), int(rng.integers(1, 7))
        query = int(rng.integers(captures.TOKENS))
        one = captures.row(photo, layer, head, query)
        np.testing.assert_allclose(
            one, captures.load(photo, layer).weights[head - 1, query], rtol=0, atol=1e-12
        )


def test_the_mean_key_is_invisible_to_the_softmax():
    layer = captures.load("chelsea", 7)
    apart_by = layer.true_scores - layer.scores
    assert np.abs(apart_by).max() > 0.1  # the scores do differ, each row by one number
    np.testing.assert_allclose(np.ptp(apart_by, axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(softmax(layer.true_scores), layer.weights, rtol=0, atol=1e-12)


def test_whole_numbers_fit_a_script():
    """±123 in all files, and mean keys whose float16 bits are no surrogate: below 128."""
    for photo in captures.PHOTOS:
        for layer in range(1, captures.LAYERS + 1):
            stored = captures.records(photo, layer)
            for part in "QK":
                assert np.abs(stored[part].astype(int)).max() == captures.LEVELS
            assert np.abs(stored["mean"].astype(float)).max() < 128
            for part in "qk":
                assert stored[part].astype(float).min() > 2.0**-14  # a normal number


def test_values_where_they_were_captured():
    V = captures.values("chelsea", 12)
    assert V.shape == (6, 257, 64)
    lengths = captures.value_lengths("chelsea")[11]
    np.testing.assert_allclose(np.linalg.norm(V, axis=-1), lengths, rtol=0.02)
    with pytest.raises(KeyError, match="no values of coffee, layer 3"):
        captures.values("coffee", 3)


@every_photo
def test_the_saliency_map(photo):
    shown = captures.saliency(photo)
    assert shown.shape == (128, 128)
    assert 0 <= shown.min() < shown.max() <= 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: captures.load("astronaut", 1), "got 'astronaut', layer 1; takes chelsea, coffee"),
        (lambda: captures.load("coffee", 0), "got 'coffee', layer 0"),
        (lambda: captures.row("coffee", 1, 7, 0), "got head 7, query 0; takes 1 to 6 and 0 to 256"),
        (lambda: captures.row("coffee", 1, 1, 257), "got head 1, query 257"),
        (lambda: captures.finding("heads.size"), "no finding 'heads.size'; near: heads.alike"),
    ],
)
def test_what_is_not_there_is_named(call, message):
    with pytest.raises(KeyError, match=message):
        call()


def test_every_finding_has_a_value_a_tolerance_and_a_sentence():
    for name, entry in captures.manifest()["findings"].items():
        assert set(entry) == {"value", "tolerance", "says"}, name
        assert entry["tolerance"] >= 0
        assert len(entry["says"]) > 10
        assert "NaN" not in json.dumps(entry["value"])


@every_photo
def test_findings_on_heads_follow_from_the_captures(photo):
    """Distance, entropy and the rest from int8: not the same run of numbers, the same story."""
    A = np.stack([captures.load(photo, layer).weights for layer in range(1, captures.LAYERS + 1)])
    on_patches = A[..., 1:, 1:]
    shares = on_patches / on_patches.sum(axis=-1, keepdims=True)
    places = np.array(list(captures.GRID.places()))
    far = np.linalg.norm(places[:, None] - places[None], axis=-1) * captures.GRID.patch
    distance = (shares * far).sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(distance, captures.measured(f"heads.distance.{photo}"), atol=0.5)
    entropy = -(A * np.log(np.maximum(A, 1e-300))).sum(axis=-1)[..., 1:].mean(axis=-1)
    np.testing.assert_allclose(entropy, captures.measured(f"heads.entropy.{photo}"), atol=0.02)
    for name, value in (
        ("top", A.max(axis=-1).mean(axis=-1)),
        ("on_cls", A[..., 1:, 0].mean(axis=-1)),
        ("cls_on_cls", A[..., 0, 0]),
    ):
        np.testing.assert_allclose(value, captures.measured(f"heads.{name}.{photo}"), atol=0.012)
    lengths = captures.value_lengths(photo)
    ratio = lengths[..., 0] / np.median(lengths[..., 1:], axis=-1)
    np.testing.assert_allclose(ratio, captures.measured(f"heads.cls_value.{photo}"), rtol=2e-3)


def test_the_last_row_of_cls_is_on_no_path_to_the_output():
    for photo in captures.PHOTOS:
        assert captures.finding(f"cut.patches.{photo}") == 0
        assert captures.finding(f"cut.saliency.{photo}") == 0
        assert captures.finding(f"cut.cls.{photo}") > 1
        assert captures.finding(f"cut.unseen.{photo}") > 0


@every_photo
def test_rank_correlations_follow_from_scores_and_effects(photo):
    for score, row in captures.finding(f"rho.{photo}").items():
        said = captures.measured(f"score.{score}.{photo}")
        assert said.shape == (256,)
        for effect, rho in row.items():
            did = captures.measured(f"effect.{effect}.{photo}")
            assert did.shape == (256,)
            assert rank_correlation(said, did) == pytest.approx(rho, abs=2e-4)


@every_photo
def test_scores_follow_from_the_captures(photo):
    A = np.stack([captures.load(photo, layer).weights for layer in range(1, captures.LAYERS + 1)])
    rows = captures.cls_rows(photo)[..., 1:]
    for name, value in (
        ("cls_last", rows[-1].mean(axis=0)),
        ("cls_all", rows.mean(axis=(0, 1))),
    ):
        stated = captures.measured(f"score.{name}.{photo}")
        np.testing.assert_allclose(value, stated, rtol=0, atol=1e-3 * stated.max())
    between = A * (1 - np.eye(A.shape[-1]))
    received = between.mean(axis=(0, 1))[1:].sum(axis=0)[1:]
    assert rank_correlation(received, captures.measured(f"score.received.{photo}")) > 0.999
    contrast = captures.measured(f"score.contrast.{photo}")
    assert contrast.min() >= 0


def test_the_rank_of_one_among_many():
    assert rank_from_top(np.array([5, 9, 7]), 2) == 2


def test_steps_bring_numbers_back_within_half_a_step():
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(6, 257, 64)) * np.exp(rng.normal(size=64))
    whole, steps = steps_of(numbers)
    assert whole.dtype == np.int8 and np.abs(whole.astype(int)).max() == captures.LEVELS
    back = whole * steps.astype(np.float64)[:, None]
    assert (np.abs(back - numbers) <= 0.5000001 * steps.astype(np.float64)[:, None]).all()


def test_a_record_keeps_true_scores_and_says_what_it_lost():
    rng = np.random.default_rng(2)
    Q, K = rng.normal(size=(2, 6, 257, 64))
    K += 3 * rng.normal(size=(6, 1, 64))  # a mean key that is far from zero
    record = layer_record(Q, K)
    layer = captures.decode(record)
    true = Q @ K.swapaxes(-1, -2) / 8
    assert np.abs(layer.true_scores - true).max() < 0.15
    A = softmax(true)
    loss = lost(record, A)
    assert loss["weight"] == np.abs(layer.weights - A).max() < 0.02
    spoiled = record.copy()
    spoiled["K"][0, 3] = 0
    assert lost(spoiled, A)["weight"] > loss["weight"]
    assert np.frombuffer(values_record(Q).tobytes(), captures.VALUES)["V"].shape == Q.shape


def test_apart_sees_shape_and_kind():
    assert apart({"a": [1, 2.5]}, {"a": [1, 2.0]}) == 0.5
    assert apart([1, 2], [1, 2, 3]) == float("inf")
    assert apart({"a": 1}, {"b": 1}) == float("inf")
    assert apart("one", "one") == 0
    assert apart(True, False) == 1
