"""One read side for runs and tournaments."""

import subprocess
import sys

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.finished_runs import SMALL
from tests.folder.mishaps import named
from tests.refusals import refused
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.result_folder import ResultFolder
from wallsim.folder.results import Run
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.verification import open_results, verify_results
from wallsim.play.play import play_run
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament

TINY = Experiment(policies="random", games=60, chunk=20)
LATER = {"counties", "plans"}  # tables that older experiments did not have


@pytest.fixture
def cup(tmp_path):
    """A finished tournament of a few blocks."""
    return play_tournament(Tournament(("random", "builder"), SMALL, 6), tmp_path / "cup")


def test_a_folder_of_either_kind_is_opened_and_verified(small_run, cup):
    for folder, kind, tables in (
        (small_run.folder, Run, ("games", "seats", "seasons", "battles", "counties", "plans")),
        (cup.folder, TournamentRun, ("results",)),
    ):
        result = open_results(folder)
        assert type(result) is kind
        assert isinstance(result, ResultFolder)
        assert result.tables == tables
        assert result.hash == result.manifest["experiment"]["hash"]
        assert result.codebook() == (folder / "codebook.md").read_text("utf-8")
        assert all(result.scan(table).collect().height == rows for table, rows in result.manifest["rows"].items())
        with refused(folder, "'moves'", ", ".join(tables)):
            result.scan("moves")
        assert verify_results(folder) == []
    (cup.folder / "results" / "part-000000.parquet").unlink()
    assert named(verify_results(cup.folder)) == ["results/part-000000.parquet"]


def test_what_is_no_folder_of_results_is_refused(tmp_path):
    for read in (open_results, verify_results):
        with refused(tmp_path, "journal.jsonl"):
            read(tmp_path)


def test_an_unfinished_tournament_is_reported_by_its_games(cup):
    (cup.folder / "manifest.json").unlink()
    with refused(cup.folder, "24 of 24", "the command", by=RunError):
        open_results(cup.folder)
    (cup.folder / "looks.json").write_text("{}", "utf-8")
    assert named(verify_results(cup.folder)) == ["looks.json"]


def test_reading_needs_neither_the_compiler_nor_the_checks_of_experiments(small_run):
    code = (
        "import sys; from wallsim.folder.verification import open_results, verify_results; "
        "found = open_results(sys.argv[1]); verify_results(sys.argv[1]); found.scan('seats').collect(); "
        "print([name for name in ('numba', 'pydantic', 'joblib') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code, small_run.folder], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


# ------------------------------------------------------------------------------------------- tables on request


def test_later_tables_change_neither_others_nor_the_hash_of_who_does_not_ask(small_run, tmp_path):
    without = SMALL.model_copy(update={"counties": False, "plans": False})
    hashes = {each.hash() for each in (SMALL, without, *(SMALL.model_copy(update={n: False}) for n in LATER))}
    assert len(hashes) == 4
    run = play_run(without, tmp_path / "run")
    assert not LATER & set(run.identity)
    assert run.tables == ("games", "seats", "seasons", "battles")
    for table in run.tables:
        assert_frame_equal(run.scan(table).collect(), small_run.scan(table).collect())


@pytest.mark.parametrize("table", sorted(LATER))
def test_a_later_table_alone_is_that_written_beside_battles(table, small_run, tmp_path):
    run = play_run(Experiment(policies="random", games=300, seed=11, **{table: True}), tmp_path / "run")
    ours = small_run.scan(table).filter(pl.col("game") < 300).collect()
    assert_frame_equal(run.scan(table).collect(), ours)


def test_the_hash_of_an_experiment_without_later_tables_does_not_change():
    assert TINY.hash().startswith("ab1e974788a4bd66")
    assert TINY.hash(with_games=True).startswith("1d8042debf3c16ee")
