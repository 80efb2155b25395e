"""Editions: what do the first edition and each switch of the rules change?

Method. Every other setting of a switch is played on the same games as the default, and each game is compared with
itself: whether anything in its rows differs, and by how much points, their spread, the margin, the wins of year one's
leader and the wins by seat change. Switches of the leaders and the food track are played with all expansions, those of
the first edition in that edition, and who drafts first in a draft. A block is 24 games in a row, the unit of all
errors. A cell is a play, a tower calibration and a set-up; the baseline, that of `experiment.toml`, has most blocks. A
switch does not matter in a cell where the intervals of its changes lie within LIMITS, which were set before any game of
this seed; the intervals of all switches, cells and outcomes hold simultaneously. With expansions there is one line of
strong play. With --quick there are few cells.
"""

from __future__ import annotations

from wallsim.studies.study import Study

from .estimates import design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(__file__, __doc__, design, identity, play, add_figures, page, picture)
