import Clearances
import Fleet
import Gateway
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Roads
import Wire

/// `GET /api/v1/clearances/preview`: what would follow if a clearance were entered.
///
/// `ClearanceRoutes` adds it: to the router a path of its own would hide a clearance with the id `preview`, which then could
/// be neither replaced nor removed.
struct ClearancePreviewRoute {
    static let name = "preview"

    private static let parameters: Set = [
        "lat", "lon", "clearance", "id", "name", "road", "approach", "passage", "height", "vehicle",
    ]
    /// Vehicles so near are told before they are there, at any speed that trucks drive at.
    private static let near: Metres = 20_000
    /// So near, fixes do not say whether it is ahead or behind.
    private static let beside: Metres = 50
    /// What one page shows; more are counted.
    private static let vehiclesMax = 100

    let view: LiveView
    let engine: EngineReader
    let heights: EngineSettings.Heights
    let workers: WorkerThreads

    func answer(_ request: Request) async throws -> Response {
        let query = try RequestQuery(request, Self.parameters)
        let clearance = try query.previewedClearance()
        let snapshot = try await view.knownWithMap()
        let height = try height(query, snapshot)
        guard let source = await engine.read(\.clearancePreviewSource) else { throw HTTPError.gatewayCannotBeAsked }
        let preview = try await workers.work { source.preview(of: clearance, height: height) }
        let affected = affected(by: clearance, snapshot)
        let bytes = JSONWriter.answer { writer in
            preview.write(&writer)
            writer.height("height", height)
            writer.member("vehicles", each: affected.prefix(Self.vehiclesMax)) { writer, vehicle in
                writer.object { writer in
                    writer.member("vehicle", vehicle.snapshot.vehicle.text)
                    writer.height("effective", vehicle.snapshot.effectiveHeight)
                    writer.member("distance", vehicle.distance, decimals: 1)
                }
            }
            writer.member("vehicles_left_out", max(0, affected.count - Self.vehiclesMax))
        }
        return .tagged(bytes, Listing.json, for: request)
    }

    /// Effective: as given, or that of a vehicle; else that of the highest vehicle, or the assumed one.
    private func height(_ query: RequestQuery, _ snapshot: LiveSnapshot) throws -> Centimetres {
        if let height = try query.height("height") { return height }
        guard let vehicle = try query.vehicle("vehicle") else {
            let highest = snapshot.vehicles.values.map(\.snapshot.effectiveHeight).max()
            return highest ?? heights.assumedEffective
        }
        guard let known = snapshot.vehicles[vehicle] else { throw HTTPError.unknown("vehicle") }
        return known.snapshot.effectiveHeight
    }

    /// Who is near, would be too high, and is not moving away from it; the nearest first.
    private func affected(
        by clearance: PointClearance, _ snapshot: LiveSnapshot
    ) -> [(snapshot: VehicleSnapshot, distance: Metres)] {
        snapshot.vehicles.values.compactMap { vehicle in
            let vehicle = vehicle.snapshot
            let verdict = clearance.reading.verdict(
                height: vehicle.effectiveHeight, legalDefault: heights.legalDefault)
            guard verdict == .tooLow, let position = vehicle.fix?.position else { return nil }
            let distance = position.distance(to: clearance.position)
            if let course = vehicle.course, distance > Self.beside,
                angle(between: course, and: position.bearing(to: clearance.position)) > 90
            {
                return nil
            }
            return distance <= Self.near ? (vehicle, distance) : nil
        }.sorted { ($0.distance, $0.snapshot.vehicle.text) < ($1.distance, $1.snapshot.vehicle.text) }
    }
}

extension RequestQuery {
    fileprivate func previewedClearance() throws(HTTPError) -> PointClearance {
        let fields = ClearanceFields(
            id: text("id") ?? "preview",
            position: Coordinate(latitude: try degrees("lat"), longitude: try degrees("lon")),
            clearance: text("clearance"), name: text("name"), road: text("road"),
            approach: text("approach") == nil ? [] : [try degrees("approach")], passage: text("passage"))
        do throws(ClearanceFieldError) {
            return try fields.pointClearance(isStatement: true)
        } catch {
            throw .bad(
                "expected lat and lon in degrees, a clearance of \(ClearanceFieldError.expectedClearance), as approach "
                    + "\(ClearanceFieldError.expectedCourse), and as passage under or over.")
        }
    }

    private func degrees(_ name: String) throws(HTTPError) -> Degrees {
        let text = text(name) ?? ""
        if let degrees = Degrees(text), degrees.isFinite { return degrees }
        throw .bad(name, expected: "degrees", got: text)
    }
}

extension ClearancePreview {
    fileprivate func write(_ writer: inout JSONWriter) {
        switch outcome {
        case .monitoring(let note, let was):
            writer.member("usable", true)
            writer.member("note", note)
            writer.height("was", was)
        case .failed(let reason):
            writer.member("usable", false)
            writer.member("note", reason)
            writer.height("was", nil)
        }
        writer.member("road", road)
        writer.member("verdict", verdict.rawValue)
        let approachWriter = network.map(ApproachWriter.init)
        writer.member("approaches", each: approaches) { writer, approach in
            writer.raw(Array((approachWriter?.json(approach) ?? "null").utf8))
        }
        writer.name("map")
        writer.raw(Array((approachWriter?.geoJSON(approaches) ?? #"{"type":"FeatureCollection","features":[]}"#).utf8))
    }
}
