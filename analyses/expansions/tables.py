"""The tables of the study `expansions`: subsets and effects, tournaments, cards, other favors, and groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.markdown import code
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.rules.provenance import FAVOR, assumed_cards
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import BENEFITS, EXPANSIONS, ROUND_NAMES
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.games import block_size
from wallsim.studies.grids import Grid, Line, estimate, lines, sure_of, towers_by_plays, value
from wallsim.studies.outcomes import LEADER as LEADER_CHANGE
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, THREE_TABLES, Scope, sizes_of
from wallsim.studies.sentences import said
from wallsim.studies.table_captions import LINE_NAMES, few, limits, scope_words

from ..editions.estimates import LIMITS, in_cells, side
from ..robustness.answers import claims_table
from . import effects, groups
from .boards import MOVED, variants
from .cards import CARDS, all_three, favor_blocks
from .effects import CLAIMS, EXPERIMENT, LEADER, OUTCOMES, PLAYERS, SEATS, SUBSETS, WITHOUT, name_of, name_of_effect
from .skill import BLOCKS as TOURNAMENTS
from .skill import ENDS, FIELDS, LADDER, LADDERS, PARTS, SHARE, ZOO

ASSUMED = "With the court, and in effects, this rests on the assumed figures of the favors."
SKILL = (
    "On a ladder from weak to strong the policy brings "
    "{share-of-points.4p.ladder-policy-none/all/spielbyweb|0 value} % of the variance of points without expansions and "
    "{share-of-points.4p.ladder-policy-all-three/all/spielbyweb|0 value} % with all three; without the weights that "
    "were tuned without expansions "
    "{share-of-points.4p.ladder-without-expert-4p-policy-none/all/spielbyweb|0 value} and "
    "{share-of-points.4p.ladder-without-expert-4p-policy-all-three/all/spielbyweb|0 value} %."
)
NAMES = tuple(map(name_of, SUBSETS))
SHORT = {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins",
         **{wins: f"line-up {letter}" for wins, letter in zip(SEATS, "ABCD", strict=True)}}  # fmt: skip
AMONG = {
    CASUAL_TABLE: "an experienced player among casual ones, line-ups",
    EXPERIENCED_TABLE: "an experienced player among middling ones, draft",
}
SIGNED, PLAIN, TENTHS, SIGNED_TENTHS = estimate(2, "+"), estimate(2), estimate(1), estimate(1, "+")
EFFECT_OF = "effect of {}".format
Below = Callable[[Sequence[Figure]], str]


def below(start: str, blocks: int) -> Below:
    """What stands under a table: what was played, the intervals, and on what they rest."""

    def written(used: Sequence[Figure]) -> str:
        sure = sure_of(used)
        return (
            f"{start}; the ± are half-widths of {sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals."
            f"{few(sure, blocks)} {ASSUMED}"
        )

    return written


def at_home(scope: Scope, blocks: int, before: str = "", at_least: str = "", more: str = "") -> Below:
    """What stands under a table of the baseline cell, or of several plays with its tower and set-up."""
    return below(
        f"{before}`{strong_policy(scope)}` where no other play is named, tower {scope.baseline_cell().tower}, "
        f"line-ups, {seeds()}; {at_least}{blocks:,} blocks{more}", blocks,
    )  # fmt: skip


def seeds() -> str:
    """Of what the seeds of all games are made."""
    return f"seeds made of {load_experiment(EXPERIMENT).seed}"


def strong_policy(scope: Scope) -> str:
    """The policy of the baseline."""
    return next(play.policy for play in scope.plays if play.name == scope.baseline_cell().play)


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What was played and found in words, the factorial, its claims, the tournaments, the cards, and the groups."""
    yield played_words(scope)
    yield summary_words(figures, scope)
    yield from of_factorial(scope)
    yield claims_table(figures, CLAIMS, scope.plays, decimals=2)
    sure = sure_of(figures.all_of("claim", CLAIMS[0].outcome, players=PLAYERS))
    yield (
        "There is one line of strong play with expansions, so no claim is judged against two. "
        f"{limits(sure, scope.others, len(scope.cells()))} {ASSUMED}"
    )
    yield from of_tournaments(scope)
    yield from of_cards(figures, scope)
    yield from of_groups(figures, scope)


