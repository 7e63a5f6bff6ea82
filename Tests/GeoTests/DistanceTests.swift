import Foundation
import Geo
import Testing

/// Karney's geodesics, by the command-line tool of GeographicLib, as the second opinion.
@Suite(.enabled(if: GeodSolve.isThere, "needs GeodSolve of geographiclib-tools"))
struct DistanceTests {
    @Test(
        "Distances below 70° are the geodesics to a millionth up to 10 km, and to 25 millionths up to 50 km",
        arguments: [(10_000.0, 1e-6), (50_000, 2.5e-5)])
    func distances(longest: Metres, tolerance: Double) throws {
        var random = SeededGenerator(seed: 17)
        let pairs = (0..<10_000).map { _ in
            let start = Coordinate(.random(in: -69.5...69.5, using: &random), .random(in: -180...180, using: &random))
            let plane = LocalPlane(latitude: start.latitude)
            let reach = Metres.random(in: 1...longest, using: &random)
            let bearing = Double.random(in: 0...2 * .pi, using: &random)
            let end = plane.coordinate(Vector(east: reach * sin(bearing), north: reach * cos(bearing)), from: start)
            return (start, Coordinate(plane: PlanePoint(end.longitude, end.latitude)))
        }.filter { abs($0.1.latitude) < 70 }
        for (pair, geodesic) in zip(pairs, try GeodSolve.distances(pairs)) {
            let error = abs(pair.0.distance(to: pair.1) - geodesic) / geodesic
            #expect(error < tolerance, "\(pair)")
        }
    }
}

private enum GeodSolve {
    private static let path = "/usr/bin/GeodSolve"

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    static func distances(_ pairs: [(Coordinate, Coordinate)]) throws -> [Metres] {
        let input = FileManager.default.temporaryDirectory.appending(path: "geodesics-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: input) }
        let lines = pairs.map { "\($0.latitude) \($0.longitude) \($1.latitude) \($1.longitude)\n" }
        try Data(lines.joined().utf8).write(to: input)

        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-i", "-p", "6"]
        process.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // Azimuths at both ends, then the distance.
        return try text.split(separator: "\n").map { line in
            try #require(line.split(separator: " ").last.flatMap { Metres($0) })
        }
    }
}
