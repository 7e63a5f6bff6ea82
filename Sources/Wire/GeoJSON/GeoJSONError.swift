/// Why a text is not the GeoJSON that was expected; for whoever wrote it.
package struct GeoJSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member that is wrong, such as `properties.hours.week` or `geometry.coordinates[0][17]`; `line 12` of a file;
    /// empty: the Feature as a whole.
    package var place: String
    /// `expected a length such as 200 or "200 m", got "abc"`
    package var text: String

    package init(_ place: String, _ text: String) {
        self.place = place
        self.text = text
    }

    /// - Parameter got: what stands there instead; nil: nothing does.
    init(_ place: String, expected: String, got: String?) {
        self.init(place, "expected \(expected), got \(got ?? "nothing")")
    }

    package var description: String { place.isEmpty ? text : "\(place): \(text)" }
}
