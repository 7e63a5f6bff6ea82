import Foundation
import Hashing
import Logging
import Messages
import MQTT
import Store
import Wire

/// What can be neither stored nor sent, one JSON object a line in a file beside the store: kept apart, so that it holds up
/// nothing else and somebody can look at it.
package struct Quarantine {
    package enum Kind: String, CaseIterable, Sendable {
        /// A message that MQTT, the broker or the store does not take.
        case message
        /// The state of a vehicle that is too large to be stored.
        case vehicleState = "vehicle-state"
    }

    private struct Entry: Codable {
        var time: String
        var kind: String
        /// Nil for a vehicle's state.
        var topic: String?
        /// Nil for a message.
        var vehicle: String?
        var bytes: Int
        var reason: String
        /// How the payload begins.
        var payload: String?

        func concerns(_ vehicles: [String], _ topics: Set<BytewiseText>) -> Bool {
            if let topic, topics.contains(BytewiseText(topic)) { return true }
            return vehicles.contains { name in
                vehicle == name || topic?.contains(name) == true || payload?.contains(name) == true
            }
        }
    }

    /// Beyond it the oldest lines go: a thousand lines at least, and nothing that fills a disk.
    static let bytesMax = 1 << 20
    /// So much of a payload says what it was.
    private static let payloadMax = 512

    private let path: String
    private let metrics: GatewayMetrics?
    private let logger: Logger?

    /// - Parameters:
    ///   - store: path of the SQLite file.
    ///   - metrics: nil: nothing is counted.
    init(besides store: String, _ metrics: GatewayMetrics? = nil, logger: Logger? = nil) {
        path = store + ".quarantine"
        self.metrics = metrics
        self.logger = logger
    }

    /// Commits a batch; what no store takes is left out of it and put here.
    ///
    /// - Returns: what was committed, and the ids of its messages.
    func commit(_ batch: StoreBatch, to store: Store) throws -> (StoreBatch, [Int64]) {
        do {
            return (batch, try store.commit(batch))
        } catch StoreError.unsendable, StoreError.stateTooLarge {
            var rest = batch
            let parts = rest.removeUnstorable(store.limits)
            for (message, reason) in parts.messages { add(message, because: reason, at: batch.time) }
            for (vehicle, reason) in parts.states { add(stateOf: vehicle, because: reason, at: batch.time) }
            return (rest, try store.commit(rest))
        }
    }

    func add(_ message: OutboxMessage, because reason: String, at now: Timestamp) {
        let publication = message.publication
        logger?.error("A message cannot be sent and is put into \(path): \(reason)")
        add(
            .message,
            Entry(
                time: RFC3339.text(now), kind: Kind.message.rawValue, topic: publication.topic,
                bytes: publication.payload.count, reason: reason,
                payload: String(decoding: publication.payload.prefix(Self.payloadMax), as: UTF8.self)))
    }

    func add(stateOf vehicle: StoredVehicle, because reason: String, at now: Timestamp) {
        logger?.error("The state of a vehicle cannot be stored, which is noted in \(path): \(reason)")
        add(
            .vehicleState,
            Entry(
                time: RFC3339.text(now), kind: Kind.vehicleState.rawValue, vehicle: vehicle.address.vehicle.text,
                bytes: vehicle.state.count, reason: reason))
    }

    /// Removes what names these vehicles or topics, and overwrites it.
    func remove(_ vehicles: [VehicleID], topics: [String]) {
        guard !vehicles.isEmpty || !topics.isEmpty, FileManager.default.fileExists(atPath: path) else { return }
        let (names, topics) = (vehicles.map(\.text), Set(topics.map(BytewiseText.init(_:))))
        do {
            let lines = try lines()
            let rest = lines.filter { line in
                // What cannot be read names nobody that could be told apart.
                guard let entry = try? JSONDecoder().decode(Entry.self, from: line) else { return false }
                return !entry.concerns(names, topics)
            }
            if rest.count < lines.count { try replace(by: rest) }
        } catch {
            logger?.error("\(path) cannot be written: \(error)")
        }
    }

    private func add(_ kind: Kind, _ entry: Entry) {
        metrics?.quarantined[kind].add()
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let line = try encoder.encode(entry) + [UInt8(ascii: "\n")]
            let file = try file()
            if try file.seekToEnd() + UInt64(line.count) > UInt64(Self.bytesMax) {
                let lines = try lines()
                try replace(by: lines.suffix(lines.count / 2))
                try file.seekToEnd()
            }
            try file.write(contentsOf: line)
        } catch {
            // What it was is in the log, in part; nothing else is to fail by it.
            logger?.error("\(path) cannot be written: \(error)")
        }
    }

    private func lines() throws -> [Data] {
        guard let content = FileManager.default.contents(atPath: path) else { return [] }
        return content.split(separator: UInt8(ascii: "\n")).map { Data($0) }
    }

    /// Only its owner may read it, as what it holds is somebody's.
    private func file() throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// In place: what the file held before is overwritten.
    private func replace(by lines: some Sequence<Data>) throws {
        let file = try file()
        let length = Int(try file.seekToEnd())
        var content = Data(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
        let end = UInt64(content.count)
        content.append(Data(count: max(0, length - content.count)))
        try file.seek(toOffset: 0)
        try file.write(contentsOf: content)
        try file.synchronize()
        try file.truncate(atOffset: end)
    }
}
