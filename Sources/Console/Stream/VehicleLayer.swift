import Fleet
import Gateway
import Geo
import Messages
import Wire

/// The vehicles in one view: told in full once, then those that changed and those that went.
///
/// Where too many are in view to be told apart, cells of a grid are told instead.
struct VehicleLayer {
    /// More than a screen can show, and 60 kB.
    static let vehiclesMax = 1000

    private let view: StreamView
    /// By vehicle: in which snapshot it first looked as it was told; nil: nothing was told, or clusters were.
    private var told: [VehicleID: UInt64]?
    private var clusters: [UInt8] = []

    init(_ view: StreamView) { self.view = view }

    /// Nil where nothing in view has changed.
    mutating func event(_ snapshot: LiveSnapshot) -> ServerSentEvent? {
        let seen = snapshot.places.vehicles(in: view.bounds)
        return seen.count > Self.vehiclesMax ? clustersEvent(seen, snapshot.time) : vehicles(seen, snapshot.time)
    }

    private mutating func vehicles(_ seen: [LiveVehicle], _ now: Timestamp) -> ServerSentEvent? {
        let before = told ?? [:]
        let changed = seen.filter { before[$0.snapshot.vehicle] != $0.revision }
        let current = Dictionary(uniqueKeysWithValues: seen.map { ($0.snapshot.vehicle, $0.revision) })
        let gone = before.keys.filter { current[$0] == nil }.sorted()
        let isFull = told == nil
        (told, clusters) = (current, [])
        guard isFull || !changed.isEmpty || !gone.isEmpty else { return nil }
        let data = JSONWriter.object { writer in
            writer.member("time", now)
            writer.member("full", isFull)
            writer.member("vehicles", each: changed) { $1.snapshot.writeRow(&$0) }
            writer.member("gone", each: gone) { $0.string($1.text) }
        }
        return ServerSentEvent("vehicles", data)
    }

    private mutating func clustersEvent(_ seen: [LiveVehicle], _ now: Timestamp) -> ServerSentEvent? {
        told = nil
        let cells = ClusterGrid(zoom: view.zoom).cells(of: seen.map(\.snapshot))
        var writer = JSONWriter()
        writer.array(cells) { $1.write(&$0) }
        guard writer.bytes != clusters else { return nil }
        clusters = writer.bytes
        let data = JSONWriter.object { writer in
            writer.member("time", now)
            writer.name("cells")
            writer.raw(clusters)
        }
        return ServerSentEvent("clusters", data)
    }
}

extension VehicleSnapshot {
    /// What is to be known of a vehicle at one glance, as bits.
    struct Flags: OptionSet {
        let rawValue: Int

        /// Something keeps it from being warned as others are: its blind spots tell what.
        static let blind = Flags(rawValue: 1)
        /// Nobody has said how high it is.
        static let heightAssumed = Flags(rawValue: 2)
        static let heightStale = Flags(rawValue: 4)
        static let offline = Flags(rawValue: 8)
        static let insideFence = Flags(rawValue: 16)
    }

    var flags: Flags {
        guard let state else { return [] }
        var flags: Flags = []
        if !state.blind.isEmpty { flags.insert(.blind) }
        if state.heightStatus == .assumed { flags.insert(.heightAssumed) }
        if state.heightStatus == .stale { flags.insert(.heightStale) }
        if state.presence == .offline { flags.insert(.offline) }
        if !state.fences.isEmpty { flags.insert(.insideFence) }
        return flags
    }

    /// `[id, lat, lon, course|null, speed|null, time in ms, stage|null, flags]`; of a vehicle with a fix.
    fileprivate func writeRow(_ writer: inout JSONWriter) {
        guard let fix else { return }
        writer.row { writer in
            writer.string(vehicle.text)
            writer.number(fix.position.latitude, decimals: 6)
            writer.number(fix.position.longitude, decimals: 6)
            if let course { writer.integer(course.whole) } else { writer.null() }
            writer.number(speed, decimals: 1)
            writer.integer(Int(fix.time.milliseconds))
            if let worstStage { writer.string(worstStage.rawValue) } else { writer.null() }
            writer.integer(flags.rawValue)
        }
    }
}
