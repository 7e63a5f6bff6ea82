import Fleet
public import Messages

/// Something the gateway has just said, as who looks on hears of it.
public struct LiveMessage: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case alert, event, visit, request
        case routeCheck = "route-check"
    }

    /// Counts up from 1 within one run.
    public var number: UInt64
    public var kind: Kind
    public var vehicle: VehicleID
    /// As published.
    public var payload: [UInt8]
}

extension LiveMessage.Kind {
    /// Nil for what says how things are, not what has happened.
    init?(_ message: Message) {
        switch message {
        case .alert: self = .alert
        case .routeCheck: self = .routeCheck
        case .event: self = .event
        case .visit: self = .visit
        case .request: self = .request
        case .state, .regions, .tracking: return nil
        }
    }
}
