import Fleet
import Foundation
import Geo
import Messages
import Wire

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads GPX 1.0 and 1.1.
struct GPXReader {
    let vehicle: VehicleID

    func read(_ file: TraceFile, into trace: inout Trace) {
        let points = GPXPoints()
        let parser = XMLParser(data: file.content)
        parser.delegate = points
        let isWhole = parser.parse()
        for point in points.points {
            switch point.content {
            case .success(let fix): trace.add([RecordedFixes(vehicle: vehicle, fixes: [fix])], line: point.line)
            case .failure(let problem): trace.reject(problem, line: point.line)
            }
        }
        // A recorder that was cut off leaves a file without its end: what stands before it is used.
        guard !isWhole || !points.isComplete else { return }
        let reason = parser.parserError.map { "error \(($0 as NSError).code) of the XML parser" }
        trace.reject(
            TraceError("no GPX from here on", reason ?? "the file ends before </gpx>"), line: parser.lineNumber)
    }
}

/// Track, route and way points, in the order of the file. Speed and course come from extensions where the recorder wrote
/// them, else from the points before.
private final class GPXPoints: NSObject, XMLParserDelegate {
    struct Point {
        /// Where it ends.
        var line: Int
        var content: Result<Fix, TraceError>
    }

    private static let elements: Set<String> = ["trkpt", "rtept", "wpt"]
    /// Steps shorter than a receiver's noise say nothing about where the vehicle is bound, or that it moves at all.
    private static let noise: Metres = 5

    private(set) var points: [Point] = []
    /// Whether the end of the document has come.
    private(set) var isComplete = false
    private var last: Fix?
    private var position: Coordinate?
    private var values: [String: String] = [:]
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        guard Self.elements.contains(element) else { return }
        values = [:]
        position = nil
        if let latitude = attributes["lat"].flatMap(Double.init), let longitude = attributes["lon"].flatMap(Double.init)
        {
            position = Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        let name = element.split(separator: ":").last.map(String.init) ?? element
        if name == "gpx" { isComplete = true }
        guard Self.elements.contains(name) else {
            values[name] = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return
        }
        let content = Result { () throws(TraceError) in try fix() }
        if case .success(let fix) = content { last = fix }
        points.append(Point(line: parser.lineNumber, content: content))
    }

    private func fix() throws(TraceError) -> Fix {
        guard let position else { throw TraceError("a point without lat and lon") }
        guard position.isValid else { throw TraceError("a point off the map") }
        guard let text = values["time"] else { throw TraceError("a point without a time") }
        guard let time = RFC3339.timestamp(text) else { throw TraceError("a time that cannot be read", text) }
        var fix = Fix(position: position, time: time)
        fix.altitude = values["ele"].flatMap(Double.init)
        fix.speed = values["speed"].flatMap(Double.init) ?? speed(to: fix)
        fix.course = values["course"].flatMap(Double.init) ?? course(to: fix)
        return fix
    }

    private func course(to fix: Fix) -> Degrees? {
        guard let last, last.position.distance(to: fix.position) > Self.noise else { return nil }
        return last.position.bearing(to: fix.position)
    }

    private func speed(to fix: Fix) -> MetresPerSecond? {
        guard let last, fix.time > last.time else { return nil }
        let moved = last.position.distance(to: fix.position)
        return moved > Self.noise ? moved / fix.time.since(last.time) : nil
    }
}
