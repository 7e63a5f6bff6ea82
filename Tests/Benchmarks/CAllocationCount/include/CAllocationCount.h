#pragma once

/// How often this program has asked for memory, on any thread: it counts for glibc's allocator, in whose place it is; elsewhere 0.
unsigned long allocation_count(void);

/// How many bytes this program has asked for and not given back, with what the allocator adds to each: glibc's alone; elsewhere 0.
unsigned long allocated_bytes(void);

/// Has callgrind count instructions from here on, where it was started with --instr-atstart=no: what comes before then takes a
/// tenth of the time. Does nothing elsewhere.
void count_instructions(void);
