"""A photograph of the reader's own: the right picture or the right words, and nothing leaves the page."""

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Route, expect

from figures_src.inputs import photographs
from figures_src.player import page_data
from figures_src.player.folds import own_photo
from tests.browser.conftest import Watch
from tests.browser.odd_files import ODD, SIDE, Odd, quarters, saved, shown
from tests.browser.player_page import IDLE, PLAYER, note_of, opened, put, ready, state_of
from tests.browser.touch import Finger
from tests.publish.test_site_colours import raw_colours

CHELSEA = photographs.FOLDER / "chelsea.png"
OWN = "window.vitattn.photos.own"
# Keeps the pass of the moment under a name, and compares two passes number by number.
KEEP = f"(name) => {{ (window.kept ??= {{}})[name] = {PLAYER}.pass; }}"
SAME = """() => {
  const { first, second } = window.kept;
  const names = Object.keys(first).sort();
  if (first === second || names.join() !== Object.keys(second).sort().join()) return "not two passes";
  let count = 0;
  for (const name of names) {
    const [a, b] = [first, second].map((pass) => [pass[name]].flat(3));
    if (a.length !== b.length || a.some((number, n) => !Object.is(number, b[n]))) return name;
    count += a.length;
  }
  return count;
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    open_fold(page)
    yield page
    page.close()


def open_fold(page: Page) -> Locator:
    fold = page.locator("[data-part=own-photo]")
    fold.locator("summary").click()
    fold.locator("input[type=file]:enabled").wait_for(state="attached")
    return fold


def choose(page: Page, file: Path) -> str:
    """Open a file as the reader does, and return what the page says of it."""
    told = page.locator(".va-told")
    page.locator("[data-part=own-photo] input[type=file]").set_input_files(file)
    name = json.dumps(file.name)
    page.wait_for_function(
        f"""() => {{
          const said = document.querySelector(".va-told").textContent;
          return said.includes({name}) && !said.startsWith("Reading");
        }}"""
    )
    ready(page)
    return told.text_content() or ""


def pixels_of(page: Page) -> np.ndarray:
    """The picture that the player shows, and computes with: its sums must be those of its pixels."""
    address, sums = page.evaluate(f"[{OWN}.url, {OWN}.sums]")
    assert page.locator("vit-player image").first.get_attribute("href") == address
    with Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))) as picture:
        assert picture.size == (SIDE, SIDE)
        pixels = np.asarray(picture.convert("RGB"))
        assert np.asarray(picture.convert("RGBA"))[..., 3].min() == 255
    assert page_data.photo_sums(np.ascontiguousarray(pixels.transpose(2, 0, 1))) == sums
    return pixels


# The same pixels, the same pass --------------------------------------------------------------------


def test_chelseas_own_pixels_give_chelseas_pass_exactly(browser: Browser, base: str) -> None:
    page = opened(browser, base)
    page.evaluate(KEEP, "first")
    open_fold(page)
    said = choose(page, CHELSEA)
    assert said == "The player shows 224 × 224 pixels of chelsea.png, as they are."
    assert state_of(page)["photo"] == "own"
    np.testing.assert_array_equal(pixels_of(page), photographs.image("chelsea").transpose(1, 2, 0))
    page.evaluate(KEEP, "second")
    numbers = page.evaluate(SAME)
    assert isinstance(numbers, int), f"the passes differ in {numbers}"
    assert numbers > 4 * 3 * 197**2
    page.close()


def test_other_pixels_would_be_noticed(page: Page, tmp_path: Path) -> None:
    pixels = photographs.image("chelsea").transpose(1, 2, 0).copy()
    pixels[100, 100, 1] += 1
    file = tmp_path / "nearly.png"
    Image.fromarray(pixels).save(file)
    put(page, {"photo": "chelsea"})
    page.evaluate(KEEP, "first")
    choose(page, file)
    page.evaluate(KEEP, "second")
    assert isinstance(page.evaluate(SAME), str)


# Odd files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.name)
def test_an_odd_file_gives_the_right_picture_or_the_right_words(
    page: Page, tmp_path: Path, odd: Odd
) -> None:
    put(page, {"photo": "rocket"})
    file = tmp_path / odd.name
    file.write_bytes(odd.make())
    said = choose(page, file)
    assert odd.says in said
    if odd.pixels is None:
        assert state_of(page)["photo"] == "rocket", "what was shown stays"
        return
    assert said.startswith("The player shows ")
    assert state_of(page)["photo"] == "own"
    found = pixels_of(page).astype(int)
    off = np.abs(found - odd.pixels()).mean()
    assert off <= odd.near, f"{off:.1f} of 255 off in the mean"
    assert ("first frame" in said) == odd.name.startswith("moving")
    assert ("on white" in said) == odd.name.startswith("see-through")


def test_a_wrong_picture_would_be_seen() -> None:
    """What each tolerance lets through is far from a picture that is turned or of another kind."""
    for odd in ODD:
        if (
            odd.pixels is None or odd.name == "ribbon.png"
        ):  # two pixels made large: hardly told apart
            continue
        right = odd.pixels().astype(int)
        for wrong in (right[::-1], right[:, ::-1], right.transpose(1, 0, 2), 255 - right):
            if not np.array_equal(wrong, right):
                assert np.abs(wrong - right).mean() > 2 * odd.near + 1, odd.name


def test_too_many_bytes_are_refused_unread(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "film.png"
    with file.open("wb") as written:
        written.truncate(61_000_000)
    assert choose(page, file) == "film.png has 61 MB; this page takes up to 60 MB."


def test_a_sentence_does_not_take_the_picture_away(page: Page, tmp_path: Path) -> None:
    choose(page, CHELSEA)
    before = page.evaluate(f"{OWN}.url")
    (tmp_path / "nothing.png").write_bytes(b"")
    choose(page, tmp_path / "nothing.png")
    assert page.evaluate(f"{OWN}.url") == before
    assert state_of(page)["photo"] == "own"


# Nothing leaves the page ---------------------------------------------------------------------------


def test_nothing_leaves_the_page(browser: Browser, base: str, tmp_path: Path) -> None:
    """After the fold is open nothing is asked for, of no host, while files come and squares move."""
    page = opened(browser, base)
    open_fold(page)
    watch = Watch().on(page)
    sockets: list[Any] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    choose(page, CHELSEA)
    for name in ("turned.jpg", "letter.png"):
        odd = next(odd for odd in ODD if odd.name == name)
        (tmp_path / name).write_bytes(odd.make())
        choose(page, tmp_path / name)
    page.locator("[data-square=x]").fill("10")
    page.wait_for_timeout(500)
    inside = ("data:", "blob:")
    icon = "/assets/favicon.svg"  # the browser asks for it when the address changes
    asked = [url for url in watch.asked if not url.startswith(inside) and not url.endswith(icon)]
    assert not asked
    assert not watch.foreign
    assert not sockets
    kept = page.evaluate(
        "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    )
    assert "data:" not in kept
    promise = page.locator("[data-part=own-photo] .va-lead").text_content() or ""
    assert "nothing is sent, nothing is stored" in promise
    page.close()


def test_a_link_does_not_bring_it_back_and_says_so(page: Page) -> None:
    choose(page, CHELSEA)
    assert page.url.endswith("#photo=own")
    page.reload()
    ready(page)
    assert state_of(page)["photo"] == "chelsea"
    assert "your own photograph is not in the address" in note_of(page)
    open_fold(page)


# The square ----------------------------------------------------------------------------------------


@pytest.fixture
def wide(page: Page, tmp_path: Path) -> Page:
    """A picture of 896 × 448: its halves differ, and a square fits in several places."""
    file = tmp_path / "wide.png"
    file.write_bytes(saved(quarters(896, 448), "PNG"))
    choose(page, file)
    return page


def square(page: Page) -> dict[str, int]:
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[data-square]")]
          .map((slider) => [slider.dataset.square, Number(slider.value)]))"""
    )


