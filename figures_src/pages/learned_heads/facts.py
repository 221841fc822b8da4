"""The numbers of the page on learned heads, docs/learned-heads.md."""

import numpy as np

from figures_src.inputs import captures
from figures_src.inputs.captures import GRID, HEADS, PHOTOS, finding, measured
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import fixed, percent, significant, span, with_commas
from figures_src.pages.claims import Claim, claim, each_photo, facts_of, stack
from figures_src.pages.facts import Fact, of

from . import examples

# The six heads of the table, and where each looks
WORDS = {"2.2": "right", "3.4": "left", "4.2": "down", "4.5": "up", "4.6": "left", "5.6": "right"}
STEPS = {"right": (0, 1), "left": (0, -1), "down": (1, 0), "up": (-1, 0)}
INPUTS = (*PHOTOS, "grey", "noise", "no_position")
LOCAL = (
    40.0  # a head is called local here when it looks less far than this, pixels, on each photograph
)


def entries() -> list[Fact]:
    """Return the facts of the page."""
    counted = [
        ("learned.rows", with_commas(captures.TOKENS)),
        ("learned.side", with_commas(GRID.width)),
        ("learned.width", with_commas(HEADS * captures.HEAD_WIDTH)),
        ("learned.cls.even", fixed(1 / captures.TOKENS, 3)),
        ("learned.spread_limit", fixed(np.log(HEADS), 2)),
        ("learned.even", _even()),
    ]
    return [*of("formula", counted), *facts_of(claims())]


def claims() -> list[Claim]:
    """Return what the page says of the trained model."""
    return [*_eyes(), *_shifts(), *_mean(), *_distance(), *_shared(), *_divisor(), *_biases()]


def _eyes() -> list[Claim]:
    late = tuple(captures.name_of(examples.PHOTO, layer) for layer in examples.LATE)

    def share(eye: str) -> str:
        row = captures.row(examples.PHOTO, 9, 4, examples.QUERY)
        assert GRID.place(int(row.argmax())) == (7, 13)  # the page says: the strongest key
        return percent(getattr(examples.on_eyes(9, 4), eye), 0)

    def layers_with_both() -> str:
        heads = examples.finding_both()
        assert {head.layer for head in heads} == set(examples.LATE)  # the page says: in each
        assert 2 * len(heads) == HEADS * len(examples.LATE)  # and: half of them
        return with_commas(len(heads))

    return [
        claim("learned.eyes.left", captures.name_of(examples.PHOTO, 9), lambda: share("left")),
        claim("learned.eyes.right", captures.name_of(examples.PHOTO, 9), lambda: share("right")),
        claim("learned.eyes.heads", late, layers_with_both),
    ]


def _shifts() -> list[Claim]:
    assert all(tuple(finding("shift.steps")[key]) == STEPS[words] for key, words in WORDS.items())

    def share(head: str, source: str) -> str:
        return percent(finding(f"shift.{source}")[head][0], 0)

    def weight(source: str) -> str:
        return fixed(finding(f"shift.{source}")["4.6"][1], 2)

    def following() -> str:
        """The seventh, L5H1, on the three photographs; a test holds all others to it."""
        A = (captures.load(photo, 5).weights[0] for photo in PHOTOS)
        shares = sorted(examples.share_of_steps(one, (-1, 0)) for one in A)
        return f"{fixed(100 * shares[0], 0)}–{percent(shares[-1], 0)}"

    found = [
        claim(
            f"learned.shift.{head}.{source}",
            f"shift.{source}",
            share,
            head,
            source,
        )
        for head in WORDS
        for source in INPUTS
    ]
    return [
        *found,
        claim(
            "learned.shift.least",
            each_photo("shift"),
            lambda: percent(min(finding(f"shift.{p}")[h][0] for p in PHOTOS for h in WORDS), 0),
        ),
        claim("learned.shift.next", tuple(captures.name_of(p, 5) for p in PHOTOS), following),
        *(
            claim(f"learned.shift.weight.{source}", f"shift.{source}", weight, source)
            for source in ("chelsea", "grey")
        ),
        claim(
            "learned.shift.no_position.most",
            "shift.no_position",
            lambda: percent(max(finding("shift.no_position")[head][0] for head in WORDS), 0),
        ),
    ]


def _mean() -> list[Claim]:
    def agreed(row: Floats, stated: list[float], place: tuple[int, int], digits: int) -> str:
        """The row of the captures, if the model's own numbers say the same but for what int8 costs."""
        key, weight = int(row[1:].argmax()) + 1, float(row[1:].max())
        assert GRID.place(key) == place and int(stated[0]) == key, f"the page says {place}"
        assert abs(weight - stated[1]) < 0.02, f"got {weight}, the manifest says {stated[1]}"
        return fixed(weight, digits)

    def head(number: int, place: tuple[int, int]) -> str:
        row = examples.shift_rows()[0][examples.SHIFT_HEADS.index(number)]
        return agreed(row, finding("mean.query.heads")[number - 1], place, 2)

    def mean() -> str:
        return agreed(examples.shift_rows()[1], finding("mean.query.mean")[0], (8, 5), 3)

    def spread(layers: slice) -> str:
        return span(stack("mean.spread")[:, layers], 2)

    nobody = each_photo("mean.nobody")
    file = captures.name_of(examples.PHOTO, examples.SHIFT_LAYER)
    return [
        claim("learned.mean.down", (file, "mean.query.heads"), lambda: head(2, (8, 5))),
        claim("learned.mean.up", (file, "mean.query.heads"), lambda: head(5, (6, 5))),
        claim("learned.mean.left", (file, "mean.query.heads"), lambda: head(6, (7, 4))),
        claim("learned.mean.mean", (file, "mean.query.mean"), mean),
        claim("learned.spread.4", each_photo("mean.spread"), lambda: spread(slice(3, 4))),
        claim("learned.spread.12", each_photo("mean.spread"), lambda: spread(slice(11, 12))),
        claim("learned.nobody", nobody, lambda: percent(float(stack("mean.nobody").max()))),
    ]


