"""The zoo: what does every policy do, how different are the policies, and how does each perform against `balanced`?

Method. A block is a game number, with the same seed and so the same cards, events and openings for all policies. Every
policy of `data/policies` is measured at two tables: in all seats of that of `experiment.toml`, and alone among the
baseline, in each seat and so with each line-up once; the second is played in the draft too, and so is the table of the
baseline alone. What a policy does is measured among copies of itself, its share of wins alone among the baseline.
Estimates are ratios of sums over blocks, with Student's t intervals from the spread of the blocks. The intervals of a
table hold simultaneously with 95 % (Bonferroni). Openings and doubtful moves are those of the first games among copies
of itself, in which a block is a game. Two policies are called plainly different if in some measure the interval of
their standardised difference (Cohen's d, from one seat's game to another's) lies beyond 0.8, where the intervals of all
pairs and measures hold simultaneously. Runs lie in folders below the one named, so that an interrupted study resumes;
games of openings and doubtful moves are played anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, combinations, groupby
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analyses.zoo import doubtful
from wallsim.analysis.behaviour import profiles
from wallsim.analysis.behaviour.measures import RESULT, WINS, Measure, measures_of
from wallsim.analysis.behaviour.profiles import Behaviour, behaviour_of_runs
from wallsim.analysis.behaviour.tables import Openings, openings_of
from wallsim.analysis.claims.cells import MIDDLING, SETUPS, Cell, command_name, default_plays, named
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.markdown import markdown_table
from wallsim.play.play import play_run
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.exploitability import Exploited, load_exploitability
from wallsim.report.figures.style import INK, styled
from wallsim.report.tables.estimates import NOTHING, ends, in_words, measured_words, number
from wallsim.rules.terms import TILES
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figures, slug
from wallsim.studies.finding import RESTS_ON, Finding, bots_of
from wallsim.studies.grids import Grid, Line, Show, estimate, held_together, sure_of, value
from wallsim.studies.quantities import About, InFamily, Key, Number, Quantity, Value
from wallsim.studies.study import Choices, Option, Storage, Study
from wallsim.studies.table_captions import few

EXPERIMENT = Path(__file__).with_name("experiment.toml")
POLICIES = Option("policies", "", "comma-separated policies, instead of all that do not search")
KINDS = {play.name: play.policy for play in default_plays()[1:]}  # without the weak one
PLAYERS, BASELINE = 4, KINDS[MIDDLING]  # those of the experiment
LINEUP, DRAFT = (Cell("", "", setup) for setup in SETUPS)
OPENING_GAMES = 1_000  # at most
# Measures of each quantity and their headings, all among copies of itself: the first table; time, money, order and the
# leader; and which tile the first to choose takes.
COLUMNS: dict[str, dict[str, str]] = {
    "alike": {
        "attacks on players": "attacks on players", "attacks on neutrals": "on neutrals",
        "success against players": "success on players, %", "counties": "counties", "buildings": "buildings",
        "built in year two": "in year two, %", "Thalers bid": "Thalers bid per round",
        "grain to spare": "grain to spare", "shortages": "shortages", "revolts": "revolts",
    },
    "more": {
        "built per round": "built per round", "cards without money": "cards without money",
        "Thalers after the last fall": "Thalers after the last fall", "free sites": "free sites then",
        "armies behind combats": "armies behind combats, %", "attacks on the leader": "attacks on the leader, %",
    },
    "first-choice": {f"first choice {tile}": f"{tile}, %" for tile in (name.replace("_", " ") for name in TILES)},
}  # fmt: skip
# What the picture shows: more of the same kinds, and wins.
DRAWN = (
    "attacks on players", "attacks on neutrals", "success against players", "armies deployed", "counties", "buildings",
    "built in year two", "free sites", "Thalers bid", "place", "Thalers after the last fall", "cards without money",
    "armies behind combats", "attacks on the leader", "grain to spare", "shortages", "revolts", WINS,
)  # fmt: skip


@cache
def measures() -> Mapping[str, Measure]:
    """The measures of the experiment's games by name."""
    home = load_experiment(EXPERIMENT)
    return {each.name: each for each in measures_of(home.edition, home.expansions)}


