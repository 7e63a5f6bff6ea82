package import Geo
package import Messages

/// What a driver reads or hears, in the vehicle's units, and who looks on in theirs.
package struct AlertText: Hashable, Sendable {
    struct Turn: Hashable, Sendable {
        var onto: String?
        var distance: Metres
    }

    enum Kind: String, Hashable, Sendable {
        /// The road leads under it.
        case road
        /// It lies round a corner: the way straight on is fine.
        case sideRoad
        /// It most likely is not on the way.
        case notice
        /// No road leads under it as far as known.
        case straightLine
    }

    var kind: Kind
    var units: UnitSystem
    var posted: String
    /// The road under the bridge.
    var road: String?
    var distance: Metres
    /// Where to leave, or what not to turn onto; nil once it is behind.
    var turn: Turn?
    var hasDetour: Bool
    /// Whether nobody knows how high it is.
    var isUnknown: Bool

    func of(_ stage: AlertMessage.Stage) -> String {
        switch kind {
        case .straightLine: straightLine(stage)
        case .notice: notice
        case .sideRoad where stage == .ahead: sideRoad
        case .sideRoad, .road: along(stage)
        }
    }

    /// The same when so much has been driven.
    func after(_ driven: Metres) -> AlertText {
        var text = self
        text.distance = max(0, distance - driven)
        text.turn?.distance = max(0, (turn?.distance ?? 0) - driven)
        return text
    }

    private func along(_ stage: AlertMessage.Stage) -> String {
        switch stage {
        case .ahead where isUnknown: "\(bridge) in \(Self.length(distance, units)). In doubt: \(leave.lowercasedFirst)"
        case .ahead: "\(bridge) in \(Self.length(distance, units)). \(leave)"
        case .detour: "\(leave) \(bridge) in \(Self.length(distance, units))."
        case .stop: "STOP. \(bridge) in \(Self.length(distance, units)). No turn-off before it."
        case .cleared, .passed: "\(bridge)."
        }
    }

    /// Where to turn off is nobody's to say.
    private func straightLine(_ stage: AlertMessage.Stage) -> String {
        let ahead = "\(bridge) straight ahead in \(Self.length(distance, units))"
        switch stage {
        case .detour: return "Leave now if your road leads under it: \(ahead.lowercasedFirst)."
        case .stop: return "STOP if your road leads under it. \(ahead)."
        default: return "\(ahead), if your road leads under it."
        }
    }

    private var notice: String {
        let last = turn?.onto.map { " Last turn-off before it: \($0)." } ?? ""
        return "\(bridge) in \(Self.length(distance, units)), if your way leads there.\(last)"
    }

    private var sideRoad: String {
        let warning = turn?.onto.map { "Do not turn onto \($0)" } ?? "Do not turn off"
        let place = turn.map { " in \(Self.length($0.distance, units))" } ?? ""
        return "\(warning)\(place): \(bridge.lowercasedFirst) in \(Self.length(distance, units))."
    }

    private var bridge: String {
        let name = isUnknown ? "Bridge of unknown height" : "Low bridge \(Self.sign(posted))"
        return name + (road.map { " on \($0)" } ?? "")
    }

    private var leave: String {
        guard let turn else { return "No turn-off before it." }
        let place = turn.distance < 10 ? "now" : "in \(Self.length(turn.distance, units))"
        let onto = turn.onto.map { " at \($0)" } ?? ""
        return hasDetour ? "Leave\(onto) \(place)." : "No detour: turn off\(onto) \(place)."
    }

    /// A bare number on a sign is metres.
    package static func sign(_ posted: String) -> String {
        let isBare = !posted.isEmpty && posted.allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
        return isBare ? "\(posted) m" : posted
    }

    /// Rounded as people say it: 1.5 mi, 500 ft, 2.3 km, 350 m.
    package static func length(_ metres: Metres, _ units: UnitSystem) -> String {
        switch units {
        case .imperial:
            let miles = metres / Unit.mile
            if miles >= 0.2 { return "\(tenths(miles)) mi" }
            return "\(Int((metres / Unit.foot / 50).rounded()) * 50) ft"
        case .metric:
            if metres >= 1000 { return "\(tenths(metres / 1000)) km" }
            return "\(Int((metres / 10).rounded()) * 10) m"
        }
    }

    /// A vehicle's height: 4.12 m, or to the nearest inch.
    static func height(_ height: Centimetres, _ units: UnitSystem) -> String {
        switch units {
        case .imperial:
            let inches = (height * 100 + 127) / 254
            return "\(inches / 12)'\(inches % 12)\""
        case .metric:
            let rest = height % 100
            return "\(height / 100).\(rest < 10 ? "0" : "")\(rest) m"
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
