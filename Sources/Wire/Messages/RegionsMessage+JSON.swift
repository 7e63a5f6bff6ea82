import Geo
import Messages

extension JSONWriter {
    /// As the AsyncAPI document describes it.
    mutating func members(of regions: RegionsMessage, _ vehicle: VehicleID, publishedAt: Timestamp) {
        member("id", regions.id)
        member("sequence", 1)
        member("type", "regions")
        member("vehicle", vehicle.text)
        member("time", regions.time)
        member("published_at", publishedAt)
        member("version", regions.version)
        member("limit", regions.limit)
        member("regions", each: regions.regions) { writer, region in
            writer.object { $0.members(of: region) }
        }
        member("added", each: regions.added) { $0.string($1) }
        member("removed", each: regions.removed) { $0.string($1) }
    }

    private mutating func members(of region: Region) {
        member("id", region.id)
        position(region.circle.center)
        member("radius", region.circle.radius, decimals: 1)
        member("kind", region.kind.rawValue)
    }
}
