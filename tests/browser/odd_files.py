"""Files that people really have, and what the player should make of each: a picture or a sentence."""

import io
from collections.abc import Callable
from dataclasses import dataclass

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
    Odd("huge.png", _huge, says="9000 × 9000 pixels; this page takes up to 64 million"),
)
