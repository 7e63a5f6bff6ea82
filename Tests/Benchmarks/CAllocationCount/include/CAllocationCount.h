#pragma once

/// How often this program has asked for memory, on any thread: it counts for the C library's allocator, in whose place it is.
unsigned long allocation_count(void);
