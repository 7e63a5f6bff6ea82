package import Clearances
import Geo

extension PointClearance {
    /// Reads one GeoJSON Feature by the rules of `clearances convert`, as a statement that is in force at once: a clearance
    /// that cannot be read or cannot be true is refused, where a file's is kept as unknown.
    ///
    /// - Parameter id: under which it is kept: its topic's level. The Feature need not repeat it, and must not say another.
    package init(geoJSON: [UInt8], id: String) throws(GeoJSONError) {
        self = try GeoJSONFeatureReader().read(geoJSON) { feature throws(GeoJSONError) in
            var fields = try ClearanceFields(feature)
            try feature.requireID(id)
            fields.id = id
            do throws(ClearanceFieldError) {
                return try fields.pointClearance(isStatement: true)
            } catch {
                throw GeoJSONError(error)
            }
        }
    }

    /// The members of a Feature, and of its `properties`, that mean nothing to a clearance; empty where it is not a Feature.
    package static func unknownMembers(inGeoJSON bytes: [UInt8]) -> [String] {
        let unknown = try? GeoJSONFeatureReader().read(bytes) {
            $0.unknownMembers(known: GeoJSONProperties.ofClearance)
        }
        return unknown ?? []
    }
}

extension GeoJSONFeatureReader {
    /// What a Point Feature of a file says of a clearance, not checked yet; `id` at the top or among the properties.
    package func clearanceFields(_ bytes: [UInt8]) throws(GeoJSONError) -> ClearanceFields {
        try read(bytes) { feature throws(GeoJSONError) in
            // A file is read again when it has changed: nothing would end the clearance.
            if let end = feature.properties["valid_until"] {
                throw feature.properties.error(
                    "valid_until", expected: "none in a file (only an entry of a topic can end)", got: end)
            }
            return try ClearanceFields(feature)
        }
    }
}

extension ClearanceFields {
    fileprivate init(_ feature: GeoJSONFeature) throws(GeoJSONError) {
        let properties = feature.properties
        try properties.requireObject()
        self.init(
            id: try feature.id()?.text, position: try feature.point(), clearance: try properties.clearance(),
            name: try properties.text("name"), road: try properties.text("road"), approach: try properties.approach(),
            passage: try properties.text("passage"), detours: try properties.detours(),
            source: try properties.text("source"), date: try properties.text("date"),
            author: try properties.text("author"), validUntil: try properties.time("valid_until"))
    }
}

extension GeoJSONFeature {
    fileprivate func point() throws(GeoJSONError) -> Coordinate {
        guard let geometry else { throw GeoJSONError("geometry", expected: "a Point", got: nil) }
        let type = geometry["type"]
        guard type?.string == "Point" else {
            throw GeoJSONError("geometry.type", expected: "\"Point\"", got: type?.shown)
        }
        guard let coordinates = geometry["coordinates"] else {
            throw GeoJSONError(CoordinateReader.place, expected: "[longitude, latitude]", got: nil)
        }
        return try CoordinateReader.position(coordinates, CoordinateReader.place)
    }
}

/// What clearances say.
extension GeoJSONProperties {
    /// Every member that means something to a clearance.
    fileprivate static let ofClearance = [
        "id", "clearance", "name", "road", "approach", "passage", "detours", "source", "date", "author",
        "valid_until",
    ]

    /// A text, or a number of metres.
    fileprivate func clearance() throws(GeoJSONError) -> String? {
        guard let member = self["clearance"] else { return nil }
        if let text = member.textOrNumber { return text }
        throw error("clearance", expected: ClearanceFieldError.expectedClearance, got: member)
    }

    /// A course, or a list of them.
    fileprivate func approach() throws(GeoJSONError) -> [Degrees] {
        guard let member = self["approach"] else { return [] }
        if let course = member.double { return [course] }
        guard let elements = member.elements else {
            throw error("approach", expected: "a course from 0 to 360, or a list of courses", got: member)
        }
        var courses: [Degrees] = []
        for element in elements {
            guard let course = element.double else {
                throw GeoJSONError(
                    "properties.approach[\(courses.count)]", expected: ClearanceFieldError.expectedCourse,
                    got: element.shown)
            }
            courses.append(course)
        }
        return courses
    }

    fileprivate func detours() throws(GeoJSONError) -> [Coordinate] {
        guard let member = self["detours"] else { return [] }
        var detours: [Coordinate] = []
        for element in try CoordinateReader.list(member, "properties.detours") {
            detours.append(try CoordinateReader.placeOnEarth(element, "properties.detours[\(detours.count)]"))
        }
        return detours
    }
}

extension GeoJSONError {
    /// Where a Feature has the field.
    fileprivate init(_ error: ClearanceFieldError) {
        switch error {
        case .position(let position): self = CoordinateReader.outOfRange(position, CoordinateReader.place)
        case .missing:
            self.init("properties.clearance", expected: ClearanceFieldError.expectedClearance, got: nil)
        case .unreadable(let got):
            self.init("properties.clearance", expected: ClearanceFieldError.expectedClearance, got: got)
        case .notPositive(let text):
            self.init(
                "properties.clearance", expected: ClearanceFieldError.expectedClearance, got: JSONValue.shown(text))
        case .approach(let courses):
            self.init("properties.approach", expected: ClearanceFieldError.expectedCourse, got: "\(courses)")
        case .passage(let text):
            self.init("properties.passage", expected: "\"under\" or \"over\"", got: JSONValue.shown(text))
        }
    }
}
