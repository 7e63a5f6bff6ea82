import Fleet
import Foundation
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Wire

/// The parameters of a request, each read by its kind; what is wrong with one is a 400 that says what is expected.
struct RequestQuery {
    private let parameters: [String: String]
    private let accept: String?

    /// - Parameter names: those that the route knows. Another is refused: a misspelt filter must not look like none.
    init(_ request: Request, _ names: Set<String>) throws(HTTPError) {
        var parameters: [String: String] = [:]
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let (name, value) = try Self.decoded(pair)
            guard names.contains(name) else {
                let known = names.isEmpty ? "there is none" : names.sorted().joined(separator: ", ")
                throw .bad("There is no parameter \(name.prefix(64)) here; those known: \(known).")
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw .bad("\(name): expected one value, got two.")
            }
        }
        self.parameters = parameters
        accept = request.headers[.accept]
    }

    /// As forms write it: a plus is a space.
    private static func decoded(_ pair: Substring) throws(HTTPError) -> (name: String, value: String) {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
            part.replacing("+", with: " ").removingPercentEncoding
        }
        guard let name = parts[0], let value = parts.count == 2 ? parts[1] : "" else {
            throw .bad("Expected percent encoding in the query, got an invalid escape.")
        }
        return (name, value)
    }

    /// Nil where it is absent or empty.
    func text(_ name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Nil where it is absent. Where it says how much is deleted, an empty one must not look like none.
    func textNotEmpty(_ name: String, expected: String) throws(HTTPError) -> String? {
        guard let text = parameters[name], text.isEmpty else { return parameters[name] }
        throw .bad(name, expected: expected, got: text)
    }

    func time(_ name: String) throws(HTTPError) -> Timestamp? {
        guard let text = text(name) else { return nil }
        // The plus of an offset that was not escaped.
        if let time = RFC3339.timestamp(text) ?? RFC3339.timestamp(text.replacing(" ", with: "+")) { return time }
        throw .bad(name, expected: "RFC 3339, such as 2026-11-21T06:00:00Z", got: text)
    }

    /// A latitude and a longitude.
    func place(_ name: String) throws(HTTPError) -> Coordinate? {
        guard let text = text(name) else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
        if numbers.count == 2 {
            let place = Coordinate(latitude: numbers[0], longitude: numbers[1])
            if place.isValid { return place }
        }
        throw .bad(name, expected: "a latitude and a longitude in degrees, such as 42.2807,-83.7545", got: text)
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws(HTTPError) -> Choice? {
        guard let text = text(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        throw .bad(name, expected: "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))", got: text)
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(HTTPError) -> Int? {
        guard let text = text(name) else { return nil }
        if let value = Int(text), range.contains(value) { return value }
        throw .bad(name, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)", got: text)
    }

    /// In whole centimetres, rounded up as heights of vehicles are: metres, or a text with a unit.
    func height(_ name: String) throws(HTTPError) -> Centimetres? {
        guard let text = text(name) else { return nil }
        let tenths = LengthText.tenthMillimetres(text, rounding: .up)
        if let tenths, (1...Int(WireLimits.heightMetres * 10_000)).contains(tenths) { return (tenths + 99) / 100 }
        throw .bad(
            name, expected: "a height in metres up to \(Int(WireLimits.heightMetres)), or such as 13'6\"", got: text)
    }

    func vehicle(_ name: String) throws(HTTPError) -> VehicleID? {
        guard let text = text(name) else { return nil }
        if let vehicle = VehicleID(text) { return vehicle }
        throw .bad(name, expected: "a vehicle id of 1 to 64 characters without / + #", got: text)
    }

    /// `west,south,east,north`; west is greater than east where the box lies across the antimeridian.
    func bounds(_ name: String = "bbox") throws(HTTPError) -> Bounds? {
        guard let text = text(name) else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[1] <= numbers[3],
            let bounds = Bounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        else {
            throw .bad(name, expected: "west,south,east,north in degrees, such as -83.9,42.2,-83.6,42.4", got: text)
        }
        return bounds
    }

    /// Whether the answer is to be GeoJSON: by `format`, else by what the client accepts.
    func wantsGeoJSON() throws(HTTPError) -> Bool {
        enum Format: String, CaseIterable { case json, geojson }
        if let format: Format = try choice("format") { return format == .geojson }
        return accepts("application/geo+json")
    }

    func accepts(_ contentType: String) -> Bool { accept?.contains(contentType) ?? false }

    /// By `format`, else by what the client accepts, else GeoJSON.
    func trackFormat() throws(HTTPError) -> TrackFormat {
        if let format: TrackFormat = try choice("format") { return format }
        return TrackFormat.allCases.first { accepts($0.contentType) } ?? .geojson
    }
}

extension HTTPError {
    static func bad(_ message: String) -> HTTPError { HTTPError(.badRequest, message: message) }

    /// A parameter's value that cannot be read.
    static func bad(_ name: String, expected: String, got text: String) -> HTTPError {
        bad("\(name): expected \(expected), got \"\(text.prefix(64))\".")
    }

    static var gatewayCannotBeAsked: HTTPError {
        HTTPError(.serviceUnavailable, message: "The gateway does not answer now. Try again.")
    }

    static func unknown(_ what: String) -> HTTPError { HTTPError(.notFound, message: "There is no such \(what).") }
}

extension Bounds {
    /// A map that has been moved round the earth has longitudes beyond ±180; they are brought back, and what is as wide as
    /// the earth is the earth. Nil where a latitude is none.
    fileprivate init?(west: Degrees, south: Degrees, east: Degrees, north: Degrees) {
        // What lies that far beyond the map's rim has no rounded longitude left.
        guard (-90...90).contains(south), (-90...90).contains(north), west.magnitude <= 1e6, east.magnitude <= 1e6
        else {
            return nil
        }
        let isWorld = east - west >= 360
        func brought(_ longitude: Degrees) -> Degrees {
            (-180...180).contains(longitude) ? longitude : longitude - 360 * ((longitude + 180) / 360).rounded(.down)
        }
        self.init(
            south: south, west: isWorld ? -180 : brought(west), north: north, east: isWorld ? 180 : brought(east))
    }
}

extension Request {
    /// A part of the path, as it was meant: the router leaves escapes as they are.
    static func decoded(_ name: String, _ context: some RequestContext) throws(HTTPError) -> String {
        guard let text = context.parameters.get(name)?.removingPercentEncoding else {
            throw .bad("Expected percent encoding in the path, got an invalid escape.")
        }
        return text
    }
}
