import Fleet
import Messages
import Wire

/// Reads `.rec` files of the OwnTracks recorder: when a message came, what it was, and its payload, separated by tabs.
struct OwnTracksReader {
    private let address: VehicleAddress
    private let decoder = WireDecoder()

    /// - Parameters:
    ///   - vehicle: the device; such files do not name it.
    ///   - levels: of its topics beside its own.
    init(vehicle: VehicleID, levels: [String]) { address = VehicleAddress(vehicle: vehicle, levels: levels) }

    static func isLine(_ line: String) -> Bool { parts(of: line) != nil }

    private static func parts(of line: String) -> (arrival: Timestamp, payload: [UInt8])? {
        let columns = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
        guard columns.count == 3, let arrival = RFC3339.timestamp(String(columns[0])) else { return nil }
        return (arrival, Array(columns[2].utf8))
    }

    func read(_ file: TraceFile, into trace: inout Trace) {
        for line in file.lines {
            if line.isBlank {
                trace.pass(.blank)
            } else if let (arrival, payload) = Self.parts(of: line.text) {
                take(payload, at: arrival, line: line.number, into: &trace)
            } else {
                trace.reject(
                    TraceError("no line of a recorder, which has a time, a kind and JSON, separated by tabs"),
                    line: line.number)
            }
        }
    }

    private func take(_ payload: [UInt8], at arrival: Timestamp, line: Int, into trace: inout Trace) {
        let decoded = decoder.decode(payload, layout: .ownTracks, of: address.vehicle, receivedAt: arrival)
        let inputs = decoded.reports.map { Input.report($0, from: address, receivedAt: arrival) }
        trace.add(
            TraceEntry(line: line, arrival: arrival, inputs: inputs),
            problems: decoded.rejected.map { TraceError($0) }, others: [decoded.other].compactMap(\.self))
    }
}
