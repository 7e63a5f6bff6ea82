#include "CSimdJSON.h"

#include <cstring>
#include <new>
#include <simdjson.h>
#include <type_traits>

using namespace simdjson;

struct csimdjson_parser {
    dom::parser parser;
};

static_assert(int(CSIMDJSON_SUCCESS) == int(SUCCESS), "");
static_assert(int(CSIMDJSON_CAPACITY) == int(CAPACITY), "");
static_assert(int(CSIMDJSON_UTF8_ERROR) == int(UTF8_ERROR), "");

namespace {

// Elements and iterators are a document and an index into its tape, with no constructor that takes them.
template <typename Target, typename Source> Target copied(const Source &source) noexcept {
    static_assert(sizeof(Target) == sizeof(Source), "simdjson has changed its layout");
    static_assert(std::is_trivially_copyable<Source>::value, "simdjson has changed its layout");
    static_assert(std::is_trivially_copyable<Target>::value, "simdjson has changed its layout");
    Target target;
    std::memcpy(static_cast<void *>(&target), &source, sizeof target);
    return target;
}

template <typename T> bool get(csimdjson_value value, T *output) noexcept {
    return copied<dom::element>(value).get(*output) == SUCCESS;
}

template <typename Collection> bool iterate(csimdjson_value value, csimdjson_iterator *iterator) noexcept {
    Collection collection;
    if (!get(value, &collection)) return false;
    iterator->next = copied<csimdjson_value>(collection.begin());
    iterator->end = copied<csimdjson_value>(collection.end());
    return true;
}

}  // namespace

csimdjson_parser *csimdjson_parser_new(size_t capacity, size_t max_depth) {
    auto parser = new (std::nothrow) csimdjson_parser{dom::parser(capacity)};
    if (parser && parser->parser.allocate(0, max_depth) != SUCCESS) {
        delete parser;
        return nullptr;
    }
    return parser;
}

void csimdjson_parser_free(csimdjson_parser *parser) {
    delete parser;
}

int csimdjson_parse(csimdjson_parser *parser, const char *bytes, size_t length, csimdjson_value *root) {
    dom::element element;
    auto error = parser->parser.parse(bytes, length).get(element);
    if (!error) *root = copied<csimdjson_value>(element);
    return error;
}

const char *csimdjson_error_message(int code) {
    return error_message(error_code(code));
}

csimdjson_type csimdjson_get_type(csimdjson_value value) {
    switch (copied<dom::element>(value).type()) {
        case dom::element_type::NULL_VALUE: return CSIMDJSON_NULL;
        case dom::element_type::BOOL: return CSIMDJSON_BOOL;
        case dom::element_type::INT64: return CSIMDJSON_INT64;
        case dom::element_type::UINT64: return CSIMDJSON_UINT64;
        case dom::element_type::DOUBLE: return CSIMDJSON_DOUBLE;
        case dom::element_type::STRING: return CSIMDJSON_STRING;
        case dom::element_type::ARRAY: return CSIMDJSON_ARRAY;
        case dom::element_type::OBJECT: return CSIMDJSON_OBJECT;
    }
    return CSIMDJSON_NULL;
}

bool csimdjson_get_bool(csimdjson_value value, bool *output) {
    return get(value, output);
}

bool csimdjson_get_int64(csimdjson_value value, int64_t *output) {
    return get(value, output);
}

bool csimdjson_get_uint64(csimdjson_value value, uint64_t *output) {
    return get(value, output);
}

bool csimdjson_get_double(csimdjson_value value, double *output) {
    return get(value, output);
}

bool csimdjson_get_string(csimdjson_value value, const char **bytes, size_t *length) {
    std::string_view string;
    if (!get(value, &string)) return false;
    *bytes = string.data();
    *length = string.size();
    return true;
}

bool csimdjson_find(csimdjson_value value, const char *key, size_t length, csimdjson_value *member) {
    dom::object object;
    dom::element element;
    if (!get(value, &object) || object.at_key(std::string_view(key, length)).get(element)) return false;
    *member = copied<csimdjson_value>(element);
    return true;
}

bool csimdjson_iterate_array(csimdjson_value array, csimdjson_iterator *iterator) {
    return iterate<dom::array>(array, iterator);
}

bool csimdjson_next_element(csimdjson_iterator *iterator, csimdjson_value *element) {
    auto next = copied<dom::array::iterator>(iterator->next);
    if (next == copied<dom::array::iterator>(iterator->end)) return false;
    *element = copied<csimdjson_value>(*next);
    iterator->next = copied<csimdjson_value>(++next);
    return true;
}

bool csimdjson_iterate_object(csimdjson_value object, csimdjson_iterator *iterator) {
    return iterate<dom::object>(object, iterator);
}

bool csimdjson_next_member(csimdjson_iterator *iterator, const char **key, size_t *length, csimdjson_value *member) {
    auto next = copied<dom::object::iterator>(iterator->next);
    if (next == copied<dom::object::iterator>(iterator->end)) return false;
    *key = next.key().data();
    *length = next.key().size();
    *member = copied<csimdjson_value>(next.value());
    iterator->next = copied<csimdjson_value>(++next);
    return true;
}
