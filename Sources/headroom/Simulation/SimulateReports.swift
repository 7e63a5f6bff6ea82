import Fleet
import Gateway
import HeadroomConfiguration
import Messages
import Wire

/// How simulated trucks publish their fixes: where, and in which layout.
struct SimulateReports: Sendable {
    /// Stands for the levels of topics that may be anything.
    static let level = "simulation"

    let layout: InputLayout
    private let pattern: TopicPattern
    /// Nil: the fleet's own topics.
    private let input: FleetInput?

    /// - Throws: where a layout has no topic in the settings.
    init(_ layout: Simulate.Layout, _ settings: Settings, _ pattern: TopicPattern) throws {
        self.pattern = pattern
        self.layout = layout.inputLayout
        input = layout == .headroom ? nil : settings.fleet.inputs.first { $0.layout == layout.inputLayout }
        guard input != nil || layout == .headroom else {
            throw CommandError.usage(
                "--layout \(layout.rawValue) wants an input of that layout in the configuration, such as "
                    + "fleet: {inputs: [{layout: \(layout.rawValue), topic: \"\(layout.rawValue)/{v}\"}]}")
        }
    }

    /// - Throws: where a truck has an id that no device of the input can have.
    func requireIDs(of trucks: [SimulatedTruck]) throws {
        guard let input, let truck = trucks.first(where: { input.template?.canBe($0.address.vehicle) != true }) else {
            return
        }
        throw CommandError.usage(
            "the vehicle \(truck.address.vehicle) cannot come in on \(input.topic): its ids are \(input.template.map { "\($0)" } ?? "none")"
        )
    }

    /// Where a truck publishes a fix, and what.
    func message(_ fix: Fix, of truck: SimulatedTruck) -> (topic: String, payload: [UInt8]) {
        let vehicle = truck.address.vehicle
        guard let input else {
            guard let topic = pattern.topic(for: truck.address, .location) else {
                preconditionFailure("trucks have the levels of the pattern")
            }
            return (topic, layout.encoded(fix, of: vehicle))
        }
        guard let message = input.published(fix, of: vehicle, other: Self.level) else {
            preconditionFailure("the ids were tried before the first fix")
        }
        return message
    }
}

extension Simulate.Layout {
    fileprivate var inputLayout: InputLayout {
        switch self {
        case .headroom: .headroom
        case .owntracks: .ownTracks
        case .traccar: .traccar
        }
    }
}
