"""The film as a video: every chapter of the page's own film, frame by frame, with its chapters marked.

And its middle as a short loop for the README. Both show the player in its default state.
"""

import io
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from figures_src.player.film.timeline import chapters
from vitattn_core import STAGES, stage

from .page import TAKE, player_alone, show

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

VIDEO, LOOP = TAKE / "film.mp4", TAKE / "loop.webp"
RATE = 15  # frames a second of the video
LOOP_STAGES, LOOP_RATE, LOOP_WIDTH = ("softmax", "mix"), 6, 480
# A video has no buttons, and its sound is off: what can only be clicked is left out.
STYLE = """
html, body { overflow: hidden; }
.va-transport > :not(.va-now), .va-line button, .va-readouts, .va-controls, .va-tools,
vit-player > details, .md-content a { display: none !important; }
vit-player { padding-top: 6px !important; }
"""


def frames(page: "Page", stages: tuple[str, ...], rate: int) -> Iterator[bytes]:
    """Yield the frames of some chapters as PNG, `rate` a second."""
    for name in stages:
        length = chapters()[name].ms
        count = round(length * rate / 1000)
        for n in range(count):
            show(page, name, f"{(n + 1) / count:.4f}")
            yield page.screenshot()


def film(browser: "Browser") -> None:
    """Make the video and the loop."""
    page = player_alone(browser, "light", motion="no-preference")
    page.add_style_tag(content=STYLE)
    _video(frames(page, tuple(entry.id for entry in STAGES), RATE))
    _loop(frames(page, LOOP_STAGES, LOOP_RATE))
    page.close()


def metadata() -> str:
    """Return title and chapters as the encoder reads them: one chapter a stage, in milliseconds."""
    lines = [";FFMETADATA1", "title=Self-attention in a Vision Transformer, stage by stage"]
    start = 0
    for name, chapter in chapters().items():
        end = start + chapter.ms
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", f"START={start}", f"END={end}"]
        lines.append(f"title={stage(name).title}")
        start = end
    return "\n".join(lines) + "\n"


def _video(pictures: Iterator[bytes]) -> None:
    import imageio_ffmpeg  # only this command needs it

    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "chapters.txt"
        told.write_text(metadata(), encoding="utf-8")
        command = [
            imageio_ffmpeg.get_ffmpeg_exe(),
            "-y",
            "-loglevel",
            "error",
            "-f",
            "image2pipe",
            "-framerate",
            str(RATE),
            "-c:v",
            "png",
            "-i",
            "-",
            "-i",
            str(told),
            "-map_metadata",
            "1",
            "-map_chapters",
            "1",
            "-map",
            "0:v",
            "-c:v",
            "libx264",
            "-preset",
            "slow",
            "-crf",
            "26",
            "-tune",
            "animation",
            "-pix_fmt",
            "yuv420p",
            "-movflags",
            "+faststart",
            str(VIDEO),
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
            assert encoder.stdin is not None
            for picture in pictures:
                encoder.stdin.write(picture)
            encoder.stdin.close()
        if encoder.returncode:
            raise SystemExit(f"make stills: the encoder stopped with {encoder.returncode}")
    print(f"{VIDEO.name}: {VIDEO.stat().st_size} bytes")


def _loop(pictures: Iterator[bytes]) -> None:
    small = []
    for picture in pictures:
        whole = Image.open(io.BytesIO(picture)).convert("RGB")
        height = round(whole.height * LOOP_WIDTH / whole.width)
        small.append(whole.resize((LOOP_WIDTH, height), Image.Resampling.LANCZOS))
    first, *rest = small
    first.save(
        LOOP,
        save_all=True,
        append_images=rest,
        duration=round(1000 / LOOP_RATE),
        loop=0,
        quality=40,
        method=4,
    )
    print(f"{LOOP.name}: {LOOP.stat().st_size} bytes")
