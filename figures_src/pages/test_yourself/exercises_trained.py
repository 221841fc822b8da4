"""Test yourself, part 7: the trained model, solved from its captures."""

import numpy as np

from figures_src.inputs.captures import GRID, PHOTOS, finding, row
from figures_src.kit.numbers import fixed, percent
from figures_src.pages.exercises import Exercise

PAGE = "test-yourself.md"
CLS = 0  # its row in the sequence


def entries() -> list[Exercise]:
    """Return the questions on the trained model."""
    return [_points(), _predicts(), _brightest()]


def _points() -> Exercise:
    texts = {
        "coffee": "another photograph",
        "grey": "a flat grey image",
        "no_position": "leaving out the position table",
    }

    shares = {image: [n[0] for n in finding(f"shift.{image}").values()] for image in texts}
    assert min(n[0] for n in finding("shift.chelsea").values()) > 9 / 10
    whys = {
        "coffee": "On the cup each of them still does it for "
        f"{percent(min(shares['coffee']), 0)} of these patches or more: what is in the picture hardly "
        "matters to them.",
        "grey": f"Nothing to see, and still {percent(min(shares['grey']), 0)} or more ([heads that "
        "point](learned-heads.md#shifts)).",
        "no_position": "One step to a side is a matter of places, and without the table no row tells its "
        f"place: {percent(max(shares['no_position']), 0)} at most are left ([heads that "
        "point](learned-heads.md#shifts)).",
    }

    def solve() -> str:
        """The mean over the heads."""
        left = {image: float(np.mean(found)) for image, found in shares.items()}
        return texts[min(left, key=lambda image: left[image])]

    return Exercise(
        id="test-yourself-points",
        page=PAGE,
        question="In the trained model, six heads read most from the patch one step to a side, on the cat "
        "for more than nine of ten patches that have such a neighbour. What makes them stop?",
        choices=tuple((texts[key], whys[key]) for key in texts),
        right=2,
        solve=solve,
    )


def _predicts() -> Exercise:
    texts = {
        "hide_last.cls": "hiding the patch’s key from CLS in the last layer",
        "pixels.cls": "painting the patch over in the photograph",
        "hide_all.cls": "hiding the patch’s key from all other rows, in every layer",
    }

    def agreement(effect: str) -> list[float]:
        return [float(finding(f"rho.{photo}")["cls_last"][effect]) for photo in PHOTOS]

    span = {
        key: f"{fixed(min(found), 2)} to {fixed(max(found), 2)}"
        for key, found in ((key, agreement(key)) for key in texts)
    }
    whys = {
        "hide_last.cls": "This changes the very mixture that the weights describe: rank correlations of "
        f"{span['hide_last.cls']} ([its own mixture](weight-and-effect.md#own)).",
        "pixels.cls": f"{span['pixels.cls']}: by the last layer, what the patch had to say has long been in "
        "other rows ([the network](weight-and-effect.md#network)).",
        "hide_all.cls": f"{span['hide_all.cls']}. Eleven layers come before, and the map says nothing "
        "about them.",
    }

    def solve() -> str:
        """By the effects and the weights themselves: their ranks, correlated."""

        def ranks(name: str, photo: str) -> np.ndarray:
            return np.argsort(np.argsort(np.array(finding(f"{name}.{photo}"))))

        def mean(effect: str) -> float:
            pairs = ((ranks("score.cls_last", p), ranks(f"effect.{effect}", p)) for p in PHOTOS)
            return float(np.mean([np.corrcoef(*pair)[0, 1] for pair in pairs]))

        return texts[max(texts, key=mean)]

    return Exercise(
        id="test-yourself-predicts",
        page=PAGE,
        question="In the trained model you order the patches by what CLS gives them in the last layer. Then "
        "each is taken away, in one of three ways, and you order them by how far the row of CLS moves. With "
        "which way do the two orders agree best?",
        choices=tuple((texts[key], whys[key]) for key in texts),
        right=0,
        solve=solve,
    )


def _brightest() -> Exercise:
    layer, head = 6, 1
    weights = row("chelsea", layer, head, CLS)
    own, most = fixed(weights[0], 2), fixed(weights[1:].max(), 3)
    bound = fixed(1 - weights[0], 2)
    whys = {
        own: "This is what CLS keeps for itself, and CLS is on no patch.",
        bound: f"All {GRID.patches} patches share what CLS leaves, and here the brightest has {most}. A "
        "scale that ends at the brightest patch does not show that ([read the numbers with the "
        "map](checkpoint.md#read)).",
        fixed(
            1, 2
        ): "So bright it is drawn, since the colour scale ends at it. Colours compare patches of "
        "one map; they are no shares.",
    }

    def solve() -> str:
        """Mix values that are 1 on the patches and 0 on CLS."""
        on_patch = np.ones(len(weights))
        on_patch[CLS] = 0
        assert weights[1:].max() < weights @ on_patch
        return fixed(float(weights @ on_patch), 2)

    return Exercise(
        id="test-yourself-brightest",
        page=PAGE,
        question=f"The trained model, the cat, layer {layer}, head {head}: the row of CLS gives CLS itself "
        f"{own}. A map of the patches is drawn so that the brightest has full colour. What share of the "
        "row can that patch have at most?",
        choices=tuple(whys.items()),
        right=list(whys).index(bound),
        solve=solve,
    )
