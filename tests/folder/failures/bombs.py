"""Small inputs that would take gigabytes or hours if readers had no bounds, each read in a process of its own.

`python -m tests.folder.failures.bombs FOLDER` reads all of them and prints how each ended, as JSON. Every one is
read in a fork that may use BYTES more than Python with the package, and SECONDS of CPU time.
"""

import json
import os
import resource
import shutil
import sys
import time
from pathlib import Path

from tests.searches import work
from wallsim.analysis.tower.cast_file import read_casts
from wallsim.errors import InputError, WallsimError
from wallsim.experiment.file import load_experiment
from wallsim.experiment.identity import identity_hash
from wallsim.folder.checksummed_json import sealed_document, sealed_line
from wallsim.folder.listing import list_results
from wallsim.folder.local_files import FileStore
from wallsim.folder.manifest import receipts_of_manifest
from wallsim.folder.receipts import Receipt
from wallsim.folder.search_kinds import GENERATION, LEARNINGS, MOST_CHUNKS, MOST_GENERATIONS, TUNINGS
from wallsim.folder.verification import verify_results
from wallsim.play.flags import experiment_of
from wallsim.play.scenarios.file import load_experiments
from wallsim.policies.catalogue import load_policy
from wallsim.policies.value.value_file import load_value
from wallsim.report.map.board_map import check_map
from wallsim.report.map.values_file import read_values
from wallsim.rules.board import load_board
from wallsim.rules.files import data_folder
from wallsim.rules.tower import load_tower
from wallsim.studies.catalogue import load_study
from wallsim.studies.published import figures
from wallsim.studies.running import checked_choices
from wallsim.studies.study import Choices
from wallsim.trace.game_text.position import read_file, read_position

BYTES, SECONDS = 1 << 30, 10
MANY = 30_000
TOML = {
    "dotted key": ".".join("a" * 20_000) + " = 1",
    "dotted header": f"[{'.'.join('a' * 20_000)}]",
    "quoted dotted key": ". ".join(['"a"'] * 20_000) + " = 1",
    "lists": f"a = {'[' * MANY}",
    "tables": f"a = {'{a = ' * MANY}",
    "keys": "".join(f"k{k} = 1\n" for k in range(MANY)),
    "headers": "".join(f"[t{k}]\n" for k in range(MANY)),
    "policies": f"policies = {json.dumps([f'k{k}' for k in range(MANY)])}",
    "steps": f"interventions = [{'{ do = 1 }, ' * 30_000}]",
    "long key": f"{'k' * 1_000_000} = 1",
    "long quoted key": '"' + "k" * 1_000_000 + '" = 1',
    "power": "games = 1e999999999999",
    "string without end": 'name = "' + '\\"' * 500_000,
    "strings without end": "name = " + '"""\\' * 200_000,
    "dots in strings": f"name = '{'.' * 900_000}'",
    "numbers with points": "a = [" + "1." * 400_000,
    "blanks between dots": f"a.{' ' * 900_000}= 1",
    "too long": "#" * 3_000_000,
}
JSON = {
    "lists": b"[" * MANY,
    "objects": b'{"a":' * MANY,
    "lists in a string": json.dumps({"models": ["[" * MANY]}).encode(),
    "power": b'{"models": 1e999999999}',
    "string without end": b'{"models": "' + b'\\"' * 500_000,
    "keys": json.dumps({f"k{k}": 1 for k in range(20_000)}).encode(),
    "utf-16": ('{"a":' * 30_000).encode("utf-16"),
}
MARKS = "a" + "\u0316\u0301" * 150_000  # accents in the wrong order, which a normal form sorts
CSV = {
    "columns": "county," + ",".join(f"k{k}" for k in range(MANY)),
    "cells": "county,win\n" + "x,1\n" * MANY,
    "accents": f"county,win\n{MARKS},1\n",
    "quote without end": 'county,win\n"' + "x" * 300_000,
    "names": "county,win\n" + "".join(f"k{k},1\n" for k in range(MANY)),
    "digits": f"county,win\nTirol,{'9' * 100_000}\n",
}
CASTS = {
    "columns": ",".join(f"in_{k},out_{k}" for k in range(MANY)) + "\n1,1\n",
    "cells": "in_red,out_red\n" + "x,x\n" * MANY,
    "accents": f"in_red,out_red,note\n1,1,{MARKS}\n",
    "sessions": "session,in_red,out_red\n" + "".join(f"s{k},1,0\n" for k in range(MANY)),
}


