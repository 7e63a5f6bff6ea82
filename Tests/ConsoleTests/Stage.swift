import Broker
import Clearances
import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import MQTT
import RoadImport
import Roads
import Store
import Synchronization
import Wire

@testable import Gateway

/// A real engine on the demo's roads, and what the gateway thread does with a turn: commit it, and show it on the board.
final class Stage: @unchecked Sendable {
    // Sendable: everything but the board is used under the lock.
    let shared = SharedState(version: "1.2.3")
    let configuration: GatewayConfiguration
    private let lock = NSLock()
    private let engine: Engine
    private var live: LiveUpdates
    private var untaken = UntakenAlerts()
    private var handlings = Handlings()
    private(set) var now: Timestamp
    /// Whether it is a gateway of a cluster that has no queue.
    var hasNoQueue = false

    /// - Parameter roads: false: no road file.
    init(
        roads: Bool = true, clearances: [PointClearance] = [], fences: [Fence] = [], topic: String = "fleet/{v}",
        keepPositions: Seconds = 0, at now: Timestamp = Timestamp(milliseconds: 1_795_000_000_000)
    ) throws {
        let folder = FileManager.default.temporaryDirectory
        var engineSettings = EngineSettings()
        engineSettings.keepsPositions = keepPositions > 0
        configuration = GatewayConfiguration(
            broker: BrokerSettings(port: 1, clientID: "stage"), pattern: try TopicPattern(topic),
            topics: try GatewayTopics(clientID: "stage"), qos: .atLeastOnce, engine: engineSettings,
            store: folder.appending(path: "stage-\(UUID().uuidString).sqlite").path, snapshotInterval: 60,
            keepEvents: 86_400,
            keepPositions: keepPositions, version: "1.2.3")
        self.now = now
        engine = Engine(
            configuration.engine, network: roads ? try Self.demoRoads.get() : nil, clearances: clearances,
            fences: fences)
        live = LiveUpdates(shared)
        shared.view.begin { [weak self] in self?.show() }
        shared.handling.begin { [weak self] in self?.takeHandling() }
        shared.engine.begin { [weak self] in self?.answer() }
    }

    deinit {
        for ending in ["", "-wal", "-shm", ".lock"] {
            try? FileManager.default.removeItem(atPath: configuration.store + ending)
        }
    }

