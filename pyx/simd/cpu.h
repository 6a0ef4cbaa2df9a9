/* Run-time CPU level: Cython has no CPUID. All other code asks gamecore.kernels. */
#ifndef GAMECORE_CPU_H
#define GAMECORE_CPU_H

#if defined(__clang__)
#define GAMECORE_COMPILER "clang " __clang_version__
#else
#define GAMECORE_COMPILER "gcc " __VERSION__
#endif

#ifdef GAMECORE_DEBUG
#define GAMECORE_IS_DEBUG 1
#else
#define GAMECORE_IS_DEBUG 0
#endif

/* 1: baseline; 3: the parts of x86-64-v3 that kernels use; 4: those of x86-64-v4.
   __builtin_cpu_supports also asks the operating system whether it saves the wide registers. */
static int gc_cpu_level(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
          __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt")))
        return 1;
    if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512vl")))
        return 3;
    return 4;
#else
    return 1;
#endif
}

#endif
