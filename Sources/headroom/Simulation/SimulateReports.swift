import Fleet
import Gateway
import Wire

/// How simulated trucks publish their fixes: where, and in which layout.
struct SimulateReports: Sendable {
    /// Stands for the levels of topics that may be anything.
    static let level = "simulation"

    let layout: InputLayout
    private let pattern: TopicPattern
    /// Nil: the fleet's own topics.
    private let input: InputTopic?

    /// - Throws: where a layout has no topic in the settings.
    init(_ layout: Simulate.Layout, _ settings: Settings, _ pattern: TopicPattern) throws {
        self.pattern = pattern
        self.layout = layout.inputLayout
        input = settings.fleet.inputs.first { $0.layout == layout.inputLayout }?.topic
        guard input != nil || layout == .headroom else {
            throw CommandFailure.usage(
                "--layout \(layout.rawValue) wants an input of that layout in the configuration, such as "
                    + "fleet: {inputs: [{layout: \(layout.rawValue), topic: \"\(layout.rawValue)/{v}\"}]}")
        }
    }

    func topic(of truck: SimulatedTruck) -> String {
        if layout != .headroom, let input { return input.topic(of: truck.address.vehicle, other: Self.level) }
        guard let topic = pattern.topic(for: truck.address, .location) else {
            preconditionFailure("trucks have the levels of the pattern")
        }
        return topic
    }

    func payload(_ fix: Fix, of truck: SimulatedTruck) -> [UInt8] { layout.encoded(fix, of: truck.address.vehicle) }
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
