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


def forge(folder, table, chunk, lie=LIES["rows"], metadata=None):
    """Replace the file of a table of a chunk by another one, as if the package had written it."""
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
    data = written.getvalue()
    assert data != whole, "a lie that changes nothing is none"
    (folder / name).write_bytes(data)
    updated = {"rows": frame.height, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    lines = [json.loads(line) for line in journal_lines(folder)]
    for number, line in enumerate(lines[1:], start=1):
        if line["chunk"] == chunk:
            put_line(folder, number, {**line, "files": [_updated(part, name, updated) for part in line["files"]]})
    manifest = manifest_of(folder)
    manifest["files"] = [_updated(part, name, updated) for part in manifest["files"]]
    manifest["bytes"] = sum(part["bytes"] for part in manifest["files"])
    put_manifest(folder, manifest)


def _updated(part, name, updated):
    return {**part, **updated} if part["file"] == name else part
