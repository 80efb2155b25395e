"""The folders of searches as kinds of folders: recognised by their contents, verified, and restored without playing."""

import json

import polars as pl
import pytest

from tests.folder.damaged_lines import damaged_journals
from tests.folder.mishaps import flip_a_bit
from tests.searches.learning.test_damaged_store import WANTED, fill
from tests.searches.learning.test_learning import settings as learning_settings
from tests.searches.teaching.planted_lessons import lesson_settings, lessons_of, nothing
from tests.searches.tuning.stand_ins import QuadraticEvaluator, settings
from tests.searches.tuning.test_history import play
from wallsim.errors import InputError, RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.derived import read_checksums, write_derived
from wallsim.folder.layout import JOURNAL
from wallsim.folder.learning_journal import BLOCK, CHUNK, LESSON_BLOCK, LESSON_CHUNK
from wallsim.folder.local_files import FileStore
from wallsim.folder.search_kinds import LEARNINGS, RESPONSES, TEACHINGS, TUNINGS
from wallsim.folder.tuning_journal import RESPONSE, RESULTS, Journal
from wallsim.folder.verification import folder_kind, state_of, verify_results
from wallsim.play.replay.audit import replay
from wallsim.searches.teaching.lessons import LessonStore
from wallsim.searches.tuning.history import History
from wallsim.searches.tuning.outcome import result_files

GENERATIONS = 3
RESULT_NAMES = (*RESULTS.values(), "value.json")
COMMAND = "wallsim tune balanced --players 3"


def finish(folder, kind, plan):
    """Write the files of a finished search, as the commands do."""
    result = {"name": "fine", "generations": GENERATIONS, "settings": plan.identity(), "command": COMMAND}
    files = result_files(result, "text", pl.DataFrame({"generation": [0]}), b"picture", RESULTS[kind])
    write_derived(FileStore(folder), files)
    return folder


def tuned(folder):
    play(folder, GENERATIONS)
    return finish(folder, "tuning", settings())


def exploited(folder):
    plan = settings()
    with Journal(folder, plan.identity(), RESPONSE) as journal:
        history = History(plan, journal, QuadraticEvaluator(), lambda: 1.0)
        history.resume(GENERATIONS, lambda mean, turn: [], lambda line: None)
    return finish(folder, RESPONSE, plan)


def learned(folder):
    fill(folder)
    games = {"fitted": 2 * BLOCK * CHUNK, "held_out": BLOCK * CHUNK}
    value = {"name": "value", "command": "wallsim learn --policies random", "games": games}
    write_derived(FileStore(folder), {"value.json": json.dumps(value).encode()})
    return folder


def taught(folder):
    seats = tuple(Experiment(players=players) for players in (3, 4))
    plan = lesson_settings(cells=seats)
    with LessonStore(folder, plan.identity()) as store:
        for key in WANTED:
            store.write(*key, lessons_of(nothing, number=3))
    games = {"fitted": 2 * LESSON_BLOCK * LESSON_CHUNK, "held_out": LESSON_BLOCK * LESSON_CHUNK}
    result = {"name": "value", "command": "wallsim teach random", "games": games}
    write_derived(FileStore(folder), {"value.json": json.dumps(result).encode(), "value.toml": b"text"})
    return folder


MAKERS = {tuned: TUNINGS, exploited: RESPONSES, learned: LEARNINGS, taught: TEACHINGS}


@pytest.fixture(params=MAKERS, ids=lambda maker: maker.__name__)
def made(request, tmp_path):
    """A finished folder of a search, and its kind."""
    return request.param(tmp_path / "x"), MAKERS[request.param]


def kinds_of(folder):
    """The kinds of searches that recognise a folder; it counts as the first one."""
    estimate = [kind for kind in MAKERS.values() if kind.recognises(FileStore(folder))]
    assert not estimate or folder_kind(folder).what == estimate[0].what
    return estimate


def test_a_search_has_no_chunks_to_replay_and_only_commands_of_wallsim_are_suggested(made):
    folder, kind = made
    with pytest.raises(InputError, match=kind.what):
        replay(folder, 1)
    name = next(name for name in RESULT_NAMES if (folder / name).exists())
    result = json.loads((folder / name).read_text("utf-8"))
    for command, shown in (("rm -r ~", "the command"), ("wallsim tune x; rm -r ~", "`wallsim tune 'x;' rm")):
        files = read_checksums(FileStore(folder))
        write_derived(FileStore(folder), {name: json.dumps({**result, "command": command}).encode()}, files)
        assert kind.show_command(folder).startswith(shown)


def test_a_finished_folder_is_recognised_whole_and_counted(made):
    folder, kind = made
    assert kinds_of(folder) == [kind]
    assert verify_results(folder) == []
    assert state_of(folder).finished
    done, wanted, unit = kind.progress(folder)
    expected = {LEARNINGS: (24, 12000, "games"), TEACHINGS: (2400, 2400, "games")}
    assert (done, wanted, unit) == expected.get(kind, (3, 3, "generations"))
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in (".lock", "checksums.json")]
    assert kind.size(folder) == sum(path.stat().st_size for path in files)
    assert kind.restore(folder) == []
    assert f"--out {folder}" in kind.show_command(folder)


