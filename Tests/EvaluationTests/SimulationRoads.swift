import Evaluation
import Foundation
import Geo
import RoadImport
import Roads

/// The road networks that simulated trips are driven on.
enum SimulationRoads: String, CaseIterable {
    /// Drawn for the demo; part of this repository.
    case demo = "config/demo/ann-arbor.osm"
    /// Heidelberg, Mannheim and round about; lies beside this repository where it is tested at length.
    case rheinNeckar = "../shared/data/osm/rhein-neckar_de_2016.osm.pbf"

    private var file: URL {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return root.appending(path: rawValue).standardizedFileURL
    }

    var isThere: Bool { FileManager.default.isReadableFile(atPath: file.path()) }

    func open() throws -> RoadNetwork {
        let (bytes, _) = try RoadBuild.build([file.path()]) { _ in }
        return try RoadNetwork(RoadFileBuffer(bytes))
    }

    /// Height of the trucks there with their margin, which the low bridges do not let through.
    var height: Centimetres { self == .demo ? 420 : 400 }

    /// How far from a low edge trips begin.
    var approach: ClosedRange<Metres> { self == .demo ? 300...3_000 : 3_000...8_000 }
}
