import Clearances
import Fleet
import Gateway
import HeadroomConfiguration
import Messages
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
            throw CommandError.usage("roads: \(error)")
        }
        let clearances = try Self.clearances(settings.clearances, warn)
        self.init(
            network: network,
            clearances: network.map { Self.withoutUnreadableOverrides(clearances, of: $0, warn) } ?? clearances,
            fences: try Self.fences(settings.fences, warn))
    }

    /// Compares every checksum of the roads, whose content opening does not read.
    ///
    /// - Throws: `CommandError` with the files' names.
    func verifyRoads(of settings: Settings) throws {
        do {
            try network?.verify()
        } catch {
            throw CommandError.failed("\(settings.roads.joined(separator: ", ")): \(error)")
        }
    }

    /// What cannot be read must not take the place of what is known.
    private static func withoutUnreadableOverrides(
        _ clearances: [PointClearance], of network: RoadNetwork, _ warn: (String) -> Void
    ) -> [PointClearance] {
        let unreadable = Set(clearances.lazy.filter { ClearanceReading(statement: $0.posted) == nil }.map(\.id))
        guard !unreadable.isEmpty else { return clearances }
        let known = Set(
            (0..<network.clearanceCount).lazy.map { network.clearance(ClearanceID($0)) }
                .filter { unreadable.contains($0.id) && $0.reading != .unknown }.map(\.id))
        return clearances.filter { clearance in
            guard known.contains(clearance.id) else { return true }
            warn("clearances: \(clearance.id): \"\(clearance.posted)\" cannot be read; what the road file says stays")
            return false
        }
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
            throw CommandError.usage("fences: \(error)")
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
            throw CommandError.usage("clearances: \(error)")
        }
    }
}
