"""The ruleset: which game is played. Every open point of the rulebooks ([A1] ... [A16]) is a named field."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

from wallsim.errors import refuse_twice
from wallsim.rules.amounts import PRINTED, amount_errors, start_thalers_name
from wallsim.rules.terms import EXPANSIONS, MAX_PLAYERS

LETTERS = "ABCDE"
EDITS = (
    "thalers",
    "without",
    "lineup_edits",
    "amounts",
)  # fields that are part of an identity only where they are used
_LARGEST_BANK = 10_000  # more than ever comes into play


@dataclass(frozen=True)
class Switch:
    """A point on which the rulebooks are silent or differ: its ledger mark, rule number, field and meaning.

    `other` is what its other setting brings, as a player would say it.
    """

    mark: str
    rule: str
    field: str
    meaning: str
    other: str


SWITCHES = (
    Switch(
        "A1", "B0.6", "food_track", "`capped`: grain above 18 is lost; `open`: it is not", "a food track without a top"
    ),
    Switch(
        "A2",
        "B0.7",
        "bank",
        "0: the bank never runs out; else the Thalers in the game, bank and players together (160 in the box)",
        "a bank that can run out",
    ),
    Switch("A3", "B1.4", "draft_start", "`random` seat drafts first, or `seat_0`", "a draft that the first seat opens"),
    Switch(
        "A4",
        "B3.4",
        "money_bid",
        "`held`: no bid above the Thalers held when planning; "
        "`any`: any money card, counting as 0 where it cannot be paid",
        "bids beyond the Thalers held",
    ),
    Switch(
        "A5",
        "B5.5",
        "income",
        "`first`: income comes before the revolt; `if_held`: only if the county is held",
        "income from held counties alone",
    ),
    Switch(
        "A6",
        "B5.6",
        "short_supply",
        "`action_number`: the action's number must be in the supply, bonuses come as "
        'far as it goes; `all`, the letter of "deploy 6/4/2" (M2): bonuses too must be there, else it is skipped',
        "no bonus armies from a short supply",
    ),
    Switch(
        "A7",
        "B5.8",
        "combat",
        "`must`: at least one army moves or attacks if it can, in both editions; "
        "`may`: a combat/movement card may be declined",
        "combat cards that may be declined",
    ),
    Switch(
        "A8",
        "B6.3",
        "few_peasants",
        "`limited`: as many peasants as the common supply has; `all_or_none`: none unless it has them all",
        "peasants that come all or none",
    ),
    Switch(
        "A9", "B7.6", "final_tie", "`thalers`, then shared; or `shared` at once", "final ties that are shared at once"
    ),
    Switch(
        "A10",
        "M3",
        "statues_a_county",
        "`any` number of an owner's statues in a county, or `one`",
        "one statue a county at most",
    ),
    Switch(
        "A11",
        "M3",
        "single_county",
        "a leader whose owner has one county `stays` there, or `leaves` the board",
        "a leader that leaves a single county",
    ),
    Switch(
        "A12",
        "M5",
        "statue_points",
        "statues and trophies score in `each_winter`, or once, `at_the_end`",
        "statues that score at the end alone",
    ),
    Switch(
        "A13",
        "V5",
        "stood_aside",
        "where only peasants defended a player's county with success: `count`: armies that stood aside hold it; "
        "`do_not_count`: a tie, whatever stood aside",
        "armies that stand aside without counting",
    ),
    Switch(
        "A14",
        "B3.2",
        "few_cards",
        "with five counties or fewer: `actions_first`: no bid, all cards lie on the other boxes; "
        "`any_box`: which boxes stay empty is free",
        "free boxes for few cards",
    ),
    Switch(
        "A15",
        "B6.4",
        "palace_guard_in_revolts",
        "`no`: the palace event's extra army defends against players only; `yes`: also in revolts",
        "palace guards in revolts too",
    ),
    Switch(
        "A16",
        "B5.5",
        "revolting_markers",
        "in the first edition, one peasant revolts for each marker there `before`, or `with_own`: one more for the "
        "marker about to be placed",
        "revolts that count the new marker",
    ),
)


@dataclass(frozen=True)
class Ruleset:
    """One way to play: edition, expansions, set-up, and the open points. Compare and hash by value.

    `expansions` names those in play, in the order of `EXPANSIONS` (the Emperor's Court, the Landsknechte, the military
    leaders; chapters E, L and M). `lineups` names the line-up of each seat by letter; empty means A, B, C ... by
    seat (B1.3). The set-up `deal` is none of the books': counties and army groups are dealt at random.

    The next fields edit the set-up: `thalers` are pairs of a seat ("0") or a line-up ("A") and its starting
    Thalers (B1.1), `without` the names of counties out of play besides those of B0.1, and `lineup_edits` pairs of a
    letter and its counties with their armies, in place of the printed line-up (B1.3). Empty, they change nothing. They
    are checked with the board, by `wallsim.rules.setup_edits`. `amounts` are pairs of a name of
    `wallsim.rules.amounts` and a number other than the printed one.
    """

    players: Literal[3, 4, 5] = 4
    setup: Literal["lineup", "draft", "deal"] = "lineup"
    lineups: tuple[str, ...] = ()
    edition: Literal["2e", "1e"] = "2e"
    expansions: tuple[str, ...] = ()
    food_track: Literal["capped", "open"] = "capped"
    bank: int = 0
    draft_start: Literal["random", "seat_0"] = "random"
    money_bid: Literal["held", "any"] = "held"
    income: Literal["first", "if_held"] = "first"
    short_supply: Literal["action_number", "all"] = "action_number"
    combat: Literal["must", "may"] = "must"
    few_peasants: Literal["limited", "all_or_none"] = "limited"
    final_tie: Literal["thalers", "shared"] = "thalers"
    statues_a_county: Literal["any", "one"] = "any"
    single_county: Literal["stays", "leaves"] = "stays"
    statue_points: Literal["each_winter", "at_the_end"] = "each_winter"
    stood_aside: Literal["count", "do_not_count"] = "count"
    few_cards: Literal["actions_first", "any_box"] = "actions_first"
    palace_guard_in_revolts: Literal["no", "yes"] = "no"
    revolting_markers: Literal["before", "with_own"] = "before"
    thalers: tuple[tuple[str, int], ...] = ()
    without: tuple[str, ...] = ()
    lineup_edits: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    amounts: tuple[tuple[str, int], ...] = ()

    def errors(self) -> list[tuple[str, Any, str]]:
        """What is wrong with the fields: (field, value, what is allowed), empty for a sound ruleset."""
        errors = []
        for name, hint in get_type_hints(type(self)).items():
            value, choices = getattr(self, name), get_args(hint)
            if name not in ("lineups", "bank", "expansions", *EDITS) and (
                value not in choices or isinstance(value, bool)
            ):
                errors.append((name, value, "one of " + ", ".join(map(str, choices))))
        if (
            isinstance(self.bank, bool)
            or not isinstance(self.bank, int)
            or not (self.bank == 0 or 100 <= self.bank <= _LARGEST_BANK)
        ):
            errors.append(("bank", self.bank, f"0 (never runs out) or 100 to {_LARGEST_BANK} Thalers"))
        if tuple(name for name in EXPANSIONS if name in self.expansions) != tuple(self.expansions):
            allowed = f"some of {', '.join(EXPANSIONS)}, each once and in this order"
            errors.append(("expansions", list(self.expansions), allowed))
        errors += [(f"amounts.{name}", value, allowed) for name, value, allowed in amount_errors(self.amounts)]
        if not errors and self.lineups:
            allowed = LETTERS[: self.players]
            if self.setup != "lineup":
                errors.append(("lineups", list(self.lineups), f"empty, as it must be with the set-up {self.setup}"))
            elif sorted(self.lineups) != list(allowed):
                errors.append(("lineups", list(self.lineups), f"each of {', '.join(allowed)} once"))
        return errors

    def letters(self) -> tuple[str, ...]:
        """The line-up letter of each seat (B1.3); in a draft or a deal an empty string for each."""
        if self.setup != "lineup":
            return ("",) * self.players
        return self.lineups or tuple(LETTERS[: self.players])

    def starting_thalers(self) -> tuple[int, ...]:
        """The Thalers with which each seat begins (B1.1); those of a line-up go with its letter."""
        edited, printed = dict(self.thalers), self.amount(start_thalers_name(self.players))
        return tuple(edited.get(str(seat), edited.get(letter, printed)) for seat, letter in enumerate(self.letters()))

    def amount(self, name: str) -> int:
        """The number that is played with for an amount, by its name."""
        return dict(self.amounts).get(name, PRINTED[name])

    def options(self) -> dict[str, Any]:
        """Every [A...] switch by its mark, as it is played and as a trace names it."""
        return {switch.mark: getattr(self, switch.field) for switch in SWITCHES}


FIELD_NAMES = tuple(field.name for field in fields(Ruleset) if field.name not in EDITS)
refuse_twice("switches", (switch.mark for switch in SWITCHES))
refuse_twice("switches", (switch.field for switch in SWITCHES))
assert MAX_PLAYERS == len(LETTERS)