def _compared() -> int:  # measures of actions, not of results
    return sum(measure.group != RESULT for measure in measures().values())


def _unit(key: Key) -> str:
    return measures()[key.item.partition(" ")[2]].unit or "number"


ITSELF = "among copies of itself"
FIRST, SECOND = (partial(Quantity, together=(), family=f"{name} table") for name in ("first", "second"))
QUANTITIES = (
    Quantity("games", "games played", "games"),
    FIRST("alike", f"{{rest}} of {{first}} {ITSELF}", _unit),
    SECOND("more", f"{{rest}} of {{first}} {ITSELF}", _unit),
    Quantity("first-choice", f"{{rest}} of {{first}} {ITSELF}", _unit, together=()),
    FIRST("alike-draft", f"{{rest}} of {{first}} {ITSELF} in the draft", _unit),
    # The wins of the baseline stand for themselves, for the same in the draft, and for those of its row in the draft.
    FIRST("wins", f"wins of one seat of {{first}} among {BASELINE}", _unit, 100 / PLAYERS,
          among=lambda key: 3 if slug(key.item) == slug(f"{BASELINE} {WINS}") else 1),
    SECOND("openings", f"entropy of a seat's first plan, {{item}} {ITSELF}", "bits", n_unit="games"),
    SECOND("openings-at-least", f"entropy of a seat's first plan, {{item}} {ITSELF}: at least", "bits"),
    SECOND("openings-repeated", f"chance that a further game opens with one of these plans, {{item}} {ITSELF}", "%",
           n_unit="games"),
    Quantity("opening-games", "games whose openings are compared", "games"),
    Quantity("distance", "{first} less {rest}, standardised, in the measure in which they differ most: {about}", "SD",
             null=0, together=(), among=lambda _: _compared(), shown="claims"),
    Quantity("plainly-different", "1 if {first} and {rest} are plainly different in some measure, else 0",
             "yes or no", shown="claims"),
    Quantity("picture", "{rest} of {first}", _unit, shown="picture"),
    Quantity("apart", f"{{rest}} of {{first}} less {BASELINE}, standardised", "SD", shown="picture"),
    Quantity("best-response", "wins of the best response found, one seat among {item}", "%",
             lambda key: 100 / key.players, ("players", "item")),
    *doubtful.QUANTITIES,
)  # fmt: skip


class Design(NamedTuple):
    """The policies, and the game numbers, None for those of the experiment."""

    policies: tuple[str, ...]
    games: int | None

    def order(self) -> list[str]:
        """The policies in the order of the tables, the baseline first."""
        return list(dict.fromkeys([BASELINE, *self.policies]))


def design(choices: Choices) -> Design:
    """What is played: by default all policies but those that search. InputError for an unknown one."""
    names = choices.listed(POLICIES) or [name for name in policy_names() if load_policy(name).search is None]
    for name in names:
        experiment_of(choices.games, name)  # raises for an unknown one
    return Design(tuple(names), choices.games)


