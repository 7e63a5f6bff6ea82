#pragma once

/// How often this program has asked for memory, on any thread: it counts for glibc's allocator, in whose place it is; elsewhere 0.
unsigned long allocation_count(void);
