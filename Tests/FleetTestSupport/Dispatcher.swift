package import Clearances
package import Fleet
package import Geo
package import Messages
package import Roads

/// One truck, the engine that watches it, and all that was said about it.
package final class Dispatcher {
    package static let truck = VehicleAddress(vehicle: VehicleID("T42")!)

    package let engine: Engine
    private let truck: VehicleAddress
    package private(set) var envelopes: [Envelope] = []
    package private(set) var rejections: [InputError] = []
    package private(set) var registrations: [Registration] = []

    /// - Parameter height: of the truck's profile, told a minute before the timeline begins; nil: none.
    package convenience init(
        _ network: RoadNetwork?, height: Centimetres? = 412, settings: EngineSettings = EngineSettings(),
        fences: [Fence] = []
    ) {
        self.init(Engine(settings, network: network, fences: fences), truck: Self.truck, height: height)
    }

    /// One more truck of an engine that may watch others.
    package init(_ engine: Engine, truck: VehicleAddress, height: Centimetres?) {
        self.engine = engine
        self.truck = truck
        if let height { tell(.profile(HeightProfile(height: height, source: "driver")), at: -60) }
    }

    package func tell(_ report: Report, at seconds: Seconds) {
        hear([.report(report, from: truck, receivedAt: .at(seconds))])
    }

    /// A fix that arrives as it is taken.
    package func fix(_ fix: Fix) { tell(.location([fix]), at: fix.time.seconds) }

    package func drive(_ journey: Journey) { for fix in journey.fixes { self.fix(fix) } }

    package func tick(_ seconds: Seconds) { hear([.tick(.at(seconds))]) }

    package func replace(_ network: RoadNetwork?, clearances: [PointClearance] = [], at seconds: Seconds) {
        take(engine.replace(network, clearances: clearances, at: .at(seconds)))
    }

    /// Does what work on the map there is, each piece within some milliseconds.
    package func doMapWork(at seconds: Seconds) {
        while let work = engine.takeMapWork() { install(work.result(), at: seconds) }
    }

    package func install(_ result: MapWork.Result, at seconds: Seconds) {
        take(engine.install(result, at: .at(seconds)))
        take(engine.judgeByChanges(at: .at(seconds)))
    }

    package func hear(_ inputs: [Input]) { take(engine.handle(inputs)) }

    private func take(_ effects: Effects) {
        envelopes += effects.envelopes
        rejections += effects.rejections.map(\.reason)
        registrations += effects.registrations
    }

    /// The truck as the engine keeps it.
    package var kept: Vehicle? { engine.vehicle(truck.vehicle) }

    /// Alarms and notices.
    package var alertsAndNotices: [AlertMessage] {
        envelopes.compactMap { if case .alert(let alert) = $0.message { alert } else { nil } }
    }

    /// What was to be heard: rules 1 and 2.
    package var alerts: [AlertMessage] { alertsAndNotices.filter { $0.attention == .alarm } }

    /// What was to be seen only.
    package var notices: [AlertMessage] { alertsAndNotices.filter { $0.attention == .notice } }

    package var states: [StateMessage] {
        envelopes.compactMap { if case .state(let state) = $0.message { state } else { nil } }
    }

    package var events: [FenceEventMessage] {
        envelopes.compactMap { if case .event(let event) = $0.message { event } else { nil } }
    }

    package var visits: [VisitMessage] {
        envelopes.compactMap { if case .visit(let visit) = $0.message { visit } else { nil } }
    }

    package var trackings: [TrackingMessage] {
        envelopes.compactMap { if case .tracking(let tracking) = $0.message { tracking } else { nil } }
    }

    package var regions: [RegionsMessage] {
        envelopes.compactMap { if case .regions(let regions) = $0.message { regions } else { nil } }
    }

    /// `110 enter yard`: when each border was crossed, and which.
    package var fenceLog: [String] {
        events.map { "\(Int($0.crossedAt.seconds.rounded())) \($0.event.rawValue) \($0.fence)" }
    }

    package var requests: [RequestMessage] {
        envelopes.compactMap { if case .request(let request) = $0.message { request } else { nil } }
    }

    /// `110 ahead`: when each alarm was caused, and its stage.
    package var log: [String] { alerts.map { "\(Int($0.time.seconds.rounded())) \($0.stage.rawValue)" } }

    package var stages: [AlertMessage.Stage] { alerts.map(\.stage) }
}
