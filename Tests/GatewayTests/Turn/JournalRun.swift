import Broker
import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Logging
import Messages
import MQTT
import Roads
import Store
import Wire

@testable import Gateway

/// What is decided, without broker and connection.
final class JournalRun {
    private var configuration: GatewayConfiguration
    private let town: QuietTown
    private let folder: URL
    private var store: Store
    private var decider: Decider
    /// Topic, payload and time of all that was to be published.
    private(set) var published: [String] = []
    private(set) var journalMax = 0
    /// Whether the batch before had vehicles whose hazards were awaited.
    private(set) var isAwaiting = false

    init(_ town: QuietTown, snapshotInterval: Double) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        configuration = try .north(
            store: folder.appending(path: "headroom.sqlite").path, snapshotInterval: snapshotInterval, keepEvents: 0
        )
        self.town = town
        store = try Store(path: configuration.store, durability: configuration.durability)
        decider = Self.decider(configuration, town, store)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func decider(_ configuration: GatewayConfiguration, _ town: QuietTown, _ store: Store) -> Decider {
        let engine = Engine(configuration.engine, network: town.network, fences: town.fences)
        return Decider(configuration, engine: engine, store: store)
    }

    /// - Parameter change: of the settings, before it is started again.
    /// - Returns: how many messages followed from the journal that were not published before.
    @discardableResult
    func kill(at now: Timestamp, _ change: (inout GatewayConfiguration) -> Void = { _ in }) throws -> Int {
        change(&configuration)
        try store.close()
        store = try Store(path: configuration.store, durability: configuration.durability)
        decider = Self.decider(configuration, town, store)
        let logger = Logger(label: "journal") { _ in SwiftLogNoOpLogHandler() }
        guard let turn = try decider.restore(Intake(configuration), at: now, logger: logger).turn else { return 0 }
        try commit(turn)
        return turn.effects.envelopes.count
    }

    func take(_ inputs: [Input], _ messages: [ReceivedMessage] = [], at now: Timestamp) throws {
        var taken = Intake.Batch()
        taken.inputs = [.tick(now)] + inputs
        for message in messages { Intake(configuration).take(message, at: now, &taken) }
        let turn = try decider.decide(taken, at: now)
        isAwaiting = !turn.effects.awaiting.isEmpty
        try commit(turn)
        journalMax = max(journalMax, try store.loadJournal().count)
    }

    /// From here on what follows from the map is made when `doMapWork` is called.
    func doMapWorkElsewhere(at now: Timestamp) { decider.engine.doMapWorkElsewhere(at: now) }

    /// - Returns: how many vehicles it mattered to.
    @discardableResult
    func doMapWork(at now: Timestamp) throws -> Int {
        var count = 0
        while let work = decider.engine.takeMapWork() {
            let installed = try decider.install(work.result(), at: now)
            try commit(installed)
            let judged = try decider.decide(Intake.Batch(), decider.engine.judgeByChanges(at: now), at: now)
            try commit(judged)
            count += installed.effects.changed.count + judged.effects.changed.count
        }
        return count
    }

    func saveAll(at now: Timestamp) throws { try commit(try decider.saveAll(at: now)) }

    private func commit(_ turn: Turn) throws {
        _ = try store.commit(turn.batch)
        decider.noteCommit(turn)
        published += turn.batch.outbox.map {
            "\(turn.time.milliseconds) \($0.publication.topic) \(String(decoding: $0.publication.payload, as: UTF8.self))"
        }
    }

    var journal: [JournalEntry] { get throws { try store.loadJournal() } }

    /// How often each turn was driven, as stored.
    var turns: [TurnCounts.Row] {
        get throws {
            var rows: [TurnCounts.Row] = []
            try store.loadTurns { rows.append($0) }
            return rows
        }
    }

    /// Has what trips did counted, as if it had been seen.
    func count(_ history: HazardHistory) { decider.engine.restore(counted: history) }

    /// Has other counts in force, as after an import.
    func enforce(_ history: HazardHistory) { decider.engine.restore(history) }

    /// What this part of the fleet brings to the sum of all parts, as stored.
    var ownPassages: HazardHistory? {
        get throws { try store.loadOwnPassages().map { try HazardHistory(encoded: $0) } }
    }

    /// What vehicles did, as it is in force, and what was counted since.
    var passages: (inForce: HazardHistory, counted: HazardHistory) {
        (decider.engine.history, decider.engine.passagesCounted)
    }

    /// The ids of all alerts that are open.
    var openAlerts: Set<String> {
        Set(decider.engine.addresses.flatMap { decider.engine.vehicle($0.vehicle)?.alerts.map(\.id) ?? [] })
    }

    func differences(from other: JournalRun) -> [String] { Self.differences(states, other.states) }

    /// Where states first differ, by vehicle.
    static func differences(_ states: [String: [UInt8]], _ others: [String: [UInt8]]) -> [String] {
        Set(states.keys).union(others.keys).sorted().compactMap { vehicle in
            let (mine, theirs) = (states[vehicle] ?? [], others[vehicle] ?? [])
            guard mine != theirs else { return nil }
            let place = zip(mine, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? -1
            return "\(vehicle): byte \(place) of \(mine.count) and \(theirs.count)"
        }
    }

    /// Of each vehicle.
    var states: [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: decider.engine.addresses.map {
                ($0.vehicle.text, decider.engine.vehicle($0.vehicle)?.encoded() ?? [])
            })
    }
}
