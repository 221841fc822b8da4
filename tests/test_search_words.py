"""The lean search index: small, and a word that few pages have still finds its section."""

import json

from figures_src.search_words import FEW, START, lean


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
    common = [(f"{n}.html", long + "softmax") for n in range(FEW)]
    made = texts(
        lean(index(*common, ("a.html", long + "softmax keepdim"), ("a.html#b", long + "keepdim")))
    )
    assert "keepdim" in made["a.html"]
    assert "softmax" not in made["a.html"], "it stands on more pages than a few"
    assert "keepdim" not in made["a.html#b"]
    assert all(len(text) <= START + len(" … keepdim") for text in made.values())


def test_the_rest_of_the_index_is_left_alone() -> None:
    made = json.loads(lean(index(("a.html", "x"))))
    assert made["config"] == {"lang": ["en"]}
    assert made["docs"][0]["title"] == "T"
