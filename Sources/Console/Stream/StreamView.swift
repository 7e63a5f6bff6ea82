import Geo

/// What one who looks on has before him.
struct StreamView: Hashable {
    /// Nil: all the earth.
    var bounds: Bounds?
    /// The zoom of a map with tiles of 512 pixels, as MapLibre's.
    var zoom: Int
}
