import Clearances
import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Gateway

/// What the console of one gateway of a cluster knows of the others' vehicles.
struct FleetElsewhereTests {
    private static let now = Timestamp(milliseconds: 1_795_266_000_000)
    private let engine = Engine(EngineSettings(), network: nil)

    private func vehicle(_ text: String) throws -> VehicleID { try #require(VehicleID(text)) }

    /// A vehicle that said how high it is.
    private func entry(_ text: String, height: Centimetres) throws -> ShardPart.Entry {
        let id = try vehicle(text)
        _ = engine.handle([
            .report(
                .profile(HeightProfile(height: height)), from: VehicleAddress(vehicle: id), receivedAt: Self.now)
        ])
        let vehicle = try #require(engine.vehicle(id))
        return ShardPart.Entry(vehicle: id, state: Data(vehicle.encoded()), route: nil)
    }

    private func part(
        shard: Int = 0, epoch: Int64 = 1, isFirst: Bool = false, isLast: Bool = false, _ entries: [ShardPart.Entry]
    ) -> ShardPart {
        ShardPart(shard: shard, epoch: epoch, isFirst: isFirst, isLast: isLast, entries: entries)
    }

    private func height(_ text: String, in fleet: FleetElsewhere) throws -> Centimetres? {
        fleet.snapshot(of: try vehicle(text), EngineSettings(), at: Self.now)?.profile?.height
    }

    @Test("A shard is shown once all of it was told, and the fleet is complete with the last shard")
    func complete() throws {
        var fleet = FleetElsewhere()
        var isNext = fleet.take(part(isFirst: true, [try entry("A", height: 380)]), number: 1, from: "north")
        #expect(isNext)
        #expect(try height("A", in: fleet) == nil)
        isNext = fleet.take(part(isLast: true, [try entry("B", height: 400)]), number: 2, from: "north")
        #expect(isNext)
        #expect(try height("A", in: fleet) == 380)
        #expect(try height("B", in: fleet) == 400)
        let changed = fleet.takeChanged()
        #expect(changed == [try vehicle("A"), try vehicle("B")])
        #expect(fleet.isComplete(besides: [1], of: 2) && !fleet.isComplete(besides: [], of: 2))
        isNext = fleet.take(part(shard: 1, isFirst: true, isLast: true, []), number: 3, from: "north")
        #expect(isNext && fleet.isComplete(besides: [], of: 2))
        #expect(fleet.gateway(of: try vehicle("A")) == "north")
    }

    @Test(
        "How far a vehicle still is from what it is alerted of is known as its own gateway knows it, and not where that says nothing"
    )
    func progress() throws {
        let clearance = PointClearance(
            id: "low", position: Drawing.place(2_500, 0), posted: "10'6\"", name: "W Washington St", approach: [],
            detours: [])
        let dispatcher = Dispatcher(
            Engine(EngineSettings(), network: nil, clearances: [clearance]), truck: Dispatcher.truck, height: 412)
        dispatcher.drive(Journey(line: [Drawing.place(0, 0), Drawing.place(2_000, 0)]))
        let id = Dispatcher.truck.vehicle
        let own = try #require(dispatcher.engine.snapshot(of: id, at: Self.now))
        let distance = try #require(own.alerts.first?.progress?.distance)
        #expect(distance < own.alerts[0].message.distance - 500)
        let vehicle = try #require(dispatcher.engine.vehicle(id))
        for tells in [true, false] {
            let entry = ShardPart.Entry(
                vehicle: id, state: Data(vehicle.encoded()), route: nil,
                progress: tells ? vehicle.alertProgress : nil)
            let sent = try GatewayMessage.part(part(isFirst: true, isLast: true, [entry]), number: 1)
                .encoded(from: "north")
            guard case .part(let received, _) = try GatewayMessage.decode(sent).message else {
                Issue.record("another message comes than was sent")
                continue
            }
            var fleet = FleetElsewhere()
            _ = fleet.take(received, number: 1, from: "north")
            let alerts = try #require(fleet.snapshot(of: id, EngineSettings(), at: Self.now)).alerts
            #expect(alerts.map(\.progress) == own.alerts.map { tells ? $0.progress : nil })
            if tells { #expect(alerts.map { $0.text(in: nil) } == own.alerts.map { $0.text(in: nil) }) }
        }
    }

    @Test("A change is shown, and who is no longer kept is not; a message that is missing before it is noticed")
    func changes() throws {
        var fleet = FleetElsewhere()
        _ = fleet.take(part(isFirst: true, isLast: true, [try entry("A", height: 380)]), number: 1, from: "north")
        _ = fleet.take(part([try entry("A", height: 410)]), number: 2, from: "north")
        #expect(try height("A", in: fleet) == 410)
        let gone = ShardPart.Entry(vehicle: try vehicle("A"), state: nil, route: nil)
        var isNext = fleet.take(part([gone]), number: 4, from: "north")
        #expect(!isNext)
        #expect(try height("A", in: fleet) == 410)
        isNext = fleet.take(part([gone]), number: 5, from: "north")
        let gateway = fleet.gateway(of: try vehicle("A"))
        #expect(isNext && gateway == nil)
        #expect(try height("A", in: fleet) == nil)
    }

    @Test("What an owner before says no longer counts; its vehicles stay until the next one has told all")
    func owners() throws {
        var fleet = FleetElsewhere()
        _ = fleet.take(
            part(epoch: 1, isFirst: true, isLast: true, [try entry("A", height: 380)]), number: 1, from: "north")
        _ = fleet.take(part(epoch: 2, isFirst: true, [try entry("A", height: 400)]), number: 1, from: "south")
        #expect(try height("A", in: fleet) == 380)
        _ = fleet.take(part(epoch: 2, isLast: true, []), number: 2, from: "south")
        #expect(try height("A", in: fleet) == 400)
        let isNext = fleet.take(part(epoch: 1, [try entry("A", height: 390)]), number: 2, from: "north")
        let gateway = fleet.gateway(of: try vehicle("A"))
        #expect(isNext && gateway == "south")
        #expect(try height("A", in: fleet) == 400)
    }

    @Test("What an owner has stored for a dispatcher of this gateway is known before it tells of it, and so is its end")
    func handlings() throws {
        var fleet = FleetElsewhere()
        _ = fleet.take(part(isFirst: true, isLast: true, [try entry("A", height: 380)]), number: 1, from: "north")
        var handling = Handling(
            alert: "a1", vehicle: try vehicle("A"), status: .taken, by: "Anna", note: nil, takenAt: Self.now,
            time: Self.now, revision: 1, isAlertOpen: true)
        fleet.take(handling)
        (handling.by, handling.revision) = ("Ben", 2)
        fleet.take(handling)
        #expect(fleet.handlings == [handling])
        (handling.status, handling.revision) = (.closed, 3)
        fleet.take(handling)
        #expect(fleet.handlings == [])
        (handling.status, handling.vehicle) = (.taken, try vehicle("B"))
        fleet.take(handling)
        #expect(fleet.handlings == [], "nobody has told of the vehicle")
    }

    @Test("A shard that this gateway gives up stays in view until its next owner tells; one that it takes leaves it")
    func ownShards() throws {
        var fleet = FleetElsewhere()
        fleet.take(0, epoch: 3, entries: [try entry("A", height: 380)])
        #expect(try height("A", in: fleet) == 380)
        #expect(fleet.gateway(of: try vehicle("A")) == nil, "nobody is known who would do anything about it")
        _ = fleet.take(
            part(epoch: 4, isFirst: true, isLast: true, [try entry("A", height: 400)]), number: 1, from: "south")
        #expect(try height("A", in: fleet) == 400)
        _ = fleet.takeChanged()
        fleet.remove(0)
        let changed = fleet.takeChanged()
        #expect(changed == [try vehicle("A")])
        #expect(try height("A", in: fleet) == nil)
    }
}
