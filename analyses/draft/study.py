"""Draft: what is each county worth as a pick, who should pick first, and does a table of worths draft well?

Method. Counties and army groups are dealt at random, so that holding a county says nothing else about a seat. Least
squares of a seat's VP above the table's mean on the counties it was dealt, on their armies, and on neighbours (own
pairs, borders with other seats, pairs of a region) gives the worth of each, with errors by game; the worths of all
counties add to 0. Worths are shrunken towards what tax, grain, sites, neighbours and region predict (empirical Bayes).
Every play and tower plays the same deals. The pairs of counties that bring most and least together, by these games, are
judged by games of another seed. Drafts of another seed say what each place in the order of picks brings; and
in them one seat picks at random, by the printed yields or by the table of worths against three that pick by default,
in every seat in turn. Drafts of further seeds say what the table brings where others draft by it, too, and what a
response to it brings. CLAIMS are judged in all cells. Beside the picture, `picks.pdf` is the table on one page.
With --quick there are few cells and games.
"""

from __future__ import annotations

from wallsim.studies.study import Judged, Study

from .cells import scope_of
from .estimates import CHOSEN, CLAIMS, add_figures, claim_outcomes, given, identity, play
from .figures import QUANTITIES
from .picture import files, picture
from .tables import page

STUDY = Study(
    __file__, __doc__, scope_of, identity, play, add_figures, page, picture, files=files,
    quantities=QUANTITIES,
    judged=(Judged(CLAIMS, claim_outcomes, games_a_row=2, setups=("draft",), given=given, chosen=CHOSEN,
                   some=claim_outcomes),),
    games="games dealt in each play and tower instead of the experiment's", colours="shades",
)  # fmt: skip
