"""The lean search index: small, and a word that few pages have still finds its section."""

import json

from figures_src.publish.search_index import FEW, MANY, START, lean


def index(*entries: tuple[str, str]) -> str:
    docs = [{"location": place, "title": "T", "text": text} for place, text in entries]
    return json.dumps({"config": {"lang": ["en"]}, "docs": docs})


def texts(lean_index: str) -> dict[str, str]:
    return {entry["location"]: entry["text"] for entry in json.loads(lean_index)["docs"]}


def test_a_short_text_stays_and_markup_goes() -> None:
    kept = texts(lean(index(("a.html", "<p>One &lt; <code>two</code></p>"))))
    assert kept == {"a.html": "One < two"}


def test_a_rare_word_of_a_long_text_is_kept_once_a_page_and_a_common_one_is_not() -> None:
    long = "word " * 40
    common = [(f"{n}.html", long + "softmax") for n in range(MANY)]
    made = texts(
        lean(index(*common, ("a.html", long + "softmax keepdim"), ("a.html#b", long + "keepdim")))
    )
    assert "keepdim" in made["a.html"]
    assert "softmax" not in made["a.html"], "it stands on too many pages"
    assert "keepdim" not in made["a.html#b"]
    assert all(len(text) <= START + len(" … keepdim") for text in made.values())


def test_of_many_pages_those_keep_a_word_that_say_it_most_often() -> None:
    long = "word " * 40
    pages = [(f"{n}.html", long + "softmax " * (n + 1)) for n in range(MANY)]
    made = texts(lean(index(*pages)))
    keeping = [place for place, text in made.items() if "softmax" in text]
    assert keeping == [f"{n}.html" for n in range(MANY - FEW, MANY)]
    made = texts(lean(index(*pages, ("one-more.html", long + "softmax " * 99))))
    assert not [place for place, text in made.items() if "softmax" in text]


def test_a_word_of_code_is_one_word() -> None:
    made = texts(lean(index(("a.html", "of " * 60 + "batch_first Conv2d DINOv2"))))
    assert made["a.html"].endswith("… batch_first conv2d dinov2")


def test_the_rest_of_the_index_is_left_alone() -> None:
    made = json.loads(lean(index(("a.html", "x"))))
    assert made["config"] == {"lang": ["en"]}
    assert made["docs"][0]["title"] == "T"
