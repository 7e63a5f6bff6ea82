import Geo
package import Messages

extension Fence {
    /// Reads one GeoJSON Feature. What it does not know is ignored.
    ///
    /// - Parameter id: under which it is kept: its topic's level. The Feature need not repeat it, and must not say another.
    package init(geoJSON: [UInt8], id: String) throws(GeoJSONError) {
        self = try GeoJSONFeatureReader().read(geoJSON) { feature throws(GeoJSONError) in
            try feature.requireID(id)
            return try Fence(feature, id: (id, place: "id"))
        }
    }

    /// Reads one GeoJSON Feature that says its id itself: as `id`, or in its `properties`.
    package init(geoJSON: [UInt8]) throws(GeoJSONError) {
        self = try GeoJSONFeatureReader().read(geoJSON) { feature throws(GeoJSONError) in
            guard let id = try feature.id() else {
                throw GeoJSONError("id", expected: "a text or a number", got: nil)
            }
            return try Fence(feature, id: id)
        }
    }

    /// The members of a Feature, and of its `properties`, that mean nothing to a fence; empty where it is not a Feature.
    package static func unknownMembers(inGeoJSON bytes: [UInt8]) -> [String] {
        let unknown = try? GeoJSONFeatureReader().read(bytes) { $0.unknownMembers(known: GeoJSONProperties.ofFence) }
        return unknown ?? []
    }

    private init(_ feature: GeoJSONFeature, id: (text: String, place: String)) throws(GeoJSONError) {
        guard Fence.isValidID(id.text) else {
            throw GeoJSONError(
                id.place, expected: "an id of 1 to 128 bytes without / + # and control characters",
                got: JSONValue.shown(id.text))
        }
        let properties = feature.properties
        try properties.requireObject()
        self.init(
            id: id.text, name: try properties.fenceName(), shape: try Shape(geometryOf: feature),
            groups: try properties.groups(), vehicles: try properties.vehicles(),
            dwell: try properties.duration("dwell"), hysteresis: try properties.hysteresis(),
            hours: try properties.hours(), validFrom: try properties.time("valid_from"),
            validUntil: try properties.time("valid_until"))
        if let validFrom, let validUntil, validUntil <= validFrom {
            throw properties.error("valid_until", expected: "a time after valid_from", got: properties["valid_until"])
        }
    }
}
