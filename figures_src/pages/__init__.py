"""What stands on the pages: numbers, figures, questions; a folder a page, named as its Markdown file."""

import pkgutil
from types import ModuleType

from figures_src import discovery


def modules(name: str) -> list[ModuleType]:
    """Return a page's modules `name`, and those that begin so (`figures_cost`), of all pages, in order."""
    every = []
    for page in pkgutil.iter_modules(__path__):
        if page.ispkg:
            room = f"{__name__}.{page.name}"
            found = discovery.modules(room, [f"{__path__[0]}/{page.name}"], begins=name)
            every += found
    return every
