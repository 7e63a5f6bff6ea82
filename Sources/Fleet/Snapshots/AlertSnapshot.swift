public import Geo
public import Messages

/// How far a vehicle still is from what it is alerted of.
public struct AlertProgress: Hashable, Sendable, Codable {
    /// When the fix was taken.
    public var time: Timestamp
    /// To the low edge, along the road.
    public var distance: Metres
    /// To the last turn-off, along the road; nil once that is behind, or where there is none.
    public var detourDistance: Metres?
}

/// An open alert as it stands at the newest fix: its message is of its last stage.
public struct AlertSnapshot: Hashable, Sendable {
    /// As published last.
    public var message: AlertMessage
    /// The last sequence that the driver acknowledged; nil: none.
    public var acknowledged: Int?
    /// Where the vehicle was when it was first told; nil where that was under an earlier version.
    public var toldAt: Coordinate?
    /// Nil until a fix has come since it was told.
    public var progress: AlertProgress?

    private let told: AlertText

    init(_ alert: OpenAlert) {
        message = alert.last
        told = alert.text
        acknowledged = alert.acknowledged
        toldAt = alert.toldAt
        progress = alert.progress
    }

    /// The road under the bridge; nil where it has no name, or none is known.
    public var road: String? { told.road }

    /// To the low edge, as the newest fix has it.
    public var distance: Metres { progress?.distance ?? message.distance }

    /// What the driver was told, with the distances of now.
    ///
    /// - Parameter units: for who looks on, in English; nil: the driver's units and language.
    public func text(in units: UnitSystem?) -> String {
        var text = told.after(message.distance - distance)
        if let units { text.style = TextStyle(units: units, language: .english) }
        return text.of(message.stage)
    }
}

extension Vehicle {
    /// How far it still is, by the id of the open alert; its bytes do not hold it.
    package var alertProgress: [String: AlertProgress] {
        get { alerts.reduce(into: [:]) { $0[$1.id] = $1.progress } }
        set { for index in alerts.indices { alerts[index].progress = newValue[alerts[index].id] } }
    }
}
