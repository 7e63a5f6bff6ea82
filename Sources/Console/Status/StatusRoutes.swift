import Fleet
import Gateway
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Roads
import Wire

/// `GET /api/v1/status`: whether the gateway does its work, what there is to see, and what the visitor may do.
struct StatusRoutes {
    let version: String
    let settings: ConsoleSettings
    /// Nil: authentication is not in force.
    let tokens: TokenList?
    let units: UnitSystem
    /// How long positions are kept; 0: not at all.
    let keepPositions: Seconds
    let shared: SharedState
    let mapCache: MapCache
    let library: MapLibrary

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("status") { request, _ in
            _ = try RequestQuery(request, [])
            let snapshot = await shared.view.snapshot()
            let bytes = JSONWriter.answer { writer in
                write(snapshot, to: bearer(of: request), &writer)
            }
            return Response.tagged(bytes, Listing.json, for: request)
        }
    }

    private func bearer(of request: Request) -> TokenList.Bearer {
        guard let tokens else { return TokenList.Bearer(role: .editor) }
        return tokens.bearer(of: request) ?? TokenList.Bearer(role: .viewer)
    }

    private func write(_ snapshot: LiveSnapshot, to bearer: TokenList.Bearer, _ writer: inout JSONWriter) {
        let problems = shared.readiness.problems
        writer.member("version", version)
        writer.member("contract", StatusMessage.contract)
        writer.member("time", snapshot.time)
        writer.member("ready", problems.isEmpty)
        writer.member("problems", each: problems) { $0.string($1) }
        writer.member("degraded", each: shared.readiness.degradations) { $0.string($1) }
        writer.member("retained_missing", shared.metrics.retainedMissing.value)
        writer.member("retained_republished", shared.metrics.retainedRepublished.value)
        writer.member("broker_connected", snapshot.isConnected)
        writer.member("role", "\(bearer.role)")
        writer.member("name", bearer.name)
        // An editor's change is in force when it has come back from the broker.
        writer.member("editing", bearer.role == .editor && snapshot.isConnected)
        writer.member("units", units.rawValue)
        writer.member("keep_positions", Int(keepPositions))
        writeMap(snapshot, &writer)
        writer.member("map") { writer in
            writer.member("style", settings.map.style)
            writer.member("tiles", settings.map.tiles)
            writer.member("attribution", settings.map.attribution)
            writer.member("library", library.isThere)
        }
    }

    private func writeMap(_ snapshot: LiveSnapshot, _ writer: inout JSONWriter) {
        let (fences, clearances) = (mapCache.fences(snapshot.map), mapCache.clearances(snapshot.map))
        let roads = snapshot.map.network.flatMap { mapCache.bounds(of: $0) }
        writer.member("vehicles", snapshot.vehicles.count)
        writer.member("open_alerts", snapshot.vehicles.values.reduce(0) { $0 + $1.snapshot.alerts.count })
        writer.member("fences", fences.items.count)
        writer.member("clearances", clearances.items.count)
        writer.name("roads")
        if let network = snapshot.map.network {
            writer.object { writer in
                writer.member("fingerprint", String(network.fingerprint, radix: 16))
                writer.member("summary", network.summary)
                writer.member("bounds", roads)
                writer.member("base_map", network.hasBaseMap)
            }
        } else {
            writer.null()
        }
        writer.member("bounds", snapshot.fleetBounds(with: fences) ?? roads)
    }
}

extension LiveSnapshot {
    /// What vehicles and fences lie in: where people look first; nil where there is none.
    fileprivate func fleetBounds(with fences: FenceList) -> Bounds? {
        let places = vehicles.values.compactMap { $0.snapshot.fix.map { Bounds($0.position, $0.position) } }
        return Bounds(enclosing: places + [fences.bounds].compactMap(\.self))
    }
}
