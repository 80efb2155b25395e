"""Whatever people report of a game gets a page: what each level of knowledge says, and what is not noted."""

import random
import re
from itertools import pairwise

import pytest

import wallsim
from tests.api.conftest import EXAMPLE
from tests.api.test_review import FORBIDDEN
from tests.refusals import assert_names
from tests.trace.recorded import EXPANDED, GAMES
from tests.trace.test_less_known import complete, knows_less
from wallsim.api.game_review.standing import BOTS, games_of, source
from wallsim.api.game_review.start import ALL, PLAYS
from wallsim.api.review import text_of_game
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.studies.published import figures

REPORT = """players: 4
scores: Anna 45, Ben 38, Cleo 36, Dora 29
led: Anna
owned: Ben Bremen, Köln

battles
Sachsen 5:3
"""
SECTIONS = ("result", "leader", "start", "points", "chances", "battles", "plans", "not-noted", "assumed")


@pytest.fixture
def reviewed(tmp_path):
    """Reviews a text."""

    def found(text):
        path = tmp_path / "g.txt"
        path.write_text(text, "utf-8")
        return wallsim.review(path)

    return found


def sections_of(page):
    return [name for name in SECTIONS if f'<section id="{name}">' in page]


def gaps_in(found):
    return " ".join(gap.what for gap in found.gaps)