def of_factorial(scope: Scope) -> Iterator[Grid]:
    """The outcomes of the subsets and the effects on them: in the baseline cell, in every play, and wins by seat."""
    home, outcomes = {"players": PLAYERS, "cell": scope.baseline_cell()}, lines("item", OUTCOMES)
    under = at_home(scope, scope.baseline)
    yield Grid("expansions", lines("item", NAMES), outcomes, {**home, "quantity": "subset"}, PLAIN, under)
    note = (
        " A main effect is the mean of the four subsets with an expansion less that of the four without; an "
        "interaction of two is half the difference of one's effect with and without the other."
    )
    yield Grid("effect of", lines("item", map(name_of_effect, effects.EFFECTS)), outcomes,
               {**home, "quantity": "effect"}, SIGNED, lambda used: under(used) + note)  # fmt: skip
    played = zip(scope.plays, effects.plays_cells(scope), strict=True)
    rows = [Line(f"{name}: {each}", {"item": f"{name} {each}"}) for name in EXPANSIONS for each in OUTCOMES]
    yield Grid("main effect of", rows,
               [Line(f"{play.name} (`{play.policy}`)", {"cell": cell}) for play, cell in played],
               {"quantity": "effect-by-play", "players": PLAYERS}, SIGNED,
               at_home(scope, scope.others, at_least="at least "))  # fmt: skip
    seats = [Line(f"{'draft' if cell.setup == 'draft' else f'line-up {letter}'}, seat {seat}",
                  {"item": wins_of(seat), "cell": cell})
             for cell in effects.seat_cells(scope) for seat, letter in enumerate("ABCD")]  # fmt: skip
    draft = scope.blocks(scope.baseline_cell()._replace(setup="draft"))
    yield Grid("wins, %", (*lines("item", NAMES, quantity="seat-wins", show=TENTHS),
                           *lines("item", EXPANSIONS, EFFECT_OF, quantity="effect-on-seat-wins")),
               seats, {"players": PLAYERS}, SIGNED_TENTHS,
               at_home(scope, scope.baseline, more=f"; in the draft {draft:,}"))  # fmt: skip


def of_tournaments(scope: Scope) -> Iterator[Grid]:
    """The shares of policy and chance in the variance on the ladders, and the wins of each policy of both fields."""
    at = {"players": PLAYERS, "cell": scope.baseline_cell()._replace(play="")}

    def under(field: str) -> Below:
        blocks = min(effects.most_blocks(scope), TOURNAMENTS[field])
        named = ", ".join(map(code, FIELDS[field]))
        return below(
            f"A tournament of the {field} in each subset: {named}; {blocks:,} blocks, tower "
            f"{scope.baseline_cell().tower}, line-ups, {seeds()}", blocks,
        )  # fmt: skip

    shares = [Line(f"{ladder}: {part}, of {'VP' if result == 'vp' else 'wins'}",
                   {"item": f"{ladder} {part}", "quantity": quantity})
              for ladder in LADDERS for result, quantity in SHARE.items() for part in PARTS]  # fmt: skip
    yield Grid("share of the variance, %",
               (*lines("item", NAMES, show=TENTHS),
                *lines("item", EXPANSIONS, EFFECT_OF, quantity="effect-on-{}".format)),
               shares, at, SIGNED_TENTHS, under(LADDER), turned=True)  # fmt: skip
    for field, policies in FIELDS.items():
        yield Grid(f"wins on the {field}, %", lines("item", policies, code),
                   (*lines("item", map(name_of, ENDS), quantity="wins", show=TENTHS),
                    *lines("item", EXPANSIONS, EFFECT_OF, quantity="effect-on-wins")),
                   {**at, "item": field}, SIGNED_TENTHS, under(field))  # fmt: skip