def experiment_of(games: int | None, policies: str | list[str] = BASELINE, setup: str = "lineup") -> Experiment:
    """The experiment under a set-up, with one policy in all seats or one for each."""
    changes: dict[str, Any] = {"policies": policies, **({"games": games} if games else {})}
    return load_experiment(EXPERIMENT, changes | ({"setup": setup, "lineups": []} if setup == "draft" else {}))


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: the experiment, the same in the draft, and every policy's weights."""
    policies = [load_policy(name).identity() for name in design.policies]
    printed, drafted = (experiment_of(design.games, setup=setup) for setup in SETUPS)
    return {"experiment": printed, "draft": drafted, "policies": policies, "openings": OPENING_GAMES}


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play the missing runs and measure every policy, starting with the experiment's policy."""
    folder, games, every = storage.folder, design.games, list(measures().values())
    copies: dict[str, Behaviour] = {}
    guests: dict[str, dict[str, Behaviour]] = {setup: {} for setup in SETUPS}
    openings = {}
    for name in design.order():
        table = experiment_of(games, name)
        copies[name] = behaviour_of_runs(name, every, [(play_run(table, folder / name / "alike"), range(PLAYERS))])
        openings[name] = openings_of(table.arena(), min(table.games, OPENING_GAMES))
        if name == BASELINE:  # one seat against itself plays the same games
            guests["lineup"][name] = copies[name]
            continue
        for setup in SETUPS:
            visits = []
            for own in range(PLAYERS):
                alone = [name if seat == own else BASELINE for seat in range(PLAYERS)]
                place = folder / name / f"{'draft_' if setup == 'draft' else ''}in_seat_{own}"
                visits.append((play_run(experiment_of(games, alone, setup), place), [own]))
            guests[setup][name] = behaviour_of_runs(name, every, visits)
    run = play_run(experiment_of(games, setup="draft"), folder / BASELINE / "draft_alike")
    values = measured(copies, guests, behaviour_of_runs(BASELINE, every, [(run, range(PLAYERS))]), openings)
    values |= doubtful.measured(design.order(), *(experiment_of(games, setup=setup) for setup in SETUPS))
    return values


def measured(
    copies: Mapping[str, Behaviour], guests: Mapping[str, Mapping[str, Behaviour]], home: Behaviour,
    openings: Mapping[str, Openings], exploited: Mapping[tuple[str, int], Exploited] | None = None,
) -> dict[Key, Value]:  # fmt: skip
    """Every value, with what best responses win: by default those of the table that ships.

    By policy `copies` are those in all seats, `guests` those of one seat against the baseline by set-up, and `openings`
    those in all seats; `home` is the baseline in all seats in the draft.
    """
    values: dict[Key, Value] = {}
    for quantity, columns in COLUMNS.items():
        for name, behaviour in copies.items():
            values |= {Key(quantity, f"{name} {each}", PLAYERS, LINEUP): _seen(behaviour, each) for each in columns}
    for column in COLUMNS["alike"]:
        values[Key("alike-draft", f"{BASELINE} {column}", PLAYERS, DRAFT)] = _seen(home, column)
    for setup, behaviours in guests.items():
        for name, behaviour in behaviours.items():
            values[Key("wins", f"{name} {WINS}", PLAYERS, Cell("", "", setup))] = _seen(behaviour, WINS)
    for name, each in openings.items():
        if each.known:
            values[Key("openings", name, PLAYERS)] = each.entropy
        else:
            values[Key("openings-at-least", name, PLAYERS)] = Number(each.least)
        values[Key("openings-repeated", name, PLAYERS)] = each.repeated
        for column in DRAWN:
            behaviours = guests["lineup"] if column == WINS else copies
            apart = profiles.standardised(behaviours[name], behaviours[BASELINE], column).value
            values[Key("picture", f"{name} {column}", PLAYERS)] = Number(behaviours[name].estimates[column].value)
            values[Key("apart", f"{name} {column}", PLAYERS)] = Number(apart)
    for (name, players), best in (load_exploitability() if exploited is None else exploited).items():
        if name in copies:
            values[Key("best-response", name, players)] = Number(100 * best.share, (100 * best.low, 100 * best.high))
    played = sum(each.games for each in (*copies.values(), *guests["lineup"].values(), *guests["draft"].values(), home))
    values[Key("games", "", PLAYERS)] = Number(played - copies[BASELINE].games)  # those of the baseline, once
    values[Key("opening-games", "", PLAYERS)] = Number(max(each.entropy.blocks for each in openings.values()))
    every = list(measures().values())
    sure = profiles.distance_confidence(len(copies), every)
    for pair, gap in profiles.distances(copies.values(), every, sure).items():
        key = Key("distance", " ".join(pair), PLAYERS)
        values[key] = About(gap.estimate, gap.measure)
        values[key._replace(quantity="plainly-different")] = Number(float(gap.plain))
    return values