def stands_still(page: Page) -> None:
    """Wait until the page has stood at one place for ten frames."""
    page.evaluate(
        """async () => {
          for (let still = 0, y = scrollY; still < 10; still = scrollY === y ? still + 1 : 0) {
            y = scrollY;
            await new Promise((done) => requestAnimationFrame(done));
          }
        }"""
    )


def settled(page: Page, x: int, y: int, side: int) -> np.ndarray:
    """Wait for this square, check its marks, and return the pixels that the player computes with."""
    told = f"The player shows {side} × {side} pixels of wide.png"
    page.wait_for_function(f"document.querySelector('.va-told').textContent.startsWith('{told}')")
    page.wait_for_timeout(200)
    ready(page)
    assert square(page) == {"x": x, "y": y, "side": side}
    frame = page.locator(".va-square-frame")
    marks = {name: frame.get_attribute(name) for name in ("x", "y", "width", "height")}
    assert marks == {"x": str(x), "y": str(y), "width": str(side), "height": str(side)}
    return pixels_of(page)


def expected(x: int, y: int, side: int) -> np.ndarray:
    return shown(quarters(896, 448).crop((x, y, x + side, y + side)))


def test_the_central_square_is_the_first(wide: Page) -> None:
    found = settled(wide, 224, 0, 448)
    assert np.abs(found.astype(int) - expected(224, 0, 448)).mean() < 2


