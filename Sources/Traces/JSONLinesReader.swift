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
            do throws(RejectedPart) {
                let (found, rejected) = try decoder.fixes(line.bytes, of: vehicle)
                trace.add(found, line: line.number, problems: Self.problems(rejected))
            } catch {
                trace.reject(Self.problem(error), line: line.number)
            }
        }
    }

    /// No broker retains a line: what a fix without a time is called there says nothing here.
    private static func problem(_ rejected: RejectedPart) -> TraceError {
        guard rejected.reason == .retainedWithoutTime else { return TraceError(rejected) }
        return TraceError("a fix without a time", "expected \"time\" in RFC 3339 or in seconds since 1970")
    }

    /// An array may hold thousands of fixes with one and the same problem.
    private static func problems(_ rejected: [RejectedPart]) -> [TraceError] {
        Dictionary(grouping: rejected, by: \.reason).values.map { all in
            var first = problem(all[0])
            guard all.count > 1 else { return first }
            let exactly = first.detail.isEmpty ? "" : ", the first: \(first.detail)"
            first.detail = "\(all.count) fixes of the line\(exactly)"
            return first
        }.sorted { $0.reason < $1.reason }
    }
}