def _seen(seen: Behaviour, measure: str) -> InFamily:
    # Wilson's interval where no game or every game was won.
    return lambda sure: Number(seen.estimates[measure].value, seen.interval(measure, sure), seen.blocks, sure)


def finding(figures: Figures, design: Design) -> Finding | None:
    """How often casual and strong players attack; None without these players, or with too few blocks."""
    shown = [name for name in KINDS.values() if name != BASELINE]
    if not set(shown) <= set(design.order()):
        return None
    neutrals, players = ([figures.of("alike", f"{name} attacks on {whom}", players=PLAYERS) for name in shown]
                         for whom in ("neutrals", "players"))  # fmt: skip
    known = [each.ends for each in (*neutrals, *players) if each.ends is not None]
    if len(known) < 2 * len(shown):
        return None
    (low, high), *strong = known[: len(shown)]  # on neutral land, of casual and of both strong players
    less, more = all(end < low for _, end in strong), all(end > high for end, _ in strong)
    compared = "less often" if less else "more often" if more else "not always more or less often"
    on_neutrals, on_players = (list(map(estimate(2), attacks)) for attacks in (neutrals, players))
    casual, one, other = map(value(1), neutrals)
    return Finding(
        f"Master and scholar bots attack neutral land {compared} than casual bots: {one} and {other}, not {casual}, "
        f"times a game {RESTS_ON}",
        f"A casual bot attacks neutral land {on_neutrals[0]} times a game, opponents {on_players[0]} times.",
        f"With the printed line-ups, master and scholar bots attack neutral land {on_neutrals[1]} and "
        f"{on_neutrals[2]} times, opponents {on_players[1]} and {on_players[2]} times.",
        "Whether people differ in the same way.",
        "Means of what every policy does, a row for each policy, coloured by distance from middling bots",
    )


def _shown(measure: str) -> Show:
    return lambda figure: measured_words(figure.value, figure.ends, measures()[measure])


def _columns(heads: Mapping[str, str]) -> list[Line]:
    return [Line(head, {"item": each}, _shown(each)) for each, head in heads.items()]


def _won(*heads: str) -> list[Line]:
    return [Line(head, {"quantity": "wins", "item": WINS, "setup": setup}, _shown(WINS))
            for head, setup in zip(heads, SETUPS, strict=True)]  # fmt: skip


