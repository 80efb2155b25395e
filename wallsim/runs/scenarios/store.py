"""The folder of scenarios while they are played: its lock and its document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wallsim.errors import InputError, some_of
from wallsim.runs.folder.checksummed_json import sealed_document
from wallsim.runs.folder.file_stores import file_store
from wallsim.runs.folder.identity import refuse_other_identity
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.layout import MANIFEST, SCENARIOS, scenario_folder
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.lock import FolderLock, refuse_files
from wallsim.runs.scenarios.folder import FORMAT, DamagedDocumentError, ScenarioDocument, read_document


class ScenarioStore(FolderLock):
    """A folder of scenarios locked for writing, as a context manager; the runs in it have locks of their own."""

    def __init__(self, place: FileStore, identities: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
        """Lock a folder for scenarios by name, each with the hash and the identity of its run.

        InputError if the folder cannot be written, is in use, or contains anything but these scenarios.
        """
        self._identities = identities
        self.acquire(place)

    def refuse_foreign_files(self) -> None:
        """Without its document, accept only an empty folder, or run folders of these scenarios."""
        if self._document() is not None:
            return
        ours = {SCENARIOS} | {scenario_folder(self.folder, name).name for name in self._identities}
        if not ours.issuperset(name for name in self.place.entries() if not name.startswith(".")):
            refuse_files(self.place)

    def _document(self) -> ScenarioDocument | None:
        # None if it is missing or damaged, so that it is to be written.
        try:
            return read_document(self.folder) if self.place.exists(SCENARIOS) else None
        except DamagedDocumentError:
            return None

    def load_or_begin(self) -> None:
        """Compare the document with the scenarios, or write it."""
        self.place.remove_leftovers(("",))
        document = self._document()
        if document is None:
            self._write(finished=False)
            return
        theirs, ours = document.hashes, {name: facts[0] for name, facts in self._identities.items()}
        if list(theirs) != list(ours):
            raise InputError(
                f"{self.folder}: contains the scenarios {some_of(list(theirs))}, not {some_of(list(ours))}; "
                "choose another folder"
            )
        for name in ours:
            if theirs[name] != ours[name]:
                self._refuse_another(name)

    def _refuse_another(self, name: str) -> None:
        place = file_store(scenario_folder(self.folder, name))
        header = Journal(place).header
        if header is not None:
            refuse_other_identity(place, header.identity, self._identities[name][1], "experiment")
        raise InputError(f"{self.folder}: scenario {name} is another one there; choose another folder")

    def begin_again(self) -> None:
        """Record that scenarios may be unfinished, since games are added to them."""
        if read_document(self.folder).finished:
            self._write(finished=False)

    def finish(self) -> None:
        """Record that every scenario is finished, unless some are to have more games than were played now."""
        places = [file_store(scenario_folder(self.folder, name)) for name in self._identities]
        if all(place.exists(MANIFEST) for place in places) and not read_document(self.folder).finished:
            self._write(finished=True)

    def _write(self, *, finished: bool) -> None:
        entries = [{"name": name, "hash": facts[0]} for name, facts in self._identities.items()]
        document = {"format": FORMAT, "finished": finished, "scenarios": entries}
        self.place.write(SCENARIOS, sealed_document(document))
