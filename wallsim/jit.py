"""The one compiler: `kernel`, its cache, calls by address, and machine instructions that Python lacks.

Numba keys a cached kernel by the text of that kernel's own file, so an edited constant in another module
would leave stale machine code behind. The cache therefore lies in a folder named by a digest of every source
file that kernels come from and of the compiler's settings: any edit there starts a new folder.
"""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial

from wallsim.compile_cache.folder import Turn, cache_folder
from wallsim.current_folder import hidden_here
from wallsim.errors import InputError, WallsimError

_IS_FIRST = "numba" not in sys.modules  # else its settings are those of the program that has imported it
with hidden_here(".numba_config.yaml"):
    import numba
if _IS_FIRST:
    numba.config._config_fname = ""  # Numba reads it again whenever it compiles

from numba.core import cgutils, types  # noqa: E402
from numba.core.ccallback import CFunc  # noqa: E402
from numba.core.compiler_lock import global_compiler_lock  # noqa: E402
from numba.core.lowering import Lower  # noqa: E402
from numba.extending import intrinsic, overload  # noqa: E402

from wallsim.compile_cache.kernel_cache import KernelCache, code_of_installation, source_stamp  # noqa: E402  (imports numba)
from wallsim.compile_cache.kernel_cache import compiler_settings as compiler_settings  # noqa: E402
from wallsim.compile_cache.kernel_cache import source_digest as source_digest  # noqa: E402
from wallsim.compile_cache.linking import EntryPointCompiler, Kernel, count_compiled  # noqa: E402  (imports numba)

_FOLDER = cache_folder(source_digest())
_TURN = Turn(_FOLDER)
COMPILER = f"numba {numba.__version__}"
ir = cgutils.ir  # Numba's own way to write machine instructions
os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = str(_FOLDER)
# As if it had been there: Numba would read all of its settings again, also those that the digest above is of.
numba.config._env_reloader.old_environ["NUMBA_CACHE_DIR"] = str(_FOLDER)
numba.config.CACHE_LOCATOR_CLASSES = ""  # which could name other places
count_compiled(_TURN.count)
_SHIPPED = code_of_installation()


def _cache_of(function, bounded=False):
    """What makes the cache for the machine code of a function; None unless the function comes from a file."""
    try:
        stamp = source_stamp(function.__code__.co_filename)  # now, since the file may be edited before it is compiled
    except OSError:
        return None
    return partial(KernelCache, function, stamp, bounded, _TURN, _SHIPPED)


_declared_bounded = False


@contextmanager
def checking_bounds() -> Iterator[None]:
    """Check every index of the kernels that are declared in this block; one out of bounds raises IndexError."""
    global _declared_bounded
    _declared_bounded = True
    try:
        yield
    finally:
        _declared_bounded = False


@contextmanager
def compiling_in_turn() -> Iterator[Turn]:
    """Wait in this block, before anything is compiled, for another process that compiles; then it need not be."""
    with _TURN.wanted() as turn:
        yield turn


def kernel(function=None, *, apart=False, distinct=False):
    """Compile a function without the interpreter lock, cached, with C's rules for division and bounds.

    It never allows `fastmath`: operations keep their order and are not contracted, so that results have the same bits
    on every system. Kernels are inlined into their callers by LLVM unless they are kept `apart`. Keep apart a kernel
    that is large and has several callers, or is rarely called. No argument that a `distinct` kernel writes to shares
    memory with another; sums over the rows of an array can then stay in vector registers.
    Only kernels that Python calls, and entry points, get machine code, with that of all kernels below them.
    """
    if function is None:
        return lambda function: kernel(function, apart=apart, distinct=distinct)
    if numba.config.DISABLE_JIT:
        return function
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "forceinline": not apart}
    if _declared_bounded:
        options["boundscheck"] = True
    return Kernel(function, targetoptions=options, make_cache=_cache_of(function, _declared_bounded), distinct=distinct)


class NotCompiledError(InputError):
    """A function that Numba cannot compile; the message is Numba's, shortened."""


@contextmanager
def _bounds_checks_name_lines(file):
    """Let the IndexErrors of functions that are compiled in this block name the line of `file`.

    Numba's own do not. It lowers a function instruction by instruction; the last line of the file is the one.
    """
    line = 0
    with global_compiler_lock:
        lower, check = Lower.lower_inst, cgutils.do_boundscheck

        def lower_and_note(self, instruction):
            nonlocal line
            if instruction.loc.filename == file:
                line = instruction.loc.line
            return lower(self, instruction)

        def checked(context, builder, index, length, axis=None):
            words = f"line {line}: index out of bounds" if line else "index out of bounds"
            above = builder.icmp_signed(">=", index, length)
            below = builder.icmp_signed("<", index, index.type(0))
            with cgutils.if_unlikely(builder, builder.or_(above, below)):
                context.call_conv.return_user_exc(builder, IndexError, (words,))

        Lower.lower_inst = lower_and_note
        cgutils.do_boundscheck = checked
        try:
            yield
        finally:
            Lower.lower_inst = lower
            cgutils.do_boundscheck = check


class _EntryPoint(CFunc):
    """A callback whose machine code is inspected before it is cached."""

    def __init__(self, function, signature, options, inspect):
        super().__init__(function, signature, {}, options)
        self._compiler = EntryPointCompiler(function, self._targetdescr, options, {}, self._compiler.pipeline_class)
        self._inspect = inspect

    def _compile_uncached(self):
        compiled = super()._compile_uncached()
        if self._inspect is not None:
            compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)  # links all that it calls
            self._inspect(compiled.library.get_llvm_str())
        return compiled


