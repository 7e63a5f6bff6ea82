import Geo
import Messages

extension Fix {
    /// Where a device does not say: most receivers are this good under open sky.
    static let accuracyAssumed: Metres = 8

    /// Radius of the 68 % circle, as reported, else as assumed.
    var accuracyOrAssumed: Metres { accuracy ?? Self.accuracyAssumed }
}
