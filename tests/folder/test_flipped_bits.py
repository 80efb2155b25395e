"""A single flipped bit in any file of a folder of results is found, and played away again."""

import random
import shutil

import pytest

from tests.play.test_play import parts_of
from wallsim.errors import RunError, WallsimError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.tournament import DERIVED
from wallsim.folder.verification import verify_results, write_marker
from wallsim.play.play import play_run, play_slice
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament

QUICK, MANY = 20, 200  # flips of each kind of file
PLAIN = Experiment(policies="random", players=3, games=4, chunk=2)
CUP = Tournament(("random", "heedless"), Experiment(players=3, seed=5), 6)
SET = ScenarioSet({"plain": PLAIN, "other": PLAIN.model_copy(update={"seed": 2})})
HEAD, RECEIPTS = "journal.jsonl, head", "journal.jsonl, receipts"
DOCUMENTS = ("experiment.toml", "codebook.md", "tower-*.toml", "board/*.csv", "policies/*.toml")
TABLES = tuple(f"{table}/*.parquet" for table in ("games", "seats", "seasons", "battles", "counties", "plans"))
KINDS = {
    "run": (HEAD, RECEIPTS, "manifest.json", "log.jsonl", *DOCUMENTS, *TABLES),
    "cut": (HEAD, RECEIPTS, "log.jsonl", *DOCUMENTS, *TABLES),
    "cup": (HEAD, RECEIPTS, "manifest.json", "log.jsonl", "looks.json", "codebook.md", "results/*.parquet"),
    "published": (*DERIVED, "checksums.json", "log.jsonl"),
    "slice": (HEAD, "journal-0-of-2.jsonl", "log.jsonl", "experiment.toml", "codebook.md", *TABLES[:2]),
    "bench": ("benchmark.json",),
    "set": ("scenarios.json", *(f"scenario=other/{kind}" for kind in (HEAD, RECEIPTS, "manifest.json", "log.jsonl"))),
}
EVERY_KIND = [pytest.param(where, kind, id=f"{where}: {kind}") for where in KINDS for kind in KINDS[where]]


@pytest.fixture(scope="module")
def folders(tiny, tmp_path_factory):
    """Folders of every kind; a flipped bit is flipped back."""
    place = tmp_path_factory.mktemp("flipped")
    tiny.copied(place / "run")
    tiny.cut(place / "cut")
    play_tournament(CUP, place / "cup").note_look()
    published = play_tournament(CUP, place / "published")
    published.note_look()
    published.publish({name: bytes(range(256)) for name in DERIVED[:-1]})
    play_slice(PLAIN, place / "slice", (0, 2))
    (place / "bench").mkdir()
    write_marker(place / "bench", "wallsim bench scale")
    play_scenarios(SET, place / "set")
    for where in KINDS:
        assert verify_results(place / where) == []
    return place


def spots(folder, kind):
    """The files of a kind, each with the first of its bytes that belong to it and their end."""
    pattern, _, part = kind.partition(", ")
    result = []
    for path in sorted(folder.glob(pattern)):
        data = path.read_bytes()
        header = data.index(b"\n") + 1 if part else 0
        result.append((path, header if part == "receipts" else 0, header if part == "head" else len(data)))
    assert result
    return result


def flips(folder, kind, count):
    """Flip random bits one after the other, and flip each back; yields the file, and which byte and bit it is."""
    luck = random.Random(kind)
    for _ in range(count):
        path, start, end = luck.choice(spots(folder, kind))
        at, bit = luck.randrange(start, end), luck.randrange(8)
        data = path.read_bytes()
        flip(path, at, bit)
        try:
            yield path, at, bit
        finally:
            path.write_bytes(data)


def flip(path, at, bit):
    """Flip one bit of a file."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(data)


def is_found(folder):
    """Whether verify finds an error; an error of another kind than wallsim's is passed on."""
    try:
        return verify_results(folder) != []
    except WallsimError as error:
        return str(error) != ""


def missed(folders, where, kind, count):
    """The flips that verify does not find."""
    folder = folders / where
    return [
        (path.relative_to(folder).as_posix(), at, bit)
        for path, at, bit in flips(folder, kind, count)
        if not is_found(folder)
    ]


@pytest.mark.one_in(10)
@pytest.mark.parametrize(("where", "kind"), EVERY_KIND)
def test_every_flipped_bit_is_found(folders, where, kind):
    assert missed(folders, where, kind, QUICK) == []
    assert verify_results(folders / where) == []


@pytest.mark.one_in(10)
@pytest.mark.slow
@pytest.mark.parametrize(("where", "kind"), EVERY_KIND)
def test_two_hundred_flipped_bits_are_found(folders, where, kind):
    assert missed(folders, where, kind, MANY) == []


@pytest.mark.parametrize("where", ["run", "cut", "cup"])
@pytest.mark.parametrize("name", ["journal.jsonl", "log.jsonl"])
def test_a_flipped_bit_in_the_end_of_the_last_line_is_not_taken_for_a_line_that_was_being_written(folders, where, name):
    path = folders / where / name
    whole = path.read_bytes()
    unfound = []
    for bit in range(8):
        flip(path, len(whole) - 1, bit)
        unfound += [] if is_found(folders / where) else [bit]
        path.write_bytes(whole)
    assert unfound == []


def flipped_copy(folders, where, kind, place):
    """A copy of a folder with one flipped bit."""
    folder = shutil.copytree(folders / where, place / "flipped")
    path, start, end = random.Random(where + kind).choice(spots(folder, kind))
    flip(path, random.Random(kind + where).randrange(start, end), 3)
    return folder


@pytest.mark.one_in(10)
@pytest.mark.parametrize(("where", "kind"), [(where, kind) for where in ("run", "cut") for kind in KINDS[where]])
def test_playing_a_run_again_repairs_it_to_the_same_bytes(folders, tiny, tmp_path, where, kind):
    folder = flipped_copy(folders, where, kind, tmp_path)
    play_run(tiny.experiment, folder)
    assert parts_of(folder) == parts_of(tiny.folder)
    for name in ("experiment.toml", "codebook.md", "tower-leaning.toml", "board/events.csv", "policies/me.toml"):
        assert (folder / name).read_bytes() == (tiny.folder / name).read_bytes()
    assert verify_results(folder) == []


@pytest.mark.parametrize("kind", KINDS["cup"])
def test_playing_a_tournament_again_repairs_it_to_the_same_bytes(folders, tmp_path, kind):
    folder = flipped_copy(folders, "cup", kind, tmp_path)
    if kind == "looks.json":
        with pytest.raises(RunError, match=r"looks\.json: is damaged; delete it"):
            play_tournament(CUP, folder)
        (folder / kind).unlink()
    play_tournament(CUP, folder)
    assert parts_of(folder) == parts_of(folders / "cup")
    assert verify_results(folder) == []


@pytest.mark.parametrize("kind", KINDS["set"])
def test_playing_scenarios_again_repairs_them_to_the_same_bytes(folders, tmp_path, kind):
    folder = flipped_copy(folders, "set", kind, tmp_path)
    play_scenarios(SET, folder)
    assert parts_of(folder) == parts_of(folders / "set")
    assert verify_results(folder) == []
