public import Geo

/// What the tags of one way say about driving on it; nil for ways that no truck drives on.
public struct RoadTags: Sendable {
    public enum Oneway: Sendable { case no, along, against }

    public var roadClass: RoadClass
    public var isLink: Bool
    public var isBridge: Bool
    public var isRoundabout: Bool
    public var oneway: Oneway
    /// Whether it is driven one way at some hours and the other way at others.
    public var isReversible: Bool
    /// Whether a truck may drive along the nodes' order; nil on a way that leads only against it.
    public var along: TruckAccess?
    /// The same against the nodes' order.
    public var against: TruckAccess?
    /// Whether the truck may only start or end here, whichever way it comes.
    public var destinationOnly: Bool
    public var layer: Int
    public var usualSpeed: MetresPerSecond
    public var name: String
    public var number: String

    public init?(_ tags: [String: String]) {
        guard let highway = tags["highway"], let roadClass = RoadClass(highway: highway) else { return nil }
        guard tags["area"] != "yes", !Self.isCarried(tags) else { return nil }
        let oneway = Self.oneway(tags, implied: roadClass == .motorway || tags["junction"] == "roundabout")
        let along: TruckAccess? = oneway == .against ? nil : TruckAccess(tags, forward: true) ?? .open
        let against: TruckAccess? = oneway == .along ? nil : TruckAccess(tags, forward: false) ?? .open
        let access = [along, against].compactMap { $0 }
        if access.allSatisfy({ $0 == .closed }) { return nil }
        (self.oneway, self.along, self.against) = (oneway, along, against)
        self.roadClass = roadClass
        isLink = highway.hasSuffix("_link")
        isBridge = tags["bridge"].map { $0 != "no" } ?? false
        isRoundabout = tags["junction"] == "roundabout" || tags["junction"] == "circular"
        isReversible = tags["oneway"] == "reversible"
        let restrictedService = ["parking_aisle", "driveway", "drive-through", "emergency_access"]
        let isRestrictedService = tags["service"].map(restrictedService.contains) ?? false
        destinationOnly = isRestrictedService || !access.contains(.open)
        layer = tags["layer"].flatMap { Int($0) } ?? Self.impliedLayer(tags)
        usualSpeed = tags["maxspeed"].flatMap(Self.speed) ?? roadClass.usualSpeed(isLink: isLink)
        name = tags["name"] ?? ""
        number = tags["ref"] ?? ""
    }

    /// Ferries and car trains that are tagged as part of the road: a truck does not drive there.
    private static func isCarried(_ tags: [String: String]) -> Bool {
        tags["route"] == "ferry" || tags["route"] == "shuttle_train"
    }

    private static func oneway(_ tags: [String: String], implied: Bool) -> Oneway {
        switch tags["oneway"] {
        case "yes", "true", "1": .along
        case "-1", "reverse": .against
        // Each direction is open at some hours, on a motorway too, or in turns at a signal.
        case "no", "false", "0", "reversible", "alternating": .no
        default: implied ? .along : .no
        }
    }

    private static func impliedLayer(_ tags: [String: String]) -> Int {
        if let bridge = tags["bridge"], bridge != "no" { return 1 }
        if let tunnel = tags["tunnel"], tunnel != "no" { return -1 }
        return 0
    }

    /// `50`, `30 mph`; nil for words and for what no truck drives.
    private static func speed(_ text: String) -> MetresPerSecond? {
        let digits = text.prefix(while: \.isNumber)
        guard let value = Double(digits), (5...150).contains(value) else { return nil }
        let unit = text.dropFirst(digits.count).filter { $0 != " " }
        return switch unit {
        case "", "km/h": value / 3.6
        case "mph": value * Unit.mile / 3600
        default: nil
        }
    }
}
