package import Geo
package import Messages

/// An alert that dispatch has to take: what is to be known of it at a glance.
package struct UntakenAlert: Hashable, Sendable, Codable {
    /// Of the alert.
    package var id: String
    /// Of its last message of this kind.
    package var sequence: Int
    package var vehicle: VehicleID
    package var stage: AlertMessage.Stage
    package var time: Timestamp
    /// As published.
    package var text: String
    /// Of the bridge.
    package var position: Coordinate
    /// When nobody had acknowledged or taken it for too long; nil: not yet.
    package var escalatedAt: Timestamp?

    package init(_ message: AlertMessage) {
        id = message.id
        sequence = message.sequence
        vehicle = message.vehicle
        stage = message.stage
        time = message.time
        text = message.text
        position = message.clearance.position
    }

    fileprivate init(_ row: SQLRow, path: String) throws {
        let (vehicle, stage): (String, String) = (row[2], row[3])
        guard let vehicle = VehicleID(vehicle), let stage = AlertMessage.Stage(rawValue: stage) else {
            throw StoreError.damaged(path: path, reason: "an untaken alert of “\(vehicle)” with the stage \(stage)")
        }
        (id, sequence, self.vehicle, self.stage) = (row[0], row[1], vehicle, stage)
        time = Timestamp(milliseconds: row[4])
        text = row[5]
        position = Coordinate(latitude: row[6], longitude: row[7])
        escalatedAt = (row[8] as Int64?).map(Timestamp.init(milliseconds:))
    }
}

extension Store {
    /// The alerts that dispatch has to take, the oldest first.
    ///
    /// - Throws: `damaged` where one cannot be read.
    package func loadUntaken() throws(StoreError) -> [UntakenAlert] {
        try owned { database in
            let query = """
                SELECT alert, sequence, vehicle, stage, time, text, latitude, longitude, escalated_at
                FROM untaken ORDER BY time, alert
                """
            return try database.all(query) { try UntakenAlert($0, path: path) }
        }
    }
}

extension BatchWriter {
    func write(_ untaken: [UntakenAlert], taken: Set<String>) throws {
        try database.execute(
            """
            INSERT INTO untaken
            (alert, sequence, vehicle, stage, time, text, latitude, longitude, escalated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (alert) DO UPDATE
            SET sequence = excluded.sequence, vehicle = excluded.vehicle, stage = excluded.stage, time = excluded.time,
                text = excluded.text, latitude = excluded.latitude, longitude = excluded.longitude,
                escalated_at = excluded.escalated_at
            """,
            each: untaken.lazy.map { alert in
                [
                    alert.id, alert.sequence, alert.vehicle.text, alert.stage.rawValue, alert.time.milliseconds,
                    alert.text, alert.position.latitude, alert.position.longitude, alert.escalatedAt?.milliseconds,
                ]
            })
        try database.execute("DELETE FROM untaken WHERE alert = ?", each: taken.sorted().lazy.map { [$0] })
    }
}
