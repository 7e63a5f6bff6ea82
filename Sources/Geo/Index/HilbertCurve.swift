/// The order of the Hilbert curve (Hilbert 1891): what is near each other along it is near each other on the map, so that
/// neighbours lie together in memory.
public enum HilbertCurve {
    /// How far along the curve a cell of a square of 2^32 by 2^32 lies; the upper bits alone are the place of a larger cell.
    public static func distance(x: UInt32, y: UInt32) -> UInt64 {
        var (x, y, distance) = (x, y, UInt64(0))
        var side: UInt32 = 1 << 31
        while side > 0 {
            let (right, up): (UInt64, UInt64) = (x & side > 0 ? 1 : 0, y & side > 0 ? 1 : 0)
            distance = distance << 2 | ((3 * right) ^ up)
            // The curve in this quarter is turned, so that it joins those in the quarters beside it.
            if up == 0 {
                if right == 1 { (x, y) = (~x, ~y) }
                (x, y) = (y, x)
            }
            side /= 2
        }
        return distance
    }
}
