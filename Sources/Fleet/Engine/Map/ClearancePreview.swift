public import Clearances
public import Geo
import Hashing
public import Messages
public import Roads

/// What would follow if a clearance were entered, for vehicles of one height.
public struct ClearancePreview: Sendable {
    /// As whoever enters it would be told.
    public let outcome: Registration.Outcome
    /// With the clearance in force; nil without a road file.
    public let network: RoadNetwork?
    /// The road that it would limit; nil where there is none or it has no name.
    public let road: String?
    public let verdict: Verdict
    /// Ways that lead under it; empty where the vehicle fits, or where no road is known under it.
    public let approaches: [Approach]
}

/// What previews are worked out from, for any thread.
///
/// Holds the map as it was: to be let go soon, since the engine copies what it changes meanwhile.
public struct ClearancePreviewSource: Sendable {
    fileprivate let map: MapInForce.Parts

    /// Works it out as the map would be derived; on one of a country that takes seconds.
    ///
    /// - Parameter height: effective.
    public func preview(of clearance: PointClearance, height: Centimetres) -> ClearancePreview {
        var parts = map
        parts.work = nil
        let changed = MapInForce(parts)
        let change = changed.apply(ClearanceChange(id: clearance.id, clearance: clearance))
        let network = changed.network
        let own = Set(network.map { $0.clearances(withID: clearance.$id) } ?? [])
        let road = network.flatMap { network in
            network.limitedEdges.first { own.contains($0.clearance) }.flatMap { network.title($0.edge) }
        }
        let settings = map.settings
        return ClearancePreview(
            outcome: change?.registration?.outcome ?? .monitoring(note: nil), network: network, road: road,
            verdict: clearance.reading.verdict(height: height, legalDefault: settings.heights.legalDefault),
            approaches: network.map { approaches(to: own, on: $0, height: height) } ?? [])
    }

    private func approaches(to own: Set<ClearanceID>, on network: RoadNetwork, height: Centimetres) -> [Approach] {
        var tables = map.derived?.tables
        let former = tables?.known(height).map { [$0.low.table] } ?? []
        let table = HazardTable(network, height: height, map.settings, from: former)
        return table.approaches(network, alertDistance: map.settings.alerts.distance).filter { approach in
            !own.isDisjoint(with: approach.hazard.clearances)
        }
    }
}

extension Engine {
    /// What a changed clearance would lead to is worked out from this.
    public var clearancePreviewSource: ClearancePreviewSource { ClearancePreviewSource(map: map.parts) }
}

extension RoadNetwork {
    /// More than one where the directions of a way differ.
    fileprivate func clearances(withID id: BytewiseText) -> [ClearanceID] {
        (0..<clearanceCount).map { ClearanceID($0) }.filter { clearance($0).$id == id }
    }
}
