"""Pictures follow matplotlib's defaults and the package's style, whatever a user has set; none is lost with numbers."""

import io

import matplotlib as mpl
import pytest

from tests.refusals import refused
from wallsim.report.figures.style import PNG_COLOURS, STYLE, PictureError, new_axes, picture_bytes, save_picture, styled

OF_A_USER = {
    "axes.grid": True, "axes.facecolor": "black", "axes.formatter.limits": [-1, 1], "errorbar.capsize": 9.0,
    "figure.hooks": ["no_such_module:hook"], "font.family": ["monospace"], "hatch.color": "red",
    "image.cmap": "hot", "legend.loc": "lower left", "lines.linewidth": 7.0, "path.simplify": False,
    "savefig.bbox": "tight", "savefig.facecolor": "green", "savefig.transparent": True, "svg.fonttype": "path",
    "text.antialiased": False, "xtick.minor.visible": True,
}  # fmt: skip


@styled
def drawn():
    """A figure with most kinds of what pictures have."""
    axes = new_axes(3.0, 2.0)
    axes.errorbar([1, 2, 3], [10_000, 20_000, 15_000], [2000, 3000, 1000], label="mean")
    axes.bar([1, 2], [5000, 7000], hatch="//", label="bars")
    axes.set_title("A title")
    axes.legend()
    return axes.figure


def bytes_of(form, tmp_path):
    if form == "png":
        drawing = io.BytesIO()
        save_picture(drawn(), drawing)
        return drawing.getvalue()
    save_picture(drawn(), tmp_path / f"x.{form}")
    return (tmp_path / f"x.{form}").read_bytes()


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_settings_of_a_user_change_no_byte(form, tmp_path):
    plain = bytes_of(form, tmp_path)
    with mpl.rc_context(OF_A_USER):
        assert bytes_of(form, tmp_path) == plain
        assert {name: mpl.rcParams[name] for name in OF_A_USER} == OF_A_USER
    assert set(OF_A_USER) - set(STYLE)


def test_whatever_fails_in_a_picture_is_an_error_that_names_it():
    def broken():
        raise KeyError("no such font")

    with refused("cup/ladder.png", "KeyError", by=PictureError) as caught:
        picture_bytes(broken, "cup/ladder.png", PNG_COLOURS)
    assert caught.value.exit_status == 3
