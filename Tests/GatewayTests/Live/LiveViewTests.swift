import Fleet
import Geo
import Hashing
import Messages
import Synchronization
import Testing

@testable import Gateway

@Suite("The view of what holds")
struct LiveViewTests {
    /// An engine and who paints it, as the gateway thread has them.
    private struct Scene {
        let engine = Engine(EngineSettings(), network: nil)
        var builder = SnapshotBuilder()
        var now = Timestamp(milliseconds: 1_795_000_000_000)

        mutating func report(_ report: Report, from vehicle: String, after seconds: Seconds = 1) {
            now = now.adding(seconds)
            let address = VehicleAddress(vehicle: VehicleID(vehicle)!)
            builder.note(engine.handle([.report(report, from: address, receivedAt: now)]))
        }

        mutating func fix(_ vehicle: String, _ latitude: Degrees) {
            let fix = Fix(
                position: Coordinate(latitude: latitude, longitude: 10), time: now.adding(1), accuracy: 5)
            report(.location([fix]), from: vehicle)
        }

        mutating func build() -> LiveSnapshot { builder.build([engine], isConnected: true, at: now) }
    }

    private func revisions(_ snapshot: LiveSnapshot) -> [String: UInt64] {
        Dictionary(uniqueKeysWithValues: snapshot.vehicles.map { ($0.key.text, $0.value.revision) })
    }

    // MARK: The painter

    @Test("The first snapshot has all vehicles, a later one tells which have changed")
    func changed() {
        var scene = Scene()
        scene.fix("T1", 50)
        scene.fix("T2", 50)
        #expect(revisions(scene.build()) == ["T1": 1, "T2": 1])
        scene.fix("T2", 50.0001)
        scene.fix("T3", 50)
        let second = scene.build()
        #expect(revisions(second) == ["T1": 1, "T2": 2, "T3": 2])
        #expect(second.vehicles[VehicleID("T2")!]?.snapshot.fix?.position.latitude == 50.0001)
        #expect(revisions(scene.build()) == ["T1": 1, "T2": 2, "T3": 2])
    }

    @Test("A vehicle that may not be kept any more goes, and the snapshot says that one went")
    func gone() {
        var scene = Scene()
        scene.fix("T1", 50)
        scene.fix("T2", 50)
        #expect(scene.build().goneRevision == 0)
        scene.report(.consent(Consent(.denied)), from: "T1")
        let second = scene.build()
        #expect(revisions(second) == ["T2": 1] && second.goneRevision == 2)
        #expect(scene.build().goneRevision == 2)
        scene.report(.consent(Consent(.always)), from: "T1")
        scene.fix("T1", 50)
        #expect(revisions(scene.build()) == ["T1": 4, "T2": 1])
    }

    @Test("Fences are painted anew when they change, and only then")
    func fences() {
        var scene = Scene()
        let before = scene.build().map.fenceRevision
        #expect(scene.build().map.fenceRevision == before)
        let circle = Circle(center: Coordinate(latitude: 50, longitude: 10), radius: 100)
        let fence = Fence(id: "a", shape: .circle(circle))
        scene.builder.note(scene.engine.handle([.fences([FenceChange(id: "a", fence: fence)], at: scene.now)]))
        let after = scene.build()
        #expect(after.map.fenceRevision != before && after.map.fences["a"]?.origin == .topic)
    }

    // MARK: The view

    @Test("Who asks is shown what holds now; who asks again soon, the same", .timeLimit(.minutes(5)))
    func fresh() async {
        let view = LiveView()
        let asked = Mutex(0)
        view.begin {
            var snapshot = LiveSnapshot()
            snapshot.revision = asked.withLock { count in
                count += 1
                return UInt64(count)
            }
            view.show(snapshot)
        }
        #expect(await view.snapshot().revision == 1)
        #expect(await view.snapshot(noOlderThan: .seconds(60)).revision == 1)
        #expect(await view.snapshot(noOlderThan: .zero).revision == 2)
        view.expire()
        #expect(await view.snapshot(noOlderThan: .seconds(60)).revision == 3)
    }

