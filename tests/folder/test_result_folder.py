"""One read side for runs and tournaments."""

import shutil
import subprocess
import sys

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.finished_runs import SMALL
from wallsim.errors import InputError, RunError
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
        with pytest.raises(InputError, match="has no table 'moves'; it has "):
            result.scan("moves")
        assert verify_results(folder) == []
    (cup.folder / "results" / "part-000000.parquet").unlink()
    assert verify_results(cup.folder) == ["results/part-000000.parquet: is missing"]


def test_what_is_no_folder_of_results_is_refused(tmp_path):
    for read in (open_results, verify_results):
        with pytest.raises(InputError, match="contains no run"):
            read(tmp_path)


def test_an_unfinished_tournament_is_reported_by_its_games(cup):
    (cup.folder / "manifest.json").unlink()
    with pytest.raises(
        RunError, match=r"the tournament is not finished: 24 of 24 games are finished; the command that started"
    ):
        open_results(cup.folder)
    (cup.folder / "looks.json").write_text("{}", "utf-8")
    assert verify_results(cup.folder) == ["looks.json: is damaged; delete it"]


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
    assert TINY.hash() == "ab1e974788a4bd662a8f6a12af88abec8d0915d4286755a48f148406b8451272"
    before = "1d8042debf3c16ee2685c9bb5c2ed9665ec1edfff2ca193f8d7b438c786d0a2e"
    assert TINY.hash(with_games=True) == before


def test_a_lost_file_of_counties_is_found_and_repaired(small_run, tmp_path):
    folder = shutil.copytree(small_run.folder, tmp_path / "spoilt")
    (folder / "counties" / "part-000003.parquet").unlink()
    assert Run.verify(folder) == ["counties/part-000003.parquet: is missing"]
    assert play_run(SMALL, folder).files == small_run.files
