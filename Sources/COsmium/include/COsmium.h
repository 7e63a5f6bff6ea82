#pragma once

// libosmium's reader as one C call: every format it knows, one callback for each object.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *key;
    const char *value;
} cosmium_tag;

typedef struct {
    // 'n', 'w' or 'r'
    char type;
    int64_t id;
    const char *role;
} cosmium_member;

typedef struct {
    void *context;
    // lat and lon are meaningless where has_location is 0.
    void (*node)(void *context, int64_t id, int has_location, double lat, double lon, const cosmium_tag *tags,
                 size_t tag_count);
    void (*way)(void *context, int64_t id, const int64_t *nodes, size_t node_count, const cosmium_tag *tags,
                size_t tag_count);
    void (*relation)(void *context, int64_t id, const cosmium_member *members, size_t member_count,
                     const cosmium_tag *tags, size_t tag_count);
    // Bytes of the file read so far, and its size; return 0 to stop reading.
    int (*progress)(void *context, size_t done, size_t total);
} cosmium_handler;

// Reads PATH once. A null callback leaves that kind of object unread. Deleted objects are passed over.
// Returns 0, or -1 with a message in ERROR (always terminated, cut to ERROR_SIZE).
int cosmium_read(const char *path, const cosmium_handler *handler, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif
