"""Tables of the figures that no other table of a study shows: a verdict counts them, or a sentence chose among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace

from wallsim.markdown import literal, markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words
from wallsim.report.tables.traced import Traced, sources_in
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figure, Figures, quantity_of
from wallsim.studies.running import Result

_NUMBERS = ("value", "low", "high", "error")  # of a figure
_DECIMALS = 2
_OUTCOMES = "outcomes of the claims"
_ALONE = "value"  # the head of figures that are of no kind of play


def traced_figures(figures: Figures) -> Figures:
    """The same figures, each traced."""
    return Figures(figures.study, map(traced, figures.values()))


def traced(figure: Figure) -> Figure:
    """A figure whose value, ends and error are traced."""
    ids, result = (figure.id,), copy(figure)
    for name in _NUMBERS:
        object.__setattr__(result, name, Traced(getattr(figure, name), ids, figure.unit))
    return result


def unseen(result: Result) -> list[Figure]:
    """The figures that neither the first screen of a study nor its tables show, in their order."""
    traced = replace(result, figures=traced_figures(result.figures))
    texts = (traced.page.first_screen, traced.page.tables)
    seen = {key for text in texts for source in sources_in(text) for key in source.ids}
    return [figure for figure in result.figures.values() if figure.id not in seen]


def other_tables(figures: Figures, shown: Iterable[Figure]) -> Iterator[str]:
    """A table for each quantity of some figures, a row for each item, number of players, moment, tower and set-up."""
    by_quantity: dict[str, list[Figure]] = {}
    for figure in shown:
        by_quantity.setdefault(quantity_of(figure.id), []).append(figures[figure.id])
    for quantity, rows in by_quantity.items():
        plays = list(dict.fromkeys(row.play or _ALONE for row in rows))
        lines: dict[tuple[str, ...], dict[str, str]] = {}
        for row in rows:
            at = lines.setdefault(_line(row), {})
            at[row.play or _ALONE] = in_words(row.value, row.ends, _DECIMALS)
        cells = [(literal(", ".join(filter(None, line))), *(at.get(play, NOTHING) for play in plays))
                 for line, at in lines.items()]  # fmt: skip
        units = dict.fromkeys(row.unit for row in rows)
        head = _OUTCOMES if quantity == CLAIM else f"other figures, {quantity}"
        yield markdown_table((f"{head} ({'; '.join(units)})", *plays), cells)


def _line(row: Figure) -> tuple[str, ...]:
    players = f"{row.players} players" if row.players else ""
    return row.quantity, players, row.moment, row.tower, SETUP_WORDS.get(row.setup, row.setup)


def all_tables(result: Result) -> str:
    """All tables of a study as Markdown: those that it declares, and the figures that none of them shows."""
    return "\n\n".join((result.page.tables, *other_tables(result.figures, unseen(result))))