def test_the_square_by_keyboard(wide: Page) -> None:
    """A square of 224 pixels is taken as it is: its pixels are the file's, to the last bit."""
    side, left, top = (wide.locator(f"[data-square={name}]") for name in ("side", "x", "y"))
    assert wide.get_by_label("Side of the square").count() == 1
    side.focus()
    wide.keyboard.press("Home")  # the smallest, about the same middle
    assert square(wide) == {"x": 420, "y": 196, "side": 56}
    side.fill("224")
    left.focus()
    wide.keyboard.press("Home")
    for _ in range(3):
        wide.keyboard.press("ArrowRight")
    top.focus()
    wide.keyboard.press("End")
    np.testing.assert_array_equal(settled(wide, 3, 224, 224), expected(3, 224, 224))
    wide.get_by_role("button", name="Centre").press("Enter")
    settled(wide, 224, 0, 448)


# A pointer that comes back over the square with no button down, its release never having been told.
LOST = """() => {
  const hold = document.querySelector(".va-own-hold");
  const { left, top } = hold.getBoundingClientRect();
  const told = { bubbles: true, isPrimary: true, pointerType: "mouse", buttons: 0 };
  hold.dispatchEvent(new PointerEvent("pointermove", { ...told, clientX: left - 50, clientY: top + 20 }));
}"""


def test_the_square_by_mouse(wide: Page) -> None:
    box = wide.locator(".va-own-frame").bounding_box()
    assert box is not None
    by = 896 / box["width"]
    frame = wide.locator(".va-square-frame")
    frame.scroll_into_view_if_needed()
    at = frame.bounding_box()
    assert at is not None
    wide.mouse.move(at["x"] + 30, at["y"] + 30)
    wide.mouse.down()
    wide.mouse.move(at["x"] + 30 + 100 / by, at["y"] + 90, steps=4)  # down is not possible here
    wide.mouse.up()
    x = square(wide)["x"]
    assert x == pytest.approx(324, abs=2)
    settled(wide, x, 0, 448)
    wide.mouse.move(5, 5)
    assert square(wide)["x"] == x, "let go"
    at = frame.bounding_box()
    assert at is not None
    wide.mouse.move(at["x"] + 30, at["y"] + 30)
    wide.mouse.down(button="right")
    wide.mouse.move(at["x"] - 40, at["y"] + 30, steps=3)
    wide.mouse.up(button="right")
    assert square(wide)["x"] == x, "the main button drags, no other"
    wide.mouse.move(at["x"] + 30, at["y"] + 30)
    wide.mouse.down()
    wide.evaluate(LOST)
    assert square(wide)["x"] == x, "a release that nobody heard of lets go too"
    wide.mouse.up()


