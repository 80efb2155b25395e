"""Tournaments: the rows of the games that the design names, whatever the workers, chunks and interruptions."""

import shutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.play.watching import Counter, parts_of
from tests.refusals import assert_names, refused
from wallsim.errors import InputError, RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.local_files import FileStore
from wallsim.folder.result_folder import kind_of
from wallsim.folder.results import Run
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.tournament_design import COLUMNS, KIND, RATED, Design
from wallsim.folder.verification import verify_results
from wallsim.play.play import play_run
from wallsim.play.tournament.play import TournamentStore, chunk_blocks, play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import load_policy

ROOT = Path(__file__).resolve().parents[3]
TABLE = Experiment(players=3, seed=5)
TWO = Tournament(("random", "heedless"), TABLE, 250)  # 1,500 games, two chunks
CHUNK = 192  # blocks


@pytest.fixture(scope="module", autouse=True)
def _small_chunks():
    """Chunks have a tenth of their blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("wallsim.play.tournament.play"), "chunk_blocks", lambda design: CHUNK)
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The finished tournament of TWO; do not change it."""
    return play_tournament(TWO, tmp_path_factory.mktemp("tournaments") / "two", workers=2)


@pytest.fixture
def spoilt(played, tmp_path):
    """A copy of its folder that a test may spoil."""
    return shutil.copytree(played.folder, tmp_path / "spoilt")


def test_every_game_is_the_one_that_the_design_names(tmp_path):
    names = ("balanced", "builder", "heedless", "random")
    run = play_tournament(Tournament(names, TABLE, 7), tmp_path / "run", workers=1)
    rows = run.scan().collect()
    design, policies = Design(4, 3), tuple(map(load_policy, names))
    assert rows.height == 7 * 12 * 3
    assert (rows["game"] // 12 == rows["block"]).all()
    for (block, game), seats in rows.group_by("block", "game", maintain_order=True):
        table, rotation = divmod(game % 12, 3)
        dealing = design.dealing(block)
        seating = [policies[who].name for who in design.seating(table, rotation, dealing)]
        letters = ["ABC"[(seat + dealing.shift) % 3] for seat in range(3)]
        assert seats["policy"].to_list() == seating
        assert seats["lineup"].to_list() == letters
        assert seats["company"].unique().to_list() == [table]
        assert seats["number"].unique().to_list() == [design.number(block)]
        assert sorted(set(seating)) == [names[who] for who in design.tables[table]]
        if game % 12 in (0, 4, 11):
            experiment = Experiment(players=3, seed=5, policies=tuple(seating), lineups=tuple(letters))
            theirs = experiment.arena().play(design.number(block), 1).seats
            for name, place in (("rank", 5), ("vp", 6), ("vp_year1", 7), ("counties", 9)):
                assert seats[name].to_list() == theirs[:, place].tolist()


def test_wins_margins_and_ranks_agree_with_the_points(played):
    rows = played.scan().collect()
    games = rows.group_by("game").agg(pl.col("win").sum(), pl.col("vp"), pl.col("margin"), pl.col("rank"))
    assert (games["win"] - 1).abs().max() < 1e-6
    for points, margins, ranks in games.select("vp", "margin", "rank").head(300).iter_rows():
        for seat, own in enumerate(points):
            assert margins[seat] == own - max(points[:seat] + points[seat + 1 :])
            assert ranks[seat] >= 1 + sum(other > own for other in points)
    assert set(rows.filter(pl.col("rank") > 1)["win"]) == {0}


def test_the_rows_are_all_there_in_order_and_plain(played):
    rows = played.scan().collect()
    assert rows.columns == [column.name for column in COLUMNS]
    assert rows["game"].to_list() == [game for game in range(250 * 6) for _ in range(3)]
    assert rows["seat"].to_list() == [0, 1, 2] * (250 * 6)
    types = {**dict.fromkeys(("block", "game", "seat", "rank", "vp"), pl.Int64), "win": pl.Float64}
    assert {name: rows.schema[name] for name in types} == types
    assert rows.schema["policy"] == pl.Enum(("heedless", "random"))
    assert_frame_equal(played.rows(), rows.select(RATED))


def test_a_draft_has_no_line_ups(tmp_path):
    table = Experiment(players=3, setup="draft")
    rows = play_tournament(Tournament(("random", "heedless"), table, 4), tmp_path / "run").rows()
    assert rows["lineup"].null_count() == rows.height == 4 * 6 * 3


def test_expansions_and_edition_are_played(tmp_path):
    table = Experiment(players=5, edition="1e", expansions="all", tower="mid-urn")
    run = play_tournament(Tournament(("random", "heedless", "builder"), table, 2), tmp_path / "run")
    facts = run.manifest["experiment"]["identity"]
    played = facts["edition"], facts["expansions"], run.manifest["tower"]["name"]
    assert played == ("1e", ["court", "landsknechte", "leaders"], "mid-urn")
    assert run.rows().height == 2 * 15 * 5


def test_any_number_of_workers_writes_the_same_bytes(played, tmp_path):
    alone = play_tournament(TWO, tmp_path / "alone", workers=1)
    assert len(parts_of(alone.folder)) == 2
    assert parts_of(alone.folder) == parts_of(played.folder)
    assert alone.manifest["files"] == played.manifest["files"]


def test_any_size_of_chunk_holds_the_same_rows(played, tmp_path, monkeypatch):
    monkeypatch.setattr(import_module("wallsim.play.tournament.play"), "chunk_blocks", lambda design: 77)
    other = play_tournament(replace(TWO, blocks=200), tmp_path / "other")
    assert len(other.files) == 3
    assert_frame_equal(other.scan().collect(), played.scan().filter(pl.col("block") < 200).collect())


def test_the_order_in_which_policies_are_named_is_none(played, tmp_path):
    other = Tournament(("heedless", "random"), TABLE, 250)
    watch = Counter()
    assert play_tournament(other, played.folder, observer=watch).files == played.files
    assert (watch.was_finished, watch.games, watch.grown) == (True, 0, None)


def test_more_blocks_are_added_and_the_files_are_those_of_one_go(played, tmp_path):
    folder = tmp_path / "grown"
    play_tournament(replace(TWO, blocks=30), folder)
    watch = Counter()
    grown = play_tournament(TWO, folder, observer=watch)
    assert parts_of(grown.folder) == parts_of(played.folder)
    assert watch.grown == (30, 250)
    assert (grown.manifest["blocks"], watch.games) == (250, 1500)  # the short chunk is played again
    assert verify_results(folder) == []
    more = play_tournament(replace(TWO, blocks=260), folder, observer=(watch := Counter()))
    assert (more.rows().height, watch.done) == (260 * 18, CHUNK * 6)


def test_fewer_blocks_than_are_there_are_refused(played):
    with refused("blocks: 249 ", "250"):
        play_tournament(replace(TWO, blocks=249), played.folder)
    assert TournamentRun.open(played.folder).manifest["blocks"] == 250


def test_a_missing_file_is_found_and_its_chunk_alone_played_again(spoilt, played):
    part = "results/part-000000.parquet"
    (spoilt / part).unlink()
    [error] = verify_results(spoilt)
    assert_names(error, f"{part}: ", "is missing")
    with refused("missing or damaged", part, by=RunError):
        TournamentRun.open(spoilt).rows()
    watch = Counter()
    play_tournament(TWO, spoilt, observer=watch)
    assert parts_of(spoilt) == parts_of(played.folder)
    assert (watch.games, part in watch.note) == (1152, True)
    assert verify_results(spoilt) == []


@pytest.mark.parametrize(("old", "new"), [('"blocks": 250', '"blocks": "all"'), ('"seed": 5', '"seed": 6')])
def test_a_changed_manifest_is_damaged(spoilt, old, new):
    path = spoilt / "manifest.json"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with refused("manifest.json: is damaged", by=RunError):
        TournamentRun.open(spoilt)


def test_other_files_and_a_changed_codebook_are_found(spoilt):
    foreign = "results/part-000009.parquet"
    (spoilt / "codebook.md").write_text("nothing", "utf-8")
    shutil.copy(spoilt / "results" / "part-000000.parquet", spoilt / foreign)
    codebook, part = verify_results(spoilt)
    assert_names(codebook, "codebook.md: ", "have changed")
    assert_names(part, f"{foreign}: ", "does not belong")


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"seed": 6}, ["seed is 5", "6 here"]), ({"rules": {"bank": 150}}, ["bank is 0", "150 here"]),
        ({}, ["policies is"]),
    ],
)  # fmt: skip
def test_another_tournament_is_refused_with_the_difference(spoilt, change, names):
    policies = TWO.policies if change else ("random", "builder")
    with refused("another tournament: ", *names):
        play_tournament(Tournament(policies, TABLE.model_copy(update=change), 250), spoilt)


