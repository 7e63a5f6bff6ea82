import ArgumentParser
import Evaluation
import Geo
import RoadImport
import Roads

/// `--trips`: how many are drawn by chance, or a file of such as others drew.
enum TripsArgument: ExpressibleByArgument, CustomStringConvertible {
    case drawn(Int)
    case file(String)

    init?(argument: String) {
        if let count = Int(argument) {
            guard count >= 0 else { return nil }
            self = .drawn(count)
        } else {
            self = .file(argument)
        }
    }

    var isFile: Bool { if case .file = self { true } else { false } }

    var description: String {
        switch self {
        case .drawn(let count): "\(count)"
        case .file(let path): path
        }
    }

    var defaultValueDescription: String { description }

    /// Nil where trips are drawn by chance.
    ///
    /// - Throws: where the file cannot be read, or no roads lie along one of its lines.
    func given(on network: RoadNetwork) throws -> [Trip]? {
        guard case .file(let path) = self else { return nil }
        let matcher = LineMatcher(network, FastestWay(network))
        return try LineFile.lines(path).enumerated().map { index, line in
            guard let trip = Trip(network, along: line, matcher) else {
                throw CommandError.failed("\(path): expected roads along line \(index + 1), got none near it")
            }
            return trip
        }
    }
}
