#include <osmium/area/assembler.hpp>
#include <osmium/area/multipolygon_manager.hpp>
#include <osmium/index/id_set.hpp>
#include <osmium/index/map/sparse_mem_array.hpp>
#include <osmium/io/any_input.hpp>

#include "Tags.hpp"

namespace {

using Manager = osmium::area::MultipolygonManager<osmium::area::Assembler>;
using Places = osmium::index::map::SparseMemArray<osmium::unsigned_object_id_type, osmium::Location>;
// Pieces of 64 kB: those of the default, 4 MB, would fill a gigabyte for the scattered ids of a small extract.
using Ids = osmium::index::IdSetDense<osmium::unsigned_object_id_type, 16>;

bool has_one(const std::vector<cosmium_tag> &tags, const cosmium_tag *wanted, size_t count) {
    return std::any_of(wanted, wanted + count, [&](const cosmium_tag &one) {
        return std::any_of(tags.begin(), tags.end(), [&](const cosmium_tag &tag) {
            return !std::strcmp(tag.key, one.key) && (!one.value || !std::strcmp(tag.value, one.value));
        });
    });
}

osmium::TagsFilter filter_of(const cosmium_shape_handler &handler) {
    osmium::TagsFilter filter{false};
    for (size_t index = 0; index < handler.area_tag_count; ++index) {
        const auto &tag = handler.area_tags[index];
        if (tag.value) filter.add_rule(true, tag.key, tag.value);
        else filter.add_rule(true, tag.key);
    }
    return filter;
}

class ShapeReader {
    const char *const path;
    const cosmium_shape_handler &handler;
    Manager manager;
    Ids members;
    Ids nodes;
    osmium::memory::Buffer ways{1024 * 1024, osmium::memory::Buffer::auto_grow::yes};
    Places places;
    size_t readings_done = 0;

    static osmium::area::AssemblerConfig config() {
        osmium::area::AssemblerConfig config;
        // Areas are as the map has them: `area=no` and the like are the caller's tags to read.
        config.create_empty_areas = false;
        return config;
    }

    // Returns whether to go on.
    template <typename Object, typename Step>
    bool read(osmium::osm_entity_bits::type kind, Step step) {
        osmium::io::Reader reader{osmium::io::File{path}, kind};
        while (osmium::memory::Buffer buffer = reader.read()) {
            for (const auto &object : buffer.select<Object>())
                if (object.visible() && object.id() > 0) step(object);
            const size_t size = reader.file_size();
            if (handler.progress && !handler.progress(handler.context, readings_done * size + reader.offset(), 3 * size))
                return false;
        }
        reader.close();
        ++readings_done;
        return true;
    }

    void take(const osmium::Relation &relation) {
        // Looks at every text of the tags, which libosmium's own filter takes to be sound.
        const auto tags = cosmium::tags_of(relation);
        const bool is_multipolygon = std::any_of(tags.begin(), tags.end(), [](const cosmium_tag &tag) {
            return !std::strcmp(tag.key, "type") && !std::strcmp(tag.value, "multipolygon");
        });
        if (!is_multipolygon || !has_one(tags, handler.area_tags, handler.area_tag_count)) return;
        for (const auto &member : relation.members())
            if (member.type() == osmium::item_type::way && member.ref() > 0) members.set(member.positive_ref());
        manager.relation(relation);
    }

    bool is_line(const osmium::Way &way, const std::vector<cosmium_tag> &tags) const {
        return has_one(tags, handler.line_tags, handler.line_tag_count) ||
               std::binary_search(handler.lines, handler.lines + handler.line_count, way.id());
    }

    void take(const osmium::Way &way) {
        const auto tags = cosmium::tags_of(way);
        // A way without nodes has no ends that could be one.
        const bool is_area = !way.nodes().empty() && way.is_closed() && has_one(tags, handler.area_tags, handler.area_tag_count);
        if (!is_area && !members.get(way.positive_id()) && !is_line(way, tags)) return;
        for (const auto &node : way.nodes())
            if (node.ref() > 0) nodes.set(node.positive_ref());
        ways.add_item(way);
        ways.commit();
    }

    void take(const osmium::Node &node) {
        if (node.location().valid() && nodes.get(node.positive_id())) places.set(node.positive_id(), node.location());
    }

    void give_line(const osmium::Way &way) const {
        const auto tags = cosmium::tags_of(way);
        if (!is_line(way, tags)) return;
        std::vector<cosmium_place> longest, part;
        for (const auto &node : way.nodes()) {
            if (node.location().valid()) part.push_back({node.location().y(), node.location().x()});
            else part.clear();
            if (part.size() > longest.size()) longest = part;
        }
        if (longest.size() > 1)
            handler.line(handler.context, way.id(), longest.data(), longest.size(), tags.data(), tags.size());
    }

    void give(const osmium::Area &area) const {
        const auto tags = cosmium::tags_of(area);
        std::vector<std::vector<cosmium_place>> kept;
        std::vector<int> outer;
        const auto keep = [&](const osmium::NodeRefList &ring, int is_outer) {
            std::vector<cosmium_place> places;
            for (const auto &node : ring) places.push_back({node.location().y(), node.location().x()});
            kept.push_back(std::move(places));
            outer.push_back(is_outer);
        };
        for (const auto &ring : area.outer_rings()) {
            keep(ring, 1);
            for (const auto &hole : area.inner_rings(ring)) keep(hole, 0);
        }
        std::vector<cosmium_ring> rings;
        for (size_t index = 0; index < kept.size(); ++index)
            rings.push_back({outer[index], kept[index].data(), kept[index].size()});
        handler.area(handler.context, area.orig_id(), !area.from_way(), rings.data(), rings.size(), tags.data(),
                     tags.size());
    }

    void give_shapes() {
        // The manager wants each way once, by ascending ids.
        std::vector<osmium::Way *> sorted;
        for (auto &way : ways.select<osmium::Way>()) sorted.push_back(&way);
        std::sort(sorted.begin(), sorted.end(), [](const auto *a, const auto *b) { return a->id() < b->id(); });
        auto second = manager.handler([&](osmium::memory::Buffer &&areas) {
            for (const auto &area : areas.select<osmium::Area>()) give(area);
        });
        osmium::object_id_type last = 0;
        for (auto *one : sorted) {
            auto &way = *one;
            if (way.id() == last) continue;
            last = way.id();
            for (auto &node : way.nodes()) node.set_location(places.get_noexcept(node.positive_ref()));
            give_line(way);
            second.way(way);
        }
        second.flush();
    }

public:
    ShapeReader(const char *path, const cosmium_shape_handler &handler)
        : path{path}, handler{handler}, manager{config(), filter_of(handler)} {}

    void read() {
        if (!read<osmium::Relation>(osmium::osm_entity_bits::relation, [&](const auto &object) { take(object); })) return;
        manager.prepare_for_lookup();
        if (!read<osmium::Way>(osmium::osm_entity_bits::way, [&](const auto &object) { take(object); })) return;
        if (!read<osmium::Node>(osmium::osm_entity_bits::node, [&](const auto &object) { take(object); })) return;
        places.sort();
        give_shapes();
    }
};

}  // namespace

int cosmium_read_shapes(const char *path, const cosmium_shape_handler *handler, char *error, size_t error_size) {
    try {
        ShapeReader{path, *handler}.read();
        return 0;
    } catch (const std::exception &failure) {
        return cosmium::refused(failure, error, error_size);
    }
}
