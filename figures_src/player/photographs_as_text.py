"""The photographs as text, in scripts of their own: for a plate that the reader saves as SVG.

From disk a browser lets no script read a picture's pixels, so the picture comes as a script. JPEG,
which programs other than browsers read too; loaded when a plate is first saved.
"""

import base64
import io

from PIL import Image

from figures_src.inputs import photographs


def jpeg(name: str) -> bytes:
    """Return the photograph as a JPEG file."""
    file = io.BytesIO()
    picture = Image.fromarray(photographs.image(name).transpose(1, 2, 0))
    picture.save(file, "JPEG", quality=90, subsampling=0, optimize=True)
    return file.getvalue()


def script(name: str) -> str:
    """Return the script of a photograph: `window.vitattn.pictures[name]`, a data address."""
    text = base64.b64encode(jpeg(name)).decode()
    return (
        f"// {photographs.TITLES[name]}, for plates that are saved.\n"
        f'((window.vitattn ??= {{}}).pictures ??= {{}}).{name} = "data:image/jpeg;base64,{text}";\n'
    )


def scripts() -> dict[str, str]:
    """Return the scripts of all photographs, by place in the site."""
    return {f"assets/picture-{name}.js": script(name) for name in photographs.TITLES}
