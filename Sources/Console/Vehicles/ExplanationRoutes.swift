import Fleet
import Gateway
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Store
import Wire

/// `GET /api/v1/vehicles/{v}/explain`: why a vehicle is alerted at a time, or why it is not.
struct ExplanationRoutes {
    /// What is open longer than this began before a replay does, and is explained as if it had begun with it.
    private static let replayed: Seconds = 3_600

    let view: LiveView
    let engine: EngineReader
    let history: HistoryReader
    /// How long positions are kept; 0: not at all.
    let keepPositions: Seconds
    let workers: WorkerThreads

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("vehicles/:vehicle/explain") { request, context in try await explain(request, context) }
    }

    private func explain(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        let query = try RequestQuery(request, ["at", "units"])
        let (at, units): (Timestamp?, UnitSystem?) = (try query.time("at"), try query.choice("units"))
        // By it the vehicles of other gateways are known.
        let snapshot = try await view.known()
        let (vehicle, source) = try await source(context)
        let now = max(snapshot.time, source.newestFix)
        guard at ?? now <= now else { throw HTTPError.bad("at: expected a time that is not in the future.") }
        let time = at ?? now
        let isPresent = time >= source.newestFix
        let fixes = isPresent ? [] : try await fixes(of: vehicle, until: time, source)
        let found = try await workers.work {
            isPresent ? source.explanation(at: time) : source.explanation(at: time, replaying: fixes)
        }
        guard var explanation = found else { throw notStored(vehicle, time) }
        if let units { explanation.setUnits(units) }
        let bytes = explanation.json(basis: isPresent ? .present : .track) + [UInt8(ascii: "\n")]
        return .tagged(bytes, Listing.json, for: request)
    }

    private func source(_ context: ConsoleContext) async throws -> (VehicleID, ExplanationSource) {
        let id = try Request.decoded("vehicle", context)
        guard let vehicle = VehicleID(id) else { throw HTTPError.unknown("vehicle") }
        guard let (isKnown, source) = await engine.explanationSource(of: vehicle) else {
            throw HTTPError.gatewayCannotBeAsked
        }
        guard isKnown else { throw HTTPError.unknown("vehicle") }
        guard let source else {
            throw HTTPError(.notFound, message: "\(vehicle) has not sent a position yet; there is nothing to explain.")
        }
        return (vehicle, source)
    }

    // MARK: The past

    private func fixes(of vehicle: VehicleID, until time: Timestamp, _ source: ExplanationSource) async throws -> [Fix]
    {
        guard keepPositions > 0 else {
            throw HTTPError(
                .conflict,
                message:
                    "Positions are not kept (privacy.keep_positions is 0), so only the time since the last position "
                    + "of \(vehicle) can be explained: \(RFC3339.text(source.newestFix)).")
        }
        // What is at that time counts.
        let end = Timestamp(milliseconds: time.milliseconds + 1)
        let page = try await history.fixes(
            of: vehicle, from: time.adding(-Self.replayed), to: end, limit: ConsoleLimits.trackFixes)
        guard page.next == nil else {
            throw HTTPError.bad(
                "More than \(ConsoleLimits.trackFixes) positions are stored for the hour before that time.")
        }
        guard !page.fixes.isEmpty else { throw notStored(vehicle, time) }
        return page.fixes
    }

    private func notStored(_ vehicle: VehicleID, _ time: Timestamp) -> HTTPError {
        HTTPError(
            .notFound,
            message:
                "No position of \(vehicle) is stored for the hour before \(RFC3339.text(time)). Positions are kept for "
                + "as long as privacy.keep_positions says, and removed when consent ends.")
    }
}
