import Foundation
package import typealias Geo.Metres
import Hashing
package import Messages
package import Store
package import Wire

/// What the fleet's alerts say of one clearance: whether trucks that were too tall by what is known have passed under it.
package struct ClearanceEvidence: Hashable, Sendable {
    /// A vehicle that has passed under.
    package struct Pass: Hashable, Sendable {
        package var vehicle: VehicleID
        package var time: Timestamp
        /// Without the margin.
        package var height: Metres
    }

    /// How many alerts began.
    package private(set) var alerts = 0
    /// How many vehicles were reported to have passed under.
    package private(set) var passes = 0
    package private(set) var lastPass: Pass?
    package private(set) var tallestPass: Pass?

    package init() {}

    fileprivate mutating func add(_ entry: HistoryEntry, of id: String) {
        guard let message = AlertPayload(entry), message.clearance.$id == BytewiseText(id) else { return }
        if message.sequence == 1 { alerts += 1 }
        guard message.stage == .passed else { return }
        passes += 1
        guard let height = message.vehicleHeight else { return }
        let pass = Pass(vehicle: entry.vehicle, time: entry.time, height: height)
        lastPass = pass
        if height > tallestPass?.height ?? 0 { tallestPass = pass }
    }

    package func write(_ writer: inout JSONWriter) {
        writer.member("alerts", alerts)
        writer.member("passes", passes)
        for (name, pass) in [("last_pass", lastPass), ("tallest_pass", tallestPass)] as [(StaticString, Pass?)] {
            writer.name(name)
            guard let pass else {
                writer.null()
                continue
            }
            writer.object { writer in
                writer.member("vehicle", pass.vehicle.text)
                writer.member("time", pass.time)
                writer.member("height", pass.height, decimals: 3)
            }
        }
    }
}

extension StoreReader {
    /// What the alerts of a span of time say of the clearance with this id.
    ///
    /// - Parameter limit: of alert messages of the whole fleet that are looked through.
    /// - Throws: `StoreError`, `ReportError`.
    package func evidence(of id: String, in span: Range<Timestamp>, limit: Int) throws -> ClearanceEvidence {
        var evidence = ClearanceEvidence()
        // Ids have no character that JSON writes in another way, but for these.
        let bytes = Data(id.utf8)
        let isPlain = !id.contains { $0 == "\"" || $0 == "\\" }
        try each(.alert, span, limit: limit) { entry in
            // Reading a message costs fifty times as much as looking for the id in it.
            if !isPlain || Data(entry.payload).range(of: bytes) != nil { evidence.add(entry, of: id) }
        }
        return evidence
    }
}
