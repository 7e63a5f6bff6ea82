// A disk that fails when it is told to: an SQLite VFS (sqlite.org/vfs.html) before the system's own.
//
// Files lie where they would lie otherwise. Of each it is known besides what a disk would hold of it after a power loss: all that
// was written before the last sync that succeeded, and any part of what was written since. A sync that lies leaves what it covers in
// the disk's cache, which is written out in its order by the next sync that does not: what a power loss leaves of it is a beginning.
// No sync reaches the real disk, since only what is known here is lost.
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdint.h>

typedef enum {
    FAULTY_DISK_WRITE = 0,
    FAULTY_DISK_SYNC = 1,
    FAULTY_DISK_TRUNCATE = 2,
    FAULTY_DISK_DELETE = 3,
} faulty_disk_operation;

typedef struct faulty_disk faulty_disk;

// Decides what becomes of an operation: 0, or the SQLite error with which it fails.
typedef int (*faulty_disk_decide)(void *context, faulty_disk_operation operation);

// A random number below `bound`.
typedef uint32_t (*faulty_disk_random)(void *context, uint32_t bound);

// The disk of all files below `directory`, an absolute path, that SQLite opens from now on; files elsewhere are as always.
// Operations on one disk come from one thread at a time.
faulty_disk *faulty_disk_create(const char *directory, faulty_disk_decide decide, faulty_disk_random random, void *context);

// No file of it is open any more.
void faulty_disk_free(faulty_disk *disk);

// While set, nothing changes any file, and every attempt fails: the process that made it has ended.
void faulty_disk_set_dead(faulty_disk *disk, int is_dead);

// While set, syncs succeed, and what they cover stays in the disk's cache.
void faulty_disk_set_lying(faulty_disk *disk, int is_lying);

// Every file becomes what the disk holds of it; no file is open. Returns 0, 1 where something is lost that a sync had covered, or -1
// where a file cannot be written.
int faulty_disk_lose_power(faulty_disk *disk);

// Bytes that have been written and that no sync, whether it lied or not, has covered.
int64_t faulty_disk_unsynced(const faulty_disk *disk);

#endif
