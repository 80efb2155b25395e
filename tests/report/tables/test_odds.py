"""What is printed of a battle's odds: every number with its interval, and its assumptions."""

import pytest
from rich.console import Console

from tests.refusals import assert_names
from wallsim.analysis.battle.odds import Battle, Cubes, battle_odds, odds_table
from wallsim.report.tables.odds import print_battle, print_grid
from wallsim.rules.tower import load_tower

BATTLE = Battle(4, 2, tray=Cubes(0, 0, 1, 2), tower=Cubes(3, 2, 3, 5))


def printed(name, battle, **how):
    """A battle's odds, and what is printed of them."""
    console, tower = Console(width=110), load_tower(name)
    odds = battle_odds(tower, battle, **how)
    with console.capture() as captured:
        print_battle(console, tower, battle, odds, how.get("seed", 1))
    return odds, captured.get()


def test_exact_odds_are_printed_without_intervals():
    odds, text = printed("spielbyweb", BATTLE)
    means = (odds.attackers_if_won, odds.attackers_left, odds.defenders_if_held, odds.defenders_left)
    assert_names(text, "Exact", *(f"{100 * each:.1f} %" for each in (odds.win, odds.tie, odds.lose)))
    assert_names(text, *(f"{mean:.2f}" for mean in means))
    assert "95 %" not in text
    assert_names(text.splitlines()[0], "4 armies against 2", "player", "peasants join")
    assert ["in", "the", "tower", "3", "2", "3", "5"] in [line.split() for line in text.splitlines()]


def test_simulated_odds_are_printed_with_intervals_battles_and_seed():
    odds, text = printed("spielbyweb-layered", BATTLE, battles=1500, seed=6)
    chances = (f"{100 * low:.1f}–{100 * high:.1f}" for low, high in map(odds.intervals.get, ("win", "tie", "lose")))
    low, high = odds.intervals["attackers_if_won"]
    assert_names(text, *chances, f"{low:.2f}–{high:.2f}", "1,500 battles", "seed 6", "floors")


@pytest.mark.parametrize(
    ("battle", "names", "missing"),
    [
        (Battle(1, 1, peasants_join=False), ("1 army against 1 army", "player", "peasants stand"), "?"),
        (Battle(3, 1, "neutral"), ("3 armies against 1 peasant", "neutral"), "of the defender"),
        (Battle(2, 3, "revolt"), ("2 peasants against 3 armies", "revolt"), "of the attacker"),
    ],
)
def test_battles_are_called_what_they_are_and_peasants_never_stay(battle, names, missing):  # B6.9 B6.10
    text = printed("spielbyweb", battle)[1]
    assert_names(text.splitlines()[0], *names)
    assert missing not in text


def test_a_grid_has_a_line_for_each_number_of_attackers():
    for name, words in (("spielbyweb", "Exact"), ("mid-urn", "at most")):
        tower = load_tower(name)
        table = odds_table(tower, (2, 4), (1, 2, 3), BATTLE, battles=400)
        console = Console(width=110)
        with console.capture() as captured:
            print_grid(console, tower, BATTLE, table)
        text = captured.get()
        row = table.filter(attackers=4, defenders=2).row(0, named=True)
        cell = " / ".join(f"{100 * row[chance]:.0f}" for chance in ("win", "tie", "lose"))
        line = next(line for line in text.splitlines() if line.split()[:1] == ["4"])
        assert cell in line
        assert line.count("/") == 6
        assert words in text
