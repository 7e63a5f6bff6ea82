import Fleet
import Foundation
import Gateway
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Wire

/// `GET /api/v1/vehicles` and `/vehicles/{v}`: where they are, and what holds for them.
struct VehicleRoutes {
    let view: LiveView
    let history: HistoryReader
    /// How many regions a device is given to watch.
    let regionLimit: Int

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("vehicles") { request, _ in try await list(request) }
        routes.get("vehicles/:vehicle") { request, context in try await one(request, context) }
    }

    /// Of an open alert.
    private enum OpenStage: String, CaseIterable { case ahead, detour, stop }

    private func list(_ request: Request) async throws -> Response {
        let query = try RequestQuery(request, Listing.parameters.union(["bbox", "q", "group", "stage"]))
        let (listing, bounds, words) = (try Listing(query), try query.bounds(), SearchText(query.text("q")))
        let (group, stage): (String?, OpenStage?) = (query.text("group"), try query.choice("stage"))
        let snapshot = try await view.known()
        let page = Page(snapshot.order, by: \.text, listing) { id in
            guard let vehicle = snapshot.vehicles[id]?.snapshot else { return false }
            return bounds.map { box in vehicle.fix.map { box.contains($0.position) } ?? false } ?? true
                && group.map { vehicle.profile?.groups.contains($0) ?? false } ?? true
                && stage.map { vehicle.worstStage?.rawValue == $0.rawValue } ?? true
                && words.match { vehicle.searched(on: snapshot.map) }
        }
        let vehicles = page.elements.compactMap { snapshot.vehicles[$0]?.snapshot }
        return listing.answer(vehicles, next: page.next, to: request) { writer, vehicle in
            guard listing.isGeoJSON else {
                return writer.object { writer in
                    vehicle.writeSummary(&writer, at: snapshot.now)
                    vehicle.writeBrief(&writer)
                }
            }
            vehicle.writeFeature(&writer) { writer in
                vehicle.writeSummary(&writer, at: snapshot.now)
                vehicle.writeBrief(&writer)
            }
        }
    }

    private func one(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        let query = try RequestQuery(request, ["format", "units"])
        let (isGeoJSON, units): (Bool, UnitSystem?) = (try query.wantsGeoJSON(), try query.choice("units"))
        let id = try Request.decoded("vehicle", context)
        let snapshot = try await view.known()
        guard let vehicle = VehicleID(id).flatMap({ snapshot.vehicles[$0]?.snapshot }) else {
            throw HTTPError.unknown("vehicle")
        }
        let detail = VehicleDetail(
            vehicle: vehicle, map: snapshot.map, handlings: snapshot.handlings, regionLimit: regionLimit, units: units,
            lastVisit: try await history.newestVisit(of: vehicle.vehicle))
        var writer = JSONWriter()
        func members(_ writer: inout JSONWriter) {
            vehicle.writeSummary(&writer, at: snapshot.now)
            detail.write(&writer)
        }
        if isGeoJSON { vehicle.writeFeature(&writer, members) } else { writer.object(members) }
        return .tagged(
            writer.bytes, isGeoJSON ? Listing.geoJSON : Listing.json, for: request,
            tag: EntityTag(of: writer.bytes, version: vehicle.profileVersion ?? EntityTag.absent))
    }
}

extension VehicleSnapshot {
    /// What a search finds it by: its id, the bridges that it is alerted of, the streets under them and those to leave or not to
    /// take, and the fences that it is in.
    fileprivate func searched(on map: MapSnapshot) -> [String?] {
        let ahead = alerts.flatMap { [$0.message.clearance.name, $0.road, $0.message.detour?.turnOnto] }
        let fences = (state?.fences ?? []).map { map.fences[$0.$fence]?.fence.name }
        return [vehicle.text] + ahead + fences
    }

    /// Another one for each profile; nil where none is known.
    var profileVersion: String? {
        guard let profile, let bytes = try? JSONEncoder.sorted.encode(profile) else { return nil }
        return EntityTag.hash(Array(bytes))
    }

    fileprivate func writeFeature(_ writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
        writer.feature(id: vehicle.text, geometry: { $0.point(fix?.position) }, properties: members)
    }
}
