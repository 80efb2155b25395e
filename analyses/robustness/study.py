"""Robustness: which findings of the studies stand under every play, tower, set-up and assumed figure?

Method. Every claim of the studies is judged anew, by the study's own code, in the cross of six pools of policies,
nine towers, and line-ups and draft. Five pools are the usual plays; in the sixth each seat of every
table has a policy drawn at random. A cell has so many rows of a few games; in that pool a row is what one table plays.
Rows are the units of all errors. On boards with another figure in place of an assumed one, all pools are played under
the default tower. The published claims are answered by these cells and those of their own studies together (see
`answers.py`), so that each has one answer; an outcome that was chosen by the figures of its study is judged by these
cells alone. These cells are a first stage. Where a claim is undecided, later stages add games in the cells that decide
it (`additions.csv`), and the answers allow for that (`wallsim.stats.stages`). The intervals of all claims, cells, means
and boards hold simultaneously (Bonferroni), with Student's t. With --quick there are few cells.
"""

from __future__ import annotations

from wallsim.studies.study import Study

from .estimates import identity, play, scope_of
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, scope_of, identity, play, add_figures, page, picture,
    games="games of each comparison of prices in a cell", colours=256,  # a colour that stands in few squares is kept
)  # fmt: skip
