"""Tables of figures: a grid says which figures stand in its rows and columns, and how they are written.

What a row, a column and the whole grid fix of a figure's id is put together: quantity, item (the parts of the item are
joined), players, cell or play, tower and set-up, and moment. A row may also give a function of what its column fixes,
in a grid that is `turned`. A place without a figure gets a dash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import NOTHING, ends, in_words, number
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Figure, Figures, figure_id
from wallsim.studies.scope import Scope
from wallsim.studies.table_captions import few, under

Show = Callable[[Figure], str]
At = Mapping[str, Any]  # arguments of `figure_id`
NOTHING_FIXED: At = MappingProxyType({})


def estimate(decimals: int, sign: str = "", top: float | None = None) -> Show:
    """Write a figure as its value with its half-width, as `in_words` does."""
    return lambda figure: in_words(figure.value, figure.ends, decimals, sign, top)


def value(decimals: int, sign: str = "") -> Show:
    """Write the value alone, as `number` does."""
    return lambda figure: number(figure.value, decimals, sign)


def with_ends(decimals: int, sign: str = "") -> Show:
    """Write the value and in brackets the ends of its interval."""
    return lambda figure: f"{number(figure.value, decimals, sign)} ({ends(figure.ends, decimals)})"


class Line(NamedTuple):
    """A row or a column: its heading, what it fixes, and how its figures are written if not as in the grid.

    The heading of a row may be several cells. A line with `texts` has these in its places, and no figures; a single one
    stands in all of them.
    """

    head: str | tuple[str, ...]
    at: At = NOTHING_FIXED
    show: Show | None = None
    texts: Sequence[str] = ()


def lines(name: str, values: Iterable[Any], head: Callable[[Any], str] = str, **at: Any) -> tuple[Line, ...]:
    """A line for each value of one field; `at` is what all of them fix beside, `show` how they are written."""
    show = at.pop("show", None)
    return tuple(Line(head(each), {**at, name: each}, show) for each in values)


@dataclass(frozen=True)
class Grid:
    """A table. `under` is the text below it, or what makes that of the figures in the table.

    `texts` stand in place of figures, by the headings of row and column. With `gaps` a whole row or column may have no
    figure, as in a quick look. Where the grid is `turned`, what a column fixes comes before what its row does, such as
    its part of the item.
    """

    head: str | tuple[str, ...]
    rows: Sequence[Line]
    columns: Sequence[Line]
    at: At = field(default_factory=dict)
    show: Show = field(default_factory=lambda: estimate(2))
    under: str | Callable[[Sequence[Figure]], str] = ""
    gaps: bool = False
    texts: Mapping[tuple[Any, Any], str] = field(default_factory=dict)
    turned: bool = False

    def figures_of(self, figures: Figures) -> dict[tuple[int, int], Figure]:
        """The figures by row and column. KeyError with its id for a row or a column that has none."""
        found = {}
        for row, column, key in self._keys(figures.study):
            if key in figures:
                found[row, column] = figures[key]
        for row, column, key in () if self.gaps else self._keys(figures.study):
            if not any(at[0] == row for at in found) or not any(at[1] == column for at in found):
                raise KeyError(key)
        return found

    def text(self, figures: Figures) -> str:
        """The table as Markdown."""
        found = self.figures_of(figures)
        rows = []
        for y, row in enumerate(self.rows):
            cells = []
            for x, column in enumerate(self.columns):
                show, figure = column.show or row.show or self.show, found.get((y, x))
                text = self.texts.get((row.head, column.head)) or _text(row, x) or _text(column, y)
                cells.append(text or (NOTHING if figure is None else show(figure)))
            rows.append((*_cells(row.head), *cells))
        below = self.under if isinstance(self.under, str) else self.under(list(found.values()))
        heads = [head for each in self.columns for head in _cells(each.head)]
        table = markdown_table((*_cells(self.head), *heads), rows)
        return f"{table}\n\n{below}" if below else table

    def _keys(self, study: str) -> Iterable[tuple[int, int, str]]:
        for y, row in enumerate(self.rows):
            for x, column in enumerate(self.columns):
                if not row.texts and not column.texts and (row.head, column.head) not in self.texts:
                    yield y, x, _key(study, (self.at, *((column.at, row.at) if self.turned else (row.at, column.at))))


def _cells(head: str | tuple[str, ...]) -> tuple[str, ...]:
    return (head,) if isinstance(head, str) else head


def _text(line: Line, place: int) -> str:
    return line.texts[place if len(line.texts) > 1 else 0] if line.texts else ""


def _key(study: str, parts: Sequence[At]) -> str:
    at: dict[str, Any] = {}
    for part in parts:
        at |= {name: each(at[name]) if callable(each) else each for name, each in part.items()}
    at["item"] = " ".join(str(part["item"]) for part in parts if part.get("item"))
    return figure_id(study, at.pop("quantity"), at.pop("item"), **at)


def sure_of(used: Sequence[Figure]) -> Confidence:
    """The confidence of the intervals of figures that hold together, by the first."""
    return Confidence(used[0].level, used[0].family)


def of_scope(scope: Scope, *, pairing: bool = False, after: str = "") -> Callable[[Sequence[Figure]], str]:
    """What stands under a table of the baseline cells; with `pairing` what pairing saved of the variance."""
    return lambda used: under(scope, sure_of(used), used if pairing else ()) + after


def held_together(text: str, units: str = "blocks", least: int = 0) -> Callable[[Sequence[Figure]], str]:
    """A text under a table in which {family} and {level} are those of its intervals, {n} its largest sample.

    It ends with how many `units` of errors the intervals would need, where the largest sample, or `least`, is too few.
    """

    def written(used: Sequence[Figure]) -> str:
        sure, blocks = sure_of(used), max(each.n for each in used)
        said = text.format(family=f"{sure.n_comparisons:,}", level=f"{sure.level:.0%}", n=f"{blocks:,}")
        return said + few(sure, least or blocks, units)

    return written


def towers_by_plays(head: str, towers: Iterable[str], plays: Iterable[str], show: Show, **at: Any) -> Grid:
    """A grid with a row for each tower and a column for each play, of one quantity in one set-up."""
    return Grid(head, lines("tower", towers, code), lines("play", plays), at, show)


def texts_of(figures: Figures, parts: Iterable[Grid | str]) -> str:
    """Grids and texts one after the other, as Markdown; empty texts are left out."""
    texts = (part if isinstance(part, str) else part.text(figures) for part in parts)
    return "\n\n".join(filter(None, texts))
