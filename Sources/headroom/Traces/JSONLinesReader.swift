import Fleet
import Wire

/// Reads lines of JSON: fixes as a truck publishes them, with a `vehicle` member, or arrays of fixes of one vehicle.
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
            do throws(Rejection) {
                let read = try decoder.fixes(line.bytes)
                let problems = read.rejections.map { TraceProblem($0) }
                guard !read.fixes.isEmpty else {
                    trace.reject(problems, line: line.number)
                    continue
                }
                trace.reject(partly: problems, line: line.number)
                trace.add(read.fixes, of: read.vehicle ?? vehicle, line: line.number)
            } catch {
                trace.reject(TraceProblem(error), line: line.number)
            }
        }
    }
}
