"""The files of a chunk have the rows and types of the frames made of the same games."""

import io

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.chunk_tables import ChunkTables
from wallsim.runs.folder.file_schema import file_schema
from wallsim.runs.folder.schema import TABLES, schema, vocabulary

EXPERIMENTS = [
    Experiment(policies="random"),
    Experiment(
        policies=["random", "balanced", "random"], players=3, setup="draft", edition="1e", expansions=EXPANSIONS
    ),
    Experiment(policies="random", players=5, setup="deal", expansions=("court",)),
]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=("plain", "draft", "deal"))
@pytest.mark.parametrize("games", [0, 1, 30])
def test_a_file_has_the_rows_and_the_types_of_the_frame(experiment, games):
    parts, words = experiment.components(), vocabulary(experiment.components())
    tables = [ChunkTables(TABLES, words, 10**10 - 30) for _ in range(2)]
    if games:
        played = parts.arena(1).play(10**10 - 30, games, seasons=True, battles=True, counties=True)
        for each in tables:
            each.add(played)
    for table in TABLES:
        written = file_schema(table, words).file(tables[0].columns(table), {"wallsim.table": table})
        read = pl.read_parquet(io.BytesIO(written))
        assert dict(read.schema) == schema(table, words)
        assert_frame_equal(read, tables[1].frame(table), check_exact=True)
