import CMosquitto
import Glibc

/// What went wrong with the broker, and what can be done about it.
package struct BrokerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A return code of libmosquitto, which may add some, or one of this library's own, from 1,000 on.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        private init(_ code: mosq_err_t) { rawValue = code.rawValue }

        package static let invalidArgument = Code(MOSQ_ERR_INVAL)
        package static let notConnected = Code(MOSQ_ERR_NO_CONN)
        package static let connectionLost = Code(MOSQ_ERR_CONN_LOST)
        package static let tls = Code(MOSQ_ERR_TLS)
        package static let payloadSize = Code(MOSQ_ERR_PAYLOAD_SIZE)
        package static let systemCall = Code(MOSQ_ERR_ERRNO)
        package static let nameNotResolved = Code(MOSQ_ERR_EAI)
        package static let malformedUTF8 = Code(MOSQ_ERR_MALFORMED_UTF8)
        package static let keepAlive = Code(MOSQ_ERR_KEEPALIVE)
        package static let oversizePacket = Code(MOSQ_ERR_OVERSIZE_PACKET)
        package static let qosNotSupported = Code(MOSQ_ERR_QOS_NOT_SUPPORTED)
        package static let timedOut = Code(MOSQ_ERR_TIMEOUT)
        /// 1,000 publications wait for their acknowledgement.
        package static let windowFull = Code(rawValue: 1_000)
        /// Settings that no connection can be made with.
        package static let settings = Code(rawValue: 1_001)
        /// The broker closed the connection instead of accepting or refusing it.
        package static let notAccepted = Code(rawValue: 1_002)
    }

    package let code: Code
    /// What was tried and what came of it.
    package let message: String

    /// What can be done about it.
    package var remedy: String {
        switch code {
        case .settings, .invalidArgument, .malformedUTF8: "Correct the setting, topic or property that is named"
        case .notConnected: "Keep it and publish it once connected"
        case .windowFull: "Poll until acknowledgements have come, then publish on"
        case .payloadSize, .oversizePacket: "Send less at once, or raise the broker's max_packet_size"
        case .qosNotSupported: "Use a lower QoS with this broker"
        case .tls: "Check the CA file, the certificate's names and dates, and that the port speaks TLS"
        case .nameNotResolved: "Check the host in the broker's URL, and the name service"
        case .notAccepted:
            "Check that the port speaks what the broker's URL says, mqtt or mqtts, that the broker accepts the gateway's "
                + "certificate where it asks for one, and see the broker's log"
        case .keepAlive, .connectionLost: "Connect again after a pause"
        case .timedOut, .systemCall:
            "Check that the broker runs, and its host, port and firewall; try again after a pause"
        default: "Connect again after a pause; see the broker's log"
        }
    }

    package var description: String {
        // libmosquitto ends its own sentences with a full stop, the system does not.
        "\(message)\(message.hasSuffix(".") ? "" : ".") \(remedy)."
    }

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// From a return code; to be called at once, while `errno` still belongs to it.
    init(returned code: Int32, by action: String) {
        self.init(Code(rawValue: code), "\(action): \(Self.reason(of: code))")
    }

    private static func reason(of code: Int32) -> String {
        guard code == MOSQ_ERR_ERRNO.rawValue else { return String(cString: mosquitto_strerror(code)) }
        // A peer that closes in the middle, or during the TLS handshake, leaves no error number, which strerror calls Success.
        return errno == 0 ? "the connection was closed" : String(cString: strerror(errno))
    }

    /// Throws what a failed call of libmosquitto means.
    static func check(_ code: Int32, _ action: @autoclosure () -> String) throws(BrokerError) {
        if code != MOSQ_ERR_SUCCESS.rawValue { throw BrokerError(returned: code, by: action()) }
    }
}