def _distance() -> list[Claim]:
    def within(first: int, last: int) -> str:
        """The range of some layers; the order of the layers by range is as the page has it."""
        widths = np.ptp(stack("heads.distance"), axis=(0, 2)).argsort() + 1
        assert list(widths[:2]) == [1, 11] and set(widths[-3:]) == {3, 4, 5}
        both = stack("heads.distance")[:, 1:5]  # the page says: near and far heads in layers 2 to 5
        assert (both.min(axis=2) < LOCAL).all() and (both.max(axis=2) > 70).all()
        return span(stack("heads.distance")[:, first - 1 : last], 0)

    def local() -> str:
        """Heads below LOCAL on all three photographs: the six, and head 1 of layer 5."""
        near = (stack("heads.distance") < LOCAL).all(axis=0)
        found = {f"{layer + 1}.{head + 1}" for layer, head in np.argwhere(near)}
        assert found == {*WORDS, "5.1"}, f"local heads: got {found}"
        return with_commas(int(near.sum()))

    def alike(measure: str) -> str:
        return span(np.array(list(finding(f"heads.alike.{measure}").values())), 2)

    def shift_keys() -> str:
        """Keys that the six heads of the table use."""
        used = stack("heads.keys")
        return span(np.array([used[:, int(k[0]) - 1, int(k[2]) - 1] for k in WORDS]), 0)

    far = each_photo("heads.distance")
    return [
        claim("learned.distance.1", far, lambda: within(1, 1)),
        claim("learned.distance.2_5", far, lambda: within(2, 5)),
        claim("learned.distance.3_5", far, lambda: within(3, 5)),
        claim("learned.distance.11", far, lambda: within(11, 11)),
        claim("learned.local", far, local),
        claim("learned.alike.distance", "heads.alike.distance", lambda: alike("distance")),
        claim("learned.alike.entropy", "heads.alike.entropy", lambda: alike("entropy")),
        claim("learned.keys.shift", each_photo("heads.keys"), shift_keys),
        claim(
            "learned.keys",
            each_photo("heads.keys"),
            lambda: span(stack("heads.keys"), 0),
        ),
    ]


def _even() -> str:
    """Mean distance of even weights on this grid, by counting; the finding says the same."""
    places = np.array(list(GRID.places()))
    counted = np.linalg.norm(places[:, None] - places, axis=-1).mean() * GRID.patch
    stated = float(finding("heads.uniform_distance"))
    assert abs(counted - stated) < 1e-3, f"even distance: got {stated}, counted {counted}"
    return fixed(float(counted), 0)


def _shared() -> list[Claim]:
    def first() -> str:
        """In how many heads CLS gets the largest mean weight of patch queries."""
        return span((stack("heads.shared_key") == 0).sum(axis=(1, 2)), 0)

    def lengths() -> str:
        return span(np.median(stack("heads.cls_value"), axis=(1, 2)), 2)

    def longest() -> str:
        return fixed(float(stack("norms.largest").max()), 2)

    return [
        claim("learned.cls.first", each_photo("heads.shared_key"), first),
        claim("learned.cls.value", each_photo("heads.cls_value"), lengths),
        claim(
            "learned.cls.weight",
            each_photo("heads.on_cls"),
            lambda: span(stack("heads.on_cls").mean(axis=(1, 2)), 2),
        ),
        claim("learned.norm", each_photo("norms.largest"), longest),
    ]


def _divisor() -> list[Claim]:
    def part(name: str, what: str, digits: int) -> str:
        return fixed(finding(f"divisor.{name}")[what], digits)

    def above(name: str) -> str:
        return percent(finding(f"divisor.{name}")["above"])

    def order() -> str:
        assert finding("divisor.order") is True  # the page says: the order of keys stays
        return fixed(measured("divisor.spread")[0], 1)

    found = []
    for name in ("head", "model", "none"):
        for what, digits in (("entropy", 2), ("top", 2), ("cls_cosine", 2)):
            if (name, what) == ("head", "cls_cosine"):
                continue
            found.append(
                claim(
                    f"learned.divisor.{name}.{what}",
                    f"divisor.{name}",
                    part,
                    name,
                    what,
                    digits,
                )
            )
        found.append(
            claim(
                f"learned.divisor.{name}.above",
                f"divisor.{name}",
                above,
                name,
            )
        )
    return [
        *found,
        claim("learned.divisor.products", ("divisor.spread", "divisor.order"), order),
        claim("learned.divisor.scores", "divisor.spread", _spread_of_scores),
    ]


def _spread_of_scores() -> str:
    return fixed(measured("divisor.spread")[1], 1)


def _biases() -> list[Claim]:
    scores, weights = each_photo("key_biases.scores"), each_photo("key_biases.weights")
    return [
        claim("learned.biases.scores", scores, lambda: fixed(stack("key_biases.scores").max(), 0)),
        claim(
            "learned.biases.weights",
            weights,
            lambda: significant(float(stack("key_biases.weights").max()), 1),
        ),
    ]
