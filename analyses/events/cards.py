"""Event cards forced into a round, cancelled, kept away, or kept for the winter: scenarios, counts, guesses, claims.

Further, which seats cards hit or help: what a missing grain costs by the winter's card, and whom a card in force helps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.board import load_board
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_ratio, combined
from wallsim.stats.intervals import Confidence
from wallsim.stats.screening import benjamini_hochberg, p_value
from wallsim.studies.contrasts import TURN, Contrast
from wallsim.studies.games import SEASON_OF_ROUND, Counted, Games
from wallsim.studies.outcomes import MARGIN, POINTS, SPREAD, Change, by_round, change
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scenarios import BASE, Lines, experiment_of, scenarios_played
from wallsim.studies.scope import PLAYERS, TWO_TABLES, Scope, sizes_of, three_tables
from wallsim.studies.study import Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
CARDS = load_board().events
LOSSES = {card: int(loss) for card, loss in zip(CARDS, load_board().event_loss, strict=True)}
WINTERS = {name: place for place, name in enumerate(SEASON_NAMES) if name not in ROUND_NAMES}
LAST_WINTER = list(WINTERS)[-1]
HUNGRIEST, LEAST = max(LOSSES, key=LOSSES.__getitem__), min(LOSSES, key=LOSSES.__getitem__)  # by grain in winter

# What is measured in the round of the card, of the whole table, by the column of `seasons`; and at the end of the game.
IN_ROUND = {
    "taxes": "taxes", "grain": "grain", "attacks on players": "attacks_on_players", "attacks on neutrals": "attacks",
    "revolts": "revolts", "armies deployed": "armies_deployed",
}  # fmt: skip
AT_END = (POINTS, SPREAD, MARGIN)
OF_YEAR_TWO = LEADER, LAST = "VP of year one's leader", "VP of year one's last"  # in rounds of the second year
OUTCOMES = (*IN_ROUND, *AT_END, *OF_YEAR_TWO)
IN_WINTER = {"shortages": "shortages", "counties lost to revolts": "winter_revolts_lost"}
WINTER_OUTCOMES = (*IN_WINTER, *AT_END)
YEAR_TWO = "year 2"
MOMENTS = (*ROUND_NAMES, "year 1", YEAR_TWO)
BY_ROUND, SCREEN, WINTER_LOSS = "by-round", "screen", "winter-loss"
FALSE = 0.05  # the share of false ones among the findings of the screen, at most, in expectation
# The sign that a player would guess before any game, by effect of the card.
GUESSES: dict[str, dict[str, int]] = {
    "trading_post_calms": {"revolts": -1},
    "palace_guard": {"attacks on players": -1},
    "tax_max": {"taxes": -1, "revolts": -1},
    "tax_min": {"taxes": 1},
    "grain_min": {"grain": 1},
    "grain_max": {"grain": -1},
    "neutral_guard": {"attacks on neutrals": -1, "attacks on players": 1},
    "church_peace": {"attacks on players": -1, "attacks on neutrals": 1},
    "small_levies": {"armies deployed": -1},
}


def cards_of(effect: str) -> list[str]:
    """The cards with an effect: their names add numbers in which they, or their amounts, differ."""
    return [card for card in CARDS if card.startswith(effect)]


def guess(card: str, outcome: str) -> int:
    """The sign that a player would guess: 1, -1, or 0 for none."""
    return next(signs for effect, signs in GUESSES.items() if card.startswith(effect)).get(outcome, 0)


def guessed(effect: str) -> Contrast:
    """What cards of an effect change in force, against cancelled, of what is guessed first, in that direction."""
    outcome, sign = next(iter(GUESSES[effect].items()))
    each = sign / len(cards_of(effect))
    return Contrast({f"{card} {arm}": way for card in cards_of(effect)
                     for arm, way in (("forced", each), ("cancelled", -each))}, outcome)  # fmt: skip


# What each effect is guessed to do first, in words; judged in all cells for all cards of the effect.
CLAIMS = {
    Claim("Two peasants for one lower attacks on neutrals.", "neutral_guard", 0): guessed("neutral_guard"),
    Claim("Peace of churches lowers attacks on players.", "church_peace", 0, check=True): guessed("church_peace"),
    Claim("Guards of palaces lower attacks on players.", "palace_guard", 0): guessed("palace_guard"),
    Claim("The greatest winter loss costs points against the least.", f"VP of {LEAST} less those of {HUNGRIEST}", 0,
          check=True):
        Contrast({f"{LEAST} {LAST_WINTER}": 1, f"{HUNGRIEST} {LAST_WINTER}": -1}, POINTS),
}  # fmt: skip


def changed(outcomes: Iterable[str], after: str = "forced", before: str = "cancelled") -> dict[str, Contrast]:
    """What every card changes of some outcomes, by default in force against cancelled."""
    return {f"{card} {outcome}": Contrast({f"{card} {after}": 1, f"{card} {before}": -1}, outcome)
            for card, outcome in product(CARDS, outcomes)}  # fmt: skip


def _event(to: str, when: str = TURN, **more: str) -> dict[str, str]:
    return {"do": "event", "to": to, "round": when, **more}


# Scenarios by name: each card in force in the treated round or cancelled there, kept away, and kept for a winter.
IN_FORCE: dict[str, Lines] = {
    f"{card} {arm}": lines for card in CARDS
    for arm, lines in (("forced", (_event(card),)), ("cancelled", (_event(card), _event("cancelled"))))
}  # fmt: skip
ABSENT: dict[str, Lines] = {f"{card} absent": (_event("absent", card=card), _event("cancelled")) for card in CARDS}
KEPT: dict[str, Lines] = {f"{card} {winter}": (_event(card, winter),) for card in CARDS for winter in WINTERS}
EVERY = IN_FORCE | ABSENT | KEPT


def count(games: Games) -> Mapping[str, np.ndarray]:
    """Sums over the table in the treated round and in both winters, and points at the end."""
    points, first = games.seats("vp"), games.seats("vp_year1")
    counted = {name: games.in_round(column).sum(axis=1) for name, column in IN_ROUND.items()}
    counted["attacks on neutrals"] -= counted["attacks on players"]
    counted |= {POINTS: points.mean(axis=1), SPREAD: points.std(axis=1), MARGIN: games.game("vp_margin")}
    for name, end in ((LEADER, first.max), (LAST, first.min)):
        here = first == end(axis=1, keepdims=True)
        counted[name] = (points * here).sum(axis=1) / here.sum(axis=1)
    for winter, place in WINTERS.items():
        seasons = np.full(len(points), place)
        for name, column in IN_WINTER.items():
            counted[f"{name}, {winter}"] = games.in_seasons(column, seasons).sum(axis=1)
    return counted


def measure(played: Mapping[str, Counted], players: int, table: Cell) -> Iterator[tuple[Key, Value]]:
    """What every card changes as the loss of a winter against the mean card, at the tables."""
    for winter, outcome in product(WINTERS, WINTER_OUTCOMES) if table in TWO_TABLES else ():
        column = f"{outcome}, {winter}" if outcome in IN_WINTER else outcome
        mean = np.mean([played[f"{card} {winter}"][column] for card in CARDS], axis=0)
        for card in CARDS:
            key = Key(WINTER_LOSS, f"{card} {outcome}", players, table, winter)
            yield key, change(mean, played[f"{card} {winter}"][column])


def follows(values: Mapping[Key, Value]) -> Iterator[tuple[Key, Value]]:
    """The grain that each card takes; and how many changes by round differ from 0, of each card and of all.

    Those are found by the method of Benjamini and Hochberg.
    """
    yield from ((Key("grain-lost", card), Number(loss)) for card, loss in LOSSES.items())
    changes = {key: each.estimate for key, each in values.items()
               if key.quantity == BY_ROUND and isinstance(each, Change)}  # fmt: skip
    adjusted = benjamini_hochberg([p_value(each, Confidence()) for each in changes.values()])
    hits = Counter(key.item.split()[0] for key, p in zip(changes, adjusted, strict=True) if p <= FALSE)
    counts = {**{card: hits[card] for card in CARDS}, "found": hits.total(), "tested": len(changes)}
    yield from ((Key(SCREEN, name, PLAYERS), Number(number)) for name, number in counts.items())


# Seats that cards hit or help.
PARTS = {"vp": 1.0, "win": 100.0}  # outcomes with their factors: wins in per cent
LOW, HIGH = -6, 1  # margins, grain after the loss less counties; those beyond count as the last
AMOUNTS = tuple(sorted(set(LOSSES.values())))  # grain that some card takes
RESERVES = tuple(range(1, max(AMOUNTS) + 1))  # grain beyond the counties, before the loss; more is never asked for
# What happens in a winter, by quantity and item, as it is counted.
MISSING = {f"{-value} missing" if value <= 0 else "spare": f"margin {value}" for value in range(HIGH, LOW - 1, -1)}
KINDS = {"grain-less": {f"loss of {amount}": f"loss {amount}" for amount in AMOUNTS}, "grain-missing": MISSING}
MARGIN_WORDS = {**{item: item for item in MISSING}, "spare": "some to spare", "0 missing": "just enough",
                f"{-LOW} missing": f"{-LOW} missing or more"}  # fmt: skip
# What a seat may have most or least of at its table, when the round begins, by the column of `seasons` that has it.
HOLDINGS = {
    "points": "vp_with_board", "counties": "counties", "palaces": "palaces", "churches": "churches",
    "trading posts": "trading_posts", "armies": "armies", "Thalers": "thalers",
}  # fmt: skip
ENDS = ("most", "fewest")
# The scenarios of grain: as it is, and one grain less for the treated seat before the loss of each winter.
GRAIN: dict[str, Lines] = {"as it is": BASE} | {
    f"one grain less, {winter}": ({"do": "hand", "grain": -1, "seat": TURN, "round": winter},) for winter in WINTERS
}
# Blocks of each of three tables, at most and in a quick look; for habits while a card lies open sets of six blocks.
BLOCKS = {"grain": (200, 24), "holdings": (192, 12), "open": (156, 1)}


def tables_of(scope: Scope, what: str) -> Scope:
    """The three tables that are played, and their blocks."""
    return three_tables(scope, *BLOCKS[what])


def play(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Estimate]]:
    """Play the scenarios at every table with every number of players, and measure what grain and cards bring."""
    for what, scenarios, count, counted, measured in (
        ("grain", GRAIN, count_grain, "grain in winter", grain_of),
        ("holdings", IN_FORCE, count_holders, "cards by standing and holding", holders_of),
    ):
        tables = tables_of(scope, what)
        for players, table in product(sizes_of(scope), tables.tables):
            experiment = experiment_of(EXPERIMENT, table, players)
            played = scenarios_played(experiment, scenarios, tables.baseline, count, storage, seasons=True,
                                      counted=counted)  # fmt: skip
            yield from measured(dict(played), players, table)


def count_grain(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's points and wins in games in which its winter was of some kind, and how many these are.

    Kinds are the loss of the card, and the margin of the seat: its grain after the loss less its counties.
    """
    outcomes = {name: factor * games.treated(games.seats(name)) for name, factor in PARTS.items()}
    losses = np.array(list(LOSSES.values()))
    counted: Counted = {}
    for year, (winter, place) in enumerate(WINTERS.items(), start=1):
        fall = np.full(len(games.numbers), place - 1)
        loss = losses[games.game(f"winter_event_year{year}").astype(int)]
        held, counties = (games.treated(games.in_seasons(name, fall)) for name in ("grain_held", "counties"))
        margin = np.clip(held - loss - counties, LOW, HIGH)
        kinds = {f"loss {amount}, {winter}": loss == amount for amount in AMOUNTS}
        counted |= {f"short {kind}": 100.0 * (fits & (margin < 0)) for kind, fits in kinds.items()}
        kinds |= {f"margin {each}, {winter}": margin == each for each in range(LOW, HIGH + 1)}
        for kind, fits in kinds.items():
            counted[kind] = fits.astype(float)
            counted |= {f"{name} {kind}": values * fits for name, values in outcomes.items()}
    return counted


