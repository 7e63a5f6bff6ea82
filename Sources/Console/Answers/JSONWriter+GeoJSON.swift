import Geo
import Wire

extension JSONWriter {
    /// A GeoJSON Feature.
    ///
    /// - Parameter geometry: writes the geometry, or null.
    mutating func feature(
        id: String? = nil, geometry: (inout JSONWriter) -> Void, properties: (inout JSONWriter) -> Void
    ) {
        object { writer in
            writer.member("type", "Feature")
            if let id { writer.member("id", id) }
            writer.name("geometry")
            geometry(&writer)
            writer.member("properties", properties)
        }
    }

    /// A Point; null where there is none.
    mutating func point(_ position: Coordinate?) {
        guard let position else { return null() }
        object { writer in
            writer.member("type", "Point")
            writer.member("coordinates", each: [position.longitude, position.latitude]) { $0.degrees($1) }
        }
    }

    /// `[west, south, east, north]`, as GeoJSON has it; null where there is none.
    mutating func member(_ name: StaticString, _ bounds: Bounds?) {
        self.name(name)
        guard let bounds else { return null() }
        array([bounds.west, bounds.south, bounds.east, bounds.north]) { $0.degrees($1) }
    }

    mutating func member(_ name: StaticString, _ value: Int?) {
        self.name(name)
        if let value { integer(value) } else { null() }
    }
}

extension JSONWriter {
    /// A whole answer.
    static func answer(_ body: (inout JSONWriter) -> Void) -> [UInt8] { JSONWriter.object(body) + "\n".utf8 }
}

extension JSONWriter {
    /// An array of values of several kinds.
    mutating func row(_ body: (inout JSONWriter) -> Void) {
        array(CollectionOfOne(())) { writer, _ in body(&writer) }
    }
}

extension Double {
    /// Rounded; what is no number, or beyond all of them, is 0.
    var whole: Int { Int(exactly: rounded()) ?? 0 }
}