def of_cards(figures: Figures, scope: Scope) -> Iterator[Grid]:
    """What favors, statues and Landsknechte cards bring, and what other figures of the favors move."""
    home, cells, at = scope.baseline_cell(), effects.card_cells(scope), {"players": PLAYERS}
    board = load_board()
    games, rest = (
        favor_blocks(effects.favor_games(scope) * each) * block_size(4) for each in (scope.baseline, scope.others)
    )
    yield Grid(
        "favor (* assumed)", [Line(name, {"item": item}) for item, name in favor_names(home).items()],
        (*lines("cell", cells, lambda cell: f"{cell.play}, VP a favor", quantity="favor", show=SIGNED_TENTHS),
         Line("strong: chosen in % of games", {"quantity": "favor-chosen-games", "cell": home}, value(0)),
         Line("strong: given beyond choice, VP a favor", {"quantity": "favor-given", "cell": home}, SIGNED_TENTHS),
         Line("strong: taken where given, %", {"quantity": "favor-given-games", "cell": home}, value(0))),
        at, under=at_home(
            scope, games // 84,
            "In games with all three expansions one seat in turn never takes the favor in turn, takes it as its policy "
            f"chooses, or whenever it can: {games:,} games each of strong play and {rest:,} of the other plays, on "
            "each favor one of 21. A favor's worth is after its courtiers and against the seat's next choice. "),
    )  # fmt: skip
    yield Grid(
        "a statue, VP of its seat", lines("cell", cells, lambda cell: cell.play),
        (*lines("moment", ROUND_NAMES, quantity="statue"),
         Line("statues left a game", {"quantity": "statues-left", "moment": ROUND_NAMES[0]}, value(1))),
        at, SIGNED, at_home(scope, scope.others, "In games with all three expansions one seat in turn leaves no statue "
                            "in the round in turn. ", "at least "),
    )  # fmt: skip

    def card_name(card: int) -> str:
        printed = board.landsknechte[card - 1]
        amounts = ", ".join(f"{kind} {printed[kind]}" for kind in BENEFITS if printed[kind])
        return f"{card}: one of {amounts.replace('_', ' ')}"

    whose = {"card-own-seat": "its seat", "card-mean-of-table": "mean of the table"}
    yield Grid(
        "card turned, VP", lines("item", CARDS, card_name),
        (*(Line(f"{cell.play}: {words}", {"cell": cell, "quantity": quantity}) for cell in cells
           for quantity, words in whose.items()),
         Line("strong: turned a seat and game", {"cell": cells[0], "quantity": "cards-turned"}, value(2))),
        at, SIGNED, at_home(scope, scope.others, "In games with all three expansions. Its seat: the card brings "
                            "nothing to one seat in turn. Mean of the table: the card is blank for all, divided by the "
                            "cards turned. ", "at least "),
    )  # fmt: skip
    verdicts = figures.all_of("favors-varied-by-play", f"{next(iter(variants()))} {POINTS}", players=PLAYERS)
    court = figures.of("court-worth", players=PLAYERS, cell=home)
    varied = [figures.of("court-worth-varied", name, players=PLAYERS, cell=home).value for name in variants()]
    blocks = min(effects.board_blocks(scope, cell) for cell in cells)
    heads = {each: f"wins of {SHORT[each]}, %" if each in SEATS else each for each in MOVED}
    under = at_home(
        scope, blocks,
        "In games with all three expansions, the same on every board. Beside the other two expansions the court brings "
        f"{SIGNED(court)} VP a seat as assumed, and between {number(min(varied), 2, '+')} and "
        f"{number(max(varied), 2, '+')} under these variants. An outcome moves where the interval of its change "
        f"excludes 0 and reaches beyond {LIMITS[POINTS]:g} in VP and in spread, {LIMITS[LEADER_CHANGE]:g} percentage "
        f"points in wins; in all plays {sure_of(verdicts).n_comparisons:,} simultaneous intervals. ",
        "at least ",
    )  # fmt: skip
    yield Grid(
        "favors changed", lines("item", variants()),
        (*(Line(heads[each], {"item": each}, SIGNED if each in LIMITS else SIGNED_TENTHS) for each in MOVED),
         Line(f"in {len(cells)} plays", texts=[moved(figures, cells, name) for name in variants()])),
        {**at, "cell": home, "quantity": "favors-varied"}, under=under(verdicts),
    )  # fmt: skip


def favor_names(home: Cell) -> dict[str, str]:
    """The favors by the item of their figures, and all of them together; with a star where the figure is assumed."""
    board = load_board()
    assumed = assumed_cards(board, all_three(home).ruleset())[FAVOR]
    names = {"any": "any"}
    for card in sorted(board.favors, key=lambda card: card["number"]):
        name = f"{card['number']} {card['kind']} {card['value'] or ''}".replace("_", " ").strip()
        names[str(card["number"])] = f"{name}{' *' if card['number'] in assumed else ''}"
    return names


def moved(figures: Figures, cells: Sequence[Cell], name: str) -> str:
    """In how many plays each outcome moves with a variant of the favors, or may move, by the limits of `editions`."""
    sides = {}
    for outcome in MOVED:
        found = figures.cells("favors-varied-by-play", f"{name} {outcome}", players=PLAYERS)
        limit = LIMITS.get(outcome, LIMITS[LEADER_CHANGE])
        sides[SHORT[outcome]] = [side(found[cell], limit) for cell in cells]
    parts = zip(("moves", "not known"), in_cells(sides), strict=True)
    return "; ".join(f"{word}: {named}" for word, named in parts if named) or f"nothing matters in {len(cells)}"


