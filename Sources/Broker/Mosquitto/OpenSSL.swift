import Glibc

/// The functions of OpenSSL that libmosquitto leaves its user in need of. libmosquitto has loaded the library; to link it here
/// as well would need its headers for these few.
enum OpenSSL {
    typealias Object = UnsafeMutableRawPointer

    /// Bytes that are decrypted and not yet read.
    static let pending = function("SSL_pending", as: (@convention(c) (Object?) -> CInt).self)

    static let peerCertificate = function("SSL_get1_peer_certificate", as: (@convention(c) (Object?) -> Object?).self)
    static let freeCertificate = function("X509_free", as: (@convention(c) (Object?) -> Void).self)
    static let notAfter = function("X509_get0_notAfter", as: (@convention(c) (Object?) -> Object?).self)
    static let timeParts = function(
        "ASN1_TIME_to_tm", as: (@convention(c) (Object?, UnsafeMutablePointer<tm>?) -> CInt).self)

    static let openFile = function(
        "BIO_new_file", as: (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Object?).self)
    static let closeFile = function("BIO_free", as: (@convention(c) (Object?) -> CInt).self)
    static let readCertificate = function(
        "PEM_read_bio_X509", as: (@convention(c) (Object?, Object?, Object?, Object?) -> Object?).self)

    /// The authorities that the system trusts, in one file; nil where there is none. `SSL_CERT_FILE` takes its place.
    static var trustedFile: String? {
        guard let path = variable("SSL_CERT_FILE") ?? defaultPath("X509_get_default_cert_file") else { return nil }
        return access(path, R_OK) == 0 ? path : nil
    }

    /// Folders of the same, a file each, named by its subject's hash. `SSL_CERT_DIR` takes their place.
    static var trustedDirectory: String? { variable("SSL_CERT_DIR") ?? defaultPath("X509_get_default_cert_dir") }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func defaultPath(_ name: String) -> String? {
        function(name, as: (@convention(c) () -> UnsafePointer<CChar>?).self)?().map { String(cString: $0) }
    }

    /// Nil where the library that is loaded has none of that name.
    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }
}
