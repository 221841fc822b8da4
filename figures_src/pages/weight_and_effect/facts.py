"""The numbers of the page on weight and effect, docs/weight-and-effect.md."""

import math

import numpy as np

from figures_src.inputs import captures
from figures_src.inputs.captures import GRID, HEADS, LAYERS, PHOTOS, finding, measured
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import fixed, percent, rank_from_top, span, with_commas
from figures_src.pages.claims import Claim, claim, each_photo, facts_of, stack
from figures_src.pages.facts import Fact, of

TOP = 10
# Columns of the table of rank correlations
TABLE = ("hide_last.cls", "hide_all.cls", "pixels.cls", "pixels.rows", "pixels.saliency")
# Patches that the page names: photograph, place
BRIGHT_IDLE = {"cat": ("chelsea", (7, 2)), "cup": ("coffee", (2, 4))}
DIM_BUSY = {"cat": ("chelsea", (13, 10)), "rocket": ("rocket", (5, 6))}


def entries() -> list[Fact]:
    """Return the facts of the page."""
    counted = [
        ("effect.patches", with_commas(GRID.patches)),
        ("effect.heads", with_commas(LAYERS * HEADS)),
        ("effect.overlap.lot", fixed(TOP * TOP / GRID.patches, 1)),
    ]
    return [*of("formula", counted), *facts_of(claims())]


def claims() -> list[Claim]:
    """Return what the page says of the trained model."""
    return [*_own_layer(), *_network(), *_predicts(), *_patches(), *_cut(), *_idle(), *_lengths()]


def rho(photo: str, score: str, effect: str) -> float:
    """Return the rank correlation of a score and an effect over the patches of a photograph."""
    return float(finding(f"rho.{photo}")[score][effect])


def _each(key: str, score: str, effect: str) -> list[Claim]:
    """Return a claim for each photograph: the rank correlation of score and effect."""

    def written(photo: str) -> str:
        return fixed(rho(photo, score, effect), 2)

    return [claim(f"{key}.{p}", f"rho.{p}", written, p) for p in PHOTOS]


def _own_layer() -> list[Claim]:
    def formula() -> str:
        return span(np.array([rho(p, "one_layer", "hide_last.cls") for p in PHOTOS]), 2)

    return [
        *_each("effect.own", "cls_last", "hide_last.cls"),
        claim("effect.formula", each_photo("rho"), formula),
    ]


def overlap(photo: str) -> str:
    """Return how many of the ten patches with most weight are among the ten with most pixel effect."""
    first, second = (
        set(np.argsort(-measured(f"{name}.{photo}"))[:TOP].tolist())
        for name in ("score.cls_last", "effect.pixels.cls")
    )
    return with_commas(len(first & second))


def _network() -> list[Claim]:
    return [
        *_each("effect.pixels", "cls_last", "pixels.cls"),
        *_each("effect.everywhere", "cls_last", "hide_all.cls"),
        *(
            claim(
                f"effect.overlap.{p}",
                (f"score.cls_last.{p}", f"effect.pixels.cls.{p}"),
                overlap,
                p,
            )
            for p in PHOTOS
        ),
    ]


def _predicts() -> list[Claim]:
    # the page says: received is ahead of contrast on all three, contrast of rollout on two
    ahead = [rho(p, "received", "pixels.rows") > rho(p, "contrast", "pixels.rows") for p in PHOTOS]
    plain = [rho(p, "contrast", "pixels.cls") > rho(p, "rollout", "pixels.cls") for p in PHOTOS]
    assert all(ahead) and sum(plain) == 2
    # and: rollout does better against hiding everywhere, on the rocket above all
    hidden = [rho(p, "rollout", "hide_all.cls") for p in PHOTOS]
    assert all(h > rho(p, "rollout", "pixels.cls") for h, p in zip(hidden, PHOTOS, strict=True))
    assert PHOTOS[int(np.argmax(hidden))] == "rocket"
    # and: the formula is better than the weight in its own layer; in the network on the cat alone
    cat = [True, False, False]
    for effect, better in (
        ("hide_last.cls", [True] * 3),
        ("hide_all.cls", cat),
        ("pixels.cls", cat),
    ):
        assert better == [rho(p, "one_layer", effect) > rho(p, "cls_last", effect) for p in PHOTOS]
    return [
        *_each("effect.received", "received", "pixels.rows"),
        *_each("effect.contrast", "contrast", "pixels.rows"),
        *_each("effect.rollout", "rollout", "pixels.cls"),
        *_each("effect.contrast_cls", "contrast", "pixels.cls"),
        *_each("effect.all_layers", "cls_all", "hide_all.cls"),
    ]


def at(place: tuple[int, int]) -> int:
    """Return where a patch stands among the patches, from 0."""
    return GRID.token(*place) - GRID.prefix


def rank(name: str, photo: str, place: tuple[int, int]) -> str:
    """Return the rank of a patch by a score or effect, 1 the largest."""
    return with_commas(rank_from_top(measured(f"{name}.{photo}"), at(place)))


