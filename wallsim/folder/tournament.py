"""Reading a tournament: its manifest, its rows, and the check for damage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from wallsim.escaping import in_shell
from wallsim.folder.derived import CHECKSUMS, Derived, derived_errors, write_derived
from wallsim.folder.interim_analyses import LOOKED, LOOKS, WITHDRAWN, looks_errors, note_look, withdraw
from wallsim.folder.layout import CODEBOOK, MANIFEST, PartFile
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import locked, once_unlocked
from wallsim.folder.log import Log, events
from wallsim.folder.manifest import COMMON_SHAPE, differences
from wallsim.folder.part_schema import Expected
from wallsim.folder.result_folder import ResultFolder, readable
from wallsim.folder.tournament_design import COLUMNS, KIND, RATED, RESULTS, Design

if TYPE_CHECKING:
    import polars as pl

LADDER_PICTURE, PAYOFF_PICTURE = "ladder.png", "payoffs.png"
RATINGS_JSON, RATINGS_PARQUET = "ratings.json", "ratings.parquet"
DERIVED = (LADDER_PICTURE, PAYOFF_PICTURE, RATINGS_JSON, RATINGS_PARQUET, LOOKS)
PUBLISHED = "published"  # the event in the log


@dataclass(frozen=True)
class TournamentRun(ResultFolder):
    """A finished tournament: its folder, manifest and part files."""

    what, kind = KIND, KIND
    last = MANIFEST, CHECKSUMS
    shape: ClassVar[dict[str, Any]] = {
        **COMMON_SHAPE,
        "experiment": {"hash": str, "identity": {"players": int, "setup": str, "policies": list, "seed": int}},
        "engine_version": int,
        "blocks": int,
        "games_a_block": int,
        "rows": {RESULTS: int},
        "papers": {CODEBOOK: str},
    }

    @classmethod
    def all_tables(cls) -> tuple[str, ...]:
        """The names of all tables that tournaments have."""
        return (RESULTS,)

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of the policies, in alphabetical order."""
        return tuple(policy["name"] for policy in self.manifest["policies"])

    @property
    def design(self) -> Design:
        """The balanced design that was played."""
        return Design(len(self.policies), self.identity["players"])

    def note_look(self) -> tuple[int, ...]:
        """Record that the ladder is evaluated at this number of blocks; returns all looks, see `tournament.looks`."""
        return note_look(self.folder, self.hash, self.manifest["blocks"])

    def scan(self, table: str = RESULTS, *, check: bool = True) -> pl.LazyFrame:
        """All columns as a lazy frame; with `check` the files are first compared with their digests.

        InputError for a table other than `results`, RunError if a file is missing or damaged.
        """
        return super().scan(table, check=check)

    def rows(self, *, check: bool = True) -> pl.DataFrame:
        """The rows for ratings, one per game and seat, with the columns RATED."""
        return self.scan(check=check).select(RATED).collect()

    @classmethod
    def further_manifest_errors(
        cls, place: FileStore, manifest: dict[str, Any], files: tuple[PartFile, ...]
    ) -> Iterable[str]:
        """Inconsistent numbers of games, and differences from the journal, because ratings use every game."""
        if manifest["blocks"] * manifest["games_a_block"] != manifest["games"]:
            return ["blocks"]
        differs = any(True for _ in differences(manifest, files, cls.read_journal(place)))
        return ["it differs from the journal"] if differs else []

    @classmethod
    def side_errors(cls, place: FileStore, hash_: str) -> Iterator[str]:
        """The errors of the record of interim analyses, and of the files that are computed from the rows."""
        yield from looks_errors(place, hash_)
        yield from derived_errors(place, DERIVED)
        last = events(place, LOOKED, WITHDRAWN, PUBLISHED)[-1:]
        if last and last[0]["event"] == PUBLISHED and place.size(CHECKSUMS) is None:
            yield f"{CHECKSUMS}: is missing"

    def changed_files(self) -> list[str]:
        """The errors of the files that are computed from the rows; InputError if they cannot be read."""
        with readable(self.place):
            return list(derived_errors(self.place, DERIVED))

    def publish(self, files: Mapping[str, Derived]) -> None:
        """Write the files that are computed from the rows, and their checksums, unless the folder has just these.

        InputError if it cannot be written, and if another process goes on writing there.
        """
        once_unlocked(partial(self._publish, files))

    def _publish(self, files: Mapping[str, Derived]) -> None:
        with locked(self.place):
            self.place.remove_leftovers(("",))
            looks = {LOOKS: self.place.read(LOOKS)} if self.place.exists(LOOKS) else {}
            if write_derived(self.place, {**looks, **files}, withdraw=withdraw):
                Log(self.place).write(PUBLISHED, blocks=self.manifest["blocks"])

    @classmethod
    def repair_hint(cls, place: FileStore, repairs: str = "repairs") -> str:
        """The command that started it; of games that are all there, also the one that shows them."""
        hint = super().repair_hint(place, repairs)
        if repairs == "repairs" or place.size(MANIFEST) is None:
            return hint
        return f"`wallsim tournament {in_shell(place)}` writes it, or {hint}"

    def expected(self, table: str) -> Expected | None:
        """The columns of the table, and the identity in its files' metadata."""
        if table != RESULTS:
            return None
        return Expected(table, COLUMNS, tuple(sorted(self.policies)), self.identity, self.manifest["format"])
