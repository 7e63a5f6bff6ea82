import Messages

/// Reads Features one at a time, reusing its buffers. One thread at a time.
package final class GeoJSONFeatureReader {
    private let parser = JSONParser(capacity: WireLimits.featureBytes)

    package init() {}

    /// The id that a Feature says, whatever else may be wrong with it; nil where there is none that can be read.
    package func id(_ bytes: [UInt8]) -> String? {
        try? read(bytes) { feature throws(GeoJSONError) in try feature.id()?.text }
    }

    /// Parses one Feature and hands it to `body`, which must not let it out.
    ///
    /// - Throws: where the bytes are too many or are not a Feature, and what `body` throws.
    func read<Value>(
        _ bytes: [UInt8], _ body: (GeoJSONFeature) throws(GeoJSONError) -> Value
    ) throws(GeoJSONError) -> Value {
        guard bytes.count <= WireLimits.featureBytes else {
            throw GeoJSONError(
                "", expected: "at most \(WireLimits.featureBytes) bytes (\(WireLimits.fenceVertices) vertices)",
                got: "\(bytes.count)")
        }
        let value: Result<Value, GeoJSONError>
        do throws(InputError) {
            value = try parser.read(bytes) { root in
                Result { () throws(GeoJSONError) in try body(GeoJSONFeature(root)) }
            }
        } catch {
            throw GeoJSONError("", expected: GeoJSONFeature.expected, got: Self.shown(bytes, error))
        }
        return try value.get()
    }

    /// What bytes are that are not JSON.
    private static func shown(_ bytes: [UInt8], _ rejection: InputError) -> String? {
        guard !bytes.isEmpty else { return nil }
        return ForeignPayload.name(of: bytes)
            ?? (rejection == .invalidUTF8 ? "bytes that are not UTF-8" : "text that is not JSON")
    }
}
