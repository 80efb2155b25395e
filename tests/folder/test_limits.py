"""The limits fit together: the longest journal and manifest of the largest run and tournament can be read."""

import json
from dataclasses import replace

import pytest

from tests.refusals import refused
from wallsim.errors import InputError
from wallsim.experiment.chunks import MAX_CHUNKS
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import MAX_GAMES
from wallsim.folder.journal import ChunkRecord, Header
from wallsim.folder.layout import PartFile, part_name
from wallsim.folder.local_files import MOST_BYTES, MOST_BYTES_PER_CHUNK
from wallsim.folder.schema import TABLES
from wallsim.folder.tournament_design import MAX_GAMES as MOST_OF_TOURNAMENT
from wallsim.folder.tournament_design import Design
from wallsim.play.tournament.play import chunk_blocks

ROOM = 100  # bytes for entries that later versions add to a receipt, such as a digest of the versions that played
LARGEST_PART = 10**12  # bytes of a file, and more rows than any has


def longest_record() -> ChunkRecord:
    """The receipt of the last chunk of the largest run, with every table and the longest numbers."""
    last = MAX_CHUNKS - 1
    files = tuple(PartFile(part_name(table, last), table, LARGEST_PART, LARGEST_PART, "f" * 64) for table in TABLES)
    long = 1e9 / 3  # seconds, with as many digits as there are
    return ChunkRecord(last, MAX_GAMES, MAX_GAMES, files, long, "f" * 12, long, long, 1024, long)


def test_no_receipt_and_no_entries_of_a_chunk_in_the_manifest_are_longer_than_the_limit():
    header, record = Header(None, "f" * 64, {}, 1_000_000, 1_000_000), longest_record()
    receipt = len(record.line(header)) + 1
    assert 1000 < receipt + ROOM <= MOST_BYTES_PER_CHUNK
    chunk = {"chunk": record.chunk, "first": record.first, "games": record.games}
    entries = json.dumps({"chunks": [chunk], "files": [vars(part) for part in record.files]}, indent=2)
    assert 1000 < len(entries) <= MOST_BYTES_PER_CHUNK
    assert MAX_CHUNKS * MOST_BYTES_PER_CHUNK < MOST_BYTES


@pytest.mark.parametrize("tables", [{}, {"battles": True}, {"seasons": True}, {"counties": True}, {"plans": True}])
def test_the_largest_run_has_no_more_chunks_than_a_folder_can_have(tables):
    largest = Experiment(policies="random", games=MAX_GAMES, **tables)
    assert largest.layout().count <= MAX_CHUNKS
    smallest = -(-MAX_GAMES // MAX_CHUNKS)
    assert replace(largest.layout(), chunk=smallest, first=None).count == MAX_CHUNKS
    assert Experiment(policies="random", games=MAX_GAMES, chunk=smallest, **tables).layout().count == MAX_CHUNKS
    with refused(f"chunk: {smallest - 1}", MAX_CHUNKS):
        Experiment(policies="random", games=MAX_GAMES, chunk=smallest - 1, **tables)


def test_the_largest_tournaments_have_no_more_chunks_than_a_folder_can_have():
    tried = 0
    for players in (3, 4, 5):
        for policies in range(2, 40):
            try:
                table = Design(policies, players)
            except InputError:  # too many games per block
                break
            games = chunk_blocks(table) * table.games_per_block
            assert MOST_OF_TOURNAMENT // games < MAX_CHUNKS
            tried += 1
    assert tried > 20
