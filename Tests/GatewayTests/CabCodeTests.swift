import Foundation
import Messages
import Testing

@testable import Gateway

/// A code is worth something only as it was signed.
struct CabCodeTests {
    private static let now = Timestamp(milliseconds: 1_795_269_600_000)

    @Test("A code is read as it was made, for any id", arguments: ["T42", "Ä 7", String(repeating: "x", count: 64)])
    func roundTrip(id: String) throws {
        let (secret, vehicle) = (CabSecret(), try #require(VehicleID(id)))
        let code = CabCode(vehicle: vehicle, at: Self.now)
        let text = code.text(secret: secret)
        #expect(CabCode(text, secret: secret) == code)
        #expect(code.expiresAt == Self.now.adding(600))
        #expect(text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
        #expect(CabCode(text, secret: CabSecret()) == nil)
    }

    @Test("Whatever one bit of it is changed, it is no code")
    func forged() throws {
        let secret = CabSecret()
        let code = CabCode(vehicle: try #require(VehicleID("T42")), at: Self.now)
        let bytes = try #require(Base64URL.bytes(code.text(secret: secret)))
        for index in bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var forged = bytes
                forged[index] ^= 1 << bit
                #expect(CabCode(Base64URL.text(forged), secret: secret) == nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("What is no code at all is none", arguments: ["", "a", "AAAA", "%%%", String(repeating: "A", count: 1_000)])
    func nonsense(text: String) { #expect(CabCode(text, secret: CabSecret()) == nil) }

    @Test("A secret is kept as it is, and nothing else is one")
    func secret() {
        let secret = CabSecret()
        #expect(CabSecret(stored: secret.stored) == secret)
        for text in [nil, "", "AAAA", secret.stored + "A"] { #expect(CabSecret(stored: text) == nil) }
    }
}
