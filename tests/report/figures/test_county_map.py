"""The map shows the number of every county by its colour; names and numbers never collide, in either size."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.textpath import TextPath
from PIL import Image

from tests.refusals import refused
from wallsim.report.figures import county_map as drawing
from wallsim.report.figures.county_map import county_map
from wallsim.report.figures.county_scale import Scale, ink_on, number_texts
from wallsim.report.figures.style import save_picture
from wallsim.report.map.board_map import load_map
from wallsim.report.map.geometry import inside

MAP = load_map()
VALUES = {name: 3.7 * math.sin(place + 1) * (1 + place / 9) for place, name in enumerate(MAP.counties)}
WIDTHS = ("wide", "narrow")


def lettering(figure):
    """Every text of a figure that is not empty, with its axes."""
    drawn = [(axes, text) for axes in figure.axes for text in axes.texts]
    return [(axes, text) for axes, text in drawn if text.get_text()]


def ink(axes, text):
    """The extent of the letters' ink, without the space that a line of text has: left, bottom, right, top in pixels."""
    box = text.get_window_extent()
    scale = axes.figure.dpi / 72
    path = TextPath((0, 0), text.get_text(), size=text.get_fontsize(), prop=text.get_fontproperties()).get_extents()
    baseline = axes.transData.transform(text.get_position())[1]
    return box.x0, baseline + path.y0 * scale, box.x1, baseline + path.y1 * scale


def apart(one, other):
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.fixture(scope="module", params=[*product(WIDTHS, (False, True))], ids=str)
def drawn(request):
    """A map in each size, with and without long numbers, at the dots at which it is saved."""
    width, numbers = request.param
    figure = county_map(VALUES, scale="diverging", numbers=numbers, width=width, unit="points", title="A title")
    figure.set_dpi(110)
    figure.canvas.draw()
    return figure, width, numbers


def test_all_45_counties_are_named_in_full_or_short(drawn):
    figure, width, numbers = drawn
    texts = [text.get_text() for _, text in lettering(figure)]
    for name, county in MAP.counties.items():
        named = [text.get_text() for _, text in lettering(figure) if text.get_gid() == name]
        assert named == [*(county.name if width == "wide" else county.small).lines]
    assert {*MAP.regions} <= {*texts}
    assert sum(text[0] in "+−" for text in texts) == (45 if numbers else 0)


def test_no_two_texts_collide(drawn):
    figure, _, _ = drawn
    boxes = [(text.get_text(), ink(axes, text)) for axes, text in lettering(figure)]
    assert [(one[0], other[0]) for one, other in combinations(boxes, 2) if not apart(one[1], other[1])] == []


def test_names_and_numbers_lie_inside_their_county(drawn):
    figure, _, _ = drawn
    axes = figure.axes[0]
    rings = {name: axes.transData.transform(MAP.ring(name)) for name in MAP.counties}
    counted = 0
    for where, text in lettering(figure):
        x0, y0, x1, y1 = ink(where, text)
        middle = np.array([[(x0 + x1) / 2, (y0 + y1) / 2]])
        home = [name for name, ring in rings.items() if inside(middle, ring)[0]]
        if where is not axes or not home:
            continue  # the key of the regions, and the names of seas and lands
        assert text.get_gid() in (None, *home)
        slack = 0.75  # of a pixel, by which letters drawn on a grid of pixels are wider than their outlines
        corners = np.array([*product((x0 + slack, x1 - slack), (y0 + slack, y1 - slack))])
        assert inside(corners, rings[home[0]]).all(), text.get_text()
        counted += 1
    assert counted >= 45


def test_letters_are_large_enough_to_read(drawn):
    figure, width, _ = drawn
    sizes = [text.get_fontsize() * 110 / 72 for axes, text in lettering(figure) if axes is figure.axes[0]]
    assert min(sizes) > (12 if width == "wide" else 6)
    names = [text.get_fontsize() * 110 / 72 for _, text in lettering(figure) if text.get_gid()]
    assert min(names) > (12.5 if width == "wide" else 8)


def test_letters_stand_out_from_their_ground():
    for ground in ("#000000", "#ffffff", "#00204d", "#ffea46", *(region.fill for region in MAP.regions.values())):
        assert ink_on(ground) == ("#ffffff" if ground in ("#000000", "#00204d") else "#22262b")


def colours(figure):
    """The fill of every county that is not hatched, in the order of the map."""
    return [
        tuple(colour[:3]) for each in figure.axes[0].collections
        if isinstance(each, PolyCollection) and not each.get_hatch() for colour in each.get_facecolor()
    ]  # fmt: skip