def first(figures: Figures, design: Design) -> Grid:
    """One row a measure of the first table and one of wins in each set-up, one column a kind of player that plays."""
    kinds = [Line(f"{bots_of(kind)} ({named(name)})", {"item": name})
             for kind, name in KINDS.items() if name in design.order()]  # fmt: skip
    heads = COLUMNS["alike"] | {
        "attacks on neutrals": "attacks on neutrals",
        "built in year two": "built in year two, %",
    }
    wins = _won("wins among middling bots, %, line-ups", "the same in the draft")
    level = "{:.0f}, by definition".format(figures.of("wins", f"{BASELINE} {WINS}", players=PLAYERS).value)
    return Grid(
        "per game of a seat", [*_columns(heads), *wins], kinds, {"quantity": "alike", "players": PLAYERS},
        under=held_together("All but the wins is measured at tables of four of the same policy, with the printed "
                            "line-ups. The ± are half-widths of simultaneous {level} intervals."),
        texts={(line.head, f"{bots_of(MIDDLING)} ({named(BASELINE)})"): level for line in wins}, turned=True,
    )  # fmt: skip


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """What was played; the policies' behaviour and wins; time, money and openings; first choices; who is like whom."""
    experiment, names = experiment_of(design.games), design.order()
    home = figures.of("alike-draft", f"{BASELINE} counties", players=PLAYERS, setup="draft")
    yield (
        f"{len(names)} policies, {experiment.games:,} blocks each, up to {2 * PLAYERS + 1} games per "
        f"block: {figures.of('games', players=PLAYERS).value:,.0f} games; {PLAYERS} players, tower {experiment.tower}, "
        f"seed {experiment.seed}, engine version {figures.engine}. Wins are those of one seat among `{BASELINE}`, with "
        f"line-ups and in the draft, {100 / PLAYERS:.0f} would be fair; all else is per game of a seat "
        f"among copies of itself, with line-ups if not said otherwise. The ± are half-widths of intervals that hold "
        f"for the whole table simultaneously with {LEVEL:.0%}; where no game or every game was won, the other end of "
        f"Wilson's interval is in brackets.{few(sure_of([home]), home.n)}"
    )
    rows = [Line(named(name), {"item": name}) for name in names]
    drafted = Line(f"{rows[0].head}, draft", {"item": BASELINE, "quantity": "alike-draft", "setup": "draft"})
    blocks = Line("blocks", {"item": "counties"}, lambda figure: f"{figure.n:,}")
    wins = _won("wins, %", "wins in the draft, %")
    level = "{:.0f}, by definition".format(figures.of("wins", f"{BASELINE} {WINS}", players=PLAYERS).value)
    fair = {(row.head, column.head): level for row in (rows[0], drafted) for column in wins}
    fair[drafted.head, wins[0].head] = NOTHING
    yield Grid("policy", [rows[0], drafted, *rows[1:]], [blocks, *_columns(COLUMNS["alike"]), *wins],
               {"quantity": "alike", "players": PLAYERS}, texts=fair)  # fmt: skip
    yield (
        "In the same games, the intervals simultaneous over this table. Openings are those of "
        f"{figures.of('opening-games', players=PLAYERS).value:,.0f} games: the entropy of a seat's first plan with the "
        "same line-up, and the chance that a further game opens with one of these plans. The last column is the share "
        "of wins that the best response found so far takes as one seat among copies of the policy, in games held out "
        "from the search, with the interval of that search."
    )
    openings = Line("openings, bits", {"quantity": "openings"})
    response = Line("best response wins, %", {"quantity": "best-response"}, lambda figure: (
        f"{in_words(figure.value, None, 1, top=100.0)} ({ends(figure.ends, 1, top=100.0)})"
    ))  # fmt: skip
    texts = {}
    for row in rows:
        if least := figures.find("openings-at-least", row.at["item"], players=PLAYERS):
            texts[row.head, openings.head] = f"> {number(least.value - 0.05, 1)}"
        if figures.find("best-response", row.at["item"], players=PLAYERS) is None:
            texts[row.head, response.head] = NOTHING
    repeated = Line("seen before, %", {"quantity": "openings-repeated"}, estimate(1, top=100.0))
    yield Grid("policy", rows, [*_columns(COLUMNS["more"]), openings, repeated, response],
               {"quantity": "more", "players": PLAYERS}, texts=texts)  # fmt: skip
    yield "Which bonus tile, and with it which box, the first to choose takes:"
    yield Grid("policy", rows, _columns(COLUMNS["first-choice"]), {"quantity": "first-choice", "players": PLAYERS})
    yield from chain(doubtful.tables(figures, names, PLAYERS), _likeness(figures, names))


