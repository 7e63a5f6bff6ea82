import Fleet
import Foundation
import Geo
import Wire

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A recorded drive, or several.
struct Trace {
    struct RecordedFix {
        var vehicle: VehicleID
        var fix: Fix
    }

    /// In the order of the file.
    var fixes: [RecordedFix] = []
    /// What could not be used, with its place.
    var problems: [String] = []

    /// - Parameter vehicle: whose fixes they are where the trace does not say; nil: the file's name says it.
    init(_ path: String, vehicle: String?) throws {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.usage("\(path): there is no such file, or it cannot be read")
        }
        let name = vehicle ?? URL(filePath: path).deletingPathExtension().lastPathComponent
        guard let id = VehicleID(name) else {
            throw CommandFailure.usage("\"\(name)\" cannot be a vehicle's id; give one with --vehicle")
        }
        if content.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) == UInt8(ascii: "<") {
            try readGPX(content, path, id)
        } else {
            readJSONLines(content, id)
        }
        if fixes.isEmpty {
            throw CommandFailure.failed("\(path) holds no fix that can be used: \(problems.joined(separator: "; "))")
        }
    }

    // MARK: JSON lines

    private mutating func readJSONLines(_ content: Data, _ vehicle: VehicleID) {
        let decoder = WireDecoder()
        for (number, line) in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            let named = Self.vehicle(named: line) ?? vehicle
            // No arrival time: a line without a time says nothing about when.
            let decoded = decoder.decode(
                topic: "fleet/\(named)/location", payload: [UInt8](line), retained: true,
                receivedAt: Timestamp(milliseconds: .min / 2))
            for case .location(let read) in decoded.flatMap(\.reports) {
                fixes += read.map { RecordedFix(vehicle: named, fix: $0) }
            }
            problems += decoded.flatMap(\.rejections).map { "line \(number + 1): \($0.rawValue)" }
        }
    }

    private static func vehicle(named line: Data) -> VehicleID? {
        let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
        return (object?["vehicle"] as? String).flatMap { VehicleID($0) }
    }

    // MARK: GPX

    private mutating func readGPX(_ content: Data, _ path: String, _ vehicle: VehicleID) throws {
        let reader = GPXReader()
        let parser = XMLParser(data: content)
        parser.delegate = reader
        guard parser.parse() else {
            let reason = parser.parserError.map { "\($0)" } ?? "not XML"
            throw CommandFailure.failed("\(path), line \(parser.lineNumber): no GPX that can be read (\(reason))")
        }
        fixes = reader.fixes.map { RecordedFix(vehicle: vehicle, fix: $0) }
        problems = reader.problems
    }
}

/// Track, route and way points of a GPX 1.0 or 1.1 file, in its order. Speed and course come from extensions where the
/// recorder wrote them, else from the points before.
private final class GPXReader: NSObject, XMLParserDelegate {
    private(set) var fixes: [Fix] = []
    private(set) var problems: [String] = []
    private var position: Coordinate?
    private var values: [String: String] = [:]
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        guard ["trkpt", "rtept", "wpt"].contains(element) else { return }
        values = [:]
        let latitude = attributes["lat"].flatMap(Double.init)
        let longitude = attributes["lon"].flatMap(Double.init)
        guard let latitude, let longitude else {
            problems.append("line \(parser.lineNumber): a point without lat and lon")
            return
        }
        position = Coordinate(latitude: latitude, longitude: longitude)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        let name = element.split(separator: ":").last.map(String.init) ?? element
        guard ["trkpt", "rtept", "wpt"].contains(name) else {
            values[name] = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return
        }
        finishPoint(line: parser.lineNumber)
        position = nil
    }

    private func finishPoint(line: Int) {
        guard let position else { return }
        guard position.isValid else { return problems.append("line \(line): \(Rejection.outOfRange.rawValue)") }
        guard let time = values["time"].flatMap(RFC3339.timestamp) else {
            return problems.append("line \(line): a point without a time")
        }
        var fix = Fix(position: position, time: time)
        fix.altitude = values["ele"].flatMap(Double.init)
        fix.speed = values["speed"].flatMap(Double.init) ?? speed(to: fix)
        fix.course = values["course"].flatMap(Double.init) ?? course(to: fix)
        fixes.append(fix)
    }

    /// Steps shorter than a receiver's noise say nothing about where the vehicle is bound, or that it moves at all.
    private static let noise: Metres = 5

    private func course(to fix: Fix) -> Degrees? {
        guard let last = fixes.last, last.position.distance(to: fix.position) > Self.noise else { return nil }
        return last.position.bearing(to: fix.position)
    }

    private func speed(to fix: Fix) -> MetresPerSecond? {
        guard let last = fixes.last, fix.time > last.time else { return nil }
        let moved = last.position.distance(to: fix.position)
        return moved > Self.noise ? moved / fix.time.since(last.time) : nil
    }
}