def _patches() -> list[Claim]:
    def half(photo: str, place: tuple[int, int], upper: bool) -> str:
        """The rank by effect, which is the claim: in the lower half, or among the first twenty."""
        found = rank("effect.pixels.cls", photo, place)
        assert (int(found) <= 20) if upper else (int(found) > GRID.patches // 2)
        return found

    def moves(place: tuple[int, int]) -> str:
        return percent(float(measured("effect.pixels.cls.chelsea")[at(place)]), 2)

    found = []
    for kind, places, upper in (("bright", BRIGHT_IDLE, False), ("dim", DIM_BUSY, True)):
        for name, (photo, place) in places.items():
            found.append(
                claim(
                    f"effect.{kind}.{name}.weight",
                    f"score.cls_last.{photo}",
                    rank,
                    "score.cls_last",
                    photo,
                    place,
                )
            )
            found.append(
                claim(
                    f"effect.{kind}.{name}.pixels",
                    f"effect.pixels.cls.{photo}",
                    half,
                    photo,
                    place,
                    upper,
                )
            )
    for kind, place in (("bright", (7, 2)), ("dim", (13, 10))):
        found.append(
            claim(
                f"effect.{kind}.cat.hidden",
                "effect.hide_all.cls.chelsea",
                rank,
                "effect.hide_all.cls",
                "chelsea",
                place,
            )
        )
        found.append(
            claim(
                f"effect.{kind}.cat.moves",
                "effect.pixels.cls.chelsea",
                moves,
                place,
            )
        )
    return [
        *found,
        claim(
            "effect.median.cat",
            "effect.pixels.cls.chelsea",
            lambda: percent(float(np.median(measured("effect.pixels.cls.chelsea"))), 2),
        ),
    ]


def _cut() -> list[Claim]:
    same = (*each_photo("cut.patches"), *each_photo("cut.saliency"))

    def moved() -> str:
        shares = np.array([finding(f"cut.cls.{p}") for p in PHOTOS])
        low, high = percent(shares.min(), 0), percent(shares.max(), 0)
        return f"{low.removesuffix('%')}–{high}"

    def output() -> str:
        changes = [finding(name) for name in same]
        assert all(change == 0 for change in changes), f"got {changes}; the page says exactly 0"
        return fixed(max(changes), 1)

    return [
        claim("effect.cut.cls", each_photo("cut.cls"), moved),
        claim("effect.cut.output", same, output),
        claim(
            "effect.cut.unseen",
            each_photo("cut.unseen"),
            lambda: span(np.array([finding(f"cut.unseen.{p}") for p in PHOTOS]), 3),
        ),
    ]


def least(photo: str) -> tuple[int, int]:
    """Return layer and head whose removal changes the saliency logits least."""
    layer, head = np.unravel_index(measured(f"removed.saliency.{photo}").argmin(), (LAYERS, HEADS))
    return int(layer) + 1, int(head) + 1


def _idle() -> list[Claim]:
    cup = "shared.coffee"

    def mean() -> str:
        assert GRID.place(finding(cup)["key"]) == (4, 11)  # the page names it
        return fixed(finding(cup)["mean"], 3)

    def next_mean() -> str:
        assert GRID.place(finding(cup)["next_key"]) == (14, 2)
        return fixed(finding(cup)["next_mean"], 2)

    def everyone() -> str:
        assert finding(cup)["top_of"] == 1.0
        return with_commas(captures.TOKENS)

    def removed(photo: str) -> str:
        assert least(photo) == (1, 6), f"{photo}: least is {least(photo)}, the page says (1, 6)"
        return fixed(float(measured(f"removed.saliency.{photo}").min()), 3)

    def most() -> str:
        return span(stack("removed.saliency").max(axis=(1, 2)), 2)

    return [
        claim("effect.shared.mean", cup, mean),
        claim("effect.shared.cls", cup, lambda: fixed(finding(cup)["cls"], 2)),
        claim("effect.shared.all", cup, everyone),
        claim(
            "effect.shared.others",
            ("shared.chelsea", "shared.rocket"),
            lambda: span(
                np.array([finding(f"shared.{p}")["mean"] for p in ("chelsea", "rocket")]), 2
            ),
        ),
        claim("effect.shared.next", cup, next_mean),
        claim("effect.shared.rows", cup, lambda: percent(finding(cup)["rows"])),
        claim("effect.shared.saliency", cup, lambda: fixed(finding(cup)["saliency"], 3)),
        *(claim(f"effect.removed.{p}", f"removed.saliency.{p}", removed, p) for p in PHOTOS),
        claim("effect.removed.most", each_photo("removed.saliency"), most),
        claim(
            "effect.removed.rho",
            each_photo("removed.rho"),
            lambda: span(np.array([finding(f"removed.rho.{p}") for p in PHOTOS]), 2).replace(
                "–", " to "
            ),
        ),
    ]


def flips() -> Floats:
    """Return the share of rows whose top key by a·‖v‖ is another, (3, 12, 6)."""
    return stack("lengths.flips")


def _lengths() -> list[Claim]:
    def rows() -> str:
        shares = flips().mean(axis=(1, 2))
        low, high = percent(shares.min(), 0), percent(shares.max(), 0)
        return f"{low.removesuffix('%')}–{high}"

    def table() -> str:
        """The largest difference between a weight's line in the table and that of weight times length."""
        largest = max(
            abs(rho(p, "cls_last", effect) - rho(p, "cls_last_lengths", effect))
            for p in PHOTOS
            for effect in TABLE
        )
        return fixed(math.ceil(100 * largest) / 100, 2)  # the page says: at most

    def alike() -> str:
        return span(np.array([finding(f"lengths.alike.{p}") for p in PHOTOS]), 3)

    return [
        claim("effect.lengths.flips", each_photo("lengths.flips"), rows),
        claim(
            "effect.lengths.most",
            each_photo("lengths.flips"),
            lambda: percent(float(flips().max()), 0),
        ),
        claim("effect.lengths.alike", each_photo("lengths.alike"), alike),
        claim("effect.lengths.table", each_photo("rho"), table),
    ]
