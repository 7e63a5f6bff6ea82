import Fleet
import Foundation
import Geo
import Messages
import Wire

/// Reads the track points of GPX 1.0 and 1.1.
struct GPXReader {
    let vehicle: VehicleID

    func read(_ file: TraceFile, into trace: inout Trace) {
        let points = GPXPoints()
        let reader = XMLReader { event, line in points.take(event, line: line) }
        let result = Result { () throws(XMLError) in try reader.read(file.content) }
        for point in points.points {
            switch point.content {
            case .success(let fix): trace.add([RecordedFixes(vehicle: vehicle, fixes: [fix])], line: point.line)
            case .failure(let problem): trace.reject(problem, line: point.line)
            }
        }
        for _ in 0..<points.plannedCount { trace.pass(.planned) }
        // A recorder that was cut off leaves a file without its end: what stands before it is used.
        let problem: XMLError? =
            switch result {
            case .failure(let error): error
            case .success: points.isComplete ? nil : .endOfFile
            }
        if let problem { trace.reject(TraceError("no GPX from here on", "\(problem)"), line: reader.line) }
    }
}

/// Track points, in the order of the file. Speed and course come from extensions where the recorder wrote
/// them, else from the points before.
private final class GPXPoints {
    struct Point {
        /// Of its closing tag.
        var line: Int
        var content: Result<Fix, TraceError>
    }

    private static let element = "trkpt"
    /// Points where nobody need have been: https://www.topografix.com/GPX/1/1/
    private static let plannedElements: Set<String> = ["wpt", "rtept"]
    /// Steps shorter than a receiver's noise say nothing about where the vehicle is bound, or that it moves at all.
    private static let noise: Metres = 5

    private(set) var points: [Point] = []
    private(set) var plannedCount = 0
    /// Whether the end of the document has come.
    private(set) var isComplete = false
    private var last: Fix?
    /// Of the point that is being read.
    private var attributes: [String: String] = [:]
    private var values: [String: String] = [:]
    private var text = ""

    func take(_ event: XMLEvent, line: Int) {
        switch event {
        case .start(let element, let attributes): start(Self.localName(element), attributes)
        case .text(let piece): text += piece
        case .end(let element): end(Self.localName(element), line: line)
        }
    }

    private static func localName(_ element: String) -> String {
        element.split(separator: ":").last.map(String.init) ?? element
    }

    private func start(_ element: String, _ attributes: [String: String]) {
        text = ""
        guard element == Self.element else { return }
        values = [:]
        self.attributes = attributes
    }

    private func end(_ element: String, line: Int) {
        if element == "gpx" { isComplete = true }
        if Self.plannedElements.contains(element) { plannedCount += 1 }
        guard element == Self.element else {
            values[element] = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return
        }
        let content = Result { () throws(TraceError) in try fix() }
        if case .success(let fix) = content { last = fix }
        points.append(Point(line: line, content: content))
    }

    private func fix() throws(TraceError) -> Fix {
        let position = try position()
        guard let text = values["time"] else {
            throw TraceError("a point without a time", "expected <time>, got none")
        }
        guard let time = RFC3339.timestamp(text) else {
            throw TraceError("a time that cannot be read", "expected RFC 3339, got \(text)")
        }
        var fix = Fix(position: position, time: time)
        fix.altitude = number("ele", in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
        fix.speed = number("speed", in: 0...Double.greatestFiniteMagnitude) ?? speed(to: fix)
        fix.course = number("course", in: 0...360).map { $0 == 360 ? 0 : $0 } ?? course(to: fix)
        return fix
    }

    /// Nil where it is not known, as with -1 and NaN, which some recorders write.
    private func number(_ element: String, in range: ClosedRange<Double>) -> Double? {
        values[element].flatMap(Double.init).flatMap { range.contains($0) ? $0 : nil }
    }

    private func position() throws(TraceError) -> Coordinate {
        let (latitude, longitude) = (attributes["lat"], attributes["lon"])
        let got = "got lat \(latitude ?? "none"), lon \(longitude ?? "none")"
        guard let latitude = latitude.flatMap(Double.init), let longitude = longitude.flatMap(Double.init) else {
            throw TraceError("a point without lat and lon", "expected two numbers, \(got)")
        }
        let position = Coordinate(latitude: latitude, longitude: longitude)
        guard position.isValid else {
            throw TraceError("a point off the map", "expected lat from -90 to 90 and lon from -180 to 180, \(got)")
        }
        return position
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
