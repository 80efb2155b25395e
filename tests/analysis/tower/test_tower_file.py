"""Towers written down and read back."""

import pytest

from tests.refusals import refused
from wallsim.rules.tower import HEADLINE, Independent, Layered, TowerModel, Urn, load_tower, tower_presets, tower_text

OWN = [
    TowerModel("own", Independent(1 / 3, 1e-6), 'a "quoted" source', ("one\ttab", "ümlaut", "DEL \x7f")),
    TowerModel("own", Urn(0.1 + 0.2, 1e6, 1e-7, -0.5, phi=0.123456789012345)),
    TowerModel("own", Layered((5, 60), (0.02, 1.0), (1.0, 0.02), cascade=0.1)),
]


@pytest.mark.parametrize("tower", [*map(load_tower, tower_presets()), *OWN], ids=lambda tower: tower.name)
def test_a_tower_comes_back_from_its_file_to_the_last_digit(tower, tmp_path):
    path = tmp_path / f"{tower.name}.toml"
    path.write_text(tower_text(tower, "a remark"), "utf-8")
    assert path.read_text("utf-8").startswith(f"{HEADLINE}: a remark\n")
    assert load_tower(str(path)) == tower


def test_a_remark_of_two_lines_would_break_the_file():
    with refused(repr("one\ntwo"), "one line", by=ValueError):
        tower_text(OWN[0], "one\ntwo")
