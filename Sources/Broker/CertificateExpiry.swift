import CMosquitto
import Glibc

/// Until when X.509 certificates are valid (RFC 5280 §4.1.2.5).
package enum CertificateExpiry {
    /// The first end among the certificates of a PEM file, in seconds since 1970; nil: there is none that can be read.
    package static func earliest(inFile path: String) -> Int? {
        guard let file = OpenSSL.openFile?(path, "r") else { return nil }
        defer { _ = OpenSSL.closeFile?(file) }
        var earliest: Int?
        while let certificate = OpenSSL.readCertificate?(file, nil, nil, nil) {
            guard let end = take(certificate) else { continue }
            earliest = min(earliest ?? end, end)
        }
        return earliest
    }

    /// Reads a certificate, and frees it.
    static func take(_ certificate: OpenSSL.Object) -> Int? {
        defer { OpenSSL.freeCertificate?(certificate) }
        var parts = tm()
        guard let end = OpenSSL.notAfter?(certificate), OpenSSL.timeParts?(end, &parts) == 1 else { return nil }
        return timegm(&parts)
    }
}

extension BrokerConnection {
    /// Until when the broker's certificate is valid, in seconds since 1970; nil: the connection is not encrypted, or there is none.
    package var certificateExpiry: Int? {
        assertOwner()
        return client.peerCertificate.flatMap(CertificateExpiry.take)
    }
}
