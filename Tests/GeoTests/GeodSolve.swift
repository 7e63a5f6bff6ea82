import Foundation
import Geo
import Testing

/// Karney's geodesics, by the command-line tool of GeographicLib, as the second opinion.
enum GeodSolve {
    private static let path = "/usr/bin/GeodSolve"

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    struct Geodesic {
        var bearing: Degrees
        var distance: Metres
    }

    /// The geodesics from places to others.
    static func inverse(_ pairs: [(Coordinate, Coordinate)]) throws -> [Geodesic] {
        // Azimuths at both ends, then the distance.
        try answers(["-i", "-p", "6"], pairs.map { numbers($0.0) + numbers($0.1) }).map {
            Geodesic(bearing: $0[0], distance: try #require($0.last))
        }
    }

    static func distances(_ pairs: [(Coordinate, Coordinate)]) throws -> [Metres] {
        try inverse(pairs).map(\.distance)
    }

    static func bearing(from a: Coordinate, to b: Coordinate) throws -> Degrees { try inverse([(a, b)])[0].bearing }

    /// Where one comes from a place by a bearing and a distance.
    static func places(_ starts: [(from: Coordinate, bearing: Degrees, distance: Metres)]) throws -> [Coordinate] {
        try answers(["-p", "9"], starts.map { numbers($0.from) + [$0.bearing, $0.distance] }).map {
            Coordinate(latitude: $0[0], longitude: $0[1])
        }
    }

    private static func numbers(_ place: Coordinate) -> [Double] { [place.latitude, place.longitude] }

    /// A line of numbers for each of these.
    private static func answers(_ arguments: [String], _ lines: [[Double]]) throws -> [[Double]] {
        guard !lines.isEmpty else { return [] }
        let input = FileManager.default.temporaryDirectory.appending(path: "geodesics-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: input) }
        let text = lines.map { $0.map(\.description).joined(separator: " ") + "\n" }.joined()
        try Data(text.utf8).write(to: input)

        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return try answer.split(separator: "\n").map { line in
            try line.split(separator: " ").map { try #require(Double($0), "\(line)") }
        }
    }
}
