import Geo
public import Messages

extension Fence {
    /// Reads one GeoJSON Feature. What it does not know is ignored.
    ///
    /// - Parameter id: under which it is kept: its topic's level. The Feature need not repeat it, and must not say another.
    public init(geoJSON: [UInt8], id: String) throws(FenceProblem) {
        self = try Self.read(geoJSON) { feature throws(FenceProblem) in
            if let own = try feature.id(), own.text != id {
                let texts = (own: JSONValue.shown(own.text), topic: JSONValue.shown(id))
                throw FenceProblem(own.place, "\(texts.own) is not the topic's id, \(texts.topic); it may be left out")
            }
            return try Fence(feature, id: (id, place: "id"))
        }
    }

    /// Reads one GeoJSON Feature that says its id itself: as `id`, or in its `properties`.
    public init(geoJSON: [UInt8]) throws(FenceProblem) {
        self = try Self.read(geoJSON) { feature throws(FenceProblem) in
            guard let id = try feature.id() else {
                throw FenceProblem("id", "it is missing; a text or a whole number would be right")
            }
            return try Fence(feature, id: id)
        }
    }

    /// The id that a Feature says, whatever else may be wrong with it; nil where there is none that can be read.
    public static func id(inGeoJSON bytes: [UInt8]) -> String? {
        try? read(bytes) { feature throws(FenceProblem) in try feature.id()?.text }
    }

    /// The members of a Feature, and of its `properties`, that mean nothing to a fence; empty where it is none.
    public static func unknownMembers(inGeoJSON bytes: [UInt8]) -> [String] {
        let unknown = try? read(bytes) { feature throws(FenceProblem) in
            let outside = (feature.members?.map(\.name) ?? []).filter { !Self.featureMembers.contains($0) }
            let inside = feature["properties"]?.members?.map(\.name) ?? []
            return Spelling.unknown(
                outside.map { FenceProperties.known.contains($0) ? "\($0) outside of properties" : $0 }
                    + inside.filter { !FenceProperties.known.contains($0) }, known: FenceProperties.known)
        }
        return unknown ?? []
    }

    /// RFC 7946 §3.2 and §5.
    private static let featureMembers: Set = ["type", "id", "geometry", "properties", "bbox"]

    private static func read<Value>(
        _ bytes: [UInt8], _ body: (JSONValue) throws(FenceProblem) -> Value
    ) throws(FenceProblem) -> Value {
        guard bytes.count <= WireLimits.fenceBytes else { throw .tooLarge(bytes.count) }
        let parser = JSONParser(capacity: WireLimits.fenceBytes)
        let value: Result<Value, FenceProblem>
        do throws(Rejection) {
            value = try parser.read(bytes) { root in
                Result { () throws(FenceProblem) in
                    try root.requireFeature()
                    return try body(root)
                }
            }
        } catch {
            throw .noJSON(error, bytes)
        }
        return try value.get()
    }

    private init(_ feature: JSONValue, id: (text: String, place: String)) throws(FenceProblem) {
        guard Fence.isValidID(id.text) else {
            throw FenceProblem(
                id.place,
                "\(JSONValue.shown(id.text)) is no id; 1 to 128 bytes without / + # and control characters would be")
        }
        let properties = try FenceProperties(of: feature)
        self.init(
            id: id.text, name: try properties.name(), shape: try Shape(geometryOf: feature, properties),
            groups: try properties.groups(), vehicles: try properties.vehicles(),
            dwell: try properties.duration("dwell"), hysteresis: try properties.hysteresis(),
            hours: try properties.hours(), validFrom: try properties.time("valid_from"),
            validUntil: try properties.time("valid_until"))
        if let validFrom, let validUntil, validUntil <= validFrom {
            throw FenceProblem("properties.valid_until", "it is not after valid_from; a later time would be right")
        }
    }
}

extension FenceProblem {
    fileprivate static func tooLarge(_ bytes: Int) -> FenceProblem {
        FenceProblem(
            "",
            "a Feature of \(bytes) bytes is too large; there may be \(WireLimits.fenceBytes), enough for "
                + "\(WireLimits.fenceVertices) vertices")
    }

    fileprivate static func noJSON(_ rejection: Rejection, _ bytes: [UInt8]) -> FenceProblem {
        if !bytes.isEmpty, let name = ForeignPayload.name(of: bytes) {
            return FenceProblem("", "payloads are JSON; this looks like \(name)")
        }
        return rejection == .invalidUTF8
            ? FenceProblem("", "this is not UTF-8; JSON is written in it")
            : FenceProblem("", "this is not JSON; a GeoJSON Feature would be right")
    }
}

extension JSONValue {
    fileprivate func requireFeature() throws(FenceProblem) {
        guard isObject else { throw FenceProblem("", "this is \(shown); a GeoJSON Feature would be right") }
        guard let type = self["type"] else { throw FenceProblem("type", "it is missing; \"Feature\" would be right") }
        guard type.string == "Feature" else {
            throw FenceProblem("type", "\(type.shown) is no fence; \"Feature\" would be right")
        }
    }

    /// The `id` that GeoJSON has for it counts before one among the properties, which may be anything's.
    fileprivate func id() throws(FenceProblem) -> (text: String, place: String)? {
        let places = [(self["id"], "id"), (self["properties"]?["id"], "properties.id")]
        guard let (member, place) = places.first(where: { $0.0 != nil }), let member else { return nil }
        if let text = member.string { return (text, place) }
        if let integer = member.integer { return ("\(integer)", place) }
        throw FenceProblem(place, "\(member.shown) is no id; a text or a whole number would be")
    }
}
