import Foundation
import RoadImport
import Roads
import Testing

/// Real data: ../shared/data/osm/rhein-neckar_de_2016.osm.pbf, which stands beside the project and not in it.
enum RheinNeckar {
    static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/data/osm/rhein-neckar_de_2016.osm.pbf").standardized.path

    /// Built once for all tests.
    static let built = Result { try RoadBuild.build([path]) { _ in } }
    static let network = Result { try RoadNetwork(RoadFileBuffer(built.get().file)) }
}

extension Trait where Self == ConditionTrait {
    /// Skips where the extract is not there.
    static var needsRheinNeckar: ConditionTrait {
        .enabled(
            if: FileManager.default.fileExists(atPath: RheinNeckar.path),
            "needs ../shared/data/osm/rhein-neckar_de_2016.osm.pbf")
    }
}
