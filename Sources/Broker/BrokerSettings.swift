internal import Foundation
package import MQTT

/// Where the broker is and how to speak to it.
package struct BrokerSettings: Hashable, Sendable {
    /// The versions of MQTT, as they are written.
    package enum ProtocolVersion: String, Hashable, Sendable, CaseIterable {
        case v5 = "5"
        case v311 = "3.1.1"
    }

    /// Files in PEM. TLS 1.2 or newer is spoken, and the host's name must be in its certificate.
    package struct TLS: Hashable, Sendable {
        /// Nil: the authorities that the system trusts.
        package var caFile: String?
        /// The client's own certificate; needs a key file and a CA file.
        package var certFile: String?
        package var keyFile: String?

        package init(caFile: String? = nil, certFile: String? = nil, keyFile: String? = nil) {
            self.caFile = caFile
            self.certFile = certFile
            self.keyFile = keyFile
        }
    }

    /// A name or an address, IPv6 without brackets.
    package var host: String
    package var port: Int
    /// Whether the connection is encrypted.
    package var usesTLS = false
    /// In force where the connection is encrypted.
    package var tls = TLS()
    package var username: String?
    package var password: Secret?
    /// Names the session; two clients of one id throw each other out.
    package var clientID: String
    package var protocolVersion: ProtocolVersion = .v5
    /// After how much silence of this client the broker is told that it is still there; after one and a half times as much the
    /// broker gives the connection up. `5 ... 65535`. `Silence` says when this client gives up the broker.
    package var keepAliveSeconds = 60
    /// How long the broker keeps the session after the connection ended. A day: fixes older than that are thrown away.
    /// MQTT 3.1.1 has no such setting and leaves it to the broker.
    package var sessionExpirySeconds: UInt32 = 86_400
    /// Whether each connection begins without what the broker kept from the one before.
    package var cleanStart = false
    /// What the broker publishes when this client is gone without a word; its payload is at most 65,535 bytes.
    package var will: Publication?
    /// How many messages the inbox holds before reading stops; at least 1.
    package var inboxLimit = Limits.inboxMessages
    /// How long a connection may take to come about, names, TLS and all.
    package var connectTimeout: Duration = .seconds(10)

    package init(host: String = "127.0.0.1", port: Int = 1883, clientID: String = "headroom") {
        self.host = host
        self.port = port
        self.clientID = clientID
    }

    /// Throws where libmosquitto or the protocol could do nothing sensible with these settings.
    func validate() throws(BrokerError) {
        func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(BrokerError) {
            if !condition { throw BrokerError(.settings, text()) }
        }
        try require(!clientID.isEmpty, "The client id is empty: it names the session")
        try require((1...65_535).contains(port), "Expected a port of 1 to 65535, got \(port)")
        try require(
            (5...65_535).contains(keepAliveSeconds), "Expected a keep-alive of 5 to 65535 s, got \(keepAliveSeconds) s")
        try require(inboxLimit > 0, "An inbox of \(inboxLimit) messages holds nothing")
        try require(password == nil || username != nil, "There is a password but no username")
        try require(
            (will?.payload.count ?? 0) <= Limits.stringBytes, "The will is longer than \(Limits.stringBytes) bytes")
        guard usesTLS else { return }
        try require((tls.certFile == nil) == (tls.keyFile == nil), "A certificate file and a key file go together")
        try require(tls.certFile == nil || tls.caFile != nil, "A client certificate needs a CA file as well")
        for file in [tls.caFile, tls.certFile, tls.keyFile].compactMap(\.self) {
            try require(FileManager.default.isReadableFile(atPath: file), "\(file) cannot be read")
        }
    }
}
