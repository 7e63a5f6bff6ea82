import Fleet
import Geo
import Messages

/// A round length and how long it is on the picture.
struct ScaleBar {
    private static let lengthMax = 200.0

    let words: String
    let length: Double

    /// - Parameter scale: picture units for each metre.
    init(_ scale: Double, _ units: UnitSystem) {
        let lengths = Self.lengths(units).filter { $0.metres * scale <= Self.lengthMax }
        let longest = lengths.last ?? Self.lengths(units)[0]
        words = longest.words
        length = longest.metres * scale
    }

    /// Ascending.
    private static func lengths(_ units: UnitSystem) -> [(words: String, metres: Metres)] {
        switch units {
        case .metric:
            [20, 50, 100, 200, 500].map { ("\($0) m", Metres($0)) }
                + [1, 2, 5, 10, 20, 50].map { ("\($0) km", Metres($0) * 1000) }
        case .imperial:
            [50, 100, 200, 500, 1_000].map { ("\($0.grouped) ft", Metres($0) * Unit.foot) }
                + [("¼ mi", Unit.mile / 4), ("½ mi", Unit.mile / 2)]
                + [1, 2, 5, 10, 20, 50].map { ("\($0) mi", Metres($0) * Unit.mile) }
        }
    }
}
