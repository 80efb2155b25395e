"""Every search by its command: shown again, stopped and resumed, repaired after damage, never mixed with another."""

import json
import random
import re
import shutil

import pytest

from tests.cli.commands import done, refusal
from tests.cli.searches import TINY, all_files, tiny, undisturbed
from tests.refusals import assert_names
from wallsim.folder.verification import verify_results
from wallsim.searches.learning.learning import Games as LearningGames
from wallsim.searches.teaching.lessons import LessonGames
from wallsim.searches.tuning.evaluation import Games

# Chunks of lessons and positions are played by code that takes a minute to compile.
CHUNKED = {"learn": ("--games", 4000), "teach": ("--games", 800)}  # games of two chunks
SLOW = [pytest.mark.slow, pytest.mark.one_in(2)]
EVERY = pytest.mark.parametrize(
    "command", [pytest.param(command, marks=SLOW if command in CHUNKED else ()) for command in TINY]
)
RESULTS = {"tune": "tune.json", "exploit": "exploit.json", "learn": "value.json", "teach": "taught.json"}
GAMES = {"tune": Games, "exploit": Games, "learn": LearningGames, "teach": LessonGames}


class Wholes(dict):
    """For each command the folder of its tiny search, made when it is needed, and what it printed when shown again."""

    def __init__(self, place):
        super().__init__()
        self.place = place

    def __missing__(self, command):
        folder = self.place.mktemp(command) / "x"
        tiny(command, folder)
        self[command] = folder, tiny(command, folder).stdout
        return self[command]


@pytest.fixture(scope="module")
def wholes(tmp_path_factory):
    """The finished tiny searches of this file; do not change them."""
    return Wholes(tmp_path_factory)


@pytest.fixture
def repaired(wholes, tmp_path):
    """The function that damages a file of a copy of a search, which verify names, and repairs it."""

    def repaired(command, name, damage):
        whole, shown = wholes[command]
        folder = shutil.copytree(whole, tmp_path / "x")
        damage(folder / name)
        reported = verify_results(folder)
        assert any(name in error for error in reported), reported
        again = tiny(command, folder)
        assert name in again.stderr
        assert again.stdout.replace(str(folder), str(whole)) == shown
        assert undisturbed(folder, whole)
        assert verify_results(folder) == []
        shutil.rmtree(folder)

    return repaired


@EVERY
def test_a_finished_search_is_shown_again_without_a_game(wholes, tmp_path, monkeypatch, command):
    whole, shown = wholes[command]
    folder = shutil.copytree(whole, tmp_path / "x")
    monkeypatch.setattr(GAMES[command], "play", None)
    again = tiny(command, folder)
    assert again.stdout.replace(str(folder), str(whole)) == shown
    assert command in CHUNKED or "nothing to play" in again.stderr
    assert undisturbed(folder, whole)


@EVERY
def test_an_interruption_loses_what_is_in_play_alone(wholes, tmp_path, monkeypatch, command):
    folder, play, calls = tmp_path / "x", GAMES[command].play, []

    def interrupted(*given):
        calls.append(given)
        if len(calls) == (2 if command in CHUNKED else 3):  # some commands play twice a generation
            raise KeyboardInterrupt
        return play(*given)

    with monkeypatch.context() as patched:
        patched.setattr(GAMES[command], "play", interrupted)
        stopped = done(command, *TINY[command], *CHUNKED.get(command, ()), "--out", folder, status=130)
    assert re.search(rf"Stopped\. [\d,]+ .* in {folder};", stopped.output)
    assert 1 < len((folder / "journal.jsonl").read_text("utf-8").splitlines()) < 4  # the header, and what was played
    assert not (folder / RESULTS[command]).exists()
    if command not in CHUNKED:
        tiny(command, folder)
        assert undisturbed(folder, wholes[command][0])


@pytest.mark.parametrize("command", ["tune", "exploit"])
def test_more_generations_go_on_to_what_one_go_gives(wholes, tmp_path, command):
    folder = tmp_path / "x"
    tiny(command, folder, "--generations", 1)
    tiny(command, folder, "--workers", 2)
    assert undisturbed(folder, wholes[command][0])


def flip(path):
    """Change one random bit of a file."""
    data, chance = bytearray(path.read_bytes()), random.Random(path.name)
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


@EVERY
def test_a_flipped_bit_is_found_and_repaired(wholes, repaired, command):
    names = sorted(all_files(wholes[command][0]))
    for name in names:
        repaired(command, name, flip)


def with_another_digit(path, before):
    """Change the first digit behind the last of these characters, so that another number stands there."""
    data = path.read_text()
    place = data.rindex(before) + len(before)
    path.write_text(data[:place] + ("1" if data[place] != "1" else "2") + data[place + 1 :])


@EVERY
def test_a_changed_number_of_a_result_is_made_from_what_is_stored(wholes, repaired, command, monkeypatch):
    if command in CHUNKED:  # they store games, and make results from these alone
        monkeypatch.setattr(GAMES[command], "play", None)
        repaired(command, RESULTS[command], lambda path: with_another_digit(path, "0."))
        return
    of_the_search = json.loads((wholes[command][0] / RESULTS[command]).read_text())["seeds"]["search"]
    play, seeds = Games.play, set()
    monkeypatch.setattr(Games, "play", lambda *given: seeds.add(given[-1]) or play(*given))
    repaired(command, RESULTS[command], lambda path: with_another_digit(path, '"share": 0.'))
    assert of_the_search not in seeds
    [policy] = wholes[command][0].glob("*.toml")
    monkeypatch.setattr(Games, "play", None)
    repaired(command, policy.name, lambda path: with_another_digit(path, "hold = 0."))


@EVERY
def test_another_search_is_refused_in_the_same_folder(wholes, command):
    whole = wholes[command][0]
    before = all_files(whole)
    words = (command, *TINY[command], "--out", whole)
    assert_names(refusal(*words, "--seed", 3), "another", "seed is ", "3 here")
    if command not in CHUNKED:
        assert_names(refusal(*words, "--generations", 2), "--generations: 2", "the 3", whole)
    assert all_files(whole) == before
