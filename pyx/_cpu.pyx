"""What this processor can do, and what these kernels were built with: read once by ``gamecore.kernels``."""

cdef extern from "simd/cpu.h":
    const char* gc_compiler "GAMECORE_COMPILER"
    int gc_cpu_level() nogil
    bint gc_debug_build "GAMECORE_IS_DEBUG"

cdef extern from *:
    const int CYTHON_HEX_VERSION


def cpu_level() -> int:
    """The highest level this processor runs: 1 for baseline, 3 for x86-64-v3 (AVX2, BMI2), 4 for v4 (AVX-512)."""
    return gc_cpu_level()


def compiler() -> str:
    """Name and version of the C compiler."""
    return gc_compiler.decode("ascii", "replace")


def cython_version() -> str:
    """Version of the Cython that wrote the C of these modules."""
    cdef unsigned int version = CYTHON_HEX_VERSION
    return f"{version >> 24}.{(version >> 16) & 255}.{(version >> 8) & 255}"


def is_debug_build() -> bool:
    """Whether the modules were built with ``GAMECORE_DEBUG=1``."""
    return gc_debug_build
