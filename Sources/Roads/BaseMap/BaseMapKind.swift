/// What the base map shows; a lower one is drawn over a higher one where land overlaps.
public enum BaseMapKind: UInt8, CaseIterable, Sendable {
    case water = 0
    case wood, builtUp
    case river = 10
    case canal, railway
    /// Borders of countries, of states, of districts and of municipalities: `admin_level` 2, 4, 6 and 8.
    case country = 20
    case state, district, municipality
    case city = 30
    case town, village, suburb, hamlet

    public enum Shape: Sendable { case area, line, place }

    public var shape: Shape {
        switch self {
        case .water, .wood, .builtUp: .area
        case .river, .canal, .railway, .country, .state, .district, .municipality: .line
        case .city, .town, .village, .suburb, .hamlet: .place
        }
    }

    /// The zoom of a web map from which on it is shown: as far out as there is room for it.
    public var firstZoom: Int {
        switch self {
        case .water, .wood, .builtUp, .river, .country, .state, .city: 5
        case .district, .town: 8
        case .railway, .canal: 9
        case .village, .suburb, .municipality: 11
        case .hamlet: 13
        }
    }
}
