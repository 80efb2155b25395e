"""The page of the study `openings`: the finding, what was played, the cards of each line-up, and the picture."""

from __future__ import annotations

from matplotlib.figure import Figure as Picture

from wallsim.analysis.openings.choices import LEAST, MOST_FREQUENT
from wallsim.analysis.openings.plans import BOXES
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code
from wallsim.report.pages.openings import words_of
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figures
from wallsim.studies.study import Page

from .estimates import PLAYERS, TABLES, Design, experiment_of, games_of
from .figures import sure_of_laid
from .finding import NAMES, finding_of, forced_words, laid, laid_table
from .picture import laid_by_box
from .tables import plans_at, plans_table


def page(figures: Figures, design: Design) -> Page:
    """The finding with what lies on the boxes, and all else with what was played above it."""
    rest = [games_played(design), plans_words(figures)]
    rest += [" ".join(f"{NAMES[table].capitalize()}: {forced_words(figures, table)}" for table in TABLES)]
    rest += [plans_table(plans_at(figures, PLAYERS, table), NAMES[table]) for table in TABLES]
    rest += [laid_table(figures, players) for players in design.sizes if players != PLAYERS]
    return Page(finding_of(figures, design), laid_table(figures, PLAYERS), "\n\n".join(rest))


def games_played(design: Design) -> str:
    """What was played, and what the intervals mean."""
    experiment, sure = experiment_of(design, PLAYERS, TABLES[0]), sure_of_laid()
    few = f" {sure.too_few(design.games, 'games')}" if design.games < sure.min_blocks else ""
    games = ", ".join(f"{games_of(design, players):,} of {players} players" for players in design.sizes)
    tables = ", ".join(
        f"{NAMES[table]} ({code(experiment_of(design, PLAYERS, table).policies[0])})" for table in TABLES
    )
    return (
        f"Games at each kind of table: {games}; the printed line-ups, every seat the same policy, with four players "
        f"{tables}; tower {experiment.tower}, seed {experiment.seed}, engine version {ENGINE_VERSION}. The ± are "
        f"half-widths of {LEVEL:.0%} intervals between games.{few}"
    )


def plans_words(figures: Figures) -> str:
    """What the columns of the tables of line-ups mean."""
    return (
        f"The most frequent {MOST_FREQUENT} cards of each box, if at least {LEAST} plans have them, with {PLAYERS} "
        "players. VP are those above the mean of the table, wins those above the fair share; intervals of a box hold "
        "together. *Laid* is the mean change where the card is laid in place of another one, in the same games; these "
        "intervals hold together for a whole table. *Then* is the card that most often lies on the same box in summer, "
        f"after this one. The register has {len(figures):,} figures, also for other numbers of players."
    )


def picture(figures: Figures, design: Design) -> Picture:
    """How many first plans use each box, at each table of four."""
    rows = {words_of(box): [laid(figures, box, PLAYERS, table) for table in TABLES] for box in BOXES}
    title = f"What lies on the boxes in the first season\n{PLAYERS} players, {4 * design.games:,} plans of each kind"
    return laid_by_box(rows, [NAMES[table] for table in TABLES], sure_of_laid(), title)