def grain_of(played: Mapping[str, Counted], players: int, table: Cell) -> Iterator[tuple[Key, Estimate]]:
    """What one grain less before the loss changes for a seat at a table, by winter, by the loss and by the margin.

    The reserve is what the grain of some number beyond one for each county brings before the card is known: the mean
    over the twelve cards. Short are the seats that lack grain by the loss, in per cent.
    """
    base = played["as it is"]
    for winter in WINTERS:
        after, found = played[f"one grain less, {winter}"], {}
        for name, (quantity, kinds) in product(PARTS, KINDS.items()):
            for item, kind in kinds.items():
                found[name, kind] = by_case(base, after, name, f"{kind}, {winter}")
                yield Key(f"{quantity}-{name}", item, players, table, winter), found[name, kind]
        for item, kind in KINDS["grain-less"].items():
            short = block_ratio(by_round(base[f"short {kind}, {winter}"]), by_round(base[f"{kind}, {winter}"]))
            yield Key("grain-short", item, players, table, winter), short
        for reserve in RESERVES:
            # With the grain the margin is the reserve less the loss; without it one less.
            parts = [found["vp", f"margin {max(LOW, min(HIGH, reserve - loss))}"] for loss in LOSSES.values()]
            key = Key("grain-reserve", f"grain {reserve}", players, table, winter)
            yield key, combined([-1 / len(parts)] * len(parts), parts)