def entry_point(function, records, integers, answers, *, bounded=False, inspect=None):
    """The address of a function compiled to be called by address, with `call_void` or `call_int`.

    Its arguments are records of the dtypes `records`, then so many int64; it returns an int64 if it `answers`. The code
    is cached like that of a kernel and stays in memory as long as the process runs. `bounded`: indices are checked, and
    one out of bounds raises IndexError. `inspect` gets the text of the linked code, in LLVM's language, before it is
    cached; it may raise an error of the package. Raises NotCompiledError, and CacheError if the disk is full.
    """
    if numba.config.DISABLE_JIT:
        raise NotCompiledError("NUMBA_DISABLE_JIT is set; policies that search or are Python files need the compiler")
    arguments = [numba.from_dtype(dtype) for dtype in records] + [types.int64] * integers
    signature = (types.int64 if answers else types.void)(*arguments)
    plain = getattr(function, "py_func", function)
    try:
        options = {"error_model": "numpy", **({"boundscheck": True} if bounded else {})}
        compiled = _EntryPoint(plain, (signature.args, signature.return_type), options, inspect)
        make_cache = _cache_of(plain, bounded)
        if make_cache is not None:
            compiled._cache = make_cache()
        with _bounds_checks_name_lines(plain.__code__.co_filename) if bounded else nullcontext():
            compiled.compile()
    except WallsimError:
        raise
    except numba.errors.NumbaError as error:
        raise NotCompiledError(_first_lines(str(error) or type(error).__name__)) from None
    except Exception as error:  # what its inference stumbles over, such as the name of a field that there is not
        raise NotCompiledError(_first_lines(f"{type(error).__name__}: {error}")) from None
    _ENTRY_POINTS.append(compiled)
    return compiled.address


_ENTRY_POINTS: list = []  # kept, because the addresses of freed code must not be called
_MAX_LINES = 12  # of a message


def _first_lines(text):
    lines = [line for line in text.splitlines() if line.strip() and "numba.readthedocs" not in line]
    return "\n".join(lines[:_MAX_LINES])


def is_foreign(function) -> bool:
    """Whether an object that compiled code can call is a function of C, or one that is called by its address."""
    kinds = (CFunc, types.ExternalFunction, ctypes.CFUNCTYPE(None).__bases__[0])
    return isinstance(function, kinds) or type(function).__module__ == "_cffi_backend"


def is_compiling() -> bool:
    """Whether the thread that asks is compiling or loading a kernel, where nothing may be raised."""
    return global_compiler_lock.is_locked()


@contextmanager
def compiling_for_this_machine() -> Iterator[None]:
    """Compile in this block what the private cache lacks, instead of loading code that ships with the installation."""
    with nullcontext() if _SHIPPED is None else _SHIPPED.left_alone():
        yield


def is_compiled() -> bool:
    """Whether there is machine code for these sources and settings, in the cache folder or with the installation."""
    if _SHIPPED is not None and not _SHIPPED.ignored:
        return True
    # Unlike `rglob`, this passes over folders that another process removes meanwhile.
    return any(name.endswith(".nbc") for _, _, names in os.walk(_FOLDER) for name in names)


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
            kinds = [context.get_value_type(argument) for argument in signature.args[1]]
            result_kind = ir.VoidType() if returned is types.void else context.get_value_type(returned)
            unpacked = [builder.extract_value(values[1], place) for place in range(len(kinds))]
            function = builder.inttoptr(values[0], ir.FunctionType(result_kind, kinds).as_pointer())
            result = builder.call(function, unpacked)
            return context.get_dummy_value() if returned is types.void else result

        return returned(address, *arguments), codegen

    return typed


@intrinsic
def call_void(typingctx, address, arguments):
    """Call the function at an address with a tuple of records and int64; it returns nothing."""
    return _call(types.void)(typingctx, address, arguments)


@intrinsic
def call_int(typingctx, address, arguments):
    """Call the function at an address with a tuple of records and int64; returns its int64."""
    return _call(types.int64)(typingctx, address, arguments)


def record_at(dtype):
    """A compiled function that returns the record of a dtype at an address; the caller must keep its memory."""
    record = numba.from_dtype(dtype)

    @intrinsic
    def view(typingctx, address):
        def codegen(context, builder, signature, values):
            return builder.inttoptr(values[0], context.get_value_type(record))

        return record(types.int64), codegen

    return view


@intrinsic
def copy_record(typingctx, target, source, size):
    """Copy the first `size` bytes of `source` into `target`, a record of the same dtype."""

    def codegen(context, builder, signature, values):
        byte = ir.IntType(8).as_pointer()
        known = [byte, byte, ir.IntType(64), ir.IntType(1)]
        move = builder.module.declare_intrinsic("llvm.memcpy", known[:3])
        still = ir.Constant(ir.IntType(1), 0)
        builder.call(move, [builder.bitcast(value, byte) for value in values[:2]] + [values[2], still])
        return context.get_dummy_value()

    return types.void(target, source, types.int64), codegen


@intrinsic
def copy_part(typingctx, target, source, first, end):
    """Copy the bytes from `first` up to `end` of `source` into `target`, a record of the same dtype."""

    def codegen(context, builder, signature, values):
        byte = ir.IntType(8).as_pointer()
        known = [byte, byte, ir.IntType(64), ir.IntType(1)]
        move = builder.module.declare_intrinsic("llvm.memcpy", known[:3])
        places = [builder.gep(builder.bitcast(value, byte), [values[2]]) for value in values[:2]]
        builder.call(move, [*places, builder.sub(values[3], values[2]), ir.Constant(ir.IntType(1), 0)])
        return context.get_dummy_value()

    return types.void(target, source, types.int64, types.int64), codegen


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
    """The int64 at a place of a record that is read as an array of int64."""

    def codegen(context, builder, signature, values):
        row = builder.bitcast(values[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(row, [values[1]]))

    return types.int64(record, types.int64), codegen
