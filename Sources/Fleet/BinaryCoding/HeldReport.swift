import BinaryCoding
public import Messages

/// What can wait for what the broker retains about its vehicle: its fixes, and what is published behind them and changes how they are
/// judged.
public enum HeldReport: Hashable, Sendable {
    case fixes([Fix])
    case profile(HeightProfile?)
    case route(Route?)
    case presence(Presence?)

    /// - Returns: nil: such a report does not wait.
    public init?(_ report: Report) {
        switch report {
        case .location(let fixes): self = .fixes(fixes)
        case .profile(let profile): self = .profile(profile)
        case .route(let route): self = .route(route)
        case .presence(let presence): self = .presence(presence)
        case .consent, .acknowledgement, .refused: return nil
        }
    }

    public var report: Report {
        switch self {
        case .fixes(let fixes): .location(fixes)
        case .profile(let profile): .profile(profile)
        case .route(let route): .route(route)
        case .presence(let presence): .presence(presence)
        }
    }

    /// Of a journal's record.
    var step: UInt8 {
        switch self {
        case .fixes: 5
        case .profile: 8
        case .route: 9
        case .presence: 10
        }
    }

    init(step: UInt8, from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        switch step {
        case 5: self = .fixes(try decoder.decode())
        case 8: self = .profile(try decoder.decode())
        case 9: self = .route(try decoder.decode())
        case 10: self = .presence(try decoder.decode())
        default: throw decoder.unreadable("a report that waits")
        }
    }

    func encode(to encoder: inout BinaryEncoder) {
        switch self {
        case .fixes(let fixes): fixes.encode(to: &encoder)
        case .profile(let profile): profile.encode(to: &encoder)
        case .route(let route): route.encode(to: &encoder)
        case .presence(let presence): presence.encode(to: &encoder)
        }
    }
}

extension Route: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        switch self {
        case .line(let line):
            encoder.append(byte: 0)
            line.encode(to: &encoder)
        case .waypoints(let places):
            encoder.append(byte: 1)
            places.encode(to: &encoder)
        }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        switch try decoder.byte() {
        case 0: self = .line(try decoder.decode())
        case 1: self = .waypoints(try decoder.decode())
        default: throw decoder.unreadable("a route")
        }
    }
}
