/* Zeroed memory for tables, aligned to cache lines: a table costs the pages that are touched, not the bytes that were
   asked for.  Large tables come from mmap on 2 MB boundaries with huge pages where the system has them (a search that
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

static uint8_t *gc_pages_map(size_t bytes)
{
    uint8_t *raw, *aligned;
    size_t head;
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
#else
#define GC_HUGE SIZE_MAX
#define gc_pages_map(bytes) NULL
#define munmap(pages, bytes) ((void)0)
#endif

static void *gc_pages_alloc(size_t bytes)
{
    uint8_t *raw, *aligned;
    if (bytes >= GC_HUGE)
        return gc_pages_map((bytes + GC_HUGE - 1) & ~(GC_HUGE - 1));
    raw = (uint8_t *)calloc(1, bytes + 128);
    if (!raw)
        return NULL;
    aligned = (uint8_t *)(((uintptr_t)raw + 127) & ~(uintptr_t)63);
    ((void **)aligned)[-1] = raw; /* calloc aligns to 16 bytes only: the true start is kept just below */
    return aligned;
}

static void gc_pages_free(void *p, size_t bytes)
{
    if (p && bytes >= GC_HUGE)
        munmap(p, (bytes + GC_HUGE - 1) & ~(GC_HUGE - 1));
    else if (p)
        free(((void **)p)[-1]);
}

#endif
