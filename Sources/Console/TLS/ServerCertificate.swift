import HummingbirdTLS
import NIOCore
import NIOSSL
import Synchronization

/// The console's certificate and its key, as they were last read. Connections that begin after a reload get the new pair;
/// those that are open keep theirs.
package final class ServerCertificate: Sendable {
    private let files: ConsoleSettings.TLS
    private let pair: Mutex<NIOSSLContextConfigurationOverride>

    /// - Throws: `ConsoleSettingsError` where a file cannot be read, or the key does not belong to the certificate.
    init(_ files: ConsoleSettings.TLS) throws(ConsoleSettingsError) {
        self.files = files
        pair = Mutex(try Self.read(files))
    }

    /// Reads the files again.
    ///
    /// - Throws: `ConsoleSettingsError`; the pair in force stays.
    package func reload() throws(ConsoleSettingsError) {
        let new = try Self.read(files)
        pair.withLock { $0 = new }
    }

    /// TLS 1.2 and newer. The pair is chosen anew for each connection.
    var configuration: TLSConfiguration {
        let first = pair.withLock(\.self)
        var configuration = Self.configuration(first)
        configuration.sslContextCallback = { [self] _, promise in promise.succeed(pair.withLock(\.self)) }
        return configuration
    }

    private static func configuration(_ pair: NIOSSLContextConfigurationOverride) -> TLSConfiguration {
        guard let chain = pair.certificateChain, let key = pair.privateKey else {
            preconditionFailure("read sets both")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    private static func read(
        _ files: ConsoleSettings.TLS
    ) throws(ConsoleSettingsError) -> NIOSSLContextConfigurationOverride {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(files.certificate), !chain.isEmpty else {
            throw .certificateUnreadable(file: files.certificate)
        }
        guard let key = try? NIOSSLPrivateKey(file: files.key, format: .pem) else {
            throw .keyUnreadable(file: files.key)
        }
        var pair = NIOSSLContextConfigurationOverride()
        pair.certificateChain = chain.map { .certificate($0) }
        pair.privateKey = .privateKey(key)
        guard (try? NIOSSLContext(configuration: configuration(pair))) != nil else {
            throw .keyOfAnotherCertificate(certificate: files.certificate, key: files.key)
        }
        return pair
    }
}