def _likeness(figures: Figures, names: Sequence[str]) -> Iterator[str]:
    pairs = {pair: found for pair in combinations(names, 2)
             if (found := figures.find("distance", " ".join(pair), players=PLAYERS))}  # fmt: skip
    gaps = list(pairs.values())
    plain = {pair for pair in pairs if figures.of("plainly-different", " ".join(pair), players=PLAYERS).value}
    rows = []
    for name in names:
        if near := [pair for pair in pairs if name in pair]:
            pair = min(near, key=lambda each: abs(pairs[each].value))
            gap, sign = pairs[pair], 1 if pair[0] == name else -1
            measure, apart = gap.quantity.partition(": ")[2], in_words(sign * gap.value, gap.ends, 2)
            rows.append((named(name), named(pair[sign > 0]), measure, apart, "yes" if pair in plain else "no"))
    yield (
        f"{len(plain)} of {len(pairs)} pairs are plainly different: in some measure the interval of the difference "
        f"lies beyond {profiles.PLAIN} standard deviations of a seat's game; the intervals of all pairs and of "
        f"{_compared()} measures hold simultaneously.{few(sure_of(gaps), gaps[0].n) if gaps else ''}"
    )
    yield markdown_table(("policy", "most like it", "furthest apart in", "by, SD", "plainly different"), rows)


@styled
def picture(figures: Figures, design: Design) -> Picture:
    """One row per policy, one column per measure: the value, coloured by its distance from the baseline.

    Neighbours that play alike share a row. Endless distances have the last colours, and none that of the baseline.
    """
    experiment, far, dark = experiment_of(design.games), 3.0, 1.9  # in standard deviations
    heads = [measures()[column] for column in DRAWN]
    drawn, apart = ({name: [figures.of(quantity, f"{name} {each.name}", players=PLAYERS).value for each in heads]
                     for name in design.order()} for quantity in ("picture", "apart"))  # fmt: skip
    alike = [[*group] for _, group in groupby(drawn, drawn.__getitem__)]
    rows, shown = ([of[first] for first, *_ in alike] for of in (drawn, apart))
    texts = [[f"{value:.{each.decimals}f}" for value, each in zip(row, heads, strict=True)] for row in rows]
    figure, axes = plt.subplots(figsize=(len(heads) * 0.48 + 2.6, len(alike) * 0.25 + 2.1))
    import seaborn as sns  # its import takes seconds, and the report needs no picture

    # Few shades make a small picture; an odd number has one for the baseline.
    sns.heatmap(
        np.clip(np.nan_to_num(shown, nan=0.0), -far, far), vmin=-far, vmax=far, ax=axes,
        cmap=sns.color_palette("vlag", as_cmap=True).resampled(25), annot=np.array(texts), fmt="",
        annot_kws={"fontsize": 7}, linewidths=1.0, linecolor="white",
        yticklabels=[", ".join(map(command_name, group)) for group in alike],
        xticklabels=[f"{each.name}\n{each.unit}" for each in heads],
        cbar_kws={"label": f"standard deviations\nfrom {BASELINE}", "ticks": [-3, -2, -1, 0, 1, 2, 3], "pad": 0.01},
    )  # fmt: skip
    for text, distance in zip(axes.texts, np.ravel(shown), strict=True):
        text.set_color("white" if abs(distance) > dark else INK)
    axes.tick_params(axis="x", top=True, labeltop=True, bottom=False, labelbottom=False, length=0, labelsize=8)
    axes.tick_params(axis="y", length=0, labelrotation=0)
    plt.setp(axes.get_xticklabels(), rotation=45, ha="left", rotation_mode="anchor")
    plt.setp(axes.get_yticklabels(), color=INK)
    plt.setp(axes.get_yticklabels()[:1], fontweight="bold")
    figure.supxlabel(
        f"What every policy does: means of a seat among copies of itself; wins of one seat among {BASELINE}. "
        f"{experiment.games:,} blocks, tower {experiment.tower}, seed {experiment.seed}", x=0.01, ha="left", fontsize=9
    )  # fmt: skip
    return figure


STUDY = Study(
    __file__, __doc__, design, identity, play, picture=picture, finding=finding, first=first, tables=tables,
    quantities=QUANTITIES, options=(POLICIES,),
    games="game numbers instead of the experiment's", quick=Choices(games=64),
    # Those of every policy: what each does shows a change of its play before its points do.
    sample=Choices(games=400), compared=("alike", "wins"),
    colours=128,  # shades of numbers, in a picture of many rows
)  # fmt: skip
