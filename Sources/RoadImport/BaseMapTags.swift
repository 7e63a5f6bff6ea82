import Roads

/// Which map objects the base map shows, by their tags (wiki.openstreetmap.org/wiki/Map_features).
enum BaseMapTags {
    static let areas: [(key: String, value: String?, kind: BaseMapKind)] = [
        ("natural", "water", .water), ("waterway", "riverbank", .water), ("landuse", "reservoir", .water),
        ("landuse", "basin", .water), ("natural", "wood", .wood), ("landuse", "forest", .wood),
        ("landuse", "residential", .builtUp), ("landuse", "commercial", .builtUp), ("landuse", "industrial", .builtUp),
        ("landuse", "retail", .builtUp),
    ]

    static let lines: [(key: String, value: String?, kind: BaseMapKind)] = [
        ("waterway", "river", .river), ("waterway", "canal", .canal), ("railway", "rail", .railway),
        ("railway", "light_rail", .railway), ("railway", "narrow_gauge", .railway),
    ]

    private static let places: [String: BaseMapKind] = [
        "city": .city, "town": .town, "village": .village, "suburb": .suburb, "hamlet": .hamlet,
    ]

    private static let borders: [String: BaseMapKind] = [
        "2": .country, "4": .state, "6": .district, "8": .municipality,
    ]

    static func area(_ tags: [String: String]) -> BaseMapKind? {
        areas.first { tags[$0.key] == $0.value }?.kind
    }

    /// - Parameter border: of the highest relation that the way is part of.
    static func line(_ tags: [String: String], border: BaseMapKind?) -> BaseMapKind? {
        // What is below the ground is no landmark, and a siding is beside its line.
        let isHidden = tags["tunnel"].map { $0 != "no" } ?? false
        if !isHidden, tags["service"] == nil, let kind = lines.first(where: { tags[$0.key] == $0.value })?.kind {
            return kind
        }
        return border
    }

    static func place(_ tags: [String: String]) -> BaseMapKind? {
        tags["name"] == nil ? nil : tags["place"].flatMap { places[$0] }
    }

    static func border(_ tags: [String: String]) -> BaseMapKind? {
        tags["boundary"] == "administrative" ? tags["admin_level"].flatMap { borders[$0] } : nil
    }
}
