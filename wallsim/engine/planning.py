"""Planning alone, again and again, on tables of real games: what a plan costs (B2.1 to B2.3)."""

from wallsim.engine.season import open_round
from wallsim.jit import copy_record, kernel
from wallsim.policies import decide
from wallsim.rules.terms import WINTER
from wallsim.state.game import GAME_SIZE
from wallsim.state.setup import show_events


@kernel(apart=True)
def plan_rounds(game, rules, players, snapshots, times):
    """Let every seat plan every round of a game `times` times over; returns how many plans were made.

    `snapshots` are the tables of a recorded game, after set-up and after each season. The first plan of a round is the
    one that was made in the game, unless a policy needs answers of an earlier plan. No card comes to lie on a mat.
    """
    plans = 0
    for season in range(len(snapshots) - 1):
        if season % (WINTER + 1) == WINTER:
            continue
        copy_record(game, snapshots[season], GAME_SIZE)
        game.year = season // (WINTER + 1)
        game.season = season % (WINTER + 1)
        if game.season == 0:
            show_events(game)
        open_round(game, rules)
        for _ in range(times):
            for seat in range(rules.players):
                decide.choose_plan(game, rules, players.seat[seat], seat)
                plans += 1
    return plans
