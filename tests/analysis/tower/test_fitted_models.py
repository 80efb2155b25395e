"""All models fitted to one log, and the tower that comes of it."""

import numpy as np
import pytest

from wallsim.analysis.tower.casts import TOTAL, CastLog
from wallsim.analysis.tower.fitted_models import fit_all, fitted_tower, for_simulation
from wallsim.analysis.tower.protocols import bench_design, simulate_log
from wallsim.report.tables.fits import conclusion_lines, estimate_rows, log_lines
from wallsim.rules.tower import Independent, Urn, load_tower


@pytest.fixture(scope="module")
def bench():
    return simulate_log(load_tower("spielbyweb-urn"), bench_design(200))


@pytest.fixture(scope="module")
def fits(bench):
    return fit_all(bench, floors=None)


def test_the_test_decides_between_independent_and_urn(fits):
    assert fits.best() == "urn"  # the log is an urn's, of 200 casts
    casts = simulate_log(load_tower("mid"), bench_design(200))
    assert fit_all(casts, floors=None).best() == "independent"


def test_a_model_that_was_not_fitted_cannot_be_had(fits, bench):
    with pytest.raises(KeyError):
        fitted_tower("own", "layered", bench, fits, "log.csv")


def test_the_tower_tells_log_intervals_and_test(fits, bench):
    tower = fitted_tower("own", "urn", bench, fits, "log.csv")
    assert isinstance(tower.parameters, Urn)
    assert tower.source == "fitted to the casts of log.csv"
    assert tower.evidence[0] == "200 casts in 1 session"
    alone = tower.evidence.index("estimates of the log alone:") + 1
    assert tower.evidence[alone].startswith("retention 0.")
    assert "95 % interval" in tower.evidence[alone]
    assert any(line.startswith("likelihood ratio of urn against independent ") for line in tower.evidence)
    assert isinstance(fitted_tower("own", "independent", bench, fits, "log.csv").parameters, Independent)


def test_what_is_printed_has_a_row_a_number_and_the_test_in_words(fits, bench):
    rows = estimate_rows("urn", fits.urn)
    assert [row[1] for row in rows] == ["retention", "capacity", "kappa", "beta", "h8", "phi"]
    assert [row[0] for row in rows] == ["urn", "", "", "", "", ""]
    assert conclusion_lines(fits)[0].endswith("the urn fits significantly better.")
    assert log_lines(bench)[0].startswith("200 casts in 1 session, 5 colours (red, blue, yellow, purple, green): ")


def test_only_a_log_of_more_colours_than_a_box_has_loses_them():
    def log(colours):
        counts = np.ones((4, colours), int)
        return CastLog.of([f"c{n}" for n in range(colours)], ["1"] * 4, ["bench"] * 4, counts, counts)

    assert for_simulation(log(6)).colours == tuple(f"c{n}" for n in range(6))
    assert for_simulation(log(7)).colours == (TOTAL,)
    assert for_simulation(log(7)).thrown.tolist() == [[7]] * 4
