/* Zeroed memory for tables: a table costs the pages that are touched, not the bytes that were asked for.
   Large tables come from mmap on 2 MB boundaries with huge pages where the system has them (a search that
   probes at random is bound by address translation otherwise); small ones from calloc. */
#ifndef GAMECORE_PAGES_H
#define GAMECORE_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__) || defined(__APPLE__)
#include <sys/mman.h>
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#define GC_HUGE ((size_t)2 << 20)

static void *gc_pages_alloc(size_t bytes)
{
    uint8_t *raw, *aligned;
    size_t head;
    if (bytes < GC_HUGE) {
        /* cache-line aligned: calloc gives 16 bytes only, so the true start is kept just below */
        raw = (uint8_t *)calloc(1, bytes + 128);
        if (!raw)
            return NULL;
        aligned = (uint8_t *)(((uintptr_t)raw + 127) & ~(uintptr_t)63);
        ((void **)aligned)[-1] = raw;
        return aligned;
    }
    bytes = (bytes + GC_HUGE - 1) & ~(GC_HUGE - 1);
    raw = (uint8_t *)mmap(NULL, bytes + GC_HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == (uint8_t *)MAP_FAILED)
        return NULL;
    aligned = (uint8_t *)(((uintptr_t)raw + GC_HUGE - 1) & ~(uintptr_t)(GC_HUGE - 1));
    head = (size_t)(aligned - raw);
    if (head)
        munmap(raw, head);
    if (GC_HUGE - head)
        munmap(aligned + bytes, GC_HUGE - head);
#ifdef MADV_HUGEPAGE
    madvise(aligned, bytes, MADV_HUGEPAGE);
#endif
    return aligned;
}

static void gc_pages_free(void *p, size_t bytes)
{
    if (!p)
        return;
    if (bytes < GC_HUGE)
        free(((void **)p)[-1]);
    else
        munmap(p, (bytes + GC_HUGE - 1) & ~(GC_HUGE - 1));
}
#else
static void *gc_pages_alloc(size_t bytes)
{
    uint8_t *raw = (uint8_t *)calloc(1, bytes + 128), *aligned;
    if (!raw)
        return NULL;
    aligned = (uint8_t *)(((uintptr_t)raw + 127) & ~(uintptr_t)63);
    ((void **)aligned)[-1] = raw;
    return aligned;
}

static void gc_pages_free(void *p, size_t bytes)
{
    (void)bytes;
    if (p)
        free(((void **)p)[-1]);
}
#endif

#endif
