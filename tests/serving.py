"""A folder over HTTP on this machine, for what looks at the site as a browser does."""

import gzip
import http.server
import io
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit

COMPRESSED = {".png", ".woff2", ".jpg", ".webp"}  # already; a host sends them as they are


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@cache
def sent(path: Path) -> bytes:
    """A file as a host sends it: text as gzip."""
    data = path.read_bytes()
    return data if path.suffix in COMPRESSED else gzip.compress(data, 6)


def files(asked: Iterable[str], served: str) -> set[str]:
    """The paths inside the site at `served` of the addresses that were asked for."""
    here = urlsplit(served).path + "/"
    return {unquote(urlsplit(url).path).removeprefix(here) for url in asked}


def weights(asked: Iterable[str], served: str, site: Path) -> dict[str, int]:
    """The bytes, as a host sends them, of each file of the site that was asked for."""
    names = files(asked, served)
    return {name: len(sent(site / name)) for name in names if (site / name).is_file()}


class _Host(_Quiet):
    def send_head(self) -> IO[bytes] | None:  # type: ignore[override]
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return super().send_head()
        data = sent(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix not in COMPRESSED:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        return io.BytesIO(data)


@contextmanager
def serve(folder: Path, *, compressed: bool = False) -> Iterator[str]:
    """Serve `folder` until the block ends; give its address, without a slash at the end.

    Compressed, text is sent as a host sends it; a file is read once, so it must not change.
    """
    handler = partial(_Host if compressed else _Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
