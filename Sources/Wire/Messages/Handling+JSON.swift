import Hashing
package import Messages

extension JSONWriter {
    /// One change of a handling; the id is the alert's.
    package mutating func members(of handling: Handling) {
        member("id", handling.alert)
        member("sequence", handling.revision)
        member("type", "handling")
        member("vehicle", handling.vehicle.text)
        member("time", handling.time)
        member("status", handling.status.rawValue)
        member("alert_open", handling.isAlertOpen)
        parts(of: handling)
    }

    /// What the vehicle's topic says: who sees to which of its open alerts.
    ///
    /// - Parameter last: the one that was changed last.
    mutating func members(
        of handlings: [Handling], _ vehicle: VehicleID, last: Handling, publishedAt: Timestamp
    ) {
        var hash = FNV1a("handling/".utf8)
        hash.combine(vehicle.text.utf8)
        member("id", hash.value.hexadecimal)
        member("sequence", last.revision)
        member("type", "handling")
        member("vehicle", vehicle.text)
        member("time", last.time)
        member("published_at", publishedAt)
        member("alerts", each: handlings) { writer, handling in
            writer.object { writer in
                writer.member("id", handling.alert)
                writer.parts(of: handling)
            }
        }
    }

    private mutating func parts(of handling: Handling) {
        member("by", handling.by)
        member("note", handling.note)
        member("taken_at", handling.takenAt)
    }
}

extension Handling {
    /// As `JSONWriter.members(of:)` has written it; nil where it has not.
    package init?(payload: [UInt8]) {
        let read = try? JSONParser().read(payload) { root -> Handling? in
            guard let alert = root["id"]?.string, let revision = root["sequence"]?.integer,
                let vehicle = root["vehicle"]?.string.flatMap({ VehicleID($0) }),
                let time = root["time"]?.string.flatMap(RFC3339.timestamp),
                let status = root["status"]?.string.flatMap(Handling.Status.init), let by = root["by"]?.string,
                let takenAt = root["taken_at"]?.string.flatMap(RFC3339.timestamp),
                let isAlertOpen = root["alert_open"]?.bool
            else { return nil }
            return Handling(
                alert: alert, vehicle: vehicle, status: status, by: by, note: root["note"]?.string, takenAt: takenAt,
                time: time, revision: revision, isAlertOpen: isAlertOpen)
        }
        guard let read else { return nil }
        self = read
    }
}
