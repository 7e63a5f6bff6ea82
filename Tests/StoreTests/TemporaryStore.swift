import Fleet
import Foundation
import GRDB
import Messages
import MQTT
import PostgreSQL
import PostgreSQLTestSupport
import Store

/// A directory of its own for one test, gone with it, and what tests do to the files in it from outside.
final class TemporaryStore: Sendable {
    let directory: String
    let location: StoreLocation
    var path: String { directory + "/headroom.sqlite" }

    init() throws {
        directory = NSTemporaryDirectory() + "store-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        location =
            switch DatabaseKind.current {
            case .sqlite: .file(directory + "/headroom.sqlite")
            case .postgreSQL: .postgreSQL(try PostgreSQLServer.shared.get().newSchema())
            }
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func open(limits: StoreLimits = .standard, durability: StoreDurability = .power) throws -> Store {
        try Store(location, limits: limits, durability: durability)
    }

    /// Whether it is an SQLite file, which `outside` needs.
    var isFile: Bool { location == .file(path) }

    /// Opens the file as another program would, beside the gateway.
    func outside<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let queue = try DatabaseQueue(path: path)
        return try queue.inDatabase(body)
    }

    func outsideCount(_ table: String) throws -> Int {
        let sql = "SELECT count(*) FROM \(table)"
        guard case .postgreSQL(let address) = location else {
            return try outside { try Int.fetchOne($0, sql: sql) ?? -1 }
        }
        var count: Int64?
        try PostgreSQLConnection(address.url).execute(sql, each: [[]]) { count = $0.integer(at: 0) }
        return count.map(Int.init) ?? -1
    }

    /// What a machine that loses power leaves: the database and its log as they are now, without the shared memory file.
    func copyOfFiles() throws -> TemporaryStore {
        let copy = try TemporaryStore()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
        }
        return copy
    }

    func overwrite(_ bytes: [UInt8], at offset: Int) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }
}

let noon = Timestamp(milliseconds: 1_795_266_000_000)

func vehicle(_ id: String, levels: [String] = [], state: [UInt8] = [1, 2, 3]) throws -> StoredVehicle {
    guard let vehicle = VehicleID(id) else { throw CocoaError(.coderInvalidValue) }
    return StoredVehicle(address: VehicleAddress(vehicle: vehicle, levels: levels), state: state, batch: 1)
}

func alert(_ text: String, expiresAt: Timestamp? = nil) -> OutboxMessage {
    OutboxMessage(topic: "fleet/T42/alert", payload: Array(text.utf8), priority: .high, expiresAt: expiresAt)
}

func event(_ text: String) -> OutboxMessage {
    OutboxMessage(topic: "fleet/T42/event", payload: Array(text.utf8), priority: .normal)
}

func state(of vehicle: String, _ text: String) -> OutboxMessage {
    OutboxMessage(topic: "fleet/\(vehicle)/state", payload: Array(text.utf8), retain: true)
}

extension OutboxMessage {
    init(
        topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, retain: Bool = false,
        priority: OutboxPriority = .low, expiresAt: Timestamp? = nil, contentType: String? = nil,
        userProperties: [UserProperty] = []
    ) {
        let publication = Publication(
            topic: topic, payload: payload, qos: qos, retain: retain, contentType: contentType,
            userProperties: userProperties)
        self.init(publication, priority, expiresAt: expiresAt)
    }
}

extension Store {
    func vehicles() throws -> [StoredVehicle] {
        var vehicles: [StoredVehicle] = []
        try loadVehicles { vehicles.append($0) }
        return vehicles.sorted { $0.address.vehicle < $1.address.vehicle }
    }

    /// The payloads of the whole outbox, as text, in the order in which they leave.
    func unsent(at now: Timestamp = noon) throws -> [String] {
        try OutboxPriority.allCases.flatMap { try pendingOutbox($0, limit: 1000, at: now).entries }
            .map { String(decoding: $0.message.publication.payload, as: UTF8.self) }
    }
}
