import Wire

/// Reads Point Features with a `clearance`.
struct ClearanceGeoJSONReader {
    /// - Throws: where the file as a whole is not GeoJSON; a single bad Feature is a reject.
    func read(_ file: GeoJSONFile, into collection: inout ClearanceCollection) throws(FileError) {
        let reader = GeoJSONFeatureReader()
        try file.read { bytes, line in
            let fields = Result { () throws(GeoJSONError) in try reader.clearanceFields(bytes) }
            let id = (try? fields.get())?.entryID ?? reader.id(bytes)
            let row = Row(file: file.path, line: line, text: String(decoding: bytes, as: UTF8.self), id: id)
            collection.take(row, isNamed: (try? fields.get())?.isNamed ?? true) { () throws(RowError) in
                [try fields.mapError { RowError(geoJSONError: $0) }.get().clearance()]
            }
            if case .failure(let error) = fields { return error }
            return nil
        }
    }
}

extension RowError {
    init(geoJSONError error: GeoJSONError) { self.init(ClearanceRejection(geoJSONPlace: error.place), "\(error)") }
}

extension ClearanceRejection {
    /// What a Feature is counted by whose member at that place cannot be used.
    fileprivate init(geoJSONPlace place: String) {
        self =
            switch place {
            case "geometry", "geometry.type": .noPoint
            case "geometry.coordinates": .position
            case "properties.clearance": .value
            case "properties.valid_until": .validity
            case _ where place.hasPrefix("properties.detours["): .position
            default: .noFeature
            }
    }
}
