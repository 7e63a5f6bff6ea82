import ArgumentParser
import Fleet
import Geo
import Messages
import Wire

/// A moment of a recording, as it is asked for.
enum ReplayMoment: ExpressibleByArgument {
    case time(Timestamp)
    /// After the first fix.
    case afterStart(Seconds)

    /// An RFC 3339 time, or `+` and seconds.
    init?(argument: String) {
        if argument.hasPrefix("+") {
            guard let seconds = Seconds(argument.dropFirst()), (0...1e9).contains(seconds) else { return nil }
            self = .afterStart(seconds)
        } else {
            guard let time = RFC3339.timestamp(argument) else { return nil }
            self = .time(time)
        }
    }

    /// - Parameter start: of the recording.
    func time(from start: Timestamp) -> Timestamp {
        switch self {
        case .time(let time): time
        case .afterStart(let seconds): start.adding(seconds)
        }
    }
}
