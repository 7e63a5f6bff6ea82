import Clearances
import Fleet
import Gateway
import Hashing
import HeadroomConfiguration
import Messages
import RoadImport
import Roads

extension GatewayFiles {
    /// Those that the settings name.
    ///
    /// - Parameters:
    ///   - keepsJoinedRoads: whether what several road files are joined to is written beside the store, for later starts.
    ///   - former: what is in force: what an entry that cannot be read would replace holds on. Nil: nothing is.
    ///   - warn: told of each entry of a file that is not used, and where it stands; and of joined roads that cannot be kept.
    /// - Throws: what is wrong with which setting; nothing of the files is used then.
    init(
        _ settings: Settings, keepsJoinedRoads: Bool, replacing former: GatewayFiles? = nil, warn: (String) -> Void
    ) throws {
        let network: RoadNetwork?
        do {
            let cache = JoinedRoads.Cache(beside: settings.store, mayWrite: keepsJoinedRoads)
            network =
                settings.roads.isEmpty
                ? nil : try JoinedRoads.open(settings.roads, cache: cache) { warn("roads: \($0)") }
        } catch {
            throw CommandError.usage("roads: \(error)")
        }
        let clearances = try Self.clearances(settings.clearances, former?.clearances ?? [], warn)
        self.init(
            network: network, clearances: Self.readable(clearances, former?.clearances ?? [], network, warn),
            fences: try Self.fences(settings.fences, former?.fences ?? [], warn))
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

    /// What cannot be read must not take the place of what is known, before or by the map.
    private static func readable(
        _ clearances: [PointClearance], _ former: [PointClearance], _ network: RoadNetwork?, _ warn: (String) -> Void
    ) -> [PointClearance] {
        let unreadable = Set(clearances.lazy.filter { !$0.isReadable }.map(\.$id))
        guard !unreadable.isEmpty else { return clearances }
        let held = Dictionary(
            former.lazy.filter { unreadable.contains($0.$id) && $0.isReadable }.map { ($0.$id, $0) },
            uniquingKeysWith: { first, _ in first })
        let known = Set(
            (0..<(network?.clearanceCount ?? 0)).lazy.compactMap { network?.clearance(ClearanceID($0)) }
                .filter { unreadable.contains($0.$id) && $0.reading != .unknown }.map(\.$id))
        return clearances.compactMap { clearance in
            guard unreadable.contains(clearance.$id) else { return clearance }
            let (used, consequence): (PointClearance?, String) =
                if let former = held[clearance.$id] {
                    (former, whatHeldStays)
                } else if known.contains(clearance.$id) {
                    (nil, "what the road file says stays")
                } else {
                    (
                        clearance,
                        clearance.reading == .unknown ? "its height is unknown" : "what can be read of it counts"
                    )
                }
            warn("clearances: \(clearance.id): \"\(clearance.posted)\" cannot be read; \(consequence)")
            return used
        }
    }

    private static let whatHeldStays = "what held before stays until the next start"

    /// For the log.
    var summary: String {
        "\(network?.summary ?? "no road file"), \(clearances.count) clearances beside it, \(fences.count) fences"
    }

    /// As with clearances.
    private static func fences(_ paths: [String], _ former: [Fence], _ warn: (String) -> Void) throws -> [Fence] {
        do {
            let read = try FenceFile.read(paths)
            let held = Self.held(former, \.$id, read.fences, rejected: read.rejects.map(\.id))
            let ids = Set(held.map(\.$id))
            for reject in read.rejects { warn("fences: \(reject)\(Self.consequence(of: reject.id, ids))") }
            return read.fences + held
        } catch {
            throw CommandError.usage("fences: \(error)")
        }
    }

    /// A bad feature is told of with its place; the others are used.
    private static func clearances(
        _ paths: [String], _ former: [PointClearance], _ warn: (String) -> Void
    ) throws -> [PointClearance] {
        do {
            let read = try ClearanceFile.readGeoJSON(paths)
            let held = Self.held(former, \.$id, read.clearances, rejected: read.rejects.map(\.id))
            let ids = Set(held.map(\.$id))
            for reject in read.rejects {
                let consequence = Self.consequence(of: reject.id, ids)
                warn("clearances: \(reject.file), line \(reject.line): \(reject.message)\(consequence)")
            }
            return read.clearances + held
        } catch {
            throw CommandError.usage("clearances: \(error)")
        }
    }

    /// The former entries of those ids that the files name, and say nothing under that could be used.
    private static func held<Entry>(
        _ former: [Entry], _ id: (Entry) -> BytewiseText, _ read: [Entry], rejected: [String?]
    ) -> [Entry] {
        let ids = Set(rejected.compactMap { $0.map(BytewiseText.init(_:)) }).subtracting(read.map(id))
        return former.filter { ids.contains(id($0)) }
    }

    private static func consequence(of rejected: String?, _ held: Set<BytewiseText>) -> String {
        rejected.map { held.contains(BytewiseText($0)) } == true ? "; \(whatHeldStays)" : ""
    }
}

extension PointClearance {
    /// Every part of its text.
    fileprivate var isReadable: Bool { ClearanceReading(statement: posted) != nil }
}
