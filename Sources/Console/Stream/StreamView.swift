import Geo
import Messages

/// What one who looks on has before him.
struct StreamView: Hashable {
    /// Nil: all the earth.
    var bounds: Bounds?
    /// The zoom of a map with tiles of 512 pixels, as MapLibre's.
    var zoom: Int
    /// Of distances in texts.
    var units = UnitSystem.metric
}
