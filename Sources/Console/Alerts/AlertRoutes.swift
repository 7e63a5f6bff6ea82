import Fleet
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Store
import Wire

/// `GET /api/v1/alerts`: those that are open, the worst first, those that dispatch has to take, those
/// that it has taken, or all that were told, as the history has them.
struct AlertRoutes {
    private enum State: String, CaseIterable {
        case open, untaken, taken, all
    }

    let view: LiveView
    let history: HistoryReader
    /// In which people read who do not say so.
    let units: UnitSystem

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("alerts") { request, _ in
            let names = Listing.parameters.union(HistoryFilter.parameters).union(["state", "bbox", "units"])
            let query = try RequestQuery(request, names)
            let state: State = try query.choice("state") ?? .open
            return switch state {
            case .open: try await open(query, request)
            case .untaken: try await untaken(query, request)
            case .taken: try await taken(query, request)
            case .all: try await all(query, request)
            }
        }
    }

    private func all(_ query: RequestQuery, _ request: Request) async throws -> Response {
        guard query.text("bbox") == nil else {
            throw HTTPError.bad("bbox is for state=open; the history has no places.")
        }
        return try await history.answer(.alert, query, to: request)
    }

    private func untaken(_ query: RequestQuery, _ request: Request) async throws -> Response {
        for name in ["from", "to", "order", "bbox"] where query.text(name) != nil {
            throw HTTPError.bad("\(name) is not for state=untaken, which has the oldest first.")
        }
        let (listing, vehicle) = (try Listing(query), try query.vehicle("vehicle"))
        let alerts = try await view.known().untaken.filter { alert in vehicle.map { $0 == alert.vehicle } ?? true }
        let page = try Page(alerts, by: \.cursor, listing)
        return listing.answer(page.elements, next: page.next, to: request) { writer, alert in
            if listing.isGeoJSON { alert.writeFeature(&writer) } else { alert.write(&writer) }
        }
    }

    private func taken(_ query: RequestQuery, _ request: Request) async throws -> Response {
        for name in ["from", "to", "order", "bbox"] where query.text(name) != nil {
            throw HTTPError.bad("\(name) is not for state=taken, which has the oldest first.")
        }
        let (listing, vehicle) = (try Listing(query), try query.vehicle("vehicle"))
        let all = try await view.known().handlingsByAge.filter { one in vehicle.map { $0 == one.vehicle } ?? true }
        let page = try Page(all, by: \.cursor, listing)
        return listing.answer(page.elements, next: page.next, to: request) { writer, handling in
            guard listing.isGeoJSON else { return writer.object { $0.members(of: handling) } }
            writer.feature(geometry: { $0.point(nil) }, properties: { $0.members(of: handling) })
        }
    }

    private func open(_ query: RequestQuery, _ request: Request) async throws -> Response {
        let units: UnitSystem = try query.choice("units") ?? units
        for name in ["from", "to", "order"] where query.text(name) != nil {
            throw HTTPError.bad("\(name) is for state=all; open alerts have the worst first.")
        }
        let (listing, vehicle, bounds) = (try Listing(query), try query.vehicle("vehicle"), try query.bounds())
        let snapshot = try await view.known()
        let alerts = snapshot.openAlerts.filter { alert in
            vehicle.map { $0 == alert.vehicle.vehicle } ?? true && bounds.map(alert.isSeen(in:)) ?? true
        }
        let page = try Page(alerts, by: \.cursor, listing)
        return listing.answer(page.elements, next: page.next, to: request) { writer, alert in
            if listing.isGeoJSON {
                alert.writeFeatures(&writer)
            } else {
                let handling = snapshot.handlings[alert.alert.message.id]
                writer.object { alert.alert.write(&$0, units: units, handling: handling) }
            }
        }
    }
}

extension UntakenAlert {
    fileprivate var cursor: AlertCursor { AlertCursor([Double(time.milliseconds)], id: id) }
}

extension Handling {
    fileprivate var cursor: AlertCursor { AlertCursor([Double(takenAt.milliseconds)], id: alert) }
}
