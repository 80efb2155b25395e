"""Machine code for the functions alone that Python or C calls: each is optimised once, with all kernels below it.

Numba optimises a function together with everything that it calls, emits its machine code, and does both again in every
caller above it. Here a kernel that another kernel calls is only typed and translated to LLVM's language. A function
that is called from outside links this code of all kernels below it, each once, and is optimised and emitted as a whole.

Indices in kernels of the package are taken as they are; Python counts negative ones from the end. Numba tests at every
access whether an index is negative, which costs `random` players about a twelfth of their speed. No kernel of the
package uses one that is, but for constants, which are still counted from the end. Where bounds are checked a negative
index raises IndexError. Functions of custom policies and of Numba itself keep Python's indices.

Compiled code sees no chance in memory: a new array is all zeros, also that of `np.empty`, and hides its address. Both
would otherwise differ between two processes that play the same games with a custom policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from numba.core import cgutils, compiler, errors, sigutils, types
from numba.core.caching import NullCache
from numba.core.ccallback import _CFuncCompiler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler
from numba.core.registry import CPUDispatcher

from wallsim.compile_cache.kernel_cache import PACKAGE

_OF_PACKAGE = f"_ZN{len(PACKAGE.name)}{PACKAGE.name}"  # how the names of its compiled functions begin, and no others


@cache
def take_as_they_are() -> None:
    """Let Numba compile the package's kernels like this from now on; it imports what Numba needs for arrays."""
    from numba.np import arrayobj

    numbas = getattr(arrayobj, "fix_integer_index", None)
    if numbas is None:  # a Numba that tests elsewhere: kernels are slower there, and no less right
        return

    def fixed(context, builder, kind, index, size):
        constant = isinstance(index, cgutils.ir.Constant)
        if constant or not kind.signed or not builder.function.name.startswith(_OF_PACKAGE):
            return numbas(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp)

    arrayobj.fix_integer_index = fixed


@contextmanager
def repeatable_memory() -> Iterator[None]:
    """Compile in this block functions that cannot read what they did not write.

    Whichever function of NumPy they call to make an array, Numba translates it with the help of the one changed here.
    """
    from numba.core.typing.arraydecl import ArrayAttribute
    from numba.np import arrayobj  # imports what Numba needs for arrays

    with global_compiler_lock:
        allocate, resolve = arrayobj._empty_nd_impl, ArrayAttribute.resolve_ctypes

        def allocate_zeros(context, builder, kind, shape):
            array = allocate(context, builder, kind, shape)
            cgutils.memset(builder, array.data, builder.mul(array.itemsize, array.nitems), 0)
            return array

        arrayobj._empty_nd_impl, ArrayAttribute.resolve_ctypes = allocate_zeros, _refuse_address
        try:
            yield
        finally:
            arrayobj._empty_nd_impl, ArrayAttribute.resolve_ctypes = allocate, resolve


def _refuse_address(self, array):
    raise errors.TypingError("ctypes: the address of an array differs in every process; allowed are its elements")


_DEFAULT_FLAGS = {name: option.default for name, option in compiler.Flags.options.items()}


class _Flags(compiler.Flags):
    """Numba's flags. Numba asks for all values at each call that it types, and would look up each by itself."""

    def values(self):
        """As Numba's: the values by name."""
        return {**_DEFAULT_FLAGS, **self._values}

    def copy(self):
        """As Numba's, but with machine code: copies are for what lies within a function, such as a block of objmode."""
        copied = super().copy()
        copied.no_compile = False
        return copied


_text_of_record: dict[int, str] = {}
_written_by_numba = types.Record.__repr__


def _written_once(record):
    """The text of a record's type. Numba writes that of all arguments in each of its passes."""
    text = _text_of_record.get(record._code)
    if text is None:
        text = _text_of_record[record._code] = _written_by_numba(record)
    return text


types.Record.__repr__ = _written_once


class _Part:
    """What Numba's linker asks a library for: here the code of one kernel without that of those below it."""

    def __init__(self, library: _Library) -> None:
        self._library = library
        self._reload_init: set = getattr(library, "_reload_init", set())  # not in earlier versions of Numba

    def _get_module_for_linking(self):
        return self._library.unoptimised()


