import Fleet
import Gateway
import RoadImport
import Roads

extension GatewayFiles {
    /// Those that the settings name.
    ///
    /// - Parameters:
    ///   - keepsJoinedRoads: whether what several road files are joined to is written beside the store, for later starts.
    ///   - warn: told of each entry of a file that is not used, and where it stands.
    /// - Throws: what is wrong with which setting; nothing of the files is used then.
    init(_ settings: Settings, keepsJoinedRoads: Bool, warn: (String) -> Void) throws {
        let network: RoadNetwork?
        do {
            let cache = JoinedRoads.Cache(beside: settings.store, mayWrite: keepsJoinedRoads)
            network = settings.roads.isEmpty ? nil : try JoinedRoads.open(settings.roads, cache: cache)
        } catch {
            throw CommandFailure.usage("roads: \(error)")
        }
        self.init(
            network: network, clearances: try Self.clearances(settings.clearances, warn),
            fences: try Self.fences(settings.fences, warn))
    }

    /// For the log.
    var summary: String {
        "\(network?.summary ?? "no road file"), \(clearances.count) clearances beside it, \(fences.count) fences"
    }

    /// As with clearances.
    private static func fences(_ paths: [String], _ warn: (String) -> Void) throws -> [Fence] {
        do {
            let read = try FenceFile.read(paths)
            for reject in read.rejects { warn("fences: \(reject)") }
            return read.fences
        } catch {
            throw CommandFailure.usage("fences: \(error)")
        }
    }

    /// A bad feature is told of with its place; the others are used.
    private static func clearances(_ paths: [String], _ warn: (String) -> Void) throws -> [PointClearance] {
        do {
            let collection = try ClearanceFile.readGeoJSON(paths)
            for reject in collection.rejects {
                warn("clearances: \(reject.file), line \(reject.line): \(reject.message)")
            }
            return collection.clearances
        } catch {
            throw CommandFailure.usage("clearances: \(error)")
        }
    }
}
