"""Tournaments: the rows of the games that the design names, whatever the workers, chunks and interruptions."""

import re
import shutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.folder.mishaps import InterruptingObserver, flip_a_bit, journal_lines
from tests.play.test_play import Counter
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
TWO = Tournament(("random", "heedless"), TABLE, 2500)  # 15,000 games, two chunks


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The finished tournament of TWO; do not change it."""
    return play_tournament(TWO, tmp_path_factory.mktemp("tournaments") / "two", workers=2)


@pytest.fixture
def spoilt(played, tmp_path):
    """A copy of its folder that a test may spoil."""
    shutil.copytree(played.folder, tmp_path / "spoilt")
    return tmp_path / "spoilt"


def files_of(run):
    return {part.file: (run.folder / part.file).read_bytes() for part in run.files}


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
            assert seats["rank"].to_list() == theirs[:, 5].tolist()
            assert seats["vp"].to_list() == theirs[:, 6].tolist()
            assert seats["vp_year1"].to_list() == theirs[:, 7].tolist()
            assert seats["counties"].to_list() == theirs[:, 9].tolist()


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
    assert rows["game"].to_list() == [game for game in range(2500 * 6) for _ in range(3)]
    assert rows["seat"].to_list() == [0, 1, 2] * (2500 * 6)
    types = {**dict.fromkeys(("block", "game", "seat", "rank", "vp"), pl.Int64), "win": pl.Float64}
    assert {name: rows.schema[name] for name in types} == types
    assert rows.schema["policy"] == pl.Enum(("heedless", "random"))
    assert_frame_equal(played.rows(), rows.select(RATED))


def test_the_design_is_balanced_in_the_rows_too(played):
    whole = played.rows().filter(pl.col("block") < 2496)  # whole cycles of six
    counts = whole.group_by("policy", "seat", "lineup").len()
    assert counts.height == 2 * 3 * 3
    assert counts["len"].n_unique() == 1


def test_a_draft_has_no_line_ups(tmp_path):
    table = Experiment(players=3, setup="draft")
    rows = play_tournament(Tournament(("random", "heedless"), table, 4), tmp_path / "run").rows()
    assert rows["lineup"].null_count() == rows.height == 4 * 6 * 3


def test_expansions_edition_tower_and_switches_are_played(tmp_path):
    table = Experiment(players=5, edition="1e", expansions="all", tower="mid-urn", rules={"food_track": "open"})
    run = play_tournament(Tournament(("random", "heedless", "builder"), table, 2), tmp_path / "run")
    facts = run.manifest["experiment"]["identity"]
    assert (facts["edition"], facts["expansions"], facts["food_track"]) == (
        "1e",
        ["court", "landsknechte", "leaders"],
        "open",
    )
    assert run.manifest["tower"]["name"] == "mid-urn"
    assert run.rows().height == 2 * 15 * 5


def test_random_finishes_below_balanced(tmp_path):
    run = play_tournament(Tournament(("random", "balanced"), Experiment(), 120), tmp_path / "run")
    shares = dict(run.rows().group_by(pl.col("policy").cast(pl.String)).agg(pl.col("win").mean()).iter_rows())
    assert shares["random"] < 0.02 < 0.48 < shares["balanced"]


def test_any_number_of_workers_writes_the_same_bytes(played, tmp_path):
    alone = play_tournament(TWO, tmp_path / "alone", workers=1)
    assert len(files_of(alone)) == 2
    assert files_of(alone) == files_of(played)
    assert alone.manifest["files"] == played.manifest["files"]


def test_any_size_of_chunk_holds_the_same_rows(played, tmp_path, monkeypatch):
    monkeypatch.setattr(import_module("wallsim.play.tournament.play"), "chunk_blocks", lambda design: 77)
    other = play_tournament(replace(TWO, blocks=200), tmp_path / "other")
    assert len(other.files) == 3
    assert_frame_equal(other.scan().collect(), played.scan().filter(pl.col("block") < 200).collect())


def test_the_order_in_which_policies_are_named_is_none(played, tmp_path):
    other = Tournament(("heedless", "random"), TABLE, 2500)
    watch = Counter()
    assert play_tournament(other, played.folder, observer=watch).files == played.files
    assert (watch.was_finished, watch.games) == (True, 0)


@pytest.mark.slow
def test_more_blocks_are_added_and_the_files_are_those_of_one_go(played, tmp_path):
    folder = tmp_path / "grown"
    play_tournament(replace(TWO, blocks=300), folder)
    watch = Counter()
    grown = play_tournament(TWO, folder, observer=watch)
    assert files_of(grown) == files_of(played)
    assert watch.grown == (300, 2500)
    assert (grown.manifest["blocks"], watch.games) == (2500, 15_000)  # the short chunk is played again
    assert verify_results(folder) == []
    more = replace(TWO, blocks=2600)
    watch = Counter()
    assert play_tournament(more, folder, observer=watch).rows().height == 2600 * 18
    assert watch.done == chunk_blocks(TWO.design) * 6


def test_growing_without_an_observer_warns_too(tmp_path):
    play_tournament(replace(TWO, blocks=6), tmp_path)
    with pytest.warns(UserWarning, match="6 blocks are added to 6. Intervals hold for a number of blocks fixed before"):
        play_tournament(replace(TWO, blocks=12), tmp_path)


def test_fewer_blocks_than_are_there_are_refused(played):
    with pytest.raises(InputError, match=r"blocks: 2,499 are fewer than the 2,500 in .*; use as many or more"):
        play_tournament(replace(TWO, blocks=2499), played.folder)
    assert TournamentRun.open(played.folder).manifest["blocks"] == 2500


def test_an_interruption_keeps_what_was_finished(played, tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        play_tournament(TWO, folder, workers=1, observer=InterruptingObserver(folder, lines=1))
    assert len(journal_lines(folder)) == 2
    with pytest.raises(RunError, match=r"the tournament is not finished: 11,520 of 15,000 games are finished"):
        TournamentRun.open(folder)
    watch = Counter()
    assert files_of(play_tournament(TWO, folder, observer=watch)) == files_of(played)
    assert watch.done == 11_520
    assert watch.games == 15_000 - 11_520


def test_a_flipped_bit_and_a_missing_file_are_found_and_repaired(spoilt, played):
    flip_a_bit(spoilt / "results" / "part-000001.parquet")
    assert verify_results(spoilt) == ["results/part-000001.parquet: its bytes have changed"]
    with pytest.raises(RunError, match=r"missing or damaged: results/part-000001\.parquet; the command that started"):
        TournamentRun.open(spoilt).rows()
    watch = Counter()
    assert files_of(play_tournament(TWO, spoilt, observer=watch)) == files_of(played)
    assert (watch.games, "results/part-000001.parquet" in watch.note) == (3480, True)
    (spoilt / "results" / "part-000000.parquet").unlink()
    assert verify_results(spoilt) == ["results/part-000000.parquet: is missing"]
    assert files_of(play_tournament(TWO, spoilt)) == files_of(played)
    assert verify_results(spoilt) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"blocks": 2500', '"blocks": "all"'),
        ('"seed": 5', '"seed": 6'),
        ('"bytes": ', '"bytes": 1'),
        ('"blocks": 2500', '"blocks": 2501'),
        ("{", ""),
    ],
)
def test_a_changed_manifest_is_damaged(spoilt, old, new):
    path = spoilt / "manifest.json"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(RunError, match=r"manifest\.json: is damaged"):
        TournamentRun.open(spoilt)


def test_other_files_and_a_changed_codebook_are_found(spoilt):
    (spoilt / "codebook.md").write_text("nothing", "utf-8")
    shutil.copy(spoilt / "results" / "part-000000.parquet", spoilt / "results" / "part-000009.parquet")
    assert verify_results(spoilt) == [
        "codebook.md: its bytes have changed",
        "results/part-000009.parquet: does not belong to this tournament",
    ]


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"seed": 6}, "seed is 5 there, 6 here"),
        ({"tower": "mid"}, "tower is"),
        ({"players": 4}, "players is 3 there, 4 here"),
        ({"rules": {"bank": 150}}, "bank is 0 there, 150 here"),
    ],
)
def test_another_tournament_is_refused_with_the_difference(spoilt, change, shown):
    other = replace(TWO, table=TABLE.model_copy(update=change))
    with pytest.raises(InputError, match=f"contains another tournament: .*{re.escape(shown)}"):
        play_tournament(other, spoilt)
    with pytest.raises(InputError, match="contains another tournament: policies is"):
        play_tournament(Tournament(("random", "builder"), TABLE, 2500), spoilt)


def test_runs_and_tournaments_do_not_mix(spoilt, tmp_path):
    run = Experiment(players=3, games=20, policies=("random",) * 3)
    with pytest.raises(InputError, match="contains results other than this experiment"):
        play_run(run, spoilt)
    with pytest.raises(InputError, match="contains a tournament, not a run"):
        Run.open(spoilt)
    with pytest.raises(InputError, match="contains a tournament, not a run"):
        Run.verify(spoilt)
    folder = play_run(run, tmp_path / "run").folder
    with pytest.raises(InputError, match="contains results other than this tournament"):
        play_tournament(TWO, folder)
    with pytest.raises(InputError, match="contains a run, not a tournament; `wallsim summary"):
        TournamentRun.open(folder)
    assert [kind_of(place) == KIND for place in (folder, spoilt, tmp_path)] == [False, True, False]


def test_a_folder_with_other_files_or_in_use_is_refused_and_left_alone(tmp_path, spoilt):
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    with pytest.raises(InputError, match=r"contains other files \(notes\.txt"):
        play_tournament(TWO, tmp_path)
    with (
        TournamentStore(FileStore(spoilt), TWO, TWO.components()),
        pytest.raises(InputError, match="another wallsim process is writing"),
    ):
        play_tournament(TWO, spoilt)


@pytest.mark.parametrize(
    ("names", "blocks", "text"),
    [
        (("random", "nobody"), 5, r"policies: 'nobody' is not one of amateur"),
        (("random",), 5, "policies: 1 is too few"),
        (("random", "builder", "random"), 5, "policies: 'random' is the name of more than one"),
        (("random", "builder"), 0, "blocks: 0 is not a whole number from 1 to"),
        (("random", "builder"), 10**9, "blocks: 1000000000 is not a whole number from 1 to 166666666"),
    ],
)
def test_what_makes_no_tournament_is_refused(names, blocks, text):
    with pytest.raises(InputError, match=text):
        Tournament(names, TABLE, blocks)


@pytest.mark.parametrize(
    ("policies", "seats"), [(2, 3), (2, 4), (4, 4), (5, 4), (8, 4), (5, 5), (9, 5), (14, 4), (12, 5)]
)
def test_chunks_are_whole_cycles_unless_those_are_too_long(policies, seats):
    design = Design(policies, seats)
    blocks = chunk_blocks(design)
    games = blocks * design.games_per_block
    assert blocks % design.cycle == 0 or design.cycle * design.games_per_block > 100_000
    assert games <= 100_000
    assert games >= 7000
