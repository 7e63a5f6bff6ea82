import Wire

/// A GeoJSON file: FeatureCollections or Features, one after another.
struct GeoJSONFile {
    let path: String
    private let file: MappedFile

    init(_ file: MappedFile, path: String) { (self.file, self.path) = (file, path) }

    /// Hands over each Feature and the line on which it begins, in the order in which they stand.
    ///
    /// - Parameter take: returns what is wrong with the Feature; nil: nothing.
    /// - Throws: where the file as a whole is not GeoJSON with Features.
    func read(_ take: ([UInt8], Int) -> GeoJSONError?) throws(FileError) {
        for found in try features() {
            let error = take(Array(file.bytes[found.bytes]), found.line)
            // A lone object of another type is a file of another kind.
            if found.isAlone, let error, error.place == "type" {
                throw FileError(path: path, reason: "line \(found.line): \(error)")
            }
        }
    }

    private func features() throws(FileError) -> [GeoJSONFeatureScanner.Found] {
        try file.requireNoUTF16(path)
        var scanner = GeoJSONFeatureScanner(file.bytes)
        do throws(GeoJSONError) {
            return try scanner.features()
        } catch {
            throw FileError(path: path, reason: "\(error)")
        }
    }
}