    @Test(
        "Who asks before the gateway has begun waits for it; nobody waits for one that has ended",
        .timeLimit(.minutes(5)))
    func ended() async {
        let view = LiveView()
        async let early = view.snapshot()
        while !view.isAwaited { await Task.yield() }
        var snapshot = LiveSnapshot()
        snapshot.revision = 7
        view.show(snapshot)
        #expect(await early.revision == 7)

        view.expire()
        async let late = view.snapshot()
        while !view.isAwaited { await Task.yield() }
        view.end()
        #expect(await late.revision == 7)
        #expect(await view.snapshot(noOlderThan: .zero).revision == 7)
    }

    @Test(
        "While the store fails what was shown a moment before is shown on; what was shown long before, or never, is outdated",
        .timeLimit(.minutes(5)),
        arguments: [(nil, true), (.seconds(1), false), (.seconds(3_600), true)] as [(Duration?, Bool)])
    func outage(shownBefore: Duration?, isOutdated: Bool) async {
        let view = LiveView()
        if let shownBefore {
            var snapshot = LiveSnapshot()
            snapshot.revision = 7
            view.show(snapshot, at: .now - shownBefore)
        }
        async let asked = view.snapshot(noOlderThan: .zero)
        while !view.isAwaited { await Task.yield() }
        view.showLast()
        let snapshot = await asked
        #expect(snapshot.isOutdated == isOutdated && snapshot.revision == (shownBefore == nil ? 0 : 7))
        let age = snapshot.now.since(snapshot.time)
        if let shownBefore { #expect((shownBefore / .seconds(1)...(shownBefore / .seconds(1) + 60)).contains(age)) }
    }

    @Test("While nobody asks, nothing is awaited")
    func quiet() {
        let view = LiveView()
        view.begin {}
        #expect(!view.isAwaited)
    }

    // MARK: The desk

    @Test(
        "A desk without a gateway, and one whose gateway has ended, does not keep anybody waiting",
        .timeLimit(.minutes(5)))
    func publisher() async {
        let publisher = InputPublisher()
        #expect(await publisher.putEntry([1], on: "a") == .notConnected)
        publisher.begin {}
        async let waiting = publisher.putEntry([1], on: "a")
        await order(of: publisher).answer.resume(returning: .inForce(note: "yes"))
        #expect(await waiting == .inForce(note: "yes"))
        async let left = publisher.putEntry([2], on: "b")
        try? await Task.sleep(for: .milliseconds(50))
        publisher.end()
        #expect(await left == .notConnected)
        #expect(await publisher.putEntry([1], on: "a") == .notConnected)
    }

    private func order(of publisher: InputPublisher) async -> InputPublisher.Order {
        while true {
            if let order = publisher.takeOrders().first { return order }
            await Task.yield()
        }
    }

    @Test(
        "What a change depends on is asked once the changes of its entry before it are in force; other entries do not wait",
        .timeLimit(.minutes(5)))
    func oneEntry() async throws {
        struct Changed: Error {}
        final class Version: Sendable { let number = Mutex(0) }
        let publisher = InputPublisher()
        publisher.begin {}
        let version = Version()
        let changes = (1...3).map { _ in
            Task {
                try await publisher.putEntry([1], on: "a") {
                    guard version.number.withLock({ $0 == 0 }) else { throw Changed() }
                }
            }
        }
        let first = await order(of: publisher)
        async let other = publisher.putEntry([2], on: "b")
        let second = await order(of: publisher)
        #expect(second.topic == "b")
        second.answer.resume(returning: .inForce(note: nil))
        #expect(await other == .inForce(note: nil))
        #expect(publisher.takeOrders().isEmpty)
        version.number.withLock { $0 = 1 }
        first.answer.resume(returning: .inForce(note: nil))
        var results: [Result<DispatchOutcome, any Error>] = []
        for change in changes { results.append(await change.result) }
        #expect(results.count { (try? $0.get()) == .inForce(note: nil) } == 1)
        #expect(results.count { if case .failure(let error) = $0 { error is Changed } else { false } } == 2)
        #expect(publisher.takeOrders().isEmpty)
    }
}