def words_of(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_the_number_of_players_gives_usual_scores(reviewed):
    found = reviewed("players: 3")
    page = found.page()
    assert sections_of(page) == ["result", "not-noted", "assumed"]
    assert "Who won is" in page
    for each in games_of(3).values():
        assert f"<td>{each.level(0, 0.1)} to {each.level(0, 0.9)}</td>" in page
    assert_names(gaps_in(found), "final scores", "after year one", "or line-ups")


def test_final_scores_stand_among_games_of_their_size(reviewed):
    found = reviewed("scores: 45 37 34 29 26")
    page = found.page()
    assert sections_of(page) == ["result", "not-noted", "assumed"]
    assert (found.game.players, found.winners, found.standing.margin) == (5, (0,), 8)
    assert [(each.seat, each.place) for each in found.standing.scores] == [(seat, seat) for seat in range(5)]
    for bots, games in games_of(5).items():
        below = sum(count for score, count in games.places[0].items() if score < 45)
        share = found.standing.scores[0].lower[bots]
        assert (share.value, share.games) == (below / games.games, games.games)
        assert share.low < share.value < share.high
        closer = sum(count for margin, count in games.margins.items() if margin < 8)
        assert found.standing.smaller[bots].value == closer / games.games
    people = [f"{value:.0f}" for value in figures("casual.reported-points.5p.*")["value"]]
    assert f"report {', '.join(people)} at" in words_of(page)
    assert "final scores" not in gaps_in(found)


def test_a_tie_needs_thalers_or_a_winner(reviewed):  # B7.6
    found = reviewed("scores: 45 45 36")
    assert_names(words_of(found.page()), "A and B have", "Thalers decide")
    assert "Thalers of A and B" in gaps_in(found)
    assert "A won." in words_of(reviewed("scores: 45 45 36\nwon: A").page())
    assert "B won." in words_of(reviewed("players: 3\nend\nA 45v 2t\nB 45v 3t\nC 36v").page())


def test_some_scores_are_compared_without_a_place(reviewed):
    found = reviewed("players: 4\nscores: 45 ? 36")
    assert [(each.seat, each.place) for each in found.standing.scores] == [(0, None), (2, None)]
    assert (found.winners, found.standing.margin, found.standing.smaller) == ((), None, {})
    games = games_of(4)["casual"]
    mean = sum(count for place in games.places for score, count in place.items() if score < 45) / 4 / games.games
    assert found.standing.scores[0].lower["casual"].value == pytest.approx(mean)
    assert "scores of B and D" in gaps_in(found)
    assert "of all places" in words_of(found.page())


def test_a_report_in_words_gets_all_that_it_allows(reviewed):
    found = reviewed(REPORT)
    page = found.page()
    assert sections_of(page) == ["result", "leader", "start", "battles", "not-noted", "assumed"]
    assert_names(page, "A (Anna) won", "7 points ahead")
    assert found.standing.leader.seats == (0,)
    assert found.standing.leader.like == {}
    for bots, games in games_of(4).items():
        led, won = (sum(each[part] for lead, each in games.leads.items() if lead) for part in (0, 1))
        assert found.standing.leader.wins[bots].value == pytest.approx(won / led)
    assert [(each.county, each.seat) for each in found.start.counties] == [("Bremen", 1), ("Erzbm. Köln", 1)]
    table = dict(figures("draft.worth-by-play.4p.Bremen/*").select("id", "value").iter_rows())
    assert found.start.counties[0].values[PLAYS["strong"]].startswith(f"{table[found.start.counties[0].ids[1]]:.1f} ±")
    [battle] = found.battles
    assert (battle.battle.place, battle.battle.attackers, battle.battle.attacker) == ("Sachsen", 5, None)
    assert "1 battle without" in gaps_in(found)
    assert not [word for word in FORBIDDEN if word in words_of(page).lower()]


def test_points_after_year_one_add_how_often_such_a_lead_wins(reviewed):
    rows = "\n".join(f"{seat} {points}v" for seat, points in zip("ABCD", (12, 21, 15, 19), strict=True))
    found = reviewed(f"players: 4\nwon: A\nspring 2\n{rows}")
    leader = found.standing.leader
    assert (leader.seats, leader.lead, found.winners) == ((1,), 2, (0,))
    for bots, games in games_of(4).items():
        leads = leader.like[bots]
        assert leads.least <= 2 <= leads.most
        assert leads.wins.games == sum(games.leads[lead][0] for lead in range(leads.least, leads.most + 1))
        assert leads.wins.games >= 500
    assert_names(words_of(found.page()), "B led after", "by 2 points", "A won.")


def test_a_shared_lead_and_a_line_up(reviewed):
    found = reviewed("players: 4\nled: A, C\nstart\nB line-up B\n")
    assert found.standing.leader.lead == 0
    games, wins = games_of(4)["casual"].leads[0]
    assert found.standing.leader.like["casual"].wins.value == pytest.approx(wins / games)
    assert set(found.start.seats) == {1}
    assert "of A, C and D" in gaps_in(found)


def test_other_sizes_have_values_of_all_bots(reviewed):
    found = reviewed("players: 5\nowned: Bremen; ? Köln")
    assert found.start.columns == (ALL,)
    assert [(each.county, each.seat) for each in found.start.counties] == [("Bremen", None), ("Erzbm. Köln", None)]


def test_a_table_with_some_counties_gives_neither_points_nor_win_probabilities(reviewed):
    found = reviewed("players: 4\nfall 1\nA 0v 4g 5t Alt1\nB Lau\nend\nA 47v\n")
    assert (found.points, found.chances) == ({}, [])
    assert_names(gaps_in(found), "fall 1 ", "counties of C, D")


def test_a_board_that_does_not_bring_the_points_is_doubted_and_gives_no_sources(reviewed):
    text = EXAMPLE.read_text("utf-8")
    without = re.sub(r"(?m)^(A 21v .*) Brei2$", r"\1", text)
    assert without != text
    found = reviewed(without)
    [doubt] = found.game.doubts
    assert_names(doubt.message, "A has 21 ", " 20")
    assert list(found.points) == ["winter 2"]
    assert "do not fit" in found.page()
    assert "at winter 1" in gaps_in(found)


def test_a_whole_text_says_most_and_lacks_least(reviewed):
    text = text_of_game(Experiment(players=4, policies="casual", seed=3, games=20), 5)
    found = reviewed(text)
    assert sections_of(found.page()) == [name for name in SECTIONS if name != "not-noted"]
    assert found.gaps == []


def test_the_more_is_noted_the_more_the_page_says(reviewed):
    pages = [reviewed("\n".join(REPORT.splitlines()[:count])) for count in (1, 2, 3, 4, 7)]
    said = [set(sections_of(found.page())) for found in pages]
    assert all(less <= more for less, more in pairwise(said))
    assert [len(found.gaps) for found in pages[:3]] == sorted((len(found.gaps) for found in pages[:3]), reverse=True)


@pytest.mark.parametrize(
    ("games", "count"), [(GAMES[:1], 2), pytest.param([*GAMES[1:3], *EXPANDED[:2]], 3, marks=pytest.mark.slow)]
)
def test_whatever_is_left_out_there_is_a_page(reviewed, games, count):
    rng = random.Random(count)
    for less in map(complete, games):
        for _ in range(count):
            less = knows_less(less, rng)
            assert '<section id="result">' in reviewed("\n".join(less)).page()


@pytest.mark.parametrize("changes", ["edition: 1e", "expansions: court", "changed: A7"])
def test_other_games_are_not_compared(reviewed, changes):
    found = reviewed(f"players: 4\n{changes}\nscores: 45 38 36 29\nled: A\nowned: Bremen\n")
    assert (found.standing.leader, found.start.counties, found.chances) == (None, [], [])
    page = found.page()
    assert_names(page, "No comparison with", "<td>45</td>", changes.partition(": ")[2])
    assert "would show where" not in page


def test_players_of_unequal_strength_have_no_win_probabilities(reviewed):
    text = text_of_game(Experiment(players=4, policies=["casual", "random", "casual", "casual"], seed=3, games=20), 5)
    assert "strength: unequal" in text
    found = reviewed(text)
    assert found.chances == []
    assert_names(found.page(), "No win probabilities", "differ in strength")
    assert "strength:" not in text_of_game(Experiment(players=4, policies="casual", seed=3, games=20), 5)


@pytest.mark.parametrize(
    ("line", "column", "names"),
    [
        ("scores: 45 38 36 29 26", 9, ["scores: 5 ", "4 players"]),
        ("scores: Anna x, Ben 38", 9, ['scores: "Anna x" ', "45 38 36"]),
        ("led: E", 6, ['led: "E" ', "A, B, C, D"]),
        ("A: Anna\nB: Ben\nC: Cleo\nD: Dora\nwon: Ana", 6, ['"Ana" ', "Anna, Cleo, Dora", "did you mean"]),
        ("A: Ann\nB: Ann\nwon: Ann", 6, ['won: "Ann" ', "A or B", "the letter"]),
        ("scores: 45 38 36 29\nwon: B", 6, ["won: B has 38 ", "A 45"]),
        ("led: B\nwinter 1\nA 21v\nB 15v", 6, ["led: B has 15 ", "A 21"]),
        ("scores: 45 38 36 29\nend\nA 44v", 9, ["scores: A has 45 ", "44 elsewhere"]),
        ("owned: Ben Bremn", 8, ['"Ben" ', "of a county"]),
        ("A: Ben\nowned: Ben Bremn", 12, ['"Bremn" ', "did you mean Brem"]),
        ("strength: uneven", 11, ['strength: "uneven" ', "equal, unequal, ?"]),
    ],
)
def test_what_cannot_be_in_a_report_is_named_by_line_and_column(reviewed, line, column, names):
    with pytest.raises(InputError) as raised:
        reviewed(f"players: 4\n{line}\n")
    there = [str(each) for each in raised.value.errors if re.search(rf":[0-9]+:{column}: ", str(each))]
    assert any(all(name in each for name in names) for each in there), raised.value.errors


def test_names_without_a_letter_are_doubted_beside_tables(reviewed):
    found = reviewed("players: 4\nled: Cleo\nwinter 1\nA 21v\n")
    [doubt] = found.game.doubts
    assert_names(doubt.message, 'led: "Cleo" ', "A, B, C, D", "A: Cleo")
    assert found.standing.leader is None


def test_the_counted_games_agree_with_the_register():
    """The mean of each place at casual tables of five, which the study `casual` has from other games."""
    table = dict(figures("casual.points.5p.*").select("id", "value").iter_rows())
    games = games_of(5)["casual"]
    for place, counts in enumerate(games.places):
        mean = sum(score * count for score, count in counts.items()) / games.games
        assert mean == pytest.approx(table[f"casual.points.5p.place-{place + 1}/amateur/spielbyweb"], abs=0.4)
    assert set(games_of(3)) == set(games_of(4)) == set(BOTS)
    for players in (3, 4, 5):
        for each in games_of(players).values():
            counts = [*each.places, each.margins, {lead: games for lead, (games, _) in each.leads.items()}]
            assert {sum(count.values()) for count in counts} == {source().games}


@pytest.mark.slow
def test_the_counted_games_are_those_of_their_command():
    from wallsim.api.game_review.play_scores import COMMAND, GAMES, SEED, bots_of, counts_of
    from wallsim.engine.version import ENGINE_VERSION

    command, engine, games, seed = source()
    assert (command, games, seed) == (COMMAND, GAMES, SEED)
    if engine != ENGINE_VERSION:
        pytest.skip(f"engine version {engine} counted them")
    counts = counts_of(4, *bots_of(4)["casual"], GAMES)
    stored = games_of(4)["casual"]
    assert [{int(score): count for score, count in each.items()} for each in counts["places"]] == list(stored.places)
    assert {int(lead): tuple(each) for lead, each in counts["leads"].items()} == dict(stored.leads)