def test_back_and_forth_between_photographs(wide: Page) -> None:
    wide.get_by_role("radio", name="Coffee").check(force=True)
    ready(wide)
    assert state_of(wide)["photo"] == "coffee"
    yours = wide.get_by_role("radio", name="Yours")
    assert yours.count() == 1
    yours.check(force=True)
    ready(wide)
    assert state_of(wide)["photo"] == "own"
    pixels_of(wide)
    wide.go_back()
    ready(wide)
    assert state_of(wide)["photo"] == "coffee"


def test_a_second_photograph_replaces_the_first(wide: Page, tmp_path: Path) -> None:
    wide.evaluate(KEEP, "first")
    before = wide.evaluate("history.length")
    choose(wide, CHELSEA)
    wide.evaluate(KEEP, "second")
    assert isinstance(wide.evaluate(SAME), str)
    assert wide.evaluate("history.length") == before, "the same choice, not a new one"
    np.testing.assert_array_equal(pixels_of(wide), photographs.image("chelsea").transpose(1, 2, 0))


DROP = """async ([selector, text]) => {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
  const target = document.querySelector(selector);
  const fire = (name) => {
    const event = new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: transfer });
    return target.dispatchEvent(event);
  };
  return [fire("dragover"), fire("drop")];
}"""


def test_dropping_on_the_player(page: Page) -> None:
    put(page, {"photo": "rocket"})
    text = base64.b64encode(CHELSEA.read_bytes()).decode()
    assert page.evaluate(DROP, [".va-panel-photo", text]) == [False, False], "taken, not opened"
    page.wait_for_function("document.querySelector('.va-told').textContent.includes('dropped.png')")
    page.wait_for_function(f"{PLAYER}.getAttribute('photo') === 'own'")
    ready(page)
    np.testing.assert_array_equal(pixels_of(page), photographs.image("chelsea").transpose(1, 2, 0))


DRAG = "Input.dispatchDragEvent"


