#include "CAllocationCount.h"
#include <errno.h>
#include <stddef.h>

// Not atomic: the engine is measured on one thread, and a count that is slightly off elsewhere does no harm.
static unsigned long count;

unsigned long allocation_count(void) { return count; }

// Elsewhere nothing is counted.
#ifdef __GLIBC__

#include <malloc.h>

unsigned long allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// Its allocator, under the names by which a program that replaces `malloc` still reaches it.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    count += 1;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count += 1;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count += 1;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count += 1;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count += 1;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

#else

unsigned long allocated_bytes(void) { return 0; }

#endif

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

void count_instructions(void) { CALLGRIND_START_INSTRUMENTATION; }
#else
void count_instructions(void) {}
#endif
