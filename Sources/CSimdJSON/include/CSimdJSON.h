#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser and the one document it read last. Not thread-safe.
typedef struct csimdjson_parser csimdjson_parser;

/// A place in the parser's document (simdjson's dom::element), valid until the parser reads the next one or is freed.
typedef struct {
    const void *document;
    size_t index;
} csimdjson_value;

/// What is left of an array or an object.
typedef struct {
    csimdjson_value next;
    csimdjson_value end;
} csimdjson_iterator;

typedef enum {
    CSIMDJSON_NULL,
    CSIMDJSON_BOOL,
    CSIMDJSON_INT64,
    CSIMDJSON_UINT64,
    CSIMDJSON_DOUBLE,
    CSIMDJSON_STRING,
    CSIMDJSON_ARRAY,
    CSIMDJSON_OBJECT,
} csimdjson_type;

/// simdjson's own error codes; those that callers tell apart.
enum {
    CSIMDJSON_SUCCESS = 0,
    CSIMDJSON_CAPACITY = 1,
    CSIMDJSON_UTF8_ERROR = 10,
};

/// NULL where memory is short. Documents longer than `capacity` bytes or nested deeper than `max_depth` are errors.
csimdjson_parser *csimdjson_parser_new(size_t capacity, size_t max_depth);
void csimdjson_parser_free(csimdjson_parser *parser);

/// Copies `bytes` and parses them; 0 or an error code.
int csimdjson_parse(csimdjson_parser *parser, const char *bytes, size_t length, csimdjson_value *root);
const char *csimdjson_error_message(int code);

csimdjson_type csimdjson_get_type(csimdjson_value value);

// Each returns false, and leaves its output alone, where the value is of another type or out of the type's range.
// A double is read from any number.
bool csimdjson_get_bool(csimdjson_value value, bool *output);
bool csimdjson_get_int64(csimdjson_value value, int64_t *output);
bool csimdjson_get_uint64(csimdjson_value value, uint64_t *output);
bool csimdjson_get_double(csimdjson_value value, double *output);
/// The bytes live as long as the value does.
bool csimdjson_get_string(csimdjson_value value, const char **bytes, size_t *length);

/// The first member of that name; false where the value is no object or has none.
bool csimdjson_find(csimdjson_value object, const char *key, size_t length, csimdjson_value *member);

/// False where the value is no array.
bool csimdjson_iterate_array(csimdjson_value array, csimdjson_iterator *iterator);
/// False at the end.
bool csimdjson_next_element(csimdjson_iterator *iterator, csimdjson_value *element);

/// False where the value is no object.
bool csimdjson_iterate_object(csimdjson_value object, csimdjson_iterator *iterator);
/// False at the end. The key lives as long as the object does.
bool csimdjson_next_member(csimdjson_iterator *iterator, const char **key, size_t *length, csimdjson_value *member);

#ifdef __cplusplus
}
#endif
