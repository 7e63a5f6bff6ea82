import COpenSSL

/// The hash function SHA-256 (FIPS 180-4), as OpenSSL has it.
package enum SHA256 {
    private static let byteCount = Int(SHA256_DIGEST_LENGTH)

    /// - Returns: 32 bytes.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
            guard COpenSSL.SHA256(message, message.count, digest.baseAddress) != nil else {
                preconditionFailure("expected OpenSSL to compute SHA-256, got nothing")
            }
            count = byteCount
        }
    }

    /// The message authentication code HMAC-SHA256 (RFC 2104).
    ///
    /// - Returns: 32 bytes.
    package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
            let made = HMAC(
                EVP_sha256(), key, Int32(key.count), message, message.count, code.baseAddress, nil)
            guard made != nil else { preconditionFailure("expected OpenSSL to compute HMAC-SHA256, got nothing") }
            count = byteCount
        }
    }
}

extension [UInt8] {
    /// Whether both have the same bytes, found out in a time that depends on their number alone.
    package func isEqualInConstantTime(to other: [UInt8]) -> Bool {
        count == other.count && CRYPTO_memcmp(self, other, count) == 0
    }
}
