"""The common style of all figures, and how they are saved."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from textwrap import fill
from typing import Any, ClassVar, Literal, ParamSpec, TypeVar

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from PIL import Image

from wallsim.errors import RunError
from wallsim.escaping import escaped
from wallsim.report.file_endings import picture_format
from wallsim.rules.other_settings import settings_line
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence, Interval

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")

INK, FAINT, ACCENT = "#22262b", "#9aa1a9", "#b3382c"
PNG_COLOURS = 64
_CHARACTERS, _HEAD_CHARACTERS = 9.5, 12.6  # of a bold title and of a heading per inch
# Distinguishable for colour-blind readers: seaborn's palette "colorblind", whose import takes seconds.
_DISTINCT = (
    "#0173b2", "#de8f05", "#029e73", "#d55e00", "#cc78bc", "#ca9161", "#fbafe4", "#949494", "#ece133", "#56b4e9",
)  # fmt: skip
COLOURS: tuple[Any, ...] = tuple(map(to_rgb, _DISTINCT))
# From below to above the middle; dark text is readable on all of it.
DIVERGING = LinearSegmentedColormap.from_list("diverging", ("#d98b5f", "#ffffff", "#6fa3cf"))

STYLE: Any = {  # all else is matplotlib's default
    "axes.axisbelow": True,
    "font.sans-serif": ["Arial", "DejaVu Sans", "Liberation Sans", "Bitstream Vera Sans", "sans-serif"],
    "grid.color": ".8",
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "w",
    "patch.force_edgecolor": True,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.labelsize": 10,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
    "text.parse_math": False,  # a name with two dollar signs is no formula
    "svg.hashsalt": "wallsim",  # else the names of clip paths are random
    "svg.fonttype": "none",  # text stays text
}
# What a user has chosen for all that is drawn in his process, and what no picture shows.
_OF_PROCESS = re.compile(r"backend|backend_fallback|interactive|toolbar|webagg\..*|.*window.*|savefig\.directory")
_SETTINGS = {
    **{name: mpl.rcParamsDefault[name] for name in mpl.rcParamsDefault if not _OF_PROCESS.fullmatch(name)},
    **STYLE,
}


class PictureError(RunError):
    """A picture cannot be drawn: a folder without it is not finished, whatever else it has."""

    exit_status: ClassVar[int] = 3


@contextmanager
def in_style() -> Iterator[None]:
    """Draw in this block in STYLE, and else by matplotlib's defaults, whatever the user has set."""
    # Not rc_context: it would also undo what a notebook's backend sets when the first figure starts it.
    before = {
        name: plt.rcParams[name] for name, value in _SETTINGS.items() if name in STYLE or plt.rcParams[name] != value
    }
    plt.rcParams.update({name: _SETTINGS[name] for name in before})
    try:
        yield
    finally:
        plt.rcParams.update(before)


def styled(draw: Callable[_Params, _Result]) -> Callable[_Params, _Result]:
    """Make a function draw `in_style`."""

    @wraps(draw)
    def drawn(*args: _Params.args, **kwargs: _Params.kwargs) -> _Result:
        with in_style():
            return draw(*args, **kwargs)

    return drawn


def new_axes(width: float = 6.4, height: float = 3.4) -> Axes:
    """New axes in a new figure; width and height in inches."""
    _, axes = plt.subplots(figsize=(width, height))
    return axes


def draw_estimate(
    axes: Axes, place: float, value: float, interval: Interval | None, *, upright: bool = False, size: float = 4,
    caps: float = 3, hollow: bool = True,
) -> None:  # fmt: skip
    """Draw a value with its interval in a row, or `upright` in a column; without an interval it may be hollow."""
    x, y = (place, value) if upright else (value, place)
    if interval is not None:
        reach: Any = {"yerr" if upright else "xerr": [[value - interval[0]], [interval[1] - value]]}
        axes.errorbar(x, y, **reach, color=INK, capsize=caps, zorder=2)
    face = "white" if hollow and interval is None else INK
    axes.plot(x, y, "o", color=INK, markersize=size, markerfacecolor=face, zorder=3)


def draw_heading(figure: Figure, lines: Sequence[str], size: float, indent: str = "") -> None:
    """Write lines above a figure, broken for its width; `indent` is before further lines of each."""
    width = int(_HEAD_CHARACTERS * figure.get_figwidth())
    text = "\n".join(fill(line, width, subsequent_indent=indent) for line in lines)
    figure.suptitle(text, x=0.01, ha="left", fontsize=size)


def with_settings(title: str, settings: Sequence[str], width: float) -> str:
    """A title and below it a line on the settings that are not the default, broken for a width in inches."""
    line = settings_line(settings)
    return f"{title}\n{fill(escaped(line), int(_CHARACTERS * width))}" if line else title