    private static let demoRoads = Result {
        let map = URL(filePath: #filePath).appending(path: "../../../config/demo/ann-arbor.osm").standardized.path
        return try RoadNetwork(RoadFileBuffer(RoadBuild.build([map], progress: { _ in }).file))
    }

    /// One turn.
    @discardableResult
    func take(_ inputs: [Input], after seconds: Seconds = 0) throws -> Effects {
        var effects = Effects()
        try take([(inputs, seconds)]) { effects = $0.effects }
        return effects
    }

    /// What dispatchers do about alerts; a test that leads to a failure here waits for an answer in vain.
    private func takeHandling() {
        let orders = shared.handling.takeOrders()
        try? take([([], 0)], requests: orders.map(\.request)) { turn in
            for (order, outcome) in zip(orders, turn.dispatch.outcomes) { order.answer.resume(returning: outcome) }
        }
    }

    /// From here on phones are paired.
    func beginCabs() throws {
        let issuer = CabTokenIssuer(shared.cabs, validFor: configuration.cabValidFor)
        shared.cabs.orders.begin { [weak self] in try? self?.withStore { issuer.carryOut(in: $0, at: .now) } }
        try withStore { try issuer.restore(from: $0, at: .now) }
    }

    private func withStore(_ body: (Store) throws -> Void) throws {
        try lock.withLock {
            // A store belongs to one thread, and tests run on any.
            let store = try Store(path: configuration.store, durability: configuration.durability)
            try body(store)
            try store.close()
        }
    }

    /// Several turns, one after the other, each `after` so many seconds.
    private func take(
        _ turns: [(inputs: [Input], after: Seconds)], requests: [HandlingRequest] = [],
        _ body: (Turn) -> Void = { _ in }
    ) throws {
        try withStore { store in
            var decider = Decider(configuration, engine: engine, store: store)
            (decider.composer.untaken, decider.composer.handlings) = (untaken, handlings)
            for (inputs, seconds) in turns {
                now = now.adding(seconds)
                var taken = Intake.Batch()
                taken.inputs = [.tick(now)] + inputs
                let turn = try decider.decide(
                    taken, engine.handle(taken.inputs), requests: requests, at: now)
                _ = try store.commit(turn.batch)
                decider.composer.untaken.note(turn.batch)
                untaken = decider.composer.untaken
                handlings = turn.dispatch.handlings
                live.note(turn)
                live.expire()
                body(turn)
            }
        }
    }

    /// As if the engine had said it.
    func say(_ messages: [(kind: LiveMessage.Kind, vehicle: VehicleID, payload: [UInt8])]) {
        shared.messages.add(messages)
    }

    private func show() {
        lock.withLock {
            live.show(
                hasNoQueue ? [] : [engine], untaken: [untaken.all], handlings: [handlings], isConnected: true, at: now)
        }
    }

    private func answer() { lock.withLock { shared.engine.answer([engine]) } }

    // MARK: What happens

    func report(_ report: Report, from vehicle: String, after seconds: Seconds = 0) throws {
        let address = VehicleAddress(vehicle: try id(vehicle))
        try take([.report(report, from: address, receivedAt: now.adding(seconds))], after: seconds)
    }

    /// A fix now.
    func fix(
        _ vehicle: String, _ latitude: Degrees, _ longitude: Degrees, speed: MetresPerSecond? = nil,
        course: Degrees? = nil, after seconds: Seconds = 1
    ) throws {
        let fix = Fix(
            position: Coordinate(latitude: latitude, longitude: longitude), time: now.adding(seconds), accuracy: 5,
            speed: speed, course: course)
        try report(.location([fix]), from: vehicle, after: seconds)
    }

    /// A truck of 13'6" comes up to the demo's bridge of 10'6", until it is told.
    func approachBridge(_ vehicle: String) throws { try driveTo(vehicle, seconds: 43) }

    /// The same for so long; it is told to stop before the 100th second, and passes after the 100th.
    func driveTo(_ vehicle: String, seconds: Int) throws {
        let address = VehicleAddress(vehicle: try id(vehicle))
        try tellHeight(vehicle)
        var last = now
        let turns = Drive(try Self.demoTruck.get(), .init(interval: 1, noise: 0), from: now.adding(1), seed: 1)
            .prefix(seconds).map { fix in
                defer { last = fix.time }
                let report = Input.report(.location([fix]), from: address, receivedAt: fix.time)
                return (inputs: [report], after: fix.time.since(last))
            }
        try take(turns)
    }

    /// A truck is 13'6" high.
    func tellHeight(_ vehicle: String) throws {
        try report(.profile(HeightProfile(height: 412, source: "driver", units: .imperial)), from: vehicle)
    }

    private static let demoTruck = Result {
        struct Collection: Decodable {
            struct Feature: Decodable {
                struct Properties: Decodable {
                    var vehicle: String
                    var speed_mps: Double
                }

                struct Geometry: Decodable { var coordinates: [[Double]] }

                var properties: Properties
                var geometry: Geometry
            }

            var features: [Feature]
        }
        let file = URL(filePath: #filePath).appending(path: "../../../config/demo/trucks.geojson").standardized
        let trucks = try JSONDecoder().decode(Collection.self, from: Data(contentsOf: file)).features
        guard let truck = trucks.first(where: { $0.properties.vehicle == "tall-drives-on" }),
            let trip = Trip(
                line: truck.geometry.coordinates.map { Coordinate(latitude: $0[1], longitude: $0[0]) },
                speed: truck.properties.speed_mps)
        else { throw CocoaError(.fileReadCorruptFile) }
        return trip
    }

    private func id(_ text: String) throws -> VehicleID {
        guard let id = VehicleID(text) else { throw CocoaError(.formatting) }
        return id
    }
}

extension Fence {
    static func circle(
        _ id: String, _ latitude: Degrees, _ longitude: Degrees, radius: Metres = 200, groups: [String] = []
    ) -> Fence {
        let center = Coordinate(latitude: latitude, longitude: longitude)
        return Fence(
            id: id, name: "Fence \(id)", shape: .circle(Circle(center: center, radius: radius)), groups: groups)
    }
}
