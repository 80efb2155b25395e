"""Numba's cache of a kernel with checked files whose names no path decides, and with code that a release carries.

Machine code is cached in a folder named by a digest of the sources that kernels come from.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache, partial
from pathlib import Path

import numba
from numba.core import caching, config
from numba.core.codegen import get_host_cpu_features
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from wallsim.compile_cache.files import FOLDER, CheckedFiles, ShippedCode, archive_name, baseline_here, shipped_code

PACKAGE = Path(__file__).resolve().parents[1]
DIGITS = 16  # of a digest in a name
_COMPILED = ("jit.py", "compile_cache", "rules", "state", "mechanics", "policies", "engine")


@cache
def _sources() -> str:
    digest = hashlib.sha256()
    places = [PACKAGE / name for name in _COMPILED]
    for path in sorted(file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def digest_with(*others: str) -> str:
    """Sixteen hexadecimal digits naming the kernels' sources and some other texts; no path is part of it."""
    return hashlib.sha256("\0".join((_sources(), *others)).encode()).hexdigest()[:DIGITS]


def folder_in_cache(file: Path) -> str | None:
    """The name of the folder for the kernels of a file of the package, such as `wallsim.policies.value`.

    It is the same in every installation; None for a file outside of the package.
    """
    if not file.is_relative_to(PACKAGE):
        return None
    return ".".join((PACKAGE.name, *file.relative_to(PACKAGE).parent.parts))


# Numba's settings that change compiled code, beside those that name a processor.
_CODE_SETTINGS = (
    "DISABLE_JIT", "BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "USING_SVML",
    "LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "DEBUG_JIT",
    "DEBUG_NRT", "NRT_STATS",
)  # fmt: skip
_PROCESSOR_SETTINGS = ("CPU_NAME", "CPU_FEATURES")


def compiler_settings() -> dict[str, str]:
    """The settings in force that change the code of kernels, by name, whoever made them: environment, file or code."""
    return {name: str(getattr(config, name, None)) for name in (*_CODE_SETTINGS, *_PROCESSOR_SETTINGS)}


def source_digest() -> str:
    """Sixteen hexadecimal digits naming the kernels' sources and the compiler's settings."""
    return digest_with(*(f"{name}={value}" for name, value in compiler_settings().items()))


def archive_here() -> str | None:
    """The name of the file with shipped code for this machine and these sources, versions and settings of the compiler.

    None if the machine lacks a feature of its baseline, or there is no baseline for its kind of processor.
    """
    baseline = baseline_here()
    if baseline is None or not baseline.runs_with(get_host_cpu_features()):
        return None
    settings = (f"{name}={value}" for name, value in compiler_settings().items() if name not in _PROCESSOR_SETTINGS)
    versions = {"numba": numba.__version__, "llvmlite": sys.modules["llvmlite"].__version__}  # that Numba has imported
    return archive_name(baseline, versions, digest_with(*settings))


def code_of_installation() -> ShippedCode | None:
    """The shipped code that this process can use; None if there is none, or a processor is named in the environment."""
    baseline, name = baseline_here(), archive_here()
    if baseline is None or name is None or config.CPU_NAME is not None or config.CPU_FEATURES is not None:
        return None
    return shipped_code(PACKAGE / FOLDER / name, baseline)


@cache
def _content_digest(file, modified, size):
    return hashlib.sha256(Path(file).read_bytes()).digest()


def source_stamp(file: str) -> bytes:
    """A digest of a source file, by which its compiled code is recognised; computed once per version of the file."""
    status = os.stat(file)
    return _content_digest(file, status.st_mtime_ns, status.st_size)


@cache
def _folder_of(file):
    return folder_in_cache(Path(os.path.realpath(file)))


