/// The tags that say something about roads: what a road file keeps of its map objects.
///
/// A tag that `RoadTags`, `MaxHeightTags`, `Barrier`, `TurnRestriction` or the builder comes to read belongs here as well.
enum SourceTags {
    private static let keys = Set(TruckAccess.keys).union([
        "highway", "area", "route", "bridge", "bridge:name", "tunnel", "layer", "junction", "oneway", "service",
        "maxspeed",
        "name", "ref", "railway", "waterway", "barrier", "locked", "type",
        "restriction",
        "restriction:hgv", "except", MaxHeightTags.checkDateKey, MaxHeightTags.lastEditKey,
    ])

    static func used(_ tags: [String: String]) -> [String: String] {
        tags.filter { keys.contains($0.key) || $0.key.hasPrefix("maxheight") }
    }
}
