"""Files that people really have, and what the player should make of each: a picture or a sentence."""

import io
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Pixels = NDArray[np.uint8]  # (224, 224, 3)
SIDE = 224


@dataclass(frozen=True)
class Odd:
    """A file: its name, what writes it, and the pixels it should become, or words it should get.

    near: how far a pixel may be off in the mean, for what is decoded with loss. says: further words
    that must stand in the sentence beside the picture.
    """

    name: str
    make: Callable[[], bytes]
    pixels: Callable[[], Pixels] | None = None
    near: float = 0.0
    says: str = ""


def quarters(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """Return a picture with four colours, each in its quarter: up and down, left and right differ."""
    picture = Image.new("RGB", (width, height), (200, 40, 40))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((width // 2, 0, width, height // 2 - 1), fill=(40, 160, 60))
    draw.rectangle((0, height // 2, width // 2 - 1, height), fill=(50, 70, 190))
    draw.rectangle((width // 2, height // 2, width, height), fill=(230, 220, 90))
    return picture.convert(mode)


def saved(picture: Image.Image, kind: str, **how: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **how)
    return file.getvalue()


def shown(picture: Image.Image) -> Pixels:
    """Return the central square of a picture as the page should draw it."""
    side = min(picture.size)
    left, top = ((length - side) // 2 for length in picture.size)
    square = picture.convert("RGB").crop((left, top, left + side, top + side))
    if side != SIDE:
        square = square.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    return np.asarray(square)


def _turned() -> bytes:
    """A photograph held sideways: stored on its side, with the EXIF note that says so."""
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90° to the right to show it
    stored = quarters(640, 480).transpose(Image.Transpose.ROTATE_90)
    return saved(stored, "JPEG", quality=95, subsampling=0, exif=exif)


def _deep() -> bytes:
    """A grey PNG of 16 bits: a ramp from left to right."""
    ramp = np.tile(np.linspace(0, 65535, SIDE).astype(np.uint16), (SIDE, 1))
    return saved(Image.fromarray(ramp), "PNG")


def _deep_shown() -> Pixels:
    ramp = np.linspace(0, 65535, SIDE).astype(np.uint16) // 257
    return np.repeat(np.tile(ramp, (SIDE, 1))[..., None], 3, axis=2).astype(np.uint8)


def _see_through() -> bytes:
    """A PNG with a palette, one colour of which is transparent: the first quarter."""
    picture = quarters(SIDE, SIDE).quantize(8)
    return saved(picture, "PNG", transparency=picture.getpixel((0, 0)))


def _see_through_shown() -> Pixels:
    pixels = np.asarray(quarters(SIDE, SIDE)).copy()
    pixels[: SIDE // 2, : SIDE // 2] = 255
    return pixels


def _moving(kind: str) -> bytes:
    frames = [quarters(SIDE, SIDE).quantize(8), Image.new("P", (SIDE, SIDE), 1)]
    if kind == "WEBP":
        frames = [frame.convert("RGB") for frame in frames]
    how: dict[str, object] = {"lossless": True} if kind == "WEBP" else {}
    return saved(frames[0], kind, save_all=True, append_images=frames[1:], duration=200, **how)


def _cut() -> bytes:
    return saved(quarters(640, 480), "JPEG", quality=95)[:-4000]


def _huge() -> bytes:
    """More pixels than the page takes, in few bytes."""
    return saved(Image.new("1", (9000, 9000)), "PNG")


DRAWING = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

PAGE = b"<!-- saved from the web -->\n<!DOCTYPE html><html><body><svg></svg></body></html>"


def media(*brands: str) -> bytes:
    """Return the first box of an ISO media file: what it is, and what it can be read as."""
    names = [brands[0], "\0\0\0\0", *brands]
    box = b"ftyp" + "".join(names).encode()
    return (4 + len(box)).to_bytes(4, "big") + box + (8).to_bytes(4, "big") + b"mdat"


def half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _avif() -> bytes:
    return saved(quarters(SIDE, SIDE), "AVIF")


def _gif() -> bytes:
    return saved(quarters(SIDE, SIDE).quantize(8), "GIF")


def _bitmap() -> bytes:
    return saved(quarters(SIDE, SIDE), "BMP")


def _jpeg(width: int = SIDE, height: int = SIDE, mode: str = "RGB", **how: object) -> bytes:
    return saved(quarters(width, height, mode), "JPEG", quality=95, **how)


def noise(width: int, height: int) -> Image.Image:
    dice = np.random.default_rng(7)
    return Image.fromarray(dice.integers(0, 256, (height, width), dtype=np.uint8), "L").convert("P")


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    check = zlib.crc32(name + data).to_bytes(4, "big")
    return len(data).to_bytes(4, "big") + name + data + check


def with_chunk(name: bytes, data: bytes) -> bytes:
    """A PNG with one more chunk behind its header."""
    png = saved(quarters(SIDE, SIDE), "PNG")
    return png[:33] + chunk(name, data) + png[33:]


def bare(gif: bytes) -> bytes:
    """A GIF without the blocks that say how long each picture stays."""
    return re.sub(rb"\x21\xf9\x04....\x00", b"", gif, flags=re.DOTALL)


@dataclass(frozen=True)
class Sniffed:
    """Bytes, and what they are: their kind, whether their picture is cut, whether it moves."""

    name: str
    make: Callable[[], bytes]
    kind: str
    early: bool = False
    moves: bool = False


def _jpegs() -> Iterator[Sniffed]:
    """JPEGs of many makes, each whole, without its end mark, without a little more, and cut in half."""
    makes: dict[str, bytes] = {
        "JPEG": _jpeg(),
        "JPEG of odd sides": _jpeg(101, 59),
        "JPEG of half the colours": _jpeg(97, 50, subsampling=2),
        "grey JPEG": _jpeg(61, 33, "L"),
        "CMYK JPEG": _jpeg(40, 40, "CMYK"),
        "JPEG with restarts": _jpeg(90, 90, restart_marker_blocks=3),
        "JPEG of noise": saved(noise(120, 80).convert("RGB"), "JPEG"),
    }
    for name, data in makes.items():
        yield Sniffed(f"a whole {name}", partial(bytes, data), "JPEG")
        yield Sniffed(f"a {name} without its end mark", partial(bytes, data[:-2]), "JPEG")
        for cut in (data[:-50], half(data)):
            yield Sniffed(f"{len(cut)} bytes of a {name}", partial(bytes, cut), "JPEG", early=True)


TWO_MARKS = b"\x21\xf9\x04 and \x21\xf9\x04"  # what stands before a picture of a GIF that moves
SVG_UTF16 = '<?xml version="1.0"?><!-- <html> --><svg xmlns="http://www.w3.org/2000/svg"/>'
SNIFFED = (
    Sniffed(
        "a PNG whose comment says acTL", lambda: with_chunk(b"tEXt", b"Comment\0acTL IEND"), "PNG"
    ),
    Sniffed("a PNG of one frame", lambda: with_chunk(b"acTL", b"\0\0\0\1\0\0\0\0"), "PNG"),
    Sniffed("a PNG that moves", lambda: _moving("PNG"), "PNG", moves=True),
    Sniffed("half a PNG", lambda: half(saved(noise(99, 99), "PNG")), "PNG", early=True),
    Sniffed("a GIF of noise", lambda: saved(noise(400, 300), "GIF"), "GIF"),
    Sniffed(
        "a GIF whose comment looks like frames",
        lambda: saved(noise(9, 9), "GIF", comment=TWO_MARKS),
        "GIF",
    ),
    Sniffed("a GIF that moves", lambda: _moving("GIF"), "GIF", moves=True),
    Sniffed(
        "a GIF of two frames without control blocks",
        lambda: bare(_moving("GIF")),
        "GIF",
        moves=True,
    ),
    Sniffed("a GIF without its end mark", lambda: _gif()[:-1], "GIF"),
    Sniffed("half a GIF", lambda: half(_gif()), "GIF", early=True),
    Sniffed("a WebP", lambda: saved(quarters(SIDE, SIDE), "WEBP"), "WebP"),
    Sniffed("a WebP that moves", lambda: _moving("WEBP"), "WebP", moves=True),
    Sniffed(
        "half a WebP", lambda: half(saved(noise(99, 99).convert("RGB"), "WEBP")), "WebP", early=True
    ),
    Sniffed("a BMP", _bitmap, "BMP"),
    Sniffed("a BMP of one bit", lambda: saved(quarters(33, 9, "1"), "BMP"), "BMP"),
    Sniffed("half a BMP", lambda: half(_bitmap()), "BMP", early=True),
    Sniffed("an AVIF", _avif, "AVIF"),
    Sniffed("half an AVIF", lambda: half(_avif()), "AVIF", early=True),
    Sniffed("an AVIF of a general brand", lambda: media("mif1", "avif"), "AVIF"),
    Sniffed("a HEIF sequence", lambda: media("msf1", "hevc"), "HEIF"),
    Sniffed("a HEIC", lambda: media("heic", "mif1"), "HEIC"),
    Sniffed("a video", lambda: media("isom", "mp41"), "video"),
    Sniffed("an icon", lambda: saved(quarters(32, 32), "ICO"), "icon"),
    Sniffed("a web page with a drawing", lambda: PAGE, "web page"),
    Sniffed(
        "a web page without a doctype", lambda: b"\xef\xbb\xbf <html><svg/></html>", "web page"
    ),
    Sniffed("an SVG", lambda: DRAWING, "SVG"),
    Sniffed("an SVG in UTF-16", lambda: SVG_UTF16.encode("utf-16"), "SVG"),
    Sniffed("a letter that speaks of <svg>", lambda: b"Dear reader, write <svg> first.", ""),
    Sniffed("a PDF", lambda: b"%PDF-1.7\n", "PDF"),
    Sniffed("an archive", lambda: b"PK\x03\x04 and more", "archive"),
    Sniffed("nothing much", lambda: b"\x00", ""),
    *_jpegs(),
    Sniffed("a progressive JPEG", lambda: _jpeg(progressive=True), "JPEG"),
    Sniffed("half a progressive JPEG", lambda: half(_jpeg(progressive=True)), "JPEG", early=True),
)

ODD = (
    Odd("turned.jpg", _turned, lambda: shown(quarters(640, 480)), near=3),
    Odd(
        "dot.png",
        lambda: saved(Image.new("RGB", (1, 1), (10, 200, 30)), "PNG"),
        lambda: np.full((SIDE, SIDE, 3), (10, 200, 30), np.uint8),
        says="1 × 1 pixels of dot.png",
    ),
    Odd(
        "ribbon.png",
        lambda: saved(quarters(30_000, 2), "PNG"),
        lambda: shown(quarters(30_000, 2)),
        near=16,  # two pixels are made 224: browsers differ in how
        says="It was enlarged",
    ),
    Odd(
        "print.jpg",
        lambda: saved(quarters(SIDE, SIDE, "CMYK"), "JPEG", quality=95, subsampling=0),
        lambda: shown(quarters(SIDE, SIDE)),
        near=3,
    ),
    Odd("deep.png", _deep, _deep_shown, near=1),
    Odd("see-through.png", _see_through, _see_through_shown, says="shown on white"),
    Odd(
        "moving.gif",
        lambda: _moving("GIF"),
        lambda: shown(quarters(SIDE, SIDE)),
        says="first frame",
    ),
    Odd(
        "moving.webp",
        lambda: _moving("WEBP"),
        lambda: shown(quarters(SIDE, SIDE)),
        says="first frame",
    ),
    Odd(
        "small.avif",
        lambda: saved(quarters(SIDE, SIDE), "AVIF", quality=95),
        lambda: shown(quarters(SIDE, SIDE)),
        near=3,
    ),
    Odd("cut.jpg", _cut, says="cut.jpg ends too early"),
    Odd("letter.png", lambda: b"Dear reader,\n" * 40, says="letter.png is not a picture"),
    Odd("drawing.svg", lambda: DRAWING, says="drawing.svg is an SVG"),
    Odd("nothing.png", lambda: b"", says="nothing.png is empty"),
    Odd(
        "broken.png",
        lambda: saved(quarters(64, 64), "PNG")[:40] + bytes(60) + b"IEND",
        says="broken.png says it is a PNG, but it is damaged",
    ),
    Odd("page.jpg", lambda: PAGE, says="page.jpg is a web page"),
    Odd("icon.png", lambda: saved(quarters(32, 32), "ICO"), says="icon.png is an icon"),
    Odd("sequence.heic", lambda: media("msf1", "hevc"), says="sequence.heic is HEIF"),
    Odd("half.avif", lambda: half(_avif()), says="half.avif ends too early"),
    Odd("half.gif", lambda: half(_gif()), says="half.gif ends too early"),
    Odd("half.bmp", lambda: half(_bitmap()), says="half.bmp ends too early"),
    Odd(
        "nearly.jpg",
        lambda: _jpeg()[:-2],
        lambda: shown(quarters(SIDE, SIDE)),
        near=3,
    ),
    Odd(
        "endless.gif",
        lambda: saved(quarters(SIDE, SIDE).quantize(8), "GIF")[:-1],
        lambda: shown(quarters(SIDE, SIDE)),
    ),
    Odd("huge.png", _huge, says="9000 × 9000 pixels; this page takes up to 64 million"),
)
