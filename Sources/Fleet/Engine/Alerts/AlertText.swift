import Clearances
package import Geo
package import Messages

/// What a driver reads or hears, in the vehicle's units and language, and who looks on in units of their own.
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
    var style: TextStyle
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

    /// The sentence that ends it.
    func end(_ key: TextKey, of clearance: AlertMessage.Clearance) -> String {
        let kind = Self.bridge(isUnknown: clearance.verdict == .unknown, clearance.posted, style)
        let bridge = kind + (road.map { style.text(.onRoad, ["road": $0]) } ?? "")
        return style.text(key, ["bridge": bridge, "inner": bridge.lowercasedFirst])
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
        case .ahead where isUnknown: told(.aheadInDoubt, ["leave": leave.lowercasedFirst])
        case .ahead: told(.ahead, ["leave": leave])
        case .detour: told(.detour, ["leave": leave])
        case .stop: told(.stop)
        case .cleared, .passed: told(.ended)
        }
    }

    /// Where to turn off is nobody's to say.
    private func straightLine(_ stage: AlertMessage.Stage) -> String {
        let ahead = told(.straightAhead)
        return switch stage {
        case .detour: style.text(.straightDetour, ["ahead": ahead.lowercasedFirst])
        case .stop: style.text(.straightStop, ["ahead": ahead])
        default: style.text(.straightAheadIf, ["ahead": ahead])
        }
    }

    private var notice: String {
        told(.notice) + (turn?.onto.map { style.text(.lastTurnOff, ["road": $0]) } ?? "")
    }

    private var sideRoad: String {
        let warning = turn?.onto.map { style.text(.doNotTurnOnto, ["road": $0]) } ?? style.text(.doNotTurnOff)
        let place = turn.map { Self.inDistance($0.distance, style) } ?? ""
        return told(.sideRoad, ["warning": warning, "place": place, "bridge": bridge.lowercasedFirst])
    }

    /// A sentence that names the bridge and how far it is.
    private func told(_ key: TextKey, _ more: [String: String] = [:]) -> String {
        let values = ["bridge": bridge, "distance": Self.inDistance(distance, style)]
        return style.text(key, values.merging(more) { $1 })
    }

    private var bridge: String {
        Self.bridge(isUnknown: isUnknown, posted, style) + (road.map { style.text(.onRoad, ["road": $0]) } ?? "")
    }

    private static func bridge(isUnknown: Bool, _ posted: String, _ style: TextStyle) -> String {
        isUnknown ? style.text(.bridgeUnknown) : style.text(.bridgeLow, ["sign": sign(posted)])
    }

    private var leave: String {
        guard let turn else { return style.text(.noTurnOff) }
        let place = Self.inDistance(turn.distance, style, orElse: .now)
        let road = turn.onto.map { style.text(.atRoad, ["road": $0]) } ?? ""
        return style.text(hasDetour ? .leave : .turnOff, ["road": road, "place": place])
    }

    /// - Parameter near: what is said where it is so near that no length says anything.
    static func inDistance(_ metres: Metres, _ style: TextStyle, orElse near: TextKey = .here) -> String {
        metres < 10 ? style.text(near) : style.text(.inDistance, ["distance": length(metres, style)])
    }

    /// Of a list or of lanes the lowest height. A bare number on a sign is metres.
    package static func sign(_ posted: String) -> String {
        let sign = ClearanceReading.sign(posted)
        let isBare = !sign.isEmpty && sign.allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
        return isBare ? "\(sign) m" : sign
    }

    /// Rounded as people say it: 1.5 mi, 500 ft, 2.3 km, 350 m.
    package static func length(_ metres: Metres, _ style: TextStyle) -> String {
        switch style.units {
        case .imperial:
            let miles = metres / Unit.mile
            if miles >= 0.2 { return "\(tenths(miles, style.language)) mi" }
            return "\(Int((metres / Unit.foot / 50).rounded()) * 50) ft"
        case .metric:
            if metres >= 1000 { return "\(tenths(metres / 1000, style.language)) km" }
            return "\(Int((metres / 10).rounded()) * 10) m"
        }
    }

    /// A vehicle's height: 4.12 m, or to the nearest inch.
    static func height(_ height: Centimetres, _ style: TextStyle) -> String {
        switch style.units {
        case .imperial:
            let inches = (height * 100 + 127) / 254
            return "\(inches / 12)'\(inches % 12)\""
        case .metric:
            let rest = height % 100
            return "\(height / 100)\(style.language.decimalSeparator)\(rest < 10 ? "0" : "")\(rest) m"
        }
    }

    private static func tenths(_ value: Double, _ language: Language) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10)\(language.decimalSeparator)\(tenths % 10)"
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
