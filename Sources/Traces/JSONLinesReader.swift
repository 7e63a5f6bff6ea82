import Fleet
import Messages
import Wire

/// Reads lines of JSON: fixes as a truck publishes them, with a `vehicle` member, or arrays of them.
struct JSONLinesReader {
    /// Where a line names none.
    let vehicle: VehicleID
    private let decoder = RecordingDecoder()

    init(vehicle: VehicleID) { self.vehicle = vehicle }

    func read(_ file: TraceFile, into trace: inout Trace) {
        for line in file.lines {
            guard !line.isBlank else {
                trace.pass(.blank)
                continue
            }
            do throws(InputError) {
                let (found, rejections) = try decoder.fixes(line.bytes, of: vehicle)
                trace.add(found, line: line.number, problems: Self.problems(rejections))
            } catch {
                trace.reject(Self.problem(error), line: line.number)
            }
        }
    }

    /// No broker retains a line: what a fix without a time is called there says nothing here.
    private static func problem(_ rejection: InputError, _ detail: String = "") -> TraceError {
        guard rejection == .retainedWithoutTime else { return TraceError(rejection, detail) }
        let expected = "expected \"time\" in RFC 3339 or in seconds since 1970"
        return TraceError("a fix without a time", detail.isEmpty ? expected : "\(expected): \(detail)")
    }

    /// An array may hold thousands of fixes with one and the same problem.
    private static func problems(_ rejections: [InputError]) -> [TraceError] {
        Dictionary(grouping: rejections) { $0 }.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, all in
            problem(reason, all.count > 1 ? "\(all.count) fixes of the line" : "")
        }
    }
}