def by_case(before: Counted, after: Counted, name: str, kind: str) -> Estimate:
    """The mean change of an outcome in cases of a kind."""
    return block_ratio(by_round(after[f"{name} {kind}"] - before[f"{name} {kind}"]), by_round(before[kind]))


def count_holders(games: Games) -> Mapping[str, np.ndarray]:
    """Points of the seats with most or fewest of something when the treated round began, and how many these are.

    They are summed up above the mean of the table. Nobody is either where all have as much, and in the first round.
    """
    points = games.seats("vp")
    points = points - points.mean(axis=1, keepdims=True)
    starts, counted = SEASON_OF_ROUND[games.numbers // games.players % len(ROUND_NAMES)], {}
    for holding, column in HOLDINGS.items():
        had = games.in_seasons(column, np.maximum(starts - 1, 0))
        low, high = had.min(axis=1, keepdims=True), had.max(axis=1, keepdims=True)
        differ = (low < high) & (starts > 0)[:, None]
        for end, bound in zip(ENDS, (high, low), strict=True):
            fits = (had == bound) & differ
            counted[f"{end} {holding}"] = fits.sum(axis=1).astype(float)
            counted[f"vp {end} {holding}"] = (points * fits).sum(axis=1)
    return counted


def holders_of(played: Mapping[str, Counted], players: int, table: Cell) -> Iterator[tuple[Key, Estimate]]:
    """What each card changes for such seats above what it changes for their table, the card in force or cancelled."""
    for card, holding, end in product(CARDS, HOLDINGS, ENDS):
        key, (forced, cancelled) = f"{end} {holding}", (played[f"{card} {arm}"] for arm in ("forced", "cancelled"))
        yield Key("card-by-holding", f"{card} {key}", players, table), by_case(cancelled, forced, "vp", key)
