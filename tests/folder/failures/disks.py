"""Small disks that are really mounted, and removed at the end."""

import os
import subprocess
from contextlib import contextmanager

import pytest


class Disk:
    """A file system in memory of a few kilobytes, mounted on a new folder."""

    def __init__(self, folder, kilobytes):
        self.folder = folder
        folder.mkdir()
        done = _mount("-t", "tmpfs", "-o", f"size={kilobytes}k", "wallsim-test", folder)
        if done.returncode:
            folder.rmdir()
            pytest.skip(f"file systems cannot be mounted here: {done.stderr.strip()}")

    def change(self, options):
        """Mount it again with other options, such as `size=100k` or `ro`."""
        done = _mount("-o", f"remount,{options}", self.folder)
        assert not done.returncode, done.stderr

    def leave(self, kilobytes):
        """Make it so small that only this much is free."""
        facts = os.statvfs(self.folder)
        used = (facts.f_blocks - facts.f_bfree) * facts.f_frsize // 1024
        self.change(f"size={max(4, used + kilobytes)}k")  # a size of 0 would be any


def _mount(*words):
    return subprocess.run(["mount", *map(str, words)], capture_output=True, text=True)


@contextmanager
def disk(folder, kilobytes=16_000):
    """A disk of this size in a new folder."""
    mounted = Disk(folder, kilobytes)
    try:
        yield mounted
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()
