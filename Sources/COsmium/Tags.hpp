#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <osmium/osm.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "COsmium.h"

namespace cosmium {

// The text that begins at START, and in NEXT where the one behind it does.
inline const char *text_at(const char *start, const char *end, const char *&next) {
    const void *const last = start < end ? std::memchr(start, '\0', end - start) : nullptr;
    if (!last) throw std::runtime_error{"expected tags without NUL characters, got one"};
    next = static_cast<const char *>(last) + 1;
    return start;
}

// libosmium keeps tags as one text behind the other. Where a text of the file has a NUL in it, as a PBF file may have, its own
// iterator goes on behind the last one.
inline std::vector<cosmium_tag> tags_of(const osmium::OSMObject &object) {
    std::vector<cosmium_tag> tags;
    const auto &list = object.tags();
    const auto end = reinterpret_cast<const char *>(list.data()) + list.byte_size();
    for (auto next = reinterpret_cast<const char *>(&*list.begin()); next != end;) {
        const auto key = text_at(next, end, next);
        const auto value = text_at(next, end, next);
        tags.push_back({key, value});
    }
    return tags;
}

// Writes why into ERROR and returns -1.
inline int refused(const std::exception &failure, char *error, size_t error_size) {
    const std::string message = failure.what();
    const size_t length = std::min(message.size(), error_size - 1);
    message.copy(error, length);
    error[length] = '\0';
    return -1;
}

}  // namespace cosmium