def test_equal_numbers_have_equal_colours_and_larger_ones_are_lighter():
    fills = colours(county_map({name: place // 9 for place, name in enumerate(MAP.counties)}))
    assert len(fills) == 45
    shades = [sum(fill) for fill in fills[::9]]
    assert shades == sorted(shades)
    assert all(len(set(fills[k : k + 9])) == 1 for k in range(0, 45, 9))
    assert len(set(fills)) == 5


def test_a_diverging_scale_reaches_equally_far_from_0():
    scale = Scale([-1, 4], "diverging")
    assert (scale.low, scale.high) == (-4, 4)
    assert np.allclose(scale.colour(0), 0.966, atol=0.01)  # nearly white
    assert scale.colour(-4)[0] > scale.colour(-4)[2]  # brown
    assert scale.colour(4)[2] > scale.colour(4)[0]  # violet


def test_numbers_beyond_the_limits_have_the_colour_of_the_end():
    scale = Scale([-3, 0.5, 9], "sequential", (0, 1))
    assert scale.colour(9) == scale.colour(1)
    assert (scale.below, scale.above) == (True, True)
    figure = county_map(VALUES, limits=(0, 1))
    assert [axes.get_xlim() for axes in figure.axes][-1] == (0, 1)


def test_counties_without_a_number_are_hatched_and_the_legend_says_so():
    values = {**{name: value for name, value in VALUES.items() if name != "Tirol"}, "Baden": None, "Holstein": math.nan}
    figure = county_map(values, missing="out of play")
    hatched = [each for each in figure.axes[0].collections if isinstance(each, PolyCollection) and each.get_hatch()]
    assert [len(each.get_paths()) for each in hatched] == [3]
    assert "out of play" in [text.get_text() for text in figure.texts]
    assert len(colours(figure)) == 42
    assert "out of play" not in [text.get_text() for text in county_map(VALUES, missing="out of play").texts]


@pytest.mark.parametrize(
    ("scale", "number", "words"),
    [("sequential", 5, "5 Thalers"), ("diverging", -2.5, "−2.5 Thalers"), ("diverging", 0, "0 Thalers")],
)
def test_one_number_everywhere_is_one_colour_with_its_meaning(scale, number, words):
    figure = county_map(dict.fromkeys(MAP.counties, number), scale=scale, unit="Thalers")
    assert len(set(colours(figure))) == 1
    assert words in [text.get_text() for text in figure.texts]


def test_without_numbers_the_regions_are_coloured():
    figure = county_map()
    assert len(set(colours(figure))) == 5
    assert len(figure.axes) == 2  # no scale


@pytest.mark.parametrize(
    ("values", "options", "names"),
    [
        ({"Tyrol": 1}, {}, ("'Tyrol'", "did you mean Tirol?")),
        ({"Tirol": math.inf}, {}, ("Tirol: inf",)),
        ({}, {}, ("no county",)),
        ({"Tirol": 1}, {"scale": "divergng"}, ("scale: 'divergng'", "sequential, diverging; did you mean")),
        ({"Tirol": 1}, {"width": "small"}, ("width: 'small'", "wide, narrow")),
        ({"Tirol": 1}, {"limits": (2, 1)}, ("limits: (2, 1)",)),
    ],
)
def test_what_cannot_be_drawn_is_refused(values, options, names):
    with refused(*names):
        county_map(values, **options)


def test_numbers_are_short_and_have_the_same_decimals():
    assert number_texts([1, 20, 300], signed=False) == ["1", "20", "300"]
    assert number_texts([0.1234, 45.678], signed=False) == ["0.1", "45.7"]
    assert number_texts([0.1, -0.25], signed=True) == ["+0.10", "−0.25"]
    assert number_texts([-0.001, 9.5, 0.0], signed=True) == ["0.0", "+9.5", "0.0"]
    assert number_texts([1234567.0, 5.0], signed=False) == ["1.2e+06", "5.0e+00"]
    assert number_texts([0.0], signed=True) == ["0"]


@pytest.mark.parametrize(("width", "pixels"), [pytest.param("wide", 946, marks=pytest.mark.slow), ("narrow", 390)])
def test_png_has_the_width_of_a_page_or_a_telephone_and_its_exact_colours(tmp_path, width, pixels):
    figure = county_map(VALUES, width=width)
    wanted = {tuple(round(255 * part) for part in colour) for colour in colours(figure)}
    save_picture(figure, tmp_path / "x.png", colours=None)
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.width == pixels
        assert picture.getpixel((1, 1)) == (255, 255, 255)
        assert wanted <= {colour for _, colour in picture.getcolors(10**6)}


def test_long_titles_and_notes_are_broken_and_stay_on_the_sheet():
    figure = county_map(width="narrow", title="A title of many words " * 6, note="A note of many words " * 9)
    figure.canvas.draw()
    boxes, sheet = [text.get_window_extent() for text in figure.texts], figure.bbox
    assert all(sheet.x0 <= box.x0 and box.x1 <= sheet.x1 for box in boxes)
    assert all(sheet.y0 <= box.y0 <= box.y1 <= sheet.y1 for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_a_number_too_long_for_its_county_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(drawing, "number_texts", lambda values, signed: ["1" * 30 for _ in values])
    with refused("1" * 30, "Altmark", "numbers"):
        county_map(VALUES, numbers=True)
