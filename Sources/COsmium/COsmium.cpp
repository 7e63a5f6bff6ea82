#include "COsmium.h"

#include <cstring>
#include <exception>
#include <osmium/io/any_input.hpp>
#include <osmium/osm.hpp>
#include <vector>

#include "Tags.hpp"

namespace {

using cosmium::tags_of;

void pass_on(const osmium::Node &node, const cosmium_handler &handler) {
    const auto tags = tags_of(node);
    const bool located = node.location().valid();
    handler.node(handler.context, node.id(), node.timestamp().seconds_since_epoch(), located, located ? node.location().lat() : 0,
                 located ? node.location().lon() : 0, tags.data(), tags.size());
}

void pass_on(const osmium::Way &way, const cosmium_handler &handler) {
    const auto tags = tags_of(way);
    std::vector<int64_t> nodes;
    for (const auto &node : way.nodes()) nodes.push_back(node.ref());
    handler.way(handler.context, way.id(), way.timestamp().seconds_since_epoch(), nodes.data(), nodes.size(), tags.data(),
                tags.size());
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
        return cosmium::refused(failure, error, error_size);
    }
}
