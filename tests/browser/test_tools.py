"""The tools under the player: embed, full screen, keys, and a plate that is saved as it stands."""

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page

from figures_src.inputs import photographs
from figures_src.kit import colours
from figures_src.player import photographs_as_text
from figures_src.player.state import DEFAULTS, states
from figures_src.player.tool_buttons import KEYS, keys, tools
from tests.browser.conftest import Watch
from tests.browser.player_page import PLAYER, State, note_of, opened, put, ready, state_of
from tests.publish.test_site_colours import raw_colours

SVG = "{http://www.w3.org/2000/svg}"
STATE = {"stage": "mix", "query": "10.8", "head": "3"}
HASH = "#stage=mix&query=10.8&head=3"
WIDE = {"width": 1350, "height": 940}


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    context = browser.new_context(
        viewport=WIDE,  # type: ignore[arg-type]
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = opened(context, served)
    yield page
    context.close()


def use(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def clipboard(page: Page) -> str:
    page.wait_for_function(f"{PLAYER}.note.textContent.includes('copied')")
    return page.evaluate("navigator.clipboard.readText()")


# Embed ---------------------------------------------------------------------------------------------


def test_the_embed_address_shows_the_player_alone(browser: Browser, base: str) -> None:
    page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
    page.goto(f"{base}/index.html?embed=1{HASH}")
    ready(page)
    assert state_of(page) == DEFAULTS | STATE
    assert page.locator("vit-player").is_visible()
    shown = page.evaluate(
        """() => {
          const seen = (mark) => {
            const { width, height } = mark.getBoundingClientRect();
            return Math.min(width, height) > 1 && mark.checkVisibility({ opacityProperty: true });
          };
          const outside = [...document.querySelectorAll("body *")].filter((mark) =>
            !mark.closest("vit-player") && !mark.querySelector("vit-player") && seen(mark));
          return outside.map((mark) => mark.outerHTML.slice(0, 80));
        }"""
    )
    assert not shown
    box = page.locator("vit-player").bounding_box()
    assert box is not None
    assert box["y"] <= 24
    whole = page.get_by_role("link", name="Open the whole page")
    assert whole.is_visible()
    page.goto(f"{base}/index.html{HASH}")
    ready(page)
    assert not page.get_by_role("link", name="Open the whole page").is_visible()
    assert page.locator("header").first.is_visible()
    page.close()


def test_the_class_is_there_before_anything_is_drawn(page: Page, site: Path) -> None:
    head = (site / "index.html").read_text(encoding="utf-8").partition("</head>")[0]
    assert "va-embed" in head
    for address, expected in (
        ("?embed=1", True),
        ("?a=b&embed=1", True),
        ("?embed=%31", True),
        *((f"?{other}", False) for other in ("embed=0", "embed=", "embed", "embed=01", "Embed=1")),
        *((f"?{other}", False) for other in ("embed=true", "embed=1&embed=1", "embed=+1")),
        ("", False),
    ):
        page.goto(f"{page.url.partition('index.html')[0]}index.html{address}")
        assert page.evaluate("document.documentElement.matches('.va-embed')") == expected, address
    ready(page)


def test_the_embed_code_embeds_this_state(browser: Browser, page: Page, served: str) -> None:
    page.goto(f"{served}/index.html{HASH}")
    ready(page)
    use(page, "Copy embed code")
    code = clipboard(page)
    frame = ElementTree.fromstring(code.replace("allow=", "data-allow="))
    assert frame.get("src") == f"{served}/index.html?embed=1{HASH}"
    assert frame.get("title")
    outer = browser.new_page(viewport={"width": 1250, "height": 1200})
    outer.goto(f"{served}/404.html")
    outer.set_content(f"<!doctype html><title>Mine</title>{code}")
    inner = outer.frame_locator("iframe")
    inner.locator("vit-player[query='10.8'][stage=mix]:not([aria-busy])").wait_for()
    assert inner.locator("#stage-mix").is_visible()
    assert not inner.locator("header").first.is_visible()
    outer.close()


def test_from_disk_the_embed_code_is_relative(browser: Browser, site: Path) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = opened(context, site.as_uri(), HASH)
    use(page, "Copy embed code")
    page.wait_for_function(f"{PLAYER}.note.textContent.includes('embed code')")
    note = note_of(page)
    code = page.evaluate("navigator.clipboard.readText()") if "copied" in note else note
    assert 'src="index.html?embed=1#stage=mix&amp;query=10.8&amp;head=3"' in code
    context.close()


def test_where_nothing_can_be_copied_the_code_is_shown(browser: Browser, served: str) -> None:
    page = browser.new_page()
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    page.goto(f"{served}/index.html")
    ready(page)
    use(page, "Copy embed code")
    page.wait_for_function(f"{PLAYER}.note.textContent.includes('<iframe src=')")
    page.close()


def test_a_link_from_the_embedded_player_is_to_the_whole_page(page: Page, served: str) -> None:
    for asked, link in (("?embed=1", ""), ("?a=b%20c&embed=%31&d", "?a=b+c&d=")):
        page.goto(f"{served}/index.html{asked}{HASH}")
        ready(page)
        assert page.evaluate("document.documentElement.matches('.va-embed')")
        use(page, "Copy link")
        assert clipboard(page) == f"{served}/index.html{link}{HASH}"


# Full screen ---------------------------------------------------------------------------------------


def test_full_screen_and_back(page: Page, served: str) -> None:
    page.goto(f"{served}/index.html")
    ready(page)
    use(page, "Full screen")
    page.wait_for_function("document.fullscreenElement?.localName === 'vit-player'")
    ground = f"getComputedStyle({PLAYER}).backgroundColor"
    assert page.evaluate(ground) == page.evaluate("getComputedStyle(document.body).backgroundColor")
    use(page, "Leave full screen")
    page.wait_for_function("document.fullscreenElement === null")
    assert page.get_by_role("button", name="Full screen", exact=True).is_visible()


def test_no_button_where_the_screen_cannot_be_filled(browser: Browser, served: str) -> None:
    page = browser.new_page()
    page.add_init_script("Object.defineProperty(document, 'fullscreenEnabled', { value: false })")
    page.goto(f"{served}/index.html")
    ready(page)
    assert not page.locator("[data-action=full-screen]").is_visible()
    assert page.locator("[data-action=save-plate]").is_visible()
    page.close()


# Keys ----------------------------------------------------------------------------------------------


def test_a_question_mark_shows_the_keys_while_the_player_has_the_focus(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/index.html")
    ready(page)
    dialog = page.get_by_role("dialog", name="Keys")
    page.keyboard.press("?")
    assert not dialog.is_visible(), "the page has the focus"
    cell = page.locator(".va-cells [data-token='75']")
    cell.focus()
    page.keyboard.press("?")
    dialog.wait_for()
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    for names, does in KEYS:
        assert dialog.get_by_text(does, exact=True).is_visible()
        for name in names:
            assert dialog.locator("kbd", has_text=name).first.is_visible()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert cell.evaluate("cell => cell === document.activeElement"), "back where it was"
    page.get_by_role("button", name="Keys ?").click()
    dialog.wait_for()
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="hidden")


def test_the_script_comes_at_the_first_use_and_once(browser: Browser, served: str) -> None:
    page = browser.new_page()
    watch = Watch().on(page)
    page.goto(f"{served}/index.html")
    ready(page)

    def loaded() -> int:
        return sum(url.endswith("javascripts/tools.js") for url in watch.asked)

    assert loaded() == 0
    for _ in range(2):
        page.get_by_role("button", name="Keys ?").click()
        page.get_by_role("dialog", name="Keys").wait_for()
        page.keyboard.press("Escape")
    assert loaded() == 1
    assert not watch.console
    page.close()


def test_a_script_that_does_not_come_is_told(browser: Browser, served: str) -> None:
    page = browser.new_page()
    page.route("**/tools.js", lambda route: route.abort())
    page.goto(f"{served}/index.html")
    ready(page)
    page.get_by_role("button", name="Keys ?").click()
    page.wait_for_function(f"{PLAYER}.note.textContent.startsWith('tools.js could not be loaded.')")
    page.close()


# A plate as SVG ------------------------------------------------------------------------------------


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        use(page, "Save as SVG")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    page.wait_for_function(f"{PLAYER}.note.textContent.startsWith('Saved: ')")
    return file


def words_of(page: Page) -> list[str]:
    """What is written on the plate that is shown, as a reader sees it; no formulas, no how-to."""
    return page.evaluate(
        """() => {
          const found = [];
          const parts = [".va-scene", ".va-readouts"].map((part) => document.querySelector(part));
          for (const part of parts) {
            const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
              const mark = walk.currentNode.parentElement;
              if (mark.closest(".va-unseen, .va-how, math, [data-action]")) continue;
              const range = document.createRange();
              range.selectNodeContents(walk.currentNode);
              if (range.getBoundingClientRect().width > 0) found.push(...walk.currentNode.data.split(/\\s+/));
            }
          }
          return found.filter(Boolean);
        }"""
    )


def check_file(file: Path, *, picture: bool = True) -> ElementTree.Element:
    """A file that stands alone: no style sheet, no class, no address but its own marks and data."""
    text = file.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert "var(" not in text
    assert "<style" not in text
    ids = [mark.get("id") for mark in root.iter() if mark.get("id")]
    assert len(set(ids)) == len(ids)
    for mark in root.iter():
        assert not {"class", "style", "onclick"} & set(mark.attrib), mark.tag
        href = mark.get("href", "#photograph")
        assert href.startswith(("#", "data:image/")), href[:60]
        for found in re.findall(
            r"url\(#([\w-]+)\)|^#([\w-]+)$", f"{mark.get('filter', '')} {href}"
        ):
            assert "".join(found) in ids
        for name in ("fill", "stroke"):
            paint = mark.get(name, "none")
            assert re.fullmatch(r"none|#[0-9a-f]{6}|url\(#ramp\)", paint), paint
    images = root.findall(f".//{SVG}image")
    assert len(images) == int(picture)
    return root


STAGES = [{"stage": stage} for stage in states()["stage"]]


@pytest.mark.parametrize("change", STAGES, ids=lambda change: change["stage"])
def test_every_plate_is_saved_as_it_stands(page: Page, tmp_path: Path, change: State) -> None:
    if "embed" in page.url:
        page.goto(page.url.split("?")[0].split("#")[0])
        ready(page)
    put(page, dict(DEFAULTS) | change)
    file = saved(page, tmp_path)
    assert file.name == f"vitattn_chelsea_{change['stage']}_5.4_head-1.svg"
    root = check_file(file)
    written = " ".join("".join(mark.itertext()) for mark in root.iter(f"{SVG}text")).split()
    lacking = [word for word in words_of(page) if word not in written]
    joined = "".join(written)
    assert not [word for word in lacking if word not in joined]


@pytest.fixture(scope="module")
def viewer(browser: Browser) -> Iterator[Page]:
    """A page that files are opened in."""
    page = browser.new_page()
    yield page
    page.close()


def look(page: Page, file: Path, like: np.ndarray) -> np.ndarray:
    """The file as a browser paints it, as large as a picture, two pixels round."""
    height, width = like.shape[:2]
    page.set_viewport_size({"width": width + 40, "height": height + 40})
    page.goto(file.as_uri())
    # A file just opened may have nothing to show for a moment, and then no picture can be taken.
    page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
    )
    clip = {"x": 14, "y": 14, "width": width + 4, "height": height + 4}
    return pixels(page.screenshot(clip=clip))  # type: ignore[arg-type]


def pixels(shot: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(shot)) as picture:
        return np.asarray(picture.convert("RGB")).astype(np.int16)


def coarse(picture: np.ndarray, size: int = 4) -> np.ndarray:
    """The mean colour of each square of so many pixels: letters that lie half a pixel off agree."""
    height, width = (length // size for length in picture.shape[:2])
    squares = picture[: height * size, : width * size].reshape(height, size, width, size, 3)
    return squares.mean(axis=(1, 3))


def apart(page: np.ndarray, file: np.ndarray) -> float:
    """The share of squares that differ visibly; the file may lie a pixel off."""
    height, width = page.shape[:2]
    moved = (file[y : y + height, x : x + width] for y in (1, 2, 3) for x in (1, 2, 3))
    seen = coarse(page)
    return min(float((np.abs(seen - coarse(one)).max(axis=2) > 40).mean()) for one in moved)


LOOKS = [
    ({"stage": "softmax"}, "light", 1350),
    ({"stage": "heads", "photo": "rocket", "query": "8.6"}, "dark", 1350),
    ({"stage": "residual"}, "light", 360),
    ({"stage": "scores", "head": "mean"}, "dark", 768),
]


@pytest.mark.parametrize(("change", "scheme", "width"), LOOKS, ids=str)
def test_the_file_looks_as_the_page_does(
    browser: Browser,
    viewer: Page,
    site: Path,
    tmp_path: Path,
    change: State,
    scheme: Any,
    width: int,
) -> None:
    """Pixel by pixel, from disk, but for edges, formulas, buttons and the lines under phrases."""
    context = browser.new_context(viewport={"width": width, "height": 1700}, color_scheme=scheme)
    page = opened(context, site.as_uri())
    put(page, change)
    page.evaluate("scrollTo(0, 200)")  # the line sticks to the screen of a phone, not to the file
    file = saved(page, tmp_path)
    put(page, change | {"query": "2.2"})
    row = saved(page, tmp_path)
    put(page, change | {"query": change.get("query", DEFAULTS["query"])})
    still = ".va-line{position:static!important}"
    still += ".md-header,.va-how{display:none!important}.va-phrase{all:unset}"
    page.add_style_tag(content=still)
    here = pixels(page.locator(".va-scene").screenshot())
    context.close()
    assert apart(here, look(viewer, file, here)) < 0.006
    assert apart(here, look(viewer, row, here)) > 0.015, "another row looks different"


# Stopped inside a chapter: what the film has moved, turned, grown, dimmed or begun to draw.
MOMENTS = [
    ("softmax", "0.26"),
    ("softmax", "0.45"),
    ("mix", "0.55"),
    ("scores", "0.06"),
    ("scale", "0.5"),
    ("norm", "0.5"),
]


@pytest.fixture(scope="module")
def bare(browser: Browser, served: str) -> Iterator[Page]:
    """The player in a window that holds all of its scene, without what a file leaves out."""
    page = opened(browser, served, viewport={"width": 1350, "height": 1500})
    page.add_style_tag(content=".md-header,.va-how{display:none!important}.va-phrase{all:unset}")
    yield page
    page.close()


@pytest.mark.parametrize(("stage", "at"), MOMENTS)
def test_a_moment_of_the_film_is_saved_as_it_stands(
    bare: Page, viewer: Page, tmp_path: Path, stage: str, at: str
) -> None:
    put(bare, {"stage": stage, "at": at})
    file = saved(bare, tmp_path)
    check_file(file)
    here = pixels(bare.locator(".va-scene").screenshot())
    difference = apart(here, look(viewer, file, here))
    put(bare, {"at": "1"})
    end = apart(here, look(viewer, saved(bare, tmp_path), here))
    assert difference < 0.003
    assert end > 2 * difference + 0.001, "its end looks different"


def test_names_of_files_tell_the_state(page: Page, tmp_path: Path) -> None:
    put(
        page,
        dict(DEFAULTS) | {"query": "cls", "head": "mean", "scale": "off", "dropped": "5.4,cls"},
    )
    file = saved(page, tmp_path)
    assert file.name == "vitattn_chelsea_softmax_cls_head-mean_scale-off_dropped-5.4-cls.svg"
    check_file(file)
    put(page, dict(DEFAULTS))


def test_the_photograph_in_the_file_is_the_photograph(page: Page, tmp_path: Path) -> None:
    put(page, dict(DEFAULTS) | {"photo": "coffee"})
    root = check_file(saved(page, tmp_path))
    image = root.find(f".//{SVG}image")
    assert image is not None
    kind, _, text = (image.get("href") or "").partition(";base64,")
    assert kind == "data:image/jpeg"
    assert base64.b64decode(text) == photographs_as_text.jpeg("coffee")
    with Image.open(io.BytesIO(base64.b64decode(text))) as picture:
        found = np.asarray(picture).transpose(2, 0, 1).astype(int)
    assert np.abs(found - photographs.image("coffee")).mean() < 3
    put(page, dict(DEFAULTS))


def test_without_the_photograph_the_file_is_saved_and_says_so(
    browser: Browser, served: str, tmp_path: Path
) -> None:
    page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
    page.route("**/picture-*.js", lambda route: route.abort())
    page.goto(f"{served}/index.html")
    ready(page)
    check_file(saved(page, tmp_path), picture=False)
    assert note_of(page).endswith("The photograph could not be loaded and is left out.")
    page.close()


# For everyone --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_with_the_keys_open_and_in_the_embed(
    browser: Browser, served: str, scheme: Any
) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{served}/index.html?embed=1")
    ready(page)
    found = Axe().run(page).response["violations"]
    page.get_by_role("button", name="Keys ?").click()
    page.get_by_role("dialog", name="Keys").wait_for()
    found += Axe().run(page, context="dialog").response["violations"]
    context.close()
    assert not [wrong["id"] for wrong in found]


def test_the_tools_fit_a_phone(browser: Browser, served: str) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = opened(context, served)
    for button in page.locator(".va-tools button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
    page.get_by_role("button", name="Keys ?").tap()
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.wait_for()
    box = dialog.bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_nothing_is_drawn_with_a_colour_of_its_own() -> None:
    assert not raw_colours(tools() + keys())
    assert len({token.name for token in colours.TOKENS}) == len(colours.TOKENS)