class _Place(caching.UserProvidedCacheLocator):
    """Where the files of a kernel lie; Numba would make and try that folder again for each of them.

    Files of the package have the same place in every installation, and every file is recognised by its content alone,
    so that installations share code.
    """

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        self.folder = _folder_of(py_file)
        if self.folder is None:
            self.folder = os.path.basename(self._cache_path)
        self._cache_path = os.path.join(config.CACHE_DIR, self.folder)

    def ensure_cache_path(self):
        pass

    def get_source_stamp(self):
        return source_stamp(self._py_file)


def _loaded_library(codegen, saved):
    """As Numba loads a library, without its bitcode."""
    name, _, (machine_code, defined) = saved
    library = codegen.create_library(name)
    library.enable_object_caching()
    library._set_compiled_object(machine_code)
    library._finalize_final_module()
    codegen._engine._defined_symbols.update(defined)
    return library


class _Files(caching.CompileResultCacheImpl):
    _locator_classes = [_Place]  # noqa: RUF012  (and nowhere else, should something be wrong there)

    def reduce(self, cres):
        """What is cached of compiled code: as Numba's, but with the names of what it defines in place of its bitcode.

        Numba parses the bitcode at every start, which takes longer than all else, and needs it only where another
        function links the code; `Kernel` translates it again there. The annotated source, which only printing reads
        and which names folders, is missing, too.
        """
        (name, kind, (machine_code, _)), *middle, _, reload_init, environments = super().reduce(cres)
        module = cres.library._get_module_for_linking()
        defined = sorted(each.name for each in (*module.functions, *module.global_variables) if not each.is_declaration)
        return ((name, kind, (machine_code, defined)), *middle, "", reload_init, environments)

    def rebuild(self, target_context, payload):
        """The compiled code of which `reduce` returned this."""
        codegen = target_context.codegen()
        codegen.unserialize_library = partial(_loaded_library, codegen)  # Numba's lock is held here
        try:
            return super().rebuild(target_context, payload)
        finally:
            del codegen.unserialize_library


class KernelCache(caching.FunctionCache):
    """Numba's cache of a kernel, with checked files, and without two processes that compile the same at one time.

    What is not in the private cache is loaded from the shipped code, if there is any, and else compiled.
    """

    _impl_class = _Files

    def __init__(self, function, stamp, bounded, turn, shipped):
        """`stamp` is that of the function's file when the function was defined.

        `bounded`: the code checks indices; `turn`: a Turn to compile; `shipped`: a ShippedCode or None.
        """
        super().__init__(function)
        self._turn, self._shipped = turn, shipped
        place = self._impl.locator
        base = self._impl.filename_base + ("-bounded" if bounded else "")
        records = base, stamp, numba.__version__
        self._cache_file = CheckedFiles(Path(self._cache_path), *records, dumps)
        self._shipped_records = None if shipped is None else shipped.records(place.folder, *records)

    def load_overload(self, sig, target_context):
        """The code for a signature; None if it must be compiled.

        Numba's own method imports all that Numba can compile, a fifth of a start, which the compiler does when it is
        called.
        """
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _load_overload(self, sig, target_context):
        loaded = self._saved(sig, target_context)
        if loaded is None:
            loaded = self._shipped_for(sig, target_context)
        if loaded is None and self._turn.take():
            loaded = self._saved(sig, target_context)
            if loaded is not None:
                self._turn.give_back()
        if loaded is None:
            self._turn.lacks()
        return loaded

    def save_overload(self, sig, data):
        """As Numba's; the kernel is compiled."""
        try:
            super().save_overload(sig, data)
        finally:
            self._turn.stored()

    def _saved(self, sig, target_context):
        try:
            return super()._load_overload(sig, target_context)
        except Exception:  # whatever comes of files that another version of a library wrote
            self._cache_file.flush()
            return None

    def _shipped_for(self, sig, target_context):
        if self._shipped is None or self._shipped.ignored:
            return None
        try:
            data = self._shipped_records.load(self._shipped.key(self._index_key(sig, target_context.codegen())))
            return None if data is None else self._impl.rebuild(target_context, data)
        except Exception:  # as above
            return None
