import ArgumentParser
import Evaluation
import Fleet
import Geo
import RoadImport
import Roads

/// `--trips`: how many are drawn by chance, a file of such as others drew, or every detour.
enum TripsArgument: ExpressibleByArgument, CustomStringConvertible {
    case drawn(Int)
    case file(String)
    case detours

    init?(argument: String) {
        if let count = Int(argument) {
            guard count >= 0 else { return nil }
            self = .drawn(count)
        } else if argument == "detours" {
            self = .detours
        } else {
            self = .file(argument)
        }
    }

    var isDrawn: Bool { if case .drawn = self { true } else { false } }

    var description: String {
        switch self {
        case .drawn(let count): "\(count)"
        case .file(let path): path
        case .detours: "detours"
        }
    }

    var defaultValueDescription: String { description }

    /// Nil where trips are drawn by chance.
    ///
    /// - Parameter height: effective, of every truck.
    /// - Throws: where the file cannot be read, no roads lie along one of its lines, or there is no detour.
    func given(on network: RoadNetwork, height: Centimetres, _ settings: EngineSettings) throws -> [Trip]? {
        switch self {
        case .drawn: nil
        case .file(let path): try trips(along: path, network)
        case .detours: try detours(network, height, settings)
        }
    }

    private func detours(
        _ network: RoadNetwork, _ height: Centimetres, _ settings: EngineSettings
    ) throws -> [Trip] {
        let trips = Trip.detours(network, HazardTable(network, height: height, settings))
        guard !trips.isEmpty else {
            throw CommandError.failed(
                "--trips detours: no low clearance on these roads has a detour for a vehicle of \(Double(height) / 100) m"
            )
        }
        return trips
    }

    private func trips(along path: String, _ network: RoadNetwork) throws -> [Trip] {
        let matcher = LineMatcher(network, FastestWay(network))
        return try LineFile.features(path).map { feature in
            guard let trip = Trip(network, along: feature.points, matcher) else {
                throw CommandError.failed("\(path): \(feature.place): expected roads along the line, got none near it")
            }
            return trip
        }
    }
}