def manifest_with(**changes):
    """A sealed manifest of a run that says so, and the run's hash."""
    identity = {"players": 4}
    facts = {
        "format": 4, "games": 1, "seed": 1, "rows": {}, "bytes": 0, "policies": [], "files": [], "papers": {},
        "board": {"folder": "", "digest": "", "assumed": [], "sources": []},
        "tower": {"name": "", "model": "", "source": ""},
        "time": {"wall": 0, "cpu": 0, "engine_cpu": 0, "sessions": 0, "compiling": 0, "workers": []},
        "chunks": [{"chunk": 0, "first": 0, "games": 1}],
        "experiment": {"name": None, "hash": identity_hash(identity), "identity": identity, "text": ""},
    }  # fmt: skip
    return sealed_document({**facts, **changes}), identity_hash(identity)


def played_by(*spans):
    """A manifest whose versions played these chunks."""
    return lambda: manifest_with(versions=[{"digest": "x", "chunks": spans}])


def of_many_tables():
    """A manifest that says rows of many tables, and has the files of one."""
    chunks = [{"chunk": k, "first": k, "games": 1} for k in range(5_000)]
    files = [
        {"file": f"seats/part-{k:06d}.parquet", "table": "seats", "rows": 1, "bytes": 1, "sha256": ""}
        for k in range(5_000)
    ]
    return manifest_with(games=5_000, chunks=chunks, files=files, rows={f"t{k}": 1 for k in range(50_000)})


MANIFESTS = {
    "versions far below zero": played_by([-(10**12), 1]),
    "versions often": played_by(*[[0, 999_999]] * 2_000),
    "versions backwards": played_by(*[[5, 1]] * MANY),
    "tables": of_many_tables,
    "games": lambda: manifest_with(games=10**90, chunks=[{"chunk": 0, "first": 0, "games": 10**90}]),
}


SEARCHES = {  # kind, identity, the key of the only receipt, and the steps from which the result is said to have come
    "generations": (TUNINGS, {"check_every": 1}, (GENERATION, 7), MOST_GENERATIONS),
    "a late generation": (TUNINGS, {"check_every": 1}, (GENERATION, 10**9), 1),
    "players": (LEARNINGS, {"cells": [{"players": n} for n in range(50_000)]}, (3, 15_000), MOST_CHUNKS),
    "too many chunks": (LEARNINGS, {"cells": [{"players": 3}]}, (3, 10**9), 10**12),
}


def searched(folder, kind, identity, key, steps):
    """Check a finished search with a receipt."""
    folder.mkdir(exist_ok=True)
    facts = work.part(kind, (key[0], 0))[0]
    lines = [kind.header(identity), kind.line(identity, key, Receipt(facts, {})), b""]
    (folder / "journal.jsonl").write_bytes(b"\n".join(lines))
    result = {"asked": {}, "command": "", "steps": steps}
    document = {kind.what: identity, "results": {"x.json": result}, "files": {}}
    (folder / "checksums.json").write_bytes(sealed_document(document))
    verified(folder)


def head(**changes):
    """The journal of a run without chunks."""
    identity = {"players": 4}
    facts = {
        "format": 4, "name": None, "hash": identity_hash(identity), "identity": identity, "chunk": 1,
        "first_chunk": 1, "games": 1, "looks": [], "grows": False, "papers": {},
    }  # fmt: skip
    return sealed_line({**facts, **changes}) + b"\n"


JOURNALS = {
    "a long chunk": lambda: head(chunk=10**80, games=10**86),
    "documents": lambda: head(papers={f"board/{k}": "" for k in range(20_000)}),
}


