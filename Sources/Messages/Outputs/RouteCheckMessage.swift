public import Geo

/// The answer to a route: what is too low on the way that the vehicle is expected to take, and a way without it.
public struct RouteCheckMessage: Hashable, Sendable, Codable {
    /// A clearance on the expected way under which the vehicle does not fit.
    public struct Obstacle: Hashable, Sendable, Codable {
        public var clearance: AlertMessage.Clearance
        /// From the start of the expected way to the low edge.
        public var distance: Metres

        public init(clearance: AlertMessage.Clearance, distance: Metres) {
            self.clearance = clearance
            self.distance = distance
        }
    }

    public var id: String
    public var time: Timestamp
    /// Without the margin.
    public var vehicleHeight: Centimetres
    public var margin: Metres
    /// In the order in which they come.
    public var obstacles: [Obstacle]
    /// The expected way; nil where none is found: `text` says why.
    public var line: [Coordinate]?
    /// A way to the same place under nothing too low; nil where there is none, or none is known.
    public var safeLine: [Coordinate]?
    public var text: String

    public init(
        id: String, time: Timestamp, vehicleHeight: Centimetres, margin: Metres, obstacles: [Obstacle],
        line: [Coordinate]?, safeLine: [Coordinate]?, text: String
    ) {
        self.id = id
        self.time = time
        self.vehicleHeight = vehicleHeight
        self.margin = margin
        self.obstacles = obstacles
        self.line = line
        self.safeLine = safeLine
        self.text = text
    }
}