def test_runs_and_tournaments_do_not_mix(spoilt, tmp_path):
    run = Experiment(players=3, games=20, policies=("random",) * 3)
    folder = play_run(run, tmp_path / "run").folder
    with refused("other than this experiment"):
        play_run(run, spoilt)
    with refused("other than this tournament"):
        play_tournament(TWO, folder)
    for read in (Run.open, Run.verify):
        with refused("a tournament", "not a run"):
            read(spoilt)
    with refused("a run", "not a tournament", "`wallsim summary"):
        TournamentRun.open(folder)
    assert [kind_of(place) == KIND for place in (folder, spoilt, tmp_path)] == [False, True, False]


def test_a_folder_with_other_files_or_in_use_is_refused_and_left_alone(tmp_path, spoilt):
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    with refused("other files", "(notes.txt"):
        play_tournament(TWO, tmp_path)
    with TournamentStore(FileStore(spoilt), TWO, TWO.components()), refused("another wallsim process"):
        play_tournament(TWO, spoilt)


@pytest.mark.parametrize(
    ("names", "blocks", "said"),
    [
        (("random", "nobody"), 5, ("policies: 'nobody' ", "amateur")),
        ("random", 5, ("policies: 1 ", "too few")),
        (("random", "builder", "random"), 5, ("policies: 'random' ", "more than one")),
        (("random", "builder"), 0, ("blocks: 0 ", "from 1 to")),
        (("random", "builder"), 2.5, ("blocks: 2.5 ", "from 1 to")),
        (("random", "builder"), 10**9, ("blocks: 1000000000 ", "from 1 to 166666666")),
    ],
)
def test_what_makes_no_tournament_is_refused(names, blocks, said):
    with pytest.raises(InputError, match=f"^{said[0]}") as caught:
        Tournament(names, TABLE, blocks)
    assert_names(str(caught.value), *said)


@pytest.mark.parametrize(("policies", "seats"), [(2, 3), (4, 4), (8, 4), (5, 5), (9, 5), (14, 4), (12, 5)])
def test_chunks_are_whole_cycles_unless_those_are_too_long(policies, seats):
    design = Design(policies, seats)
    blocks = chunk_blocks(design)
    games = blocks * design.games_per_block
    assert blocks % design.cycle == 0 or design.cycle * design.games_per_block > 100_000
    assert games <= 100_000
    assert games >= 7000
