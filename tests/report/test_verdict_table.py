"""Judged claims are told with every number that they rest on."""

import numpy as np

from wallsim.analysis.blocks import Estimate
from wallsim.analysis.robustness import robustness
from wallsim.analysis.verdicts import Claim
from wallsim.report.verdict_table import robustness_table

NOISE = np.tile([-1.0, 1.0], 50)
CLAIM = Claim("It is more than 50.", "it", 50)
PLAYS = {"weak": 49.0, "middling": 50.1, "strong": 51.0}  # an estimate's interval reaches some 0.2 to either side


def known(value):
    return {"it": Estimate(value, NOISE)}


def test_the_table_has_a_row_a_claim_with_every_number():
    found = robustness([CLAIM], PLAYS, known)
    half = f"{found.z * known(1.0)['it'].error:.1f}"
    assert robustness_table(found).splitlines() == [
        "| claim | measured by | weak | middling | strong | verdict |",
        "|---|---|---|---|---|---|",
        f"| It is more than 50. | it > 50 | 49.0 ± {half} | 50.1 ± {half} | 51.0 ± {half} "
        "| not strength-proof: fails under weak; open under middling |",
    ]
