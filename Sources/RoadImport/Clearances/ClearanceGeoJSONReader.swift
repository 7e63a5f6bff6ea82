import Clearances
internal import Foundation
import Geo
import Roads

/// Reads Point Features with a `clearance`, a text or a number in metres; `id` at the top or among the properties.
struct ClearanceGeoJSONReader {
    /// - Throws: where the file as a whole is no GeoJSON; a single bad feature is a reject.
    func read(
        _ file: MappedFile, path: String, into collection: inout ClearanceCollection
    ) throws(ClearanceFileError) {
        let decoder = JSONDecoder()
        for found in try features(file, path) {
            let bytes = Data(file.bytes[found.bytes])
            let row = Row(file: path, line: found.line, text: String(decoding: bytes, as: UTF8.self))
            let feature = Result { () throws(RowRejection) in try Self.feature(bytes, decoder) }
            if found.isAlone, case .failure(let rejection) = feature, rejection.reason == .noFeature {
                throw notGeoJSON(path, found.line)
            }
            collection.take(row) { () throws(RowRejection) in [try feature.get().fields().pointClearance()] }
        }
    }

    /// A single Feature that is kept under a known id.
    static func clearance(_ feature: [UInt8], id: String) throws(RowRejection) -> PointClearance {
        var fields = try Self.feature(Data(feature), JSONDecoder()).fields()
        if let own = fields.id, own != id {
            throw RowRejection(.otherIdentifier, "\"\(own)\" instead of \"\(id)\"")
        }
        fields.id = id
        return try fields.pointClearance(isStatement: true)
    }

    static func unknownMembers(of feature: [UInt8]) -> [String] {
        guard let names = try? JSONDecoder().decode(FeatureNames.self, from: Data(feature)) else { return [] }
        let known = ClearanceFeature.Properties.CodingKeys.allCases.map(\.stringValue)
        let outside = names.names.subtracting(["type", "id", "geometry", "properties", "bbox"])
        let inside = (names.properties?.names ?? []).subtracting(known)
        return Spelling.unknown(
            outside.map { known.contains($0) ? "\($0) outside of properties" : $0 } + inside, known: known)
    }

    private func features(
        _ file: MappedFile, _ path: String
    ) throws(ClearanceFileError) -> [GeoJSONFeatureScanner.Found] {
        var scanner = GeoJSONFeatureScanner(file.bytes)
        do throws(GeoJSONFeatureScanner.Malformed) {
            return try scanner.features()
        } catch {
            throw notGeoJSON(path, error.line)
        }
    }

    private func notGeoJSON(_ path: String, _ line: Int) -> ClearanceFileError {
        ClearanceFileError(path: path, reason: "is not GeoJSON (line \(line))")
    }

    private static func feature(_ bytes: Data, _ decoder: JSONDecoder) throws(RowRejection) -> ClearanceFeature {
        do {
            return try decoder.decode(ClearanceFeature.self, from: bytes)
        } catch let error as RowRejection {
            throw error
        } catch DecodingError.keyNotFound(let key, _) {
            throw RowRejection(.noFeature, "\(key.stringValue) is missing")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context)
        {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw RowRejection(.noFeature, path.isEmpty ? "this is no JSON object" : "\(path) is of another type")
        } catch {
            throw RowRejection(.noFeature)
        }
    }
}

/// One Feature as it is written; see the contract for what each property means.
private struct ClearanceFeature: Decodable {
    struct Geometry: Decodable {
        var type: String
        var coordinates: Position?

        enum CodingKeys: CodingKey { case type, coordinates }

        /// Coordinates of other geometries are nested otherwise, and not looked at.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = try container.decode(String.self, forKey: .type)
            coordinates = type == "Point" ? try container.decode(Position.self, forKey: .coordinates) : nil
        }
    }

    struct Properties: Decodable {
        var id: TextOrNumber?
        var clearance: StatedClearance?
        var name: String?
        var road: String?
        var approach: OneOrMore<Double>?
        var passage: String?
        var detours: [Position]?
        var source: String?
        var date: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case id, clearance, name, road, approach, passage, detours, source, date
        }
    }

    var type: String
    var id: TextOrNumber?
    var geometry: Geometry?
    var properties: Properties?

    func fields() throws(RowRejection) -> ClearanceFields {
        guard type == "Feature" else { throw RowRejection(.noFeature, "its type is \(type)") }
        guard let geometry else { throw RowRejection(.noPoint, "there is none") }
        guard let position = geometry.coordinates else { throw RowRejection(.noPoint, geometry.type) }
        guard let properties else { throw RowRejection(.missing) }
        if let clearance = properties.clearance, clearance.text == nil {
            throw .unreadableClearance(got: clearance.kind)
        }
        return ClearanceFields(
            id: (id ?? properties.id)?.text, position: position.coordinate, clearance: properties.clearance?.text,
            name: properties.name, road: properties.road, approach: properties.approach?.values ?? [],
            passage: properties.passage, detours: properties.detours?.map(\.coordinate) ?? [],
            source: properties.source, date: properties.date)
    }
}

/// What the members of a Feature and of its properties are called.
private struct FeatureNames: Decodable {
    struct Names: Decodable {
        var names: Set<String>

        init(from decoder: any Decoder) throws {
            names = Set(try decoder.container(keyedBy: AnyName.self).allKeys.map(\.stringValue))
        }
    }

    var names: Set<String>
    var properties: Names?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyName.self)
        names = Set(container.allKeys.map(\.stringValue))
        properties = try container.decodeIfPresent(Names.self, forKey: AnyName(stringValue: "properties"))
    }
}

private struct AnyName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Longitude, latitude, and perhaps a height above the sea, which says nothing here.
private struct Position: Decodable {
    var coordinate: Coordinate

    init(from decoder: any Decoder) throws {
        let numbers = try [Double](from: decoder)
        guard numbers.count >= 2 else { throw RowRejection(.position, "\(numbers)") }
        coordinate = Coordinate(latitude: numbers[1], longitude: numbers[0])
    }
}

/// A number is written as it stands in the file: the shortest text that is the same Double.
private struct TextOrNumber: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let whole = try? container.decode(Int64.self) {
            text = "\(whole)"
        } else {
            text = "\(try container.decode(Double.self))"
        }
    }
}

/// What stands for a clearance, of whatever type.
private struct StatedClearance: Decodable {
    /// Nil where it is no text and no number.
    var text: String?
    /// What it is else, as a problem shows it.
    var kind = ""

    init(from decoder: any Decoder) throws {
        text = try? TextOrNumber(from: decoder).text
        guard text == nil else { return }
        if let flag = try? decoder.singleValueContainer().decode(Bool.self) {
            kind = "\(flag)"
        } else {
            kind = (try? decoder.unkeyedContainer()) != nil ? "a list" : "an object"
        }
    }
}

private struct OneOrMore<Value: Decodable>: Decodable {
    var values: [Value]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let one = try? container.decode(Value.self) {
            values = [one]
        } else {
            values = try container.decode([Value].self)
        }
    }
}
