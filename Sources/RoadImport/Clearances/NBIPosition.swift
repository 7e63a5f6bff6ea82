import Geo

/// Items 16 and 17: `DDMMSSss` north and `DDDMMSSss` west, to hundredths of a second, without a sign.
struct NBIPosition {
    let coordinate: Coordinate

    /// Where the inventory's structures stand. A number that lost a digit falls outside.
    private static let latitudes: ClosedRange<Degrees> = 13...72
    private static let longitudes: ClosedRange<Degrees> = 64...180
    /// Guam and the Northern Marianas lie east.
    private static let easternStates: Set<String> = ["66", "69"]

    /// - Parameter state: FIPS code in two digits.
    init(latitude: String, longitude: String, state: String) throws(RowError) {
        guard latitude.count == 8 else { throw RowError(.position, "item 016 is \(latitude)") }
        // Where the leading zero of a number is gone, the range still tells 080°49' from a number cut short.
        let padded = longitude.count == 8 ? "0\(longitude)" : longitude
        guard padded.count == 9 else { throw RowError(.position, "item 017 is \(longitude)") }
        let north = try Self.degrees(latitude)
        let west = try Self.degrees(padded)
        guard Self.latitudes.contains(north), Self.longitudes.contains(west) else {
            throw RowError(.positionRange, "\(latitude) north, \(longitude) west")
        }
        coordinate = Coordinate(latitude: north, longitude: Self.easternStates.contains(state) ? west : -west)
    }

    /// The last six digits are minutes, seconds and hundredths.
    private static func degrees(_ text: String) throws(RowError) -> Degrees {
        guard text.allSatisfy(\.isASCIIDigit), let digits = Int(text) else { throw RowError(.position, text) }
        let (minutes, hundredths) = (digits / 10_000 % 100, digits % 10_000)
        guard minutes < 60, hundredths < 6000 else { throw RowError(.sexagesimal, text) }
        let total = (digits / 1_000_000 * 60 + minutes) * 6000 + hundredths
        return Degrees(total) / 360_000
    }
}
