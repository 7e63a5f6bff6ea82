import Fleet
import Foundation
import Messages
import Testing

@testable import Wire

/// A recording of a phone on a train, as the OwnTracks recorder keeps it: one line a message, time, topic's end, payload.
@Suite struct OwnTracksRecordingTests {
    private static let file = URL(filePath: #filePath)
        .appending(path: "../../../../../shared/data/mqtt/owntracks-demo-iphone.rec").standardized.path()
    private static let isThere = FileManager.default.isReadableFile(atPath: file)

    private struct Line {
        var receivedAt: Timestamp
        var payload: [UInt8]
    }

    private static func lines() throws -> [Line] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", maxSplits: 2).map(String.init)
            return Line(receivedAt: try #require(RFC3339.timestamp(parts[0])), payload: Array(parts[2].utf8))
        }
    }

    @Test("Of 25 lines 23 are fixes and 2 are wills", .enabled(if: isThere, "\(file) is not here"))
    func decoded() throws {
        let decoder = WireDecoder()
        let decoded = try Self.lines().map {
            decoder.decode($0.payload, layout: .ownTracks, of: LayoutExamples.truck, receivedAt: $0.receivedAt)
        }
        #expect(decoded.count == 25)
        #expect(decoded.count { $0.fixes.count == 1 && $0.reports.contains(.presence(.online)) } == 23)
        #expect(decoded.count { $0.reports == [.presence(.offline)] } == 2)
        #expect(decoded.allSatisfy { $0.rejections.isEmpty && $0.other == nil })
        #expect(decoded.flatMap(\.fixes).compactMap(\.course) == [118, 116, 138, 130, 140, 92, 82])
        #expect(decoded.flatMap(\.fixes).compactMap(\.speed).count == 8)
    }

    @Test(
        "The engine uses the fixes that are good enough, and says of each other one why not",
        .enabled(if: isThere, "\(file) is not here"),
        arguments: [
            // As it came, and all of it years later.
            (0, 8, [.inaccurate: 15]), (3_600 * 24 * 365, 0, [.tooOld: 23]),
        ] as [(Double, Int, [InputError: Int])])
    func judged(later: Double, used: Int, rejected: [InputError: Int]) throws {
        let decoder = WireDecoder()
        let engine = Engine(EngineSettings(), network: nil)
        var (accepted, reasons) = (0, [InputError: Int]())
        for line in try Self.lines() {
            let time = line.receivedAt.adding(later)
            let decoded = decoder.decode(line.payload, layout: .ownTracks, of: LayoutExamples.truck, receivedAt: time)
            let address = try #require(decoded.address)
            let effects = engine.handle(decoded.reports.map { .report($0, from: address, receivedAt: time) })
            accepted += effects.fixesAccepted
            for (_, reason) in effects.rejections { reasons[reason, default: 0] += 1 }
        }
        #expect(accepted == used && reasons == rejected)
    }
}
