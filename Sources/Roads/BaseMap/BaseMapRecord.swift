import Geo

/// One feature at one level; sorted by level, then by key.
struct BaseMapRecord: BitwiseCopyable {
    /// See `BaseMapFeature.Source.key`.
    var key: Int64
    /// Where its points begin in `baseMapShapes`, and how many bytes they take.
    var offset: UInt64
    var length: UInt32
    var kind: UInt8
    var level: UInt8
    var reserved: UInt16 = 0
    var name: TextRecord
    var low: PointRecord
    var high: PointRecord

    var box: Bounds {
        let (low, high) = (Coordinate(low), Coordinate(high))
        return Bounds(south: low.latitude, west: low.longitude, north: high.latitude, east: high.longitude)
    }
}
