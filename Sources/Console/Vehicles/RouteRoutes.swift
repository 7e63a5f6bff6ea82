import Fleet
import Foundation
import Gateway
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Wire

/// `GET /api/v1/vehicles/{v}/route`: where a vehicle is bound, and what is too low on the way there.
struct RouteRoutes {
    let view: LiveView
    /// Which has the newest answers to routes.
    let messages: LiveMessages
    let engine: EngineReader
    let workers: WorkerThreads

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("vehicles/:vehicle/route") { request, context in
            _ = try RequestQuery(request, [])
            let id = try Request.decoded("vehicle", context)
            guard let vehicle = VehicleID(id), let known = try await view.known().vehicles[vehicle] else {
                throw HTTPError.unknown("vehicle")
            }
            var check: [UInt8]?
            if let answer = known.snapshot.routeCheck {
                check = published(for: vehicle, id: answer)
                if check == nil { check = try await checked(vehicle) }
            }
            let bytes = JSONWriter.answer { writer in
                writer.members(of: known.snapshot.route ?? .waypoints([]))
                writer.name("check")
                if let check { writer.raw(check) } else { writer.null() }
            }
            return Response.tagged(
                bytes, Listing.json, for: request,
                tag: EntityTag(of: bytes, version: known.snapshot.routeVersion ?? EntityTag.absent))
        }
    }

    /// Worked out again; nil: it cannot be now.
    private func checked(_ vehicle: VehicleID) async throws -> [UInt8]? {
        guard let source = await engine.explanationSource(of: vehicle)?.source else { return nil }
        let check = try await workers.work { source.routeCheck(at: source.newestFix) }
        return check.map { check in
            JSONWriter.object { $0.members(of: check, vehicle, publishedAt: check.time) }
        }
    }

    /// As published; nil: it is here no longer, as after a restart.
    private func published(for vehicle: VehicleID, id: String) -> [UInt8]? {
        let id = Array("\"\(id)\"".utf8)
        return messages.newest(.routeCheck, of: vehicle) { $0.prefix(64).firstRange(of: id) != nil }?.payload
    }
}

extension JSONWriter {
    /// As it may be written: a GeoJSON Feature, or waypoints; none where there is no route.
    fileprivate mutating func members(of route: Route) {
        switch route {
        case .line(let line):
            member("type", "Feature")
            member("geometry") { $0.members(ofLine: line) }
            member("properties") { _ in }
        case .waypoints(let points):
            member("waypoints", each: points) { writer, point in
                writer.array([point.longitude, point.latitude]) { $0.degrees($1) }
            }
        }
    }
}

extension VehicleSnapshot {
    /// Another one for each route; nil where there is none.
    var routeVersion: String? {
        guard let route, let bytes = try? JSONEncoder.sorted.encode(route) else { return nil }
        return EntityTag.hash(Array(bytes))
    }
}
