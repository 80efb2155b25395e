"""A folder belongs to one tuning: others, strangers and runs are refused, and nothing of theirs is touched."""

import json
from dataclasses import replace

import pytest

from tests.searches.tuning.stand_ins import settings, weights
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.layout import JOURNAL
from wallsim.folder.tuning_journal import Journal
from wallsim.policies.catalogue import load_policy
from wallsim.searches.tuning.coordinates import InPhase

GENERATION = {
    "generation": 0, "asked": "0" * 16, "scores": [0.1], "mean": {"hold": 0.5}, "score": 0.2, "share": 0.2,
    "error": 0.01, "step": 0.3, "joined": False,
}  # fmt: skip
CHECK = {"check": 1, "findings": []}


def begin(folder, plan=None):
    with Journal(folder, (plan or settings()).identity()) as journal:
        journal.append(GENERATION)
    return folder


def refusal(folder, plan=None):
    with pytest.raises(InputError) as caught:
        Journal(folder, (plan or settings()).identity())
    return str(caught.value)


def test_entries_are_there_again(tmp_path):
    begin(tmp_path)
    with Journal(tmp_path, settings().identity()) as journal:
        assert journal.lines == [GENERATION]
        assert journal.generations == 1


@pytest.mark.parametrize(
    "damaged",
    [{key: value for key, value in line.items() if key != lost} for line in (GENERATION, CHECK) for lost in line]
    + [GENERATION | {"check": 1}, [], "generation", None],
)
def test_an_entry_that_lacks_a_part_or_has_no_seal_is_dropped_and_a_copy_is_left(tmp_path, damaged):
    begin(tmp_path)
    before = (tmp_path / JOURNAL).read_bytes()
    with (tmp_path / JOURNAL).open("a") as file:
        file.writelines(json.dumps(line) + "\n" for line in (damaged, CHECK))
    spoilt = (tmp_path / JOURNAL).read_bytes()
    with Journal(tmp_path, settings().identity()) as journal:
        assert journal.lines == [GENERATION]
    assert (tmp_path / JOURNAL).read_bytes() == before
    assert (tmp_path / f"{JOURNAL}.damaged-1").read_bytes() == spoilt


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 6}, "seed is 5 there, 6 here"),
        ({"games": 61}, "games is 60 there, 61 here"),
        ({"weights": weights("hold")}, 'tuned is ["hold", "deny", "army", "caution"] there, ["hold"] here'),
        ({"experiment": Experiment(players=3, tower="mid")}, "tower is "),
        ({"pool": (load_policy("builder"),)}, "pool is [] there, "),
        ({"further": (Experiment(players=3, setup="draft"),)}, "further is "),
        ({"weights": (InPhase(*weights("hold"), "fall 2"),)}, 'there, ["hold in fall 2"] here'),
        ({"step": 0.31}, "step is 0.3 there, 0.31 here"),
    ],
)
def test_other_settings_are_refused_and_named(tmp_path, change, message):
    begin(tmp_path)
    before = (tmp_path / JOURNAL).read_bytes()
    reported = refusal(tmp_path, replace(settings(), **change))
    assert reported.startswith(f"{tmp_path}: contains another tuning: ")
    assert message in reported
    assert (tmp_path / JOURNAL).read_bytes() == before


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    assert "contains other files (letter.txt)" in refusal(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("header", ['{"hash": "x", "identity": {}}', "[]", "", "{"])
def test_the_journal_of_something_else_is_refused_and_left_alone(tmp_path, header):
    (tmp_path / JOURNAL).write_text(header + "\n")
    assert "journal.jsonl is not the journal of a tuning" in refusal(tmp_path)
    assert (tmp_path / JOURNAL).read_text() == header + "\n"


def test_the_journal_of_a_search_of_another_kind_is_refused(tmp_path):
    begin(tmp_path)
    with pytest.raises(InputError, match="not the journal of a best response"):
        Journal(tmp_path, settings().identity(), "best response")


def test_a_folder_in_use_is_refused(tmp_path):
    with Journal(tmp_path, settings().identity()):
        assert "another wallsim process is writing there" in refusal(tmp_path)
    begin(tmp_path)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "folder").write_text("no")
    assert "cannot be written" in refusal(tmp_path / "folder")
