"""Consistent lies: a table's file is replaced, and its digests, receipts, journal and manifest are sealed again."""

import hashlib
import io
import json

import polars as pl

from tests.folder.mishaps import journal_lines, manifest_of, put_line, put_manifest

LIES = {
    "rows": lambda frame: frame.with_columns(pl.col(frame.columns[-1]).reverse(), (pl.col("vp") + 1).alias("vp")),
    "schema": lambda frame: frame.with_columns(pl.col("vp").cast(pl.Int32)),
    "columns": lambda frame: frame.with_columns(pl.lit(1).alias("more")),
    "order": lambda frame: frame.reverse(),
}


def forge(folder, table, chunk, lie=LIES["rows"], metadata=None, *, counted=True):
    """Replace the file of a table of a chunk by another one; its number of rows is recorded only if it is counted."""
    name = f"{table}/part-{chunk:06d}.parquet"
    whole = (folder / name).read_bytes()
    about = {
        key: text for key, text in pl.read_parquet_metadata(io.BytesIO(whole)).items() if key.startswith("wallsim.")
    }
    written = io.BytesIO()
    frame = lie(pl.read_parquet(io.BytesIO(whole)))
    frame.write_parquet(
        written, compression="zstd", compression_level=3, statistics=False, metadata={**about, **(metadata or {})}
    )
    assert written.getvalue() != whole, "a lie that changes nothing is none"
    put_file(folder, name, written.getvalue(), **({"rows": frame.height} if counted else {}))


def put_file(folder, name, data, **facts):
    """Replace a table's file, and record its size and digest as if the package had written it."""
    (folder / name).write_bytes(data)
    facts |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    def recorded(files):
        return [{**part, **(facts if part["file"] == name else {})} for part in files]

    for number, line in enumerate(map(json.loads, journal_lines(folder)[1:]), start=1):
        if name in {part["file"] for part in line["files"]}:
            put_line(folder, number, {**line, "files": recorded(line["files"])})
    manifest = manifest_of(folder)
    files = recorded(manifest["files"])
    put_manifest(folder, {**manifest, "files": files, "bytes": sum(part["bytes"] for part in files)})
