"""The loaded components of an experiment: board, ruleset, tower and the policy of each seat; and their identity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError
from wallsim.experiment.identity import engine_version
from wallsim.experiment.setup_keys import SWITCH_NAMES
from wallsim.policies.catalogue import Policy, pack_mind, pack_players, seat_minds
from wallsim.rules.provenance import assumed_figures, other_sources
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset
from wallsim.rules.tower import TowerModel

if TYPE_CHECKING:
    import numpy as np

    from wallsim.engine.arena import Arena
    from wallsim.engine.illegal_answer import Breach, IllegalAnswer, IllegalAnswerError
    from wallsim.rules.board import Board
    from wallsim.rules.intervention_step import Step

# The fields of a ruleset that every identity names: those declared up to version 0.7. One declared later counts only
# where it differs from its default, so that a new switch leaves every hash as it was. Nothing is ever added here.
HASHED_FIELDS = frozenset(
    [
        "players",
        "setup",
        "lineups",
        "edition",
        "expansions",
        "food_track",
        "bank",
        "draft_start",
        "money_bid",
        "income",
        "short_supply",
        "combat",
        "few_peasants",
        "final_tie",
        "statues_a_county",
        "single_county",
        "statue_points",
        "stood_aside",
        "few_cards",
        "palace_guard_in_revolts",
        "revolting_markers",
    ]
)
TRIAL_GAMES = 2  # games in which custom policies are checked before anything is written


@dataclass(frozen=True)
class Components:
    """Board, ruleset, tower, and one policy per seat: everything that decides a game except its seed and number.

    Instead of `policies`, `tables` of policies may take turns, each for a `block` of games; then a seat whose policy
    in `policies` has answers of its own has them at every table.
    """

    board: Board
    ruleset: Ruleset
    tower: TowerModel
    policies: tuple[Policy, ...]
    interventions: tuple[Step, ...] = ()
    tables: tuple[tuple[Policy, ...], ...] = ()
    block: int | None = None

    def arena(self, seed: int, *, checked: bool = False) -> Arena:
        """The compiled arena with these components; PolicyError if the functions of a policy cannot be compiled.

        `checked`: check every answer of a custom policy against the rules, and its indices.
        """
        from wallsim.engine.arena import ENDLESS, Arena  # imports the compiler, which is needed only to play
        from wallsim.rules.record import pack_rules
        from wallsim.rules.script import pack_script

        rules = pack_rules(self.board, self.ruleset, self.tower)
        script = pack_script(self.interventions, self.board, self.ruleset.letters())
        players, block = self._players(checked), self.block or ENDLESS
        return Arena(rules, players, seed, checked=checked, script=script, block=block)

    def _players(self, bounded: bool) -> np.ndarray:
        """The PLAYERS array of the seats, or of all tables."""
        if not self.tables:
            return pack_players(list(self.policies), bounded=bounded)
        import numpy as np

        minds: dict[tuple[int, str], np.ndarray] = {}
        for table in self.tables:
            for seat, (policy, own) in enumerate(zip(table, self.policies, strict=True)):
                if (seat, policy.name) not in minds:
                    seated = replace(policy, answers={**policy.answers, **own.answers}, code=policy.code + own.code)
                    minds[seat, policy.name] = pack_mind(seated, bounded=bounded)
        return np.concatenate([seat_minds([minds[seat, one.name] for seat, one in enumerate(t)]) for t in self.tables])

    def names(self) -> tuple[str, ...]:
        """The name of each seat's policy."""
        return tuple(policy.name for policy in self.policies)

    def illegal_answer(self, error: IllegalAnswerError) -> InputError:
        """The InputError for an illegal answer, with the names of the board and the policies."""
        return illegal_answer(error, self.policies, self.board)

    def settings(self) -> list[str]:
        """What is not the default, in words: board, tower, edition, rules, amounts, set-up and interventions."""
        from wallsim.rules.other_settings import other_settings_of  # loads NumPy, which lists do without

        return other_settings_of(self.ruleset, self.board, self.tower, self.interventions)

    def assumed(self) -> list[str]:
        """The numbers in use that the board's files mark as assumed: line-ups and cards of the expansions."""
        return assumed_figures(self.board, self.ruleset)

    def sources(self) -> list[str]:
        """The sources, other than the rulebook, that the files name for the cards of the expansions in play."""
        return other_sources(self.board, self.ruleset)


def illegal_answer(error: IllegalAnswerError, policies: Sequence[Policy], board: Board) -> InputError:
    """The InputError for an illegal answer; `policies` has one policy per seat, `board` the names of counties."""
    problem: IllegalAnswer | Breach = error.args[0]
    own = ", ".join(dict.fromkeys(policy.name for policy in policies if policy.answers))
    name = policies[problem.seat].name if 0 <= problem.seat < len(policies) else own
    return InputError(problem.text(name, county_names(board)))


def county_names(board: Board) -> Callable[[int], str]:
    """The name of each county by its number; a policy may also name one that there is not."""
    return lambda county: board.counties[county] if 0 <= county < len(board.counties) else f"county {county}"


def interventions_identity(parts: Components) -> dict[str, Any]:
    """The part of an identity that describes the interventions."""
    # Without interventions, or with none that change anything, a run is the run that it was before there were any.
    steps = [step.words() for step in parts.interventions if not step.is_null]
    return {"interventions": steps} if steps else {}


def _edits_identity(ruleset: Ruleset) -> dict[str, Any]:
    # Without edits of set-up or amounts a run is the run that it was before there were any.
    edits = {
        "amounts": dict(ruleset.amounts),
        "thalers": dict(ruleset.thalers),
        "without": sorted(ruleset.without),
        "lineup": {letter: [list(group) for group in groups] for letter, groups in ruleset.lineup_edits},
    }
    return {key: value for key, value in edits.items() if value}


def table_identity(parts: Components) -> dict[str, Any]:
    """The part of an identity that describes the table: engine, rules, board and tower."""
    default = Ruleset()
    switches = {
        name: getattr(parts.ruleset, name)
        for name in FIELD_NAMES
        if name in HASHED_FIELDS or getattr(parts.ruleset, name) != getattr(default, name)
    }
    return {
        "engine_version": engine_version(),
        **switches,
        **_edits_identity(parts.ruleset),
        "lineups": list(parts.ruleset.letters()),
        "expansions": list(parts.ruleset.expansions),
        "combat": parts.ruleset.options()["A7"],
        "board": parts.board.digest,
        "tower": parts.tower.numbers(),
    }


def experiment_values(facts: Mapping[str, Any], tower: str, board: str | None) -> dict[str, Any]:
    """The values by key of the experiment with this identity, without policies, games and tables.

    `tower` and `board` are a name or paths, of which an identity has only digests and numbers. It also leaves out a
    switch that was declared after version 0.7 and has its default.
    """
    return {
        "players": facts["players"],
        "setup": facts["setup"],
        "lineups": [letter for letter in facts["lineups"] if letter],
        "edition": facts["edition"],
        "expansions": list(facts["expansions"]),
        "seed": facts["seed"],
        "tower": tower,
        "board": board,
        "rules": {name: facts[name] for name in SWITCH_NAMES if name in facts},
        "amounts": dict(facts.get("amounts", {})),
        "thalers": dict(facts.get("thalers", {})),
        "without": list(facts.get("without", [])),
        "lineup": {letter: dict(groups) for letter, groups in facts.get("lineup", {}).items()},
        "interventions": list(facts.get("interventions", [])),
    }
