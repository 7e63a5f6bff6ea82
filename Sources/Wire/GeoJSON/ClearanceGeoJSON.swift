package import Clearances
import Geo

/// Writes clearances as a FeatureCollection, one Feature a line, as `roads build` and the gateway read them.
package enum ClearanceGeoJSON {
    package static func bytes(_ clearances: [PointClearance]) -> [UInt8] {
        var bytes = Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
        for (index, clearance) in clearances.enumerated() {
            if index > 0 { bytes += ",\n".utf8 }
            bytes += JSONWriter.object { $0.members(of: clearance) }
        }
        return bytes + Array("\n]}\n".utf8)
    }
}

extension JSONWriter {
    /// Members in the order of their names; what is not known is left out.
    fileprivate mutating func members(of clearance: PointClearance) {
        member("geometry") { writer in
            writer.name("coordinates")
            writer.shortestPosition(clearance.position)
            writer.member("type", "Point")
        }
        member("id", clearance.id)
        member("properties") { $0.properties(of: clearance) }
        member("type", "Feature")
    }

    private mutating func properties(of clearance: PointClearance) {
        if !clearance.approach.isEmpty { member("approach", each: clearance.approach) { $0.shortest($1) } }
        textMember("author", clearance.author)
        member("clearance", clearance.posted)
        textMember("date", clearance.date)
        if !clearance.detours.isEmpty { member("detours", each: clearance.detours) { $0.shortestPosition($1) } }
        textMember("name", clearance.name)
        if let passage = clearance.passage { member("passage", passage.rawValue) }
        textMember("road", clearance.road)
        member("source", clearance.source)
    }

    /// Nothing where the text is empty.
    private mutating func textMember(_ name: StaticString, _ text: String) {
        if !text.isEmpty { member(name, text) }
    }

    private mutating func shortestPosition(_ position: Coordinate) {
        array([position.longitude, position.latitude]) { $0.shortest($1) }
    }

    /// As many digits as it takes to read the same number again, and no `.0` behind a whole one.
    private mutating func shortest(_ value: Double) {
        if let integer = Int(exactly: value) { self.integer(integer) } else { number(value) }
    }
}
