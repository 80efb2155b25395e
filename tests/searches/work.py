"""Work of the kinds of searches without any game: receipts that depend on nothing but their key."""

from wallsim.folder.search_kinds import GENERATION, LEARNINGS, RESPONSES, TEACHINGS, TUNINGS, chunk_file
from wallsim.folder.work_folder import Result, WorkFolder

KINDS = {kind.what: kind for kind in (TUNINGS, RESPONSES, LEARNINGS, TEACHINGS)}
IDENTITY = {"seed": 1, "check_every": 2, "cells": [{"players": 3}, {"players": 4}]}
FILES = {"result.json": b'{"chosen": 1}', "policy.toml": b"text"}
STEPS = 3


def part(kind, key):
    """Facts and files of a key."""
    if kind.room:
        facts = {"games": 4} if kind is LEARNINGS else {"games": 4, "lessons": 24}
        return facts, {chunk_file(kind.room, key): f"{kind.what} {key}".encode() * 9}
    if key[0] != GENERATION:
        return {"findings": [{"share": 0.25 * key[1]}]}, {}
    names = ("asked", "scores", "mean", "score", "share", "error", "step")
    more = {"cpu": 0.5} if kind is RESPONSES else {}
    return {**dict.fromkeys(names, 0.1 * key[1]), "joined": False, **more}, {}


def do(folder, kind, steps=STEPS, *, identity=IDENTITY, name="result.json", finish=True):
    """Do what a folder lacks; returns the keys that were done, and what was repaired."""
    done = []
    with WorkFolder(folder, kind, identity) as store:
        before = store.finished()
        if before is None or before.steps < steps or name not in before.results:
            store.begin_again()
        for key in kind.keys(identity, max(steps, before.steps if before else 0)):
            if not store.has(key):
                store.record(key, *part(kind, key))
                done.append(key)
        if finish:
            files = {name: FILES["result.json"], "policy.toml": FILES["policy.toml"]}
            store.finish(name, Result({"steps": steps}, f"wallsim {kind.what.split()[0]} x", steps), files, before)
    return done, store.repairs


def contents(folder):
    """The bytes of all files but the lock and copies of damaged journals."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: p.read_bytes() for name, p in paths.items() if name != ".lock" and ".damaged-" not in name}