def drop(page: Page, where: Locator, file: Path) -> None:
    """Drop a file of the disk as the system does: what nobody takes, a browser opens in place of the page."""
    where.evaluate("(target) => target.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = where.bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        told = {"x": box["x"] + box["width"] / 2, "y": box["y"] + min(20, box["height"] / 2)}
        session.send(DRAG, {"type": kind, **told, "data": data})


def test_a_file_that_is_dropped_does_not_leave_the_page(page: Page, tmp_path: Path) -> None:
    """On the player it is opened, with its fold; beside it nothing happens; a folder gets words."""
    fold = page.locator("[data-part=own-photo]")
    told = page.locator(".va-told")
    page.evaluate("window.stayed = true")
    for place in ("h1", ".md-header", ".md-footer"):
        before = told.text_content()
        drop(page, page.locator(place).first, CHELSEA)
        page.evaluate(IDLE)
        assert page.evaluate("window.stayed")
        taken = page.evaluate(DROP, [place, base64.b64encode(b"a file").decode()])
        assert taken == [False, False], "nothing is left to the browser"
        assert told.text_content() == before
    fold.locator("> summary").click()
    put(page, {"photo": "rocket"})
    drop(page, page.locator("vit-player .va-photo"), CHELSEA)
    page.wait_for_function(f"{PLAYER}.getAttribute('photo') === 'own'")
    ready(page)
    assert page.evaluate("window.stayed")
    assert fold.get_attribute("open") is not None
    assert "chelsea.png" in (told.text_content() or "")
    (tmp_path / "holiday").mkdir()
    drop(page, page.locator("vit-player .va-photo"), tmp_path / "holiday")
    expect(told).to_contain_text("holiday cannot be read: it is a folder")


def test_a_file_that_goes_while_it_is_read_gets_a_sentence(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "gone.png"
    file.write_bytes(CHELSEA.read_bytes())
    page.evaluate("""() => {
      const real = File.prototype.arrayBuffer;
      File.prototype.arrayBuffer = async function () {
        await new Promise((go) => (window.readOn = go));
        File.prototype.arrayBuffer = real;
        return real.call(this);
      };
    }""")
    page.locator("[data-part=own-photo] input[type=file]").set_input_files(file)
    expect(page.locator(".va-told")).to_contain_text("Reading gone.png")
    file.unlink()
    page.evaluate("readOn()")
    expect(page.locator(".va-told")).to_contain_text("gone.png cannot be read")


@pytest.mark.parametrize(
    ("policy", "seen"), [("img-src 'self' data:", True), ("img-src 'self'", False)]
)
def test_under_a_hosts_content_policy_it_works_or_the_cause_is_told(
    browser: Browser, served: str, policy: str, seen: bool
) -> None:
    page = browser.new_page()

    def with_policy(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, headers={**answer.headers, "Content-Security-Policy": policy}
        )

    page.route("**/index.html", with_policy)
    page.goto(f"{served}/index.html")
    ready(page)
    open_fold(page)
    said = choose(page, CHELSEA)
    assert said.startswith("The player shows 224 × 224 pixels of chelsea.png, as they are.")
    assert ("content policy (img-src)" in said) == (not seen)
    np.testing.assert_array_equal(pixels_of(page), photographs.image("chelsea").transpose(1, 2, 0))
    page.close()


# Small, and for everyone ---------------------------------------------------------------------------


def test_by_touch_on_a_phone(browser: Browser, served: str, tmp_path: Path) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = opened(context, served)
    page.locator("[data-part=own-photo] > summary").tap()
    page.locator("[data-part=own-photo] input[type=file]:enabled").wait_for(state="attached")
    file = tmp_path / "wide.png"
    file.write_bytes(saved(quarters(896, 448), "PNG"))
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Open a photograph").tap()
    chooser.value.set_files(file)
    page.wait_for_function("document.querySelector('.va-told').textContent.includes('wide.png, ')")
    frame = page.locator(".va-square-frame")
    frame.scroll_into_view_if_needed()
    ready(page)
    finger, box = Finger(page), frame.bounding_box()
    assert box is not None
    place = (box["x"] + box["width"] / 2, box["y"] + 40)
    finger.drag(place, (-70, 70))  # as much down, where it cannot go, as across
    after_ = frame.bounding_box()
    assert after_ is not None
    assert after_["y"] == pytest.approx(box["y"], abs=1), "the page stays"
    x = square(page)["x"]
    assert x < 140
    settled(page, x, 0, 448)
    finger.drag(place, (-4, 120))  # it cannot go that way, so the finger scrolls
    page.wait_for_function(
        f"document.querySelector('.va-square-frame').getBoundingClientRect().top > {box['y'] + 20}"
    )
    page.locator("[data-square=side]").fill("224")
    frame.evaluate("(mark) => mark.scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.evaluate(IDLE)
    ready(page)
    stands_still(page)  # what the finger had pushed may still roll out
    before, box = square(page), frame.bounding_box()
    assert box is not None
    by = 224 / box["width"]
    finger.drag((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), (20, 30))
    after = square(page)
    one = by + 1  # a pixel of the screen, and a rounding
    assert after["x"] - before["x"] == pytest.approx(20 * by, abs=one)
    assert after["y"] - before["y"] == pytest.approx(30 * by, abs=one)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for control in page.locator("[data-part=own-photo] :is(button, input[type=range])").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= 24
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_with_a_photograph_and_with_an_error(
    browser: Browser, served: str, tmp_path: Path, scheme: Any
) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = opened(context, served)
    open_fold(page)
    choose(page, CHELSEA)
    found = Axe().run(page, context="[data-part=own-photo]").response["violations"]
    (tmp_path / "nothing.png").write_bytes(b"")
    choose(page, tmp_path / "nothing.png")
    found += Axe().run(page, context="[data-part=own-photo]").response["violations"]
    context.close()
    assert not [wrong["id"] for wrong in found]


def test_the_page_tells_the_limits_and_has_no_colour_of_its_own() -> None:
    drawn = own_photo.draw()
    assert "may be flatter" in drawn
    assert not raw_colours(drawn)
