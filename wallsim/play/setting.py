"""A setting: board, rules and tower without players, prepared once and used by many tables of policies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.errors import InputError
from wallsim.experiment.components import illegal_answer
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import Policy, pack_players
from wallsim.rules.record import pack_rules
from wallsim.rules.script import pack_script


class Setting:
    """Board, rules and tower of an experiment; its policies, games and seed are not used.

    Line-ups can be dealt in as many ways as there are seats: `shift` k gives seat s the line-up that seat s + k has in
    the experiment, so that over all shifts every seat has every line-up once.
    """

    def __init__(self, experiment: Experiment) -> None:
        """Prepare the compiled rules, once for each way of dealing the line-ups."""
        parts = experiment.components()
        self.experiment = experiment
        self._board, self._ruleset = parts.board, parts.ruleset
        self.seats = parts.ruleset.players
        letters = parts.ruleset.letters()
        dealt = [letters[shift:] + letters[:shift] for shift in range(self.seats)]
        self._lineups = dealt if letters[0] else [letters]
        rulesets = [replace(parts.ruleset, lineups=way if way[0] else ()) for way in self._lineups]
        self._rules = [pack_rules(parts.board, ruleset, parts.tower) for ruleset in rulesets]
        self._scripts = [pack_script(parts.interventions, parts.board, way) for way in self._lineups]

    def lineups(self, shift: int = 0) -> tuple[str, ...]:
        """The line-up of each seat under a shift; empty strings in a draft."""
        return self._lineups[shift % len(self._lineups)]

    def arena(self, policies: Sequence[Policy], seed: int, shift: int = 0, *, checked: bool = False) -> Arena:
        """The compiled arena with one policy per seat.

        `checked`: check every answer of a custom policy against the rules, and its indices. ValueError if the number of
        policies is not the number of seats, PolicyError if the functions of a policy cannot be compiled.
        """
        if len(policies) != self.seats:
            raise ValueError(f"{len(policies)} policies for {self.seats} seats")
        return self.arena_of(pack_players(list(policies), bounded=checked), seed, shift, checked=checked)

    def arena_of(self, players: np.ndarray, seed: int, shift: int = 0, *, checked: bool = False) -> Arena:
        """The same for policies that are packed already (`seat_minds`), which many arenas may share."""
        way = shift % len(self._rules)
        return Arena(self._rules[way], players, seed, checked=checked, script=self._scripts[way])

    def illegal_answer(self, error: IllegalAnswerError, policies: Sequence[Policy]) -> InputError:
        """The InputError for an illegal answer of one of these policies, one policy per seat."""
        return illegal_answer(error, policies, self._board)

    def check_custom_policies(self, policies: Iterable[Policy], seed: int) -> None:
        """Play two checked games of each custom policy in all seats, in a process of their own if it is new.

        InputError if it gives an illegal answer, ends that process or plays otherwise there.
        """
        custom = [policy for policy in policies if policy.answers]
        if custom:
            from wallsim.play.custom_checks import Trial, trial_key, try_policies

            def arena(seated: Sequence[Policy], checked: bool) -> Arena:
                return self.arena(seated, seed, checked=checked)

            ruleset, board = self._ruleset, self._board
            try_policies([
                Trial([policy] * self.seats, arena, board, trial_key([policy], ruleset, board)) for policy in custom
            ])  # fmt: skip
