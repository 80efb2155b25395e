"""The studies of this repository as packages: `wallsim.analyses.price` is the folder `analyses/price`.

In a wheel the folder itself is carried as `wallsim/analyses`; in a source tree it lies beside the package, where this
module points. So a study has one name wherever it runs, and no folder of that name on the path is taken for it.
"""

from pathlib import Path

__path__ = [str(Path(__file__).resolve().parents[1] / "analyses")]
