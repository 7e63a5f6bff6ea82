public import Geo

/// The importance of a road, from `highway`; a link has the class of its road.
public enum RoadClass: UInt8, CaseIterable, Sendable {
    case service = 1
    case livingStreet, road, residential, unclassified, tertiary, secondary, primary, trunk, motorway

    /// Nil where `highway` is nothing that a truck drives on.
    public init?(highway: String) {
        switch highway {
        case "service": self = .service
        case "living_street": self = .livingStreet
        case "road": self = .road
        case "residential": self = .residential
        case "unclassified": self = .unclassified
        case "tertiary", "tertiary_link": self = .tertiary
        case "secondary", "secondary_link": self = .secondary
        case "primary", "primary_link": self = .primary
        case "trunk", "trunk_link": self = .trunk
        case "motorway", "motorway_link": self = .motorway
        default: return nil
        }
    }

    /// Speed that traffic usually drives where no limit is tagged: rounded medians of urban and rural practice,
    /// close to the defaults that open routers ship for cars.
    public func usualSpeed(isLink: Bool) -> MetresPerSecond {
        let kilometresPerHour: Double =
            switch self {
            case .service: 15
            case .livingStreet: 10
            case .road: 35
            case .residential: 30
            case .unclassified: 45
            case .tertiary: isLink ? 35 : 50
            case .secondary: isLink ? 40 : 60
            case .primary: isLink ? 45 : 70
            case .trunk: isLink ? 55 : 85
            case .motorway: isLink ? 60 : 110
            }
        return kilometresPerHour / 3.6
    }
}
