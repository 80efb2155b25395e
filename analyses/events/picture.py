"""The picture of the study `events`: a heat table of the cards with guessed signs, and points by winter loss."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture

from wallsim.report.figures.style import COLOURS, DIVERGING, FAINT, half_width, styled
from wallsim.report.tables.estimates import number
from wallsim.rules.event_words import event_words
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.figure import Figures
from wallsim.studies.grids import sure_of
from wallsim.studies.scope import Scope
from wallsim.studies.table_captions import table_name

from .cards import CARDS, LOSSES, OUTCOMES, WINTERS, guess
from .page import SIGNS, in_force, in_winter

_MARKS = ("o", "s", "^", "D", "v", "P", "X")


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A heat table, a row a card and a column an outcome; below it points by the grain that a winter's card takes."""
    result, (above, below) = plt.subplots(2, 1, figsize=(11.0, 9.4), height_ratios=(2.1, 1))
    title = f"What each event card changes in its round, {table_name(scope.baseline_cell())}"
    result.suptitle(title, x=0.01, ha="left")
    note = (
        f"{scope.baseline:,} blocks of 24 games; coloured where the simultaneous {LEVEL:.0%} interval excludes 0; in "
        "brackets the sign that a player would guess"
    )
    result.supxlabel(note, x=0.01, ha="left", fontsize=8)
    _heat_table(figures, scope, above)
    for place, winter in enumerate(WINTERS):
        points = [in_winter(figures, scope.baseline_cell(), card, winter) for card in CARDS]
        below.errorbar(
            [loss + 0.12 * (2 * place - 1) for loss in LOSSES.values()], [one.value for one in points],
            yerr=[half_width(one, sure_of(points)) for one in points], fmt=_MARKS[place], color=COLOURS[place],
            label=winter, markersize=5, capsize=2, elinewidth=1,
        )  # fmt: skip
    below.set_title("As the winter's loss")
    below.axhline(0, color=FAINT, linewidth=0.8)
    below.set_xlabel("grain that the winter's card takes from each player")
    below.set_ylabel("VP of a seat\nagainst the mean card")
    below.legend()
    return result


def _heat_table(figures: Figures, scope: Scope, axes: Axes) -> None:
    # A place has the change and in brackets the guessed sign, and is coloured by its share of the column's largest
    # change where its interval excludes 0.
    rows = [[in_force(figures, scope.baseline_cell(), card, outcome) for outcome in OUTCOMES] for card in CARDS]
    numbers = np.array([[one.value for one in row] for row in rows])
    known = np.array([[side_of(one.ends) != 0 for one in row] for row in rows])
    largest = np.abs(numbers).max(axis=0)
    shares = np.where(known, numbers / np.where(largest > 0, largest, 1.0), 0.0)
    axes.imshow(shares, cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto")
    for row, column in np.ndindex(numbers.shape):
        sign = SIGNS[guess(CARDS[row], OUTCOMES[column])]
        text = number(rows[row][column].value, 2, "+") + (f" ({sign})" if sign else "")
        axes.text(column, row, text, ha="center", va="center", fontsize=8.5)
    axes.set_xticks(range(len(OUTCOMES)), [_wrapped(name) for name in OUTCOMES], fontsize=8.5)
    axes.set_yticks(range(len(CARDS)), [event_words(card) for card in CARDS])
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    for side in axes.spines.values():
        side.set_visible(False)


def _wrapped(words: str) -> str:
    """Two lines, broken at the blank nearest to the middle."""
    blanks = [place for place, letter in enumerate(words) if letter == " "]
    if not blanks:
        return words
    place = min(blanks, key=lambda at: abs(at - len(words) / 2))
    return f"{words[:place]}\n{words[place + 1 :]}"
