import Fleet
package import Messages

/// Something the gateway has just said, as who looks on hears of it.
package struct LiveMessage: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case alert, event, visit, request, handling
        case routeCheck = "route-check"
    }

    /// Counts up from 1 within one run.
    package var number: UInt64
    package var kind: Kind
    package var vehicle: VehicleID
    /// As published.
    package var payload: [UInt8]
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
