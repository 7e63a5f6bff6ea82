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
    // lat and lon are meaningless where has_location is 0. last_edit: seconds since 1970, 0 where the file does not say.
    void (*node)(void *context, int64_t id, int64_t last_edit, int has_location, double lat, double lon,
                 const cosmium_tag *tags, size_t tag_count);
    void (*way)(void *context, int64_t id, int64_t last_edit, const int64_t *nodes, size_t node_count,
                const cosmium_tag *tags, size_t tag_count);
    void (*relation)(void *context, int64_t id, const cosmium_member *members, size_t member_count,
                     const cosmium_tag *tags, size_t tag_count);
    // Bytes of the file read so far, and its size; return 0 to stop reading.
    int (*progress)(void *context, size_t done, size_t total);
} cosmium_handler;

// Reads PATH once. A null callback leaves that kind of object unread. Deleted objects are passed over.
// Returns 0, or -1 with a message in ERROR (always terminated, cut to ERROR_SIZE).
int cosmium_read(const char *path, const cosmium_handler *handler, char *error, size_t error_size);

// A place in 1e-7 degrees, as OSM has it.
typedef struct {
    int32_t lat;
    int32_t lon;
} cosmium_place;

typedef struct {
    // 0 for a hole in the ring before that is none
    int is_outer;
    // The first place stands at the end again.
    const cosmium_place *places;
    size_t count;
} cosmium_ring;

typedef struct {
    void *context;
    // Closed ways and relations of the type multipolygon that have one of these tags are areas; a null value stands for any.
    const cosmium_tag *area_tags;
    size_t area_tag_count;
    // The same for ways that are lines.
    const cosmium_tag *line_tags;
    size_t line_tag_count;
    // Ways that are lines whatever their tags, in ascending order.
    const int64_t *lines;
    size_t line_count;
    // is_relation: ID is that of a relation, else of a way.
    void (*area)(void *context, int64_t id, int is_relation, const cosmium_ring *rings, size_t ring_count,
                 const cosmium_tag *tags, size_t tag_count);
    // Of a way some of whose nodes the file does not hold, the longest part is given.
    void (*line)(void *context, int64_t id, const cosmium_place *places, size_t count, const cosmium_tag *tags,
                 size_t tag_count);
    // Bytes of the file read so far in all three readings together, and three times its size; return 0 to stop reading.
    int (*progress)(void *context, size_t done, size_t total);
} cosmium_shape_handler;

// Reads PATH three times, for relations, ways and nodes, and gives the areas, put together by libosmium, and the lines; areas
// that are broken or incomplete are passed over. In memory are the ways that are wanted, and the places of their nodes.
int cosmium_read_shapes(const char *path, const cosmium_shape_handler *handler, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif
