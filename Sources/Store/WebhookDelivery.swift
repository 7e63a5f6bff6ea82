import Foundation
package import Messages

/// A message that is to be posted to a webhook.
package struct WebhookDelivery: Hashable, Sendable {
    /// In the store, ascending in the order of the commits; 0 before it is stored.
    package var id: Int64
    /// Of the webhook.
    package var url: String
    /// Id and sequence of the message, such as `b1946ac92492d234-2`: by these a receiver knows a repeat.
    package var message: String
    package var vehicle: VehicleID
    /// JSON, as published over MQTT.
    package var payload: [UInt8]
    /// When it was decided.
    package var createdAt: Timestamp

    package init(
        id: Int64 = 0, url: String, message: String, vehicle: VehicleID, payload: [UInt8], createdAt: Timestamp
    ) {
        self.id = id
        self.url = url
        self.message = message
        self.vehicle = vehicle
        self.payload = payload
        self.createdAt = createdAt
    }

    fileprivate init(_ row: SQLRow, path: String) throws {
        let vehicle: String = row[3]
        guard let vehicle = VehicleID(vehicle) else {
            throw StoreError.damaged(path: path, reason: "a webhook's message of “\(vehicle)”")
        }
        self.init(
            id: row[0], url: row[1], message: row[2], vehicle: vehicle, payload: try row.bytes(at: 4),
            createdAt: Timestamp(milliseconds: row[5]))
    }
}

extension Store {
    /// What waits to be posted to `url`, the oldest first, at most `limit`.
    ///
    /// - Parameter id: only what was stored behind it.
    /// - Throws: `damaged` where one cannot be read.
    package func webhookDeliveries(
        to url: String, after id: Int64 = 0, limit: Int
    ) throws(StoreError) -> [WebhookDelivery] {
        try owned { database in
            let query = """
                SELECT id, url, message, vehicle, payload, created_at FROM webhook
                WHERE url = ? AND id > ? ORDER BY id LIMIT ?
                """
            return try database.all(query, [url, id, limit]) { try WebhookDelivery($0, path: path) }
        }
    }

    /// How many messages wait to be posted to `url`.
    package func webhookCount(of url: String) throws(StoreError) -> Int {
        try owned { try $0.number("SELECT count(*) FROM webhook WHERE url = ?", [url]) }
    }

    /// Removes what waits for any webhook but those of `urls`.
    ///
    /// - Returns: how many messages there were.
    package func removeWebhookDeliveries(besides urls: [String], at time: Timestamp) throws(StoreError) -> Int {
        try write(time: time) { writer in
            let others = try writer.database.all("SELECT DISTINCT url FROM webhook") { $0[0] as String }
                .filter { !urls.contains($0) }
            return try writer.database.execute("DELETE FROM webhook WHERE url = ?", each: others.map { [$0] })
        }
    }
}

extension BatchWriter {
    func write(_ deliveries: [WebhookDelivery], settled: [Int64]) throws {
        try database.execute("DELETE FROM webhook WHERE id = ?", each: settled.lazy.map { [$0] })
        try database.execute(
            "INSERT INTO webhook (url, message, vehicle, payload, created_at) VALUES (?, ?, ?, ?, ?)",
            each: deliveries.lazy.map { delivery in
                [
                    delivery.url, delivery.message, delivery.vehicle.text, Data(delivery.payload),
                    delivery.createdAt.milliseconds,
                ]
            })
    }
}