def half_width(estimate: Measured, sure: Confidence) -> float:
    """The half-width of an interval; 0, so that no bar is drawn, where there is none."""
    interval = estimate.interval(sure)
    return 0.0 if interval is None else (interval[1] - interval[0]) / 2


@styled  # matplotlib asks for some settings only now
def save_picture(
    figure: Figure,
    path: str | Path | io.BytesIO,
    dots: int = 110,
    colours: int | Literal["shades"] | None = PNG_COLOURS,
) -> None:
    """Save a figure in the format of the ending of `path`, reproducibly to the byte, and close it.

    PNG has `dots` per inch and few colours, so that it is small. Where shades stand for numbers, "shades" keeps those
    of all areas, and None keeps all colours. SVG and PDF are drawn as vectors, and text in SVG stays text. A BytesIO
    gets PNG.
    InputError for another ending.
    """
    form = "png" if isinstance(path, io.BytesIO) else picture_format(path)
    undated: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    drawn = io.BytesIO()
    try:
        with _missing_glyphs_ignored():
            figure.savefig(drawn, dpi=dots if form == "png" else "figure", format=form, metadata=undated.get(form))
    finally:
        plt.close(figure)
    data = drawn.getvalue()
    if form == "png":
        data = _with_colours(drawn, colours)
    elif form == "svg":  # XML may not have the control characters of a name; everything else matplotlib escapes
        data = escaped(data.decode()).encode()
    if isinstance(path, io.BytesIO):
        path.write(data)
    else:
        Path(path).write_bytes(data)


def picture_bytes(draw: Callable[[], Figure], path: object, colours: int | Literal["shades"] | None) -> bytes:
    """What `draw` draws as PNG, for the file `path`; PictureError if that fails, for whatever reason."""
    drawn = io.BytesIO()
    try:
        save_picture(draw(), drawn, colours=colours)
    except Exception as error:
        raise PictureError(
            f"{path}: cannot be drawn ({type(error).__name__}: {error}); all numbers are written, and the same command "
            "draws it again"
        ) from error
    return drawn.getvalue()


@contextmanager
def _missing_glyphs_ignored() -> Iterator[None]:
    # The typeface draws a box for a character that it lacks; the warning would print that character.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph ", UserWarning)
        yield


def _with_colours(drawn: io.BytesIO, colours: int | Literal["shades"] | None) -> bytes:
    """A drawing as PNG with so many colours, as in `save_picture`."""
    made = io.BytesIO()
    with Image.open(drawn) as picture:
        whole = picture.convert("RGB")
        if colours is not None:
            whole = with_true_shades(whole) if colours == "shades" else whole.quantize(colours)
        whole.save(made, format="PNG", optimize=True)
    return made.getvalue()


_COLOURS = 256  # of a palette
_EXACT = 64  # the colours with most pixels, which stay unchanged
_AREA = 20  # pixels from which a colour belongs to an area and not to the edge of a letter or a line


def with_true_shades(picture: Image.Image) -> Image.Image:
    """The picture with a palette of 256 colours in which each area and scale has its shade, within 4 of 255 a channel.

    Pillow's own palettes give many colours to the edges of letters and few to a scale, whose shades are then as much
    as 33 off. Here the colours with most pixels are exact, and each further one is the colour of an area that is
    furthest from all before it.
    """
    pixels = np.asarray(picture.convert("RGB")).astype(np.int64)
    codes = pixels @ np.array([1 << 16, 1 << 8, 1])
    result, position, counts = np.unique(codes, return_inverse=True, return_counts=True)
    colours = np.stack([result >> 16, result >> 8 & 255, result & 255], axis=1)
    exact = np.argsort(-counts, kind="stable")[:_EXACT]
    areas = colours[counts >= _AREA]
    palette = list(colours[exact])
    distance = np.full(len(areas), np.iinfo(np.int64).max)
    for colour in palette:
        distance = np.minimum(distance, _squares(areas, colour))
    while len(palette) < _COLOURS and distance.size and distance.max() > 0:
        palette.append(areas[distance.argmax()])
        distance = np.minimum(distance, _squares(areas, palette[-1]))
    table = np.stack(palette)
    nearest = np.array([_squares(table, colour).argmin() for colour in colours], np.uint8)
    drawn = Image.fromarray(nearest[position.reshape(codes.shape)])
    drawn.putpalette(table.astype(np.uint8).tobytes())
    return drawn


def _squares(colours: np.ndarray, colour: np.ndarray) -> np.ndarray:
    # Squared distances, int64 [colours].
    return np.asarray(((colours - colour) ** 2).sum(axis=1))
