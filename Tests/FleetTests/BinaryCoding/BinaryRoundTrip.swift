import BinaryCoding

@testable import Fleet

extension BinaryCodable {
    var encoded: [UInt8] {
        var encoder = BinaryEncoder()
        encode(to: &encoder)
        return encoder.bytes
    }

    /// Encoded and decoded, as for a gateway that starts again.
    func roundTripped() throws -> Self {
        try encoded.withUnsafeBytes { bytes in
            var decoder = BinaryDecoder(bytes)
            let value = try decoder.decode(Self.self)
            try decoder.finish()
            return value
        }
    }
}