class _Library(JITCodeLibrary):
    """The code of one function, linked and emitted only when somebody asks for its address."""

    def __init__(self, codegen, name):
        super().__init__(codegen, name)
        self._called = []
        self._unoptimised = None

    def unoptimised(self):
        """The code of this function alone, which any number of others can link."""
        if self._unoptimised is None:
            self._unoptimised = self._final_module.clone()
            for function in self._unoptimised.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"  # as Numba marks what may be linked several times
        return self._unoptimised

    def add_linking_library(self, library):
        if not isinstance(library, _Library):
            library._ensure_finalized()  # as Numba's own method does, which would also emit a kernel's machine code
        self._called.append(library)

    def finalize(self):
        self.unoptimised()
        below: dict = {}
        self._add_below(below)
        self._linking_libraries = [_Part(each) if isinstance(each, _Library) else each for each in below]
        super().finalize()

    def _add_below(self, below):
        for library in self._called:
            if library not in below and library is not self:
                below[library] = None
                if isinstance(library, _Library):
                    library._add_below(below)


class _Compiler:
    """How Numba compiles a function, with a library of the class above."""

    linked = False  # whether a kernel calls the function, so that it needs no machine code
    distinct = False  # whether its arguments share no memory
    compiled: Callable[[], None] = staticmethod(lambda: None)  # called after each compiled function

    def _customize_flags(self, flags):
        flags = super()._customize_flags(flags)
        flags.noalias = self.distinct
        if self.linked:
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def _compile_core(self, args, return_type):
        take_as_they_are()
        flags = _Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags = self._customize_flags(flags)
        context = self.targetdescr.target_context
        library = _Library(context.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        with repeatable_memory():
            result = compiler.compile_extra(
                self.targetdescr.typing_context, context, self.py_func, args=args, return_type=return_type,
                flags=flags, locals=self.locals, library=library, pipeline_class=self.pipeline_class,
            )  # fmt: skip
        _Compiler.compiled()
        return result


class _KernelCompiler(_Compiler, _FunctionCompiler):
    pass


class EntryPointCompiler(_Compiler, _CFuncCompiler):
    """Compiles functions that are called by their address."""


class _NoMachineCode:
    """Stands for the machine code of a kernel that has none; Numba finds the kernel by it."""


class Kernel(CPUDispatcher):
    """A compiled function, which has machine code for the arguments with which Python has called it."""

    def __init__(
        self, py_func, locals=None, targetoptions=None, pipeline_class=compiler.Compiler, make_cache=None,
        distinct=False,
    ):  # fmt: skip
        """As Numba's; `make_cache` returns the cache of its machine code, if there is one, when it is first needed.

        Python never calls most kernels of a process, and making a cache takes as long as all else here. `distinct`: no
        argument that is written to shares memory with another.
        """
        super().__init__(py_func, locals, targetoptions, pipeline_class)
        self._make_cache = make_cache
        self._compiler.__class__ = _KernelCompiler  # which is as Numba's in all else
        self._compiler.distinct = distinct

    @property
    def _cache(self):
        if self._made_cache is None:
            self._made_cache = NullCache() if self._make_cache is None else self._make_cache()
        return self._made_cache

    @_cache.setter
    def _cache(self, _):  # Numba's constructor sets one that is empty
        self._made_cache = None

    def get_call_template(self, args, kws):
        """The types of a call by another kernel, which needs no machine code.

        Constants are typed as plain numbers. Numba would otherwise compile the kernel again for every constant that
        some caller passes. LLVM sees the constants anyway where it inlines kernels, so the copies gain nothing.
        """
        plain = {name: types.unliteral(each) for name, each in kws.items()}
        self._compiler.linked = True  # Numba's lock is held while types are inferred
        try:
            return super().get_call_template(tuple(map(types.unliteral, args)), plain)
        finally:
            self._compiler.linked = False

    def compile(self, sig):
        """As Numba's, but without machine code for a call by another kernel."""
        with global_compiler_lock:
            args, return_type = sigutils.normalize_signature(sig)
            known = self.overloads.get(tuple(args))
            if self._compiler.linked:
                if known is None or not isinstance(known.library, _Library):  # loaded code cannot be linked
                    return self._link(tuple(args), return_type)
                return known.entry_point
            if known is not None and isinstance(known.entry_point, _NoMachineCode):
                del self.overloads[tuple(args)]  # its callers keep the code that they link
            return super().compile(sig)

    def _link(self, args, return_type):
        with self._compiling_counter:
            result = self._compiler.compile(args, return_type)
        result = result._replace(entry_point=_NoMachineCode())
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.overloads[args] = result
        return result.entry_point


def count_compiled(after_each: Callable[[], None]) -> None:
    """Call `after_each` after every function that is compiled from now on."""
    _Compiler.compiled = staticmethod(after_each)
