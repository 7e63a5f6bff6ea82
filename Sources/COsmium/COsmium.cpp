#include "COsmium.h"

#include <cstring>
#include <exception>
#include <osmium/io/any_input.hpp>
#include <osmium/osm.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// The text that begins at START, and in NEXT where the one behind it does.
const char *text_at(const char *start, const char *end, const char *&next) {
    const void *const last = start < end ? std::memchr(start, '\0', end - start) : nullptr;
    if (!last) throw std::runtime_error{"expected tags without NUL characters, got one"};
    next = static_cast<const char *>(last) + 1;
    return start;
}

// libosmium keeps tags as one text behind the other. Where a text of the file has a NUL in it, as a PBF file may have, its own
// iterator goes on behind the last one.
std::vector<cosmium_tag> tags_of(const osmium::OSMObject &object) {
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

void pass_on(const osmium::Node &node, const cosmium_handler &handler) {
    const auto tags = tags_of(node);
    const bool located = node.location().valid();
    handler.node(handler.context, node.id(), located, located ? node.location().lat() : 0,
                 located ? node.location().lon() : 0, tags.data(), tags.size());
}

void pass_on(const osmium::Way &way, const cosmium_handler &handler) {
    const auto tags = tags_of(way);
    std::vector<int64_t> nodes;
    for (const auto &node : way.nodes()) nodes.push_back(node.ref());
    handler.way(handler.context, way.id(), nodes.data(), nodes.size(), tags.data(), tags.size());
}

void pass_on(const osmium::Relation &relation, const cosmium_handler &handler) {
    const auto tags = tags_of(relation);
    std::vector<cosmium_member> members;
    for (const auto &member : relation.members())
        members.push_back({osmium::item_type_to_char(member.type()), member.ref(), member.role()});
    handler.relation(handler.context, relation.id(), members.data(), members.size(), tags.data(), tags.size());
}

osmium::osm_entity_bits::type wanted(const cosmium_handler &handler) {
    auto kinds = osmium::osm_entity_bits::nothing;
    if (handler.node) kinds |= osmium::osm_entity_bits::node;
    if (handler.way) kinds |= osmium::osm_entity_bits::way;
    if (handler.relation) kinds |= osmium::osm_entity_bits::relation;
    return kinds;
}

}  // namespace

int cosmium_read(const char *path, const cosmium_handler *handler, char *error, size_t error_size) {
    try {
        osmium::io::Reader reader{osmium::io::File{path}, wanted(*handler)};
        while (osmium::memory::Buffer buffer = reader.read()) {
            for (const auto &object : buffer.select<osmium::OSMObject>()) {
                if (!object.visible()) continue;
                switch (object.type()) {
                    case osmium::item_type::node: pass_on(static_cast<const osmium::Node &>(object), *handler); break;
                    case osmium::item_type::way: pass_on(static_cast<const osmium::Way &>(object), *handler); break;
                    case osmium::item_type::relation:
                        pass_on(static_cast<const osmium::Relation &>(object), *handler);
                        break;
                    default: break;
                }
            }
            if (handler->progress && !handler->progress(handler->context, reader.offset(), reader.file_size())) break;
        }
        reader.close();
        return 0;
    } catch (const std::exception &failure) {
        const std::string message = failure.what();
        const size_t length = std::min(message.size(), error_size - 1);
        message.copy(error, length);
        error[length] = '\0';
        return -1;
    }
}
