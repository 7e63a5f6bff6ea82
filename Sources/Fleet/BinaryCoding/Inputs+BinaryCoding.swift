import BinaryCoding
import Geo
import Messages

extension VehicleAddress: BinaryRecord {
    static var placeholder: Self { VehicleAddress(vehicle: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&vehicle)
        try coder.code(&levels)
        try coder.code(&device)
    }
}

extension VehicleID: BinaryCodable {
    static let placeholder: Self = {
        guard let id = VehicleID("placeholder") else { preconditionFailure("It is a valid id.") }
        return id
    }()

    func encode(to encoder: inout BinaryEncoder) { encoder.append(text: text) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        guard let id = VehicleID(try decoder.text()) else { throw decoder.unreadable("a vehicle's id") }
        self = id
    }
}

extension Fix.Trigger: BinaryCodable {}

extension RegionKey: BinaryCodable {
    /// Before a key, which is written as a text: stores may hold fixes with a name in its place.
    private static let mark: Character = "\u{1}"

    func encode(to encoder: inout BinaryEncoder) {
        encoder.append(text: String(Self.mark) + String(hash, radix: 16))
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let text = try decoder.text()
        guard text.first == Self.mark else {
            self.init(text)
            return
        }
        guard let hash = UInt64(text.dropFirst(), radix: 16) else { throw decoder.unreadable("a region's key") }
        self.init(hash: hash)
    }
}

extension Fix: BinaryRecord {
    static var placeholder: Self { Fix(position: .placeholder, time: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&position)
        try coder.code(&time)
        try coder.code(&accuracy)
        try coder.code(&speed)
        try coder.code(&course)
        try coder.code(&altitude)
        try coder.code(&trigger)
        try coder.code(&region)
    }
}

extension HeightProfile: BinaryRecord {
    static var placeholder: Self { HeightProfile(height: nil) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&height)
        try coder.code(&margin)
        try coder.code(&source)
        try coder.code(&measuredAt)
        try coder.code(&validFor)
        var style = WrittenStyle(units: units, language: language)
        try coder.code(&style)
        (units, language) = (style.units, style.language)
        try coder.code(&groups)
    }
}

extension Consent.Status: BinaryCodable {}

extension Consent: BinaryRecord {
    static var placeholder: Self { Consent(.notDetermined) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&status)
        try coder.code(&isInUse)
    }
}

extension Presence: BinaryCodable {}