def of_groups(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """The groups by number of players, and where the effect of the Landsknechte on points changes its sign."""
    wins = [f"{TENTHS(figures.of('line-with-expansions', players=PLAYERS, cell=table))} % ({LINE_NAMES[table]})"
            for table in THREE_TABLES[1:]]  # fmt: skip
    yield (
        "Groups. Two lines of strong play were made without expansions, `expert` and `scholar`; here each has the "
        "weights that only expansions ask for of the policy tuned with all three. With all three, one seat with these "
        f"weights among seats of its line without them wins {', '.join(wins)}."
    )
    changed = tuple(map(name_of, groups.PLAYED[1:]))
    blocks, better = (groups.blocks_of(scope, most) for most in (groups.BLOCKS, groups.BETTER_BLOCKS))
    under = {players: below(f"{blocks:,} blocks of {block_size(players)} games", blocks) for players in sizes_of(scope)}
    for players in sizes_of(scope):
        rows = [Line(f"{name}: {each}", {"item": f"{name} {each}"}, SIGNED_TENTHS if each == LEADER else SIGNED)
                for name in changed for each in groups.OUTCOMES]  # fmt: skip
        yield Grid(f"against no expansions, {players} players", rows,
                   lines("cell", THREE_TABLES, LINE_NAMES.__getitem__),
                   {"quantity": "group-change", "players": players},
                   under=under[players])  # fmt: skip

    def levels_and_changes(level: str, change: str) -> tuple[Line, ...]:
        return (*lines("item", map(name_of, groups.PLAYED), quantity=level, show=TENTHS),
                *lines("item", changed, lambda name: f"change by {name}", quantity=change))  # fmt: skip

    for players in sizes_of(scope):
        yield Grid(f"wins, %, {players} casual players", levels_and_changes("group-lineup", "group-change-of-lineup"),
                   lines("item", LETTERS[:players], lambda letter: f"line-up {letter}"),
                   {"players": players, "cell": CASUAL_TABLE}, SIGNED_TENTHS,
                   under[players])  # fmt: skip
    for players in sizes_of(scope):
        yield Grid(f"wins of the better player of {players}, %",
                   levels_and_changes("better-player", "change-of-better-player"),
                   lines("cell", groups.BETTER_TABLES, AMONG.__getitem__), {"players": players}, SIGNED_TENTHS,
                   below("The better player, of the first line, sits in every seat in turn. "
                         f"{better:,} blocks of games for each seat", better))  # fmt: skip
    for setup in scope.setups:
        played = dict.fromkeys(cell.play for cell in scope.cells() if cell.setup == setup)
        yield towers_by_plays(
            f"effect of the Landsknechte on a seat's VP, {SETUP_WORDS[setup]}", scope.towers, played, PLAIN,
            quantity="effect-by-cell", item=f"{effects.LANDSKNECHTE} {POINTS}", players=PLAYERS, setup=setup,
        )  # fmt: skip


def played_words(scope: Scope) -> str:
    """What was played by whom, and which data are assumed."""
    experiment = all_three(scope.baseline_cell())
    assumed = ", ".join(map(str, assumed_cards(load_board(), experiment.ruleset())[FAVOR]))
    without = " and ".join(f"`{play.policy}`" for play in scope.plays if play.name in WITHOUT)
    if without:
        without += " were tuned or taught without any expansion, and are strong play in the subset `none` alone. "
    return (
        f"{scope_words(scope, load_experiment(EXPERIMENT), len(SUBSETS))} The scenarios are the subsets of "
        f"{', '.join(EXPANSIONS)}, each on games of its own, whose seed is made of this one and the names. Strong play "
        f"is `{strong_policy(scope)}`, whose weights were tuned with all three expansions. {without}"
        f"Assumed in the board's data, and used where the court is: the figures of favors {assumed}. Not stated by the "
        f"rulebook: {'; '.join(experiment.components().sources())}. No figure of the line-ups of four is assumed."
    )


def summary_words(figures: Figures, scope: Scope) -> str:
    """Main effects with their range over all cells, what moves skill, and which styles gain."""
    home = scope.baseline_cell()
    units = {POINTS: "VP a seat", SPREAD: "in spread", LEADER: "% points in the wins of year one's leader"}
    parts = []
    for name in EXPANSIONS:
        each = []
        for outcome, unit in units.items():
            item, decimals = f"{name} {outcome}", 1 if outcome == LEADER else 2
            found = [figure.value for figure in figures.cells("effect-by-cell", item, players=PLAYERS).values()]
            effect = estimate(decimals, "+")(figures.of("effect", item, players=PLAYERS, cell=home))
            ends = f"{number(min(found), decimals, '+')} to {number(max(found), decimals, '+')}"
            each.append(f"{effect} ({ends}) {unit}")
        parts.append(f"{name} {', '.join(each)}")
    nowhere = home._replace(play="")
    gains = {style: figures.of("wins-gained", f"{ZOO} {style}", players=PLAYERS, cell=nowhere).value
             for style in FIELDS[ZOO]}  # fmt: skip
    best, worst = (end(gains, key=gains.__getitem__) for end in (max, min))
    return said(
        "By strong play, in the mean over the other expansions, and in brackets from least to most over all "
        f"{len(scope.cells())} cells: {'; '.join(parts)}. {SKILL} "
        f"Of the zoo `{best}` gains most in wins with all three, {number(gains[best], 1, '+')} "
        f"percentage points, and `{worst}` loses most, {number(gains[worst], 1)}.", figures,
    )  # fmt: skip
