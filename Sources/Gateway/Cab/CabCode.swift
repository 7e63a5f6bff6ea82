import Cryptography
import Foundation
package import Messages
package import Store

/// A code that a phone exchanges, once and soon, for a token of one vehicle.
///
/// It is signed and not stored: `headroom cab link` can make one beside a gateway that runs. Its text is base64url (RFC 4648
/// §5) of 8 bytes of milliseconds, a nonce of 8 bytes, the first 16 bytes of HMAC-SHA256 over all the rest, and the vehicle's
/// id.
package struct CabCode: Hashable, Sendable {
    /// How long a code can be exchanged: as long as it takes to walk to the truck.
    package static let validFor: Double = 600
    private static let nonceBytes = 8
    private static let signatureBytes = 16
    private static let headBytes = 8 + nonceBytes + signatureBytes

    package let vehicle: VehicleID
    package let expiresAt: Timestamp
    let nonce: [UInt8]

    /// - Parameter now: when it is made.
    package init(vehicle: VehicleID, at now: Timestamp) {
        self.vehicle = vehicle
        expiresAt = now.adding(Self.validFor)
        nonce = (0..<Self.nonceBytes).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// - Returns: nil where the text is no code that was signed with `secret`.
    package init?(_ text: String, secret: CabSecret) {
        guard text.utf8.count <= 512, let bytes = Base64URL.bytes(text), bytes.count > Self.headBytes,
            let vehicle = VehicleID(String(decoding: bytes[Self.headBytes...], as: UTF8.self))
        else { return nil }
        let milliseconds = bytes[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        self.vehicle = vehicle
        expiresAt = Timestamp(milliseconds: Int64(truncatingIfNeeded: milliseconds))
        nonce = Array(bytes[8..<8 + Self.nonceBytes])
        let signature = Array(bytes[8 + Self.nonceBytes..<Self.headBytes])
        guard signature.isEqualInConstantTime(to: self.signature(secret)) else { return nil }
    }

    package func text(secret: CabSecret) -> String {
        Base64URL.text(head + signature(secret) + Array(vehicle.text.utf8))
    }

    private var head: [UInt8] {
        let milliseconds = UInt64(bitPattern: expiresAt.milliseconds)
        return (0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> (56 - 8 * UInt64($0))) } + nonce
    }

    private func signature(_ secret: CabSecret) -> [UInt8] {
        let signed = head + Array(vehicle.text.utf8)
        return Array(SHA256.authenticationCode(of: signed, key: secret.bytes).prefix(Self.signatureBytes))
    }
}

/// What a gateway signs its codes with; kept in its store.
package struct CabSecret: Hashable, Sendable {
    /// Of the fact in the store that holds it.
    static let key = "cab-secret"
    private static let count = 32

    let bytes: [UInt8]

    /// That of the gateway whose store it is.
    ///
    /// - Returns: nil where no gateway has begun with this store yet.
    package init?(_ store: StoreReader) throws(StoreError) { self.init(stored: try store.meta(Self.key)) }

    init() { bytes = (0..<Self.count).map { _ in UInt8.random(in: .min ... .max) } }

    /// - Parameter stored: as the store has it; nil where it is none.
    init?(stored: String?) {
        guard let bytes = stored.flatMap(Base64URL.bytes), bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    var stored: String { Base64URL.text(bytes) }
}

/// Base64 for addresses, without padding (RFC 4648 §5).
enum Base64URL {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map { Array($0) }
    }
}