def test_any_damaged_line_is_reported_and_the_folder_still_recognised(made):
    folder, kind = made
    whole = (folder / JOURNAL).read_bytes()
    for way, place, spoilt in damaged_journals(whole):
        (folder / JOURNAL).write_bytes(spoilt)
        assert kinds_of(folder) == [kind], (way, place)
        reported = verify_results(folder)
        assert reported, (way, place)
        assert all(error.startswith(f"{JOURNAL}: ") for error in reported), (way, place, reported)
    (folder / JOURNAL).unlink()
    assert kinds_of(folder) == [kind]
    assert verify_results(folder)[0] == f"{JOURNAL}: is missing"


def test_an_unfinished_folder_is_whole_and_names_what_resumes_it(made):
    folder, kind = made
    for name in ("checksums.json", "tune.json", "exploit.json", "value.json", "value.toml"):
        (folder / name).unlink(missing_ok=True)
    with (folder / JOURNAL).open("ab") as file:
        file.write(b'{"generation": 7, "as')
    assert verify_results(folder) == []
    state = state_of(folder)
    assert not state.finished
    assert "resumes" in state.words
    assert kind.progress(folder).wanted is None
    with pytest.raises(RunError):
        kind.restore(folder)


def test_what_needs_no_playing_is_restored_and_a_copy_is_left(made):
    folder, kind = made
    whole = (folder / JOURNAL).read_bytes()
    lines = whole.splitlines(keepends=True)
    (folder / JOURNAL).write_bytes(whole + b"garbage")
    assert verify_results(folder) == [f"{JOURNAL}: line {len(lines) + 1}: is damaged"]
    spoilt = b"".join([*lines, lines[1], b"garbage"])
    (folder / JOURNAL).write_bytes(spoilt)
    assert kind.restore(folder) == [JOURNAL]
    assert (folder / JOURNAL).read_bytes() == whole
    assert (folder / f"{JOURNAL}.damaged-1").read_bytes() == spoilt
    assert verify_results(folder) == []


def test_what_has_to_be_played_names_the_command_and_is_left_alone(made):
    folder, kind = made
    whole = (folder / JOURNAL).read_bytes()
    spoilt = whole.replace(whole.splitlines()[2], b"{}")
    (folder / JOURNAL).write_bytes(spoilt)
    with pytest.raises(RunError, match=rf"`wallsim .* --out {folder}` repairs it"):
        kind.restore(folder)
    assert (folder / JOURNAL).read_bytes() == spoilt
    (folder / JOURNAL).write_bytes(whole)
    derived, *_ = [*folder.glob("*.toml"), *folder.glob("value.json")]
    flip_a_bit(derived)
    with pytest.raises(RunError, match=derived.name):
        kind.restore(folder)


def test_a_header_is_restored_from_a_result_that_is_whole(tmp_path):
    folder = tuned(tmp_path / "x")
    whole = (folder / JOURNAL).read_bytes()
    (folder / JOURNAL).write_bytes(b"\x00" + whole[1:])
    assert TUNINGS.restore(folder) == [JOURNAL]
    assert (folder / JOURNAL).read_bytes() == whole


def test_the_result_of_another_tuning_is_reported(tmp_path):
    folder = tuned(tmp_path / "x")
    finish(folder, "tuning", settings(seed=6))
    assert any(error.startswith("tune.json: is the result of another tuning") for error in verify_results(folder))


def test_foreign_and_changed_files_among_positions_are_reported(tmp_path):
    folder = learned(tmp_path / "x")
    (folder / "positions" / "notes.txt").write_text("mine")
    (folder / "positions" / "3p-00009.npz").write_bytes(b"x")
    flip_a_bit(folder / "positions" / "3p-00001.npz")
    (folder / "positions" / "4p-00002.npz").unlink()
    reported = {error.partition(": ")[0]: error.partition(": ")[2] for error in verify_results(folder)}
    assert set(reported) == {
        f"positions/{name}" for name in ("notes.txt", "3p-00009.npz", "3p-00001.npz", "4p-00002.npz")
    }
    assert reported["positions/notes.txt"].endswith("remove it")


def test_a_file_that_an_interruption_left_before_its_line_is_no_error(tmp_path):
    fill(tmp_path / "x", WANTED[:3])
    journal = tmp_path / "x" / JOURNAL
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    assert LEARNINGS.verify(tmp_path / "x") == []
    assert fill(tmp_path / "x", WANTED) == WANTED[2:]
    assert learning_settings().identity()


def test_folders_of_others_are_not_recognised(tmp_path, small_run):
    assert kinds_of(tmp_path) == []
    assert kinds_of(small_run.folder) == []
    (tmp_path / "tune.json").write_text("{}")
    (tmp_path / JOURNAL).write_text('{"hash": "x"}\n')
    assert kinds_of(tmp_path) == []
