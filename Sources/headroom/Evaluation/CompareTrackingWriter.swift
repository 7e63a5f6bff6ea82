import Evaluation
import Fleet
import Foundation
import Gateway
import Messages
import RoadImport
import Roads

/// Writes a comparison for people, for programs, and as a plot.
enum CompareTrackingWriter {
    static func printText(_ summary: TrackingSummary, _ fences: CompareTrackingFences) {
        Terminal.print(TrackingReport(summary, fences: fences.origin).text)
    }

    /// One object on one line.
    static func printJSON(_ summary: TrackingSummary) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Terminal.print([UInt8](try encoder.encode(summary)))
    }

    /// Before minutes of driving rather than after.
    static func checkDirectory(of file: String) throws {
        let directory = URL(filePath: file).deletingLastPathComponent().path()
        guard FileManager.default.isWritableFile(atPath: directory) else {
            throw CommandError.usage("\(directory): no directory that can be written to")
        }
    }

    static func plot(_ summary: TrackingSummary, to file: String) throws {
        do {
            try writeAtomically(Array(TrackingPlot(summary).svg.utf8), to: file)
        } catch {
            throw CommandError.failed("\(error)")
        }
    }
}

/// The fences of a comparison, and where they come from.
struct CompareTrackingFences {
    /// Drawn where no file is given.
    private static let drawn = 30

    let fences: [Fence]
    /// For people.
    let origin: String

    /// A bad fence is told of with its place; the others are used.
    init(files: [String], _ network: RoadNetwork, seed: UInt64) throws {
        guard !files.isEmpty else {
            fences = FenceSampler.circles(Self.drawn, network, seed: seed)
            let radii = FenceSampler.radii
            origin =
                "drawn along the roads by seed \(seed) (circles of \(Int(radii.lowerBound)) to \(Int(radii.upperBound)) m)"
            return
        }
        do {
            let collection = try FenceFile.read(files)
            for reject in collection.rejects { Terminal.error("\(reject)") }
            fences = collection.fences
        } catch {
            throw CommandError.usage("\(error)")
        }
        origin = "of \(files.joined(separator: ", "))"
    }
}
