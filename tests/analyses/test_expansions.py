"""The study `expansions` plays every subset of the expansions, gives and denies their cards, and varies the favors."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import UNSTORED, figures_in, look
from wallsim.analyses.expansions import cards, effects, skill
from wallsim.analyses.expansions.boards import Boards, variants
from wallsim.analyses.expansions.cards import CARD_DENIED, DENIED, GIVEN, NO_STATUE, treated_arena, treatments
from wallsim.analyses.expansions.effects import OUTCOMES, SUBSETS, all_three, effects_of, name_of, play
from wallsim.analysis.claims.cells import MIDDLING, STRONG, Cell
from wallsim.analysis.tournament import skill as whole_skill
from wallsim.engine.columns import SEASON_COLUMNS
from wallsim.play.play import play_run
from wallsim.play.tournament.play import play_tournament
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.board import load_board
from wallsim.rules.terms import BENEFITS, EXPANSIONS, FAVORS, ROUND_NAMES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.games import Games
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.quantities import Key
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE, THREE_TABLES, sizes_of
from wallsim.studies.study import Choices, Storage

HOME = Cell(MIDDLING, "spielbyweb", "lineup")
WORTH = {"court": 1.5, "landsknechte": -2.0, "leaders": 0.5}
TRUTH = {("court",): 2.0, ("landsknechte",): -2.0, ("leaders",): 1.0, ("court", "leaders"): 0.5}  # by effect


def brought(expansions):
    """What expansions bring a seat: the sum, and one more where court and leaders meet."""
    return sum(WORTH[name] for name in expansions) + ({"court", "leaders"} <= set(expansions))


def test_a_synthetic_factorial_is_recovered_with_its_coverage():
    """The subsets share no block and differ in spread; the family of seven intervals misses in at most 5 of 100."""
    rng, trials, missed = np.random.default_rng(6), 400, 0

    def found(blocks):
        values = {subset: brought(subset) + rng.normal(0, 1 + len(subset), blocks) for subset in SUBSETS}
        effects = effects_of({subset: {POINTS: block_mean(each)} for subset, each in values.items()})
        return {effect: (each[POINTS], TRUTH.get(effect, 0.0)) for effect, each in effects.items()}

    for _ in range(trials):
        intervals = [(each.interval(Confidence(n_comparisons=7)), truth) for each, truth in found(100).values()]
        assert len(intervals) == 7
        missed += any(not low <= truth <= high for (low, high), truth in intervals)
    assert 2 <= missed <= 0.05 * trials + 3 * np.sqrt(0.05 * 0.95 * trials)
    for each, truth in found(40_000).values():
        assert each.value == pytest.approx(truth, abs=0.1)


def test_errors_of_effects_are_those_of_subsets_that_share_no_block():
    rng = np.random.default_rng(6)
    values = {subset: block_mean(rng.normal(0, 1 + len(subset), 100)) for subset in SUBSETS}
    found = effects_of({subset: {POINTS: each} for subset, each in values.items()})
    error = sum(each.error**2 for each in values.values()) ** 0.5 / 4  # half of them less the other half
    assert [each[POINTS].error for each in found.values()] == pytest.approx([error] * 7, rel=0.15)


@pytest.mark.parametrize("subset", [("court",), EXPANSIONS])
def test_a_subset_s_row_equals_the_plain_run_of_that_subset(subset, tmp_path):
    experiment = effects.with_subset(effects.experiment_of(HOME), subset)
    rows, run = play(experiment, 2, UNSTORED), play_run(experiment.changed(games=48), tmp_path / "run")
    seats = run.scan("seats").collect().with_columns(pl.col("vp").cast(pl.Float64), pl.col("seat").cast(pl.String))
    assert rows[POINTS].mean() == pytest.approx(seats["vp"].mean())
    assert rows[SPREAD].mean() == pytest.approx(seats.group_by("game").agg(pl.col("vp").std(ddof=0))["vp"].mean())
    wins = [100 * seats.filter(seat=str(seat))["win"].mean() for seat in range(4)]
    assert [rows[wins_of(seat)].mean() for seat in range(4)] == pytest.approx(wins)
    assert sum(wins) == pytest.approx(100)


def test_every_subset_has_games_of_its_own_and_strong_play():
    experiments = [effects.with_subset(effects.experiment_of(HOME), subset) for subset in SUBSETS]
    assert [each.expansions for each in experiments] == list(SUBSETS)
    assert len({each.seed for each in experiments}) == 8
    plays = effects.plays()  # only a policy taught with all expansions is called strong
    assert [play.policy for play in plays if play.strength == STRONG] == ["master-4p-bigbox"]
    assert [play.policy for play in plays if play.name in effects.WITHOUT] == ["master-4p", "scholar-4p"]


def test_the_lead_changes_where_no_leader_stays():
    leads = [[{0}] * 8, [{0}, {1}, {1}, {0}, {0, 1}, {1}, {0}, {0}]]  # games of two seats: who leads in each season
    names = [column.name for column in SEASON_COLUMNS]
    table = np.zeros((2 * 8 * 2, len(names)), np.int16)
    points = np.reshape([[[10 * (seat in after) for seat in (0, 1)] for after in game] for game in leads], -1)
    table[:, [names.index("vp"), names.index("vp_with_board")]] = points[:, None]
    tables = SimpleNamespace(games=np.zeros((2, 1), np.int16), seasons=table)
    assert effects.changes_of_lead(Games(0, 2, tables)).tolist() == [0, 3]


@pytest.mark.one_in(4, "file")
def test_treatments_change_nothing_but_the_treated_choice():
    plain, given, denied = (treated_arena(all_three(HOME), arm).play(0, 168) for arm in ("", GIVEN, DENIED))
    counted = [cards.count_favors(Games(0, 4, tables)) for tables in (plain, given, denied)]
    chosen, more, none = (each["taken"] for each in counted)
    assert none.sum() == 0
    assert more.sum() > chosen.sum() > 0
    same, as_given = ((plain.games == arm.games).all(axis=1) for arm in (denied, given))
    assert same[chosen == 0].all()  # who would not have taken it plays the same game
    assert not same[chosen == 1].all()
    assert as_given[more == 0].all()
    numbers = np.arange(84)
    pairs = set(zip(numbers % 4, cards.treated_favor(numbers, 4), strict=True))
    assert pairs == set(product(range(4), range(1, FAVORS + 1)))


def test_a_statue_in_the_last_fall_brings_its_one_point():
    """It scores in the winter that follows, and nothing can happen to it before; the winter ends the game."""
    result = dict(cards.statues(HOME, 20, UNSTORED))
    last = result[Key("statue", "", 4, HOME, ROUND_NAMES[-1])]
    assert (last.value, last.error) == (pytest.approx(1.0), pytest.approx(0.0))
    assert result[Key("statues-left", "", 4, HOME, ROUND_NAMES[0])].value > 0


def test_a_denied_statue_is_missing_in_its_round_alone():
    plain, denied = (treated_arena(all_three(HOME), arm).play(0, 24) for arm in ("", NO_STATUE))
    fewer = cards.count_statues(Games(0, 4, plain))["taken"] - cards.count_statues(Games(0, 4, denied))["taken"]
    last = np.arange(24) // 4 == 5  # in the last fall nothing that follows can make up for it
    assert set(fewer[last]) <= {0, 1}
    assert fewer.sum() > 0


def test_landsknechte_are_worth_something_to_their_seat(tmp_path):
    result = dict(cards.landsknechte(HOME, 12, Storage(tmp_path, Cache(None), 1)))
    turned, worth = ([result[Key(quantity, str(card), 4, HOME)].value for card in cards.CARDS]
                     for quantity in ("cards-turned", "card-own-seat"))  # fmt: skip
    assert 2 > turned[0] > turned[1] > turned[2] > 0
    assert sum(worth) > 0


def test_boards_differ_from_the_printed_one_in_the_named_figures_alone(tmp_path):
    printed, folder = load_board(), Boards(tmp_path)
    assert len(variants()) == 3 + 5 + 5
    for name, values in variants().items():
        board = load_board(folder.with_favors(name))
        wanted = [(each["number"], each["kind"], values.get(str(each["number"]), str(each["value"])))
                  for each in printed.favors]  # fmt: skip
        assert [(each["number"], each["kind"], str(each["value"])) for each in board.favors] == wanted
        assert board.landsknechte == printed.landsknechte
    halved = load_board(folder.with_favors("amounts halved"))
    assert [halved.favors[number - 1]["value"] for number in (2, 9, 16, 12)] == [1, 2, 3, 3]  # 12 is not assumed
    blank = load_board(folder.blank(3))
    assert [blank.landsknechte[2][kind] for kind in BENEFITS] == [0] * 4
    assert (blank.favors, blank.landsknechte[3]) == (printed.favors, printed.landsknechte[3])


@pytest.mark.slow
def test_what_every_board_moves_is_compared_on_the_same_games(tmp_path):
    court, moved = block_mean(np.zeros(2)), "favors-varied-by-play"
    one, other = (
        {key: each.estimate.value for key, each in cards.moves(HOME, 2, Storage(tmp_path, Cache(None), workers), court)
         if key.quantity == moved} for workers in (1, 2)
    )  # fmt: skip
    assert len(one) == len(variants()) * len(cards.MOVED)
    assert one == other
    for name in variants():
        wins = [one[Key(moved, f"{name} {wins_of(seat)}", 4, HOME)] for seat in range(4)]
        assert sum(wins) == pytest.approx(0, abs=1e-9)


def test_shares_by_derivatives_agree_with_those_by_resampling(tmp_path):
    rows = play_tournament(skill.tournaments(HOME, 40)["ladder", ()], tmp_path / "ladder").rows()
    result, whole = skill.shares_of(rows, "ladder"), whole_skill.skill(rows, "vp", level=0.5)
    for part in (each for each in whole.parts if each.name in skill.PARTS):
        share, (low, high) = result["share-of-points", f"ladder {part.name}"], part.interval
        assert share.value == pytest.approx(100 * part.share)
        width = Confidence(0.5, len(whole.parts)).t(40) * share.error
        assert width == pytest.approx(100 * (high - low) / 2, rel=0.15)
    wins = skill.wins_of(rows, "ladder")
    assert [about for _, about in wins] == [f"ladder {policy}" for policy in skill.FIELDS["ladder"]]
    assert np.mean([each.value for each in wins.values()]) == pytest.approx(25)


@pytest.mark.slow
def test_the_study_plays_all_of_its_parts(tmp_path):
    result = look("expansions", tmp_path, 24)
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {"boards", "parts", "tournaments"}
    cell = HOME._replace(setup="draft")
    played = effects.with_subset(effects.experiment_of(cell), ("court", "leaders"))
    subset = result.figures.of("subset-by-cell", "court + leaders wins of seat 2", players=4, cell=cell)
    assert subset.value == pytest.approx(play(played, 1, UNSTORED)[wins_of(2)].mean())
    assert (subset.seed, subset.null) == (played.seed, 25)
    favor = result.figures.of("favor", "18", players=4, cell=result.design.baseline_cell())
    assert (favor.n, favor.n_unit) == (2, "blocks of 84 games")


def test_what_is_played_is_in_the_key_of_what_is_kept(keys, tmp_path, monkeypatch):
    """Other subsets, blocks, boards, treatments, or other code of a treatment are not in the cache."""
    experiment, folder = all_three(HOME), Boards(tmp_path)
    others = (effects.experiment_of(HOME), experiment.changed(seed=1), experiment.changed(board=str(folder.blank(3))),
              experiment.changed(board=str(folder.with_favors("amounts halved"))))  # fmt: skip
    play(experiment, 14, UNSTORED)
    for each in (experiment, *others):
        play(each, 7, UNSTORED)
    list(cards.favors(HOME, 7, UNSTORED))
    list(cards.statues(HOME, 7, UNSTORED))
    assert len(set(keys)) == len(keys) == 6 + 3 + 2
    for path in cards._TREATMENTS.glob("*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes() + b"# other code\n" * (path.stem == GIVEN))
    monkeypatch.setattr(cards, "_TREATMENTS", tmp_path)
    list(cards.favors(HOME, 7, UNSTORED))
    given, chosen, denied = keys[11:]
    assert given not in keys[:11]
    assert [chosen, denied] == keys[7:9]  # where a file lies counts nowhere


def test_the_claims_are_judged_anew_by_game():
    [judged] = load_study("expansions").judged
    assert (judged.claims, judged.games_a_row) == (effects.CLAIMS, 2)
    assert judged.plays is effects.plays_with_expansions
    for setup in ("lineup", "draft"):
        pool = ("balanced", "raider", "builder", "casual")
        experiment = effects.experiment_of(HOME._replace(setup=setup)).changed(policies=pool)
        result = judged.outcomes(experiment, 2)
        found = effects_of(effects.subsets_of(experiment, lambda each: play(each, 2, UNSTORED)))
        for (expansion, _, outcome), each in ((name.partition(": "), each) for name, each in result.items()):
            sign = -1 if outcome.startswith("fall of ") else 1
            assert each.value == pytest.approx(sign * found[expansion,][outcome.removeprefix("fall of ")].value)
        assert {each.blocks for each in result.values()} == {48}  # the unit of errors is the game


FOR_EXPANSIONS = {weight.name for weight in WEIGHTS
                  if weight.needs is not None and any(name in weight.needs.words for name in EXPANSIONS)}  # fmt: skip


@pytest.mark.parametrize(("table", "players"), [*product((SECOND_TABLE,), (3, 4, 5))])
def test_a_line_with_expansions_differs_in_nothing_else(table, players):
    line, plain, tuned = map(load_policy, (
        effects.line_of(table, players), effects.plain_line(table, players), f"strong-{players}p-bigbox"
    ))  # fmt: skip
    for name, weights in line.weights.items():
        assert weights == (tuned if name in FOR_EXPANSIONS else plain).weights.get(name, plain.weights.get(name))
    for phase, weights in line.phases.items():
        for name, value in weights.items():
            assert value == (tuned if name in FOR_EXPANSIONS else plain).phases[phase][name]
    assert line.counties == plain.counties
    assert FOR_EXPANSIONS >= {"favor", "courtier", "regions", "statue", "leader"}


def test_one_better_player_sits_in_every_seat_once():
    for kind, players, table, tables in effects.groups(effects.scope_of(Choices())):
        if (kind, table) == (effects.BETTER, CASUAL_TABLE):
            line = effects.line_of(EXPERIENCED_TABLE, players)
            seated = [["amateur"] * seat + [line] + ["amateur"] * (players - 1 - seat) for seat in range(players)]
            assert [list(each.policies) for each in tables] == seated
            assert {(each.setup, each.players) for each in tables} == {("lineup", players)}


FAVOR_WORTH, STATUE_WORTH, CARD_WORTH, DOUBLED = 2.5, 1.25, 0.75, 0.8
BEYOND = 0.25  # what a favor brings that is taken by treatment alone
WINS = 5.0  # of the better player, that all three expansions bring


def planted(cache, counted, design, play):
    """Counts without chance, but for a noise of mean 0 in every block."""
    experiment, blocks = design["experiment"], design["blocks"]
    noise = np.resize([0.01, -0.01], blocks)
    if counted == "games":
        doubled = DOUBLED if "favors-2" in str(experiment.board) else 0.0
        wins = 100 / experiment.players + WINS * (experiment.expansions == EXPANSIONS)
        values = dict.fromkeys(OUTCOMES, 7.0) | dict.fromkeys(map(wins_of, range(experiment.players)), wins)
        values[POINTS] = 25 + brought(experiment.expansions) + doubled
        return {name: each + noise for name, each in values.items()}
    games = 6 * experiment.players * blocks
    arm = {code: name for name, code in treatments().items()}.get(design["treatment"])
    taken = {GIVEN: 0.9, DENIED: 0.0, NO_STATUE: 0.0}.get(arm, 0.5)
    worth = {"count_favors": FAVOR_WORTH, "count_statues": STATUE_WORTH, "count_cards": CARD_WORTH}[counted]
    points = worth * min(taken, 0.5) * (arm != CARD_DENIED) + BEYOND * max(0.0, taken - 0.5) + np.resize(noise, games)
    blank = CARD_WORTH if "blank" in str(experiment.board) else 0.0
    return {"vp": points, "taken": np.full(games, taken), "table": np.resize(noise, games) - blank,
            "taken at the table": np.full(games, 1.0)}  # fmt: skip


# Shares of the variance and wins without expansions, by quantity and what they are of.
SHARES = {(quantity, f"{ladder} {part}"): 20 + place for place, (ladder, quantity, part)
          in enumerate(product(skill.LADDERS, skill.SHARE.values(), skill.PARTS))}  # fmt: skip
WON = {("wins", f"{field} {policy}"): 25 + len(policy) for field in skill.FIELDS for policy in skill.FIELDS[field]}


def tournaments(*_):
    """Shares and wins that are more by what the expansions bring."""
    return {
        subset: {key: block_mean(np.resize([value + 0.1, value - 0.1], 24) + brought(subset))
                 for key, value in (SHARES | WON).items()}
        for subset in SUBSETS
    }  # fmt: skip


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A quick look on planted counts: its design and its figures."""
    study, folder = load_study("expansions"), tmp_path_factory.mktemp("expansions")
    scope = study.design(Choices(quick=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cache, "get", planted)
        patch.setattr(skill, "play_all", tournaments)
        values = study.play(scope, Storage(folder, Cache(None), 1))
    return scope, figures_in("expansions", values)


def test_rows_follow_from_planted_counts(quick):
    scope, figures = quick
    every, of_cards = len(scope.cells()), len(effects.card_cells(scope))

    def assert_values(quantity, item, value, rows=1):
        found = [row.value for row in figures.all_of(quantity, str(item), players=4)]
        assert found == pytest.approx([value] * rows, abs=1e-6)

    for effect, value in {**TRUTH, ("court", "landsknechte"): 0.0}.items():
        assert_values("effect-by-cell", f"{' × '.join(effect)} {POINTS}", value, every)
        assert_values("effect", f"{' × '.join(effect)} {POINTS}", value)
    for subset in SUBSETS:
        assert_values("subset-by-cell", f"{name_of(subset)} {POINTS}", 25 + brought(subset), every)
    for name in EXPANSIONS:
        assert_values("effect-on-share-of-points", f"ladder without master-4p policy {name}", TRUTH[name,])
        for quantity in ("effect-on-wins", "picture-of-wins"):
            assert_values(quantity, f"zoo builder {name}", TRUTH[name,])
    assert_values("wins-gained", "zoo builder", brought(EXPANSIONS))
    for (quantity, about), value in SHARES.items():
        assert_values(quantity, f"{about} none", value)
    assert_values("wins", "ladder master-4p-bigbox all three", 25 + 16 + brought(EXPANSIONS))
    for number in ("any", *range(1, FAVORS + 1)):
        assert_values("favor", number, FAVOR_WORTH, of_cards)
        assert_values("favor-given-by-play", number, BEYOND, of_cards)
        assert_values("favor-given", number, BEYOND)
        assert_values("favor-chosen-games", number, 50, of_cards)
        assert_values("favor-given-games", number, 90, of_cards)
    assert_values("statue", "", STATUE_WORTH, of_cards * len(ROUND_NAMES))
    for card in cards.CARDS:
        assert_values("card-mean-of-table", card, CARD_WORTH, of_cards)
        point = load_board().landsknechte[card - 1]["victory_points"]
        assert_values("card-own-seat", card, CARD_WORTH + point, of_cards)
        assert figures.all_of("card-own-seat", str(card), players=4)[0].seed != 20269
    for name in variants():
        moved = DOUBLED if name == "amounts doubled" else 0.0
        assert_values("favors-varied-by-play", f"{name} {POINTS}", moved, of_cards)
        assert_values("court-worth-varied", name, WORTH["court"] + 1 + moved, of_cards)


def test_groups_follow_from_planted_counts(quick):
    scope, figures = quick
    for players, table in product(sizes_of(scope), THREE_TABLES):
        for name, worth in {**WORTH, "all three": brought(EXPANSIONS)}.items():
            change = figures.of("group-change", f"{name} {POINTS}", players=players, cell=table)
            assert change.value == pytest.approx(worth)
    for players in sizes_of(scope):
        items = [("group-change-of-lineup", f"all three {letter}") for letter in "ABC"]
        items.append(("change-of-better-player", "all three"))
        changes = [figures.of(*each, players=players, cell=CASUAL_TABLE).value for each in items]
        assert changes == pytest.approx([WINS] * 4)
        alone = figures.of("better-player", "none", players=players, cell=EXPERIENCED_TABLE)
        assert (alone.value, alone.null) == (pytest.approx(100 / players), pytest.approx(100 / players))
