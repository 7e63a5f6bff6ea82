import Cryptography
import Testing

/// OpenSSL is asked rightly.
struct SHA256Tests {
    @Test(
        "Digests are those of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func digest(message: String, digest: String) {
        #expect(Self.hexadecimal(SHA256.digest(of: Array(message.utf8))) == digest)
    }

    @Test(
        "Authentication codes are those of RFC 4231",
        arguments: [
            (
                Array(repeating: 0x0b as UInt8, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                Array(repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func authenticationCode(key: [UInt8], message: String, code: String) {
        #expect(Self.hexadecimal(SHA256.authenticationCode(of: Array(message.utf8), key: key)) == code)
    }

    @Test("Bytes are equal where all of them are, and as many")
    func equality() {
        #expect(([1, 2, 3] as [UInt8]).isEqualInConstantTime(to: [1, 2, 3]))
        #expect(!([1, 2, 3] as [UInt8]).isEqualInConstantTime(to: [1, 2, 4]))
        #expect(!([1, 2, 3] as [UInt8]).isEqualInConstantTime(to: [1, 2]))
        #expect(([] as [UInt8]).isEqualInConstantTime(to: []))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
