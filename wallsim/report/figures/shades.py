"""A palette that keeps the shades of a scale of colours, for small PNG files."""

from __future__ import annotations

import numpy as np
from PIL import Image

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