def bombs(place):
    """Every hostile input by name, as a function that reads it."""
    readers = {"experiment": load_experiments, "tower": load_tower, "policy": load_policy}
    for kind, read in readers.items():
        for name, text in TOML.items() if kind == "experiment" else [*TOML.items()][:1]:
            yield f"{kind}: {name}", _file(place / f"{kind}.toml", text.encode(), lambda p, r=read: r(str(p)))
    for name, data in JSON.items():
        yield f"value: {name}", _file(place / "value.json", data, lambda p: load_value(str(p)))
        yield f"map: {name}", _file(place / "board" / "map.json", data, lambda p: raised(check_map(p.parent)))
        yield f"manifest: {name}", _file(place / "run" / "manifest.json", data, lambda p: verified(p.parent))
        yield f"scenarios: {name}", _file(place / "set" / "scenarios.json", data, lambda p: verified(p.parent))
    for name, text in CSV.items():
        path = place / "values.csv"
        yield f"values: {name}", _file(path, text.encode(), lambda p: read_values(p, "win", ("Tirol",)))
        path = place / "board" / "counties.csv"
        yield f"board: {name}", _file(path, text.encode(), lambda p: load_board(p.parent))
    for name, text in CASTS.items():
        yield f"casts: {name}", _file(place / "casts.csv", text.encode(), read_casts)
    for name, text in {"accents": MARKS, "long": "players: 4\n" + "A: x\n" * 200_000, "cubes": "A1 " * 300_000}.items():
        yield f"game text: {name}", _file(place / "game.txt", text.encode(), lambda p: read_position(read_file(p)))
    for name, make in MANIFESTS.items():
        yield f"lost journal: {name}", lambda m=make: receipts(place / "lost", *m())
    for name, make in JOURNALS.items():
        yield (
            f"journal: {name}",
            lambda m=make: _file(place / "x" / "journal.jsonl", m(), lambda p: verified(p.parent))(),
        )
    for name, about in SEARCHES.items():
        yield f"search: {name}", lambda a=about: searched(place / "search", *a)
    yield "figures: brackets", lambda: figures("[" * 100_000)
    yield "figures: stars", lambda: figures("*a" * 60_000)
    yield "study: games", lambda: checked_choices(load_study("price"), Choices(games=10**25 - 1))
    yield "option: step", lambda: experiment_of(None, {"interventions": [".".join("a" * 20_000) + " = 1"]})
    yield "option: policies", lambda: experiment_of(None, {"policies": ",".join(f"k{k}" for k in range(20_000))})
    yield "option: switches", lambda: experiment_of(None, {"rules": [f"k{k}=1" for k in range(20_000)]})
    yield "option: number", lambda: load_experiment(place / "none.toml", {"games": 10**90})


def _file(path, data, read):
    def run():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return read(path)

    return run


def raised(errors):
    """InputError with a list of errors, if there are any."""
    if errors:
        raise InputError(errors)


def verified(folder):
    """Check and list a folder."""
    list_results([folder])
    raised(verify_results(folder))


def receipts(folder, data, hash_):
    """The receipts of a manifest in a folder without a journal, if it has any."""
    FileStore(folder).make()
    (folder / "manifest.json").write_bytes(data)
    if not receipts_of_manifest(FileStore(folder), hash_):
        raise InputError("no receipts")


def ended(read):
    """How reading ended, the CPU seconds, and the growth of memory in bytes."""
    begin, clock = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    try:
        read()
        how, words = "read", ""
    except WallsimError as error:
        how, words = "refused", str(error)
    except BaseException as error:  # what must not happen is told
        how, words = type(error).__name__, str(error)[:500]
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begin
    return {"how": how, "words": words[:300], "letters": len(words), "lines": words.count("\n") + 1,
            "cpu": time.process_time() - clock, "grown": grown << 10}  # fmt: skip


def in_a_fork(read):
    """How reading ended within the limits of a process of its own."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + BYTES, size + BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        os.write(sink, json.dumps(ended(read)).encode())
        os._exit(0)
    os.close(sink)
    with open(source, "rb") as file:
        data = file.read()
    status = os.waitpid(child, 0)[1]
    return json.loads(data) if data else {"how": f"killed by signal {status & 127}"}


def names():
    """The names of all inputs."""
    return [name for name, _ in bombs(Path("place"))]


def main(place, wanted):
    """Read these inputs, and print how each ended."""
    shutil.copytree(data_folder("board"), place / "board")
    print(json.dumps({name: in_a_fork(read) for name, read in bombs(place) if name in wanted}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
