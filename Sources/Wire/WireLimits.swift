package import Geo

/// Every limit on what comes in by message, with its reason; past it the message, or the part of it, is rejected.
package enum WireLimits {
    /// A buffered upload of 1,700 full fixes, half an hour at one a second; more comes in several messages. `tooLarge`.
    package static let payloadBytes = 256 * 1024
    /// More than fit into a payload with both coordinates to a metre; bounds what one message makes the engine do.
    /// `tooLarge`.
    package static let fixes = 10_000
    /// GeoJSON needs nine levels; a hundred levels of brackets are an attack. `malformedJSON`.
    package static let nestingDepth = 64
    /// Four named levels of 64 characters of four bytes, and a leaf. `unknownTopic`.
    package static let topicBytes = 1200
    /// A profile's source, a group's name: what fits a column on a screen. `outOfRange`.
    package static let nameCharacters = 64
    /// Ids of alerts, requests and regions: those from map data have under 40. `outOfRange`.
    package static let idCharacters = 128
    /// Groups of one vehicle, and the regions it could not watch: iOS watches 20. `tooLarge`.
    package static let listedNames = 100
    /// Across a continent, a point every hundred metres; more than a payload holds. `tooLarge`.
    package static let routePoints = 50_000
    /// A delivery round; each is a search over the road network. `tooLarge`.
    package static let waypoints = 100
    /// A fence of as many vertices as it may have, each on lines of its own with twenty digits a number; a million vertices
    /// have no place here.
    package static let featureBytes = 2 << 20
    /// A county's border has a few thousand; the next one is sought among them at every fix.
    package static let fenceVertices = Shape.verticesMax
    /// Groups, and vehicles, that one fence is for: more are a group.
    package static let fenceListedNames = 1000
    /// A fence's name: a line on a screen.
    package static let fenceNameCharacters = 200
    /// No road vehicle is taller; the tallest double-deck coaches have 4.6 m. `implausibleHeight`.
    package static let heightMetres: Metres = 6
    /// More than a metre is a height in the wrong member. `outOfRange`.
    package static let marginMetres: Metres = 1
    /// Ten years: keeps sums with a time within its range. `outOfRange`.
    package static let validitySeconds: Seconds = 3650 * 86_400
    /// A retained fix older than this says nothing about where the vehicle is.
    package static let retainedAgeSeconds: Seconds = 60
}
