"""The one compiler: `kernel`, its cache, calls by address, and machine instructions that Python lacks.

Numba keys a cached kernel by the text of that kernel's own file, so an edited constant in another module
would leave stale machine code behind. The cache therefore lies in a folder named by a digest of every source
file that kernels come from and of the compiler's switches: any edit there starts a fresh folder.
"""

import hashlib
import os
import tempfile
from pathlib import Path

from wallsim.errors import InputError

_PACKAGE = Path(__file__).resolve().parent
_COMPILED = ("jit.py", "rules", "state", "mechanics", "policies", "engine")
_SWITCHES = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


def source_digest() -> str:
    """Sixteen hexadecimal digits naming the kernels' sources and the compiler switches in force."""
    digest = hashlib.sha256()
    places = [_PACKAGE / name for name in _COMPILED]
    for path in sorted(file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    for name in _SWITCHES:
        digest.update(f"{name}={os.environ.get(name, '')}\0".encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept; `WALLSIM_CACHE_DIR` moves the parent folder.

    A parent that cannot be written to is replaced by the system's folder for temporary files, because Numba would
    quietly fall back to a place that knows nothing of the digest.
    """
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    wanted = Path(os.environ.get("WALLSIM_CACHE_DIR") or Path(home) / "wallsim")
    for parent in (wanted, Path(tempfile.gettempdir()) / f"wallsim-{os.getuid() if hasattr(os, 'getuid') else 0}"):
        folder = parent / source_digest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    raise OSError(f"neither {wanted} nor the folder for temporary files can be written to; set WALLSIM_CACHE_DIR")


_FOLDER = cache_folder()
os.environ["NUMBA_CACHE_DIR"] = str(_FOLDER)

import numba  # noqa: E402  (numba reads its environment when it is imported)
from numba.core import cgutils, types  # noqa: E402
from numba.extending import intrinsic, overload  # noqa: E402

ir = cgutils.ir  # Numba's own way to write machine instructions
numba.config.CACHE_DIR = str(_FOLDER)  # also where Numba was imported before


def kernel(function=None, *, apart=False, pasted=False):
    """Compile a function without the interpreter lock, cached, with C's rules for division and bounds.

    Kernels melt into their callers unless they are kept `apart`. Machine code of separate kernels starts on pages
    of its own, where the same few lines of the processor's cache must hold the beginnings of all of them: melting
    the many small steps of a round together made games a fifth faster. Keep apart what is large and has several
    callers, or is rarely needed.

    A kernel that is `pasted` is copied into its callers before anything is compiled. Every other kernel is optimised
    together with all that it calls, and again in each caller above it; a mere switch between large kernels is not
    worth that. It may have no argument that can be None.
    """
    if function is None:
        return lambda function: kernel(function, apart=apart, pasted=pasted)
    if pasted:
        return numba.njit(nogil=True, cache=True, error_model="numpy", inline="always")(function)
    compiled = numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=not apart)(function)
    return compiled if numba.config.DISABLE_JIT else _blind_to_literals(compiled)


def _blind_to_literals(compiled):
    """Let a kernel's constant arguments count as numbers like any other when other kernels call it.

    Numba would compile the kernel once more for every constant that some caller passes. LLVM sees the constants all
    the same where it melts kernels together, so the copies cost a sixth of the compiling and gain nothing.
    """
    template = compiled.get_call_template

    def call_template(arguments, keywords):
        plain = {name: types.unliteral(argument) for name, argument in keywords.items()}
        return template(tuple(map(types.unliteral, arguments)), plain)

    compiled.get_call_template = call_template
    return compiled


class NotCompiledError(InputError):
    """A function that Numba cannot compile; the message is Numba's, shortened."""


def entry_point(function, records, integers, answers):
    """The address of a function compiled for callers that know only addresses: see `tell` and `ask`.

    It is given records of the dtypes `records`, then so many int64, and returns an int64 if it `answers`. The code is
    cached like that of a kernel, and lives as long as the process. Raises NotCompiledError.
    """
    if numba.config.DISABLE_JIT:
        raise NotCompiledError("NUMBA_DISABLE_JIT is set; policies that search or are Python files need the compiler")
    arguments = [numba.from_dtype(dtype) for dtype in records] + [types.int64] * integers
    signature = (types.int64 if answers else types.void)(*arguments)
    try:
        compiled = numba.cfunc(signature, cache=True, error_model="numpy")(getattr(function, "py_func", function))
    except Exception as error:  # Numba's own, and what its inference stumbles over
        raise NotCompiledError(_first_lines(str(error) or type(error).__name__)) from None
    _ALIVE.append(compiled)
    return compiled.address


_ALIVE: list = []  # entry points; freed code would leave wild addresses behind
_LINES = 12


def _first_lines(text):
    lines = [line for line in text.splitlines() if line.strip() and "numba.readthedocs" not in line]
    return "\n".join(lines[:_LINES])


def is_compiled() -> bool:
    """Whether the cache folder already holds machine code for these sources and switches."""
    return any(_FOLDER.rglob("*.nbc"))


@intrinsic
def _count_bits(typingctx, mask):
    def codegen(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), codegen


@intrinsic
def _count_trailing_zeros(typingctx, mask):
    def codegen(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), codegen


def count_bits(mask: int) -> int:
    """The number of counties in a bit mask (int64, not negative)."""
    return int(mask).bit_count()


def lowest_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask (int64, positive)."""
    return (int(mask) & -int(mask)).bit_length() - 1


@overload(count_bits, inline="always")
def _compiled_count_bits(mask):
    return lambda mask: _count_bits(mask)


@overload(lowest_bit, inline="always")
def _compiled_lowest_bit(mask):
    return lambda mask: _count_trailing_zeros(mask)


# ------------------------------------------------------------------------------------------ calls by address


def _call(returned):
    def typed(typingctx, address, *arguments):
        def codegen(context, builder, signature, values):
            known = [context.get_value_type(argument) for argument in signature.args[1]]
            kind = ir.VoidType() if returned is types.void else context.get_value_type(returned)
            parts = [builder.extract_value(values[1], place) for place in range(len(known))]
            function = builder.inttoptr(values[0], ir.FunctionType(kind, known).as_pointer())
            found = builder.call(function, parts)
            return context.get_dummy_value() if returned is types.void else found

        return returned(address, *arguments), codegen

    return typed


@intrinsic
def tell(typingctx, address, arguments):
    """Call the entry point at an address with a tuple of records and int64; it returns nothing."""
    return _call(types.void)(typingctx, address, arguments)


@intrinsic
def ask(typingctx, address, arguments):
    """Call the entry point at an address with a tuple of records and int64; returns its int64."""
    return _call(types.int64)(typingctx, address, arguments)


def record_at(dtype):
    """A compiled function that finds the record of a dtype at an address; somebody else must keep it alive."""
    record = numba.from_dtype(dtype)

    @intrinsic
    def found(typingctx, address):
        def codegen(context, builder, signature, values):
            return builder.inttoptr(values[0], context.get_value_type(record))

        return record(types.int64), codegen

    return found


@intrinsic
def copy_record(typingctx, target, source, size):
    """Make the first `size` bytes of a record what they are in another of the same dtype."""

    def codegen(context, builder, signature, values):
        byte = ir.IntType(8).as_pointer()
        known = [byte, byte, ir.IntType(64), ir.IntType(1)]
        move = builder.module.declare_intrinsic("llvm.memcpy", known[:3])
        still = ir.Constant(ir.IntType(1), 0)
        builder.call(move, [builder.bitcast(value, byte) for value in values[:2]] + [values[2], still])
        return context.get_dummy_value()

    return types.void(target, source, types.int64), codegen


@intrinsic
def clear_record(typingctx, record, first):
    """Set a record to zero from byte `first` on."""

    def codegen(context, builder, signature, values):
        byte = ir.IntType(8).as_pointer()
        size = context.get_constant(types.int64, signature.args[0].size)
        begin = builder.gep(builder.bitcast(values[0], byte), [values[1]])
        blank = builder.module.declare_intrinsic("llvm.memset", [byte, ir.IntType(64)])
        rest = [builder.sub(size, values[1]), ir.Constant(ir.IntType(1), 0)]
        builder.call(blank, [begin, ir.Constant(ir.IntType(8), 0), *rest])
        return context.get_dummy_value()

    return types.void(record, types.int64), codegen


@intrinsic
def word_of(typingctx, record, place):
    """The int64 at a place of a record that is seen as a row of int64."""

    def codegen(context, builder, signature, values):
        row = builder.bitcast(values[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(row, [values[1]]))

    return types.int64(record, types.int64), codegen
