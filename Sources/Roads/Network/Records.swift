import Clearances

// The rows of a road file's tables: plain memory, little-endian, aligned to 8 bytes. Changing one means a new
// `RoadFile.version`.

struct NodeRecord: BitwiseCopyable {
    var osm: Int64
    /// In 1e-7 degrees, as OSM has them.
    var latitude: Int32
    var longitude: Int32
}

struct TextRecord: BitwiseCopyable {
    var offset: UInt32
    var length: UInt32
}

/// Rows of another table that belong to one row of this.
struct ListRecord: BitwiseCopyable {
    var start: UInt32
    var count: UInt32

    var range: Range<UInt32> { start..<(start + count) }
}

struct WayRecord: BitwiseCopyable {
    var osm: Int64
    var name: TextRecord
    var number: TextRecord
    /// m/s
    var usualSpeed: Float
    var roadClass: UInt8
    var flags: UInt8
    var layer: Int8
    var reserved: UInt8 = 0

    static let isLink: UInt8 = 1
    static let isBridge: UInt8 = 2
    static let isRoundabout: UInt8 = 4
    static let destinationOnly: UInt8 = 8
}

struct EdgeRecord: BitwiseCopyable {
    var from: UInt32
    var to: UInt32
    var way: UInt32
    var shape: UInt32
    /// The edge that runs the other way along the same shape; `none` on a one-way.
    var reverse: UInt32
    /// Itself, or the edge that this one is a shadow of (see `TurnTable`).
    var original: UInt32
    /// Metres.
    var length: Float
    /// Degrees, leaving the first point and arriving at the last.
    var startBearing: Float
    var endBearing: Float
    var flags: UInt32

    static let none = UInt32.max
    /// The shape's points are in the opposite order.
    static let againstShape: UInt32 = 1
    /// To start or to end on only, by a barrier on it or by its direction's access.
    static let restricted: UInt32 = 2
    /// Closed to trucks, on a way that is open to them in the other direction. Files of earlier programs do not have it.
    static let closed: UInt32 = 4
    /// Of a reversible road. Files of earlier programs do not have it.
    static let reversible: UInt32 = 8
}

struct ShapeRecord: BitwiseCopyable {
    var start: UInt32
    var count: UInt32
}

struct PointRecord: BitwiseCopyable, Equatable {
    var latitude: Int32
    var longitude: Int32
}

struct ClearanceRecord: BitwiseCopyable {
    var id: TextRecord
    var name: TextRecord
    var posted: TextRecord
    var source: TextRecord
    var point: PointRecord
    /// Centimetres, or one of the two below.
    var limit: Int32
    /// See `ClearanceStatus`.
    var structure: UInt32
    var date: TextRecord
    /// In the tables of the same names.
    var approaches: ListRecord
    var detours: ListRecord
    /// 1 where it was placed by its position, as those from elsewhere than the map are.
    var isPoint: UInt32

    static let unknown: Int32 = -1
    static let legalDefault: Int32 = -2
}

/// One clearance limits one edge.
struct LimitRecord: BitwiseCopyable {
    var edge: UInt32
    var clearance: UInt32
}

/// Where a bridge of a higher layer crosses a shape, however many roads the bridge itself carries; sorted by shape.
struct CrossingRecord: BitwiseCopyable {
    var shape: UInt32
    var point: PointRecord
}

/// The shapes that touch one cell of the grid: `items[start ..< next cell's start]`.
struct CellRecord: BitwiseCopyable {
    var key: UInt64
    var start: UInt32
    var reserved: UInt32 = 0
}
