import CMosquitto
import Glibc

/// What went wrong with the broker, and what can be done about it.
public struct BrokerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A return code of libmosquitto, which may add some, or one of this library's own, from 1,000 on.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        private init(_ code: mosq_err_t) { rawValue = code.rawValue }

        public static let invalidArgument = Code(MOSQ_ERR_INVAL)
        public static let notConnected = Code(MOSQ_ERR_NO_CONN)
        public static let connectionLost = Code(MOSQ_ERR_CONN_LOST)
        public static let tls = Code(MOSQ_ERR_TLS)
        public static let payloadSize = Code(MOSQ_ERR_PAYLOAD_SIZE)
        public static let systemCall = Code(MOSQ_ERR_ERRNO)
        public static let nameNotResolved = Code(MOSQ_ERR_EAI)
        public static let malformedUTF8 = Code(MOSQ_ERR_MALFORMED_UTF8)
        public static let keepAlive = Code(MOSQ_ERR_KEEPALIVE)
        public static let oversizePacket = Code(MOSQ_ERR_OVERSIZE_PACKET)
        public static let qosNotSupported = Code(MOSQ_ERR_QOS_NOT_SUPPORTED)
        public static let timedOut = Code(MOSQ_ERR_TIMEOUT)
        /// 1,000 publications wait for their acknowledgement.
        public static let windowFull = Code(rawValue: 1_000)
        /// Settings that no connection can be made with.
        public static let settings = Code(rawValue: 1_001)
    }

    public let code: Code
    /// What was tried and what came of it.
    public let message: String

    /// What can be done about it.
    public var remedy: String {
        switch code {
        case .settings, .invalidArgument, .malformedUTF8: "Correct the setting, topic or property that is named"
        case .notConnected: "Keep it and publish it once connected"
        case .windowFull: "Poll until acknowledgements have come, then publish on"
        case .payloadSize, .oversizePacket: "Send less at once, or raise the broker's max_packet_size"
        case .qosNotSupported: "Use a lower QoS with this broker"
        case .tls: "Check the CA file, the certificate's names and dates, and that the port speaks TLS"
        case .nameNotResolved: "Check the host in the broker's URL, and the name service"
        case .keepAlive, .connectionLost: "Connect again after a pause; the session is kept"
        case .timedOut, .systemCall:
            "Check that the broker runs, and its host, port and firewall; try again after a pause"
        default: "Connect again after a pause; see the broker's log"
        }
    }

    public var description: String {
        // libmosquitto ends its own sentences with a full stop, the system does not.
        "\(message)\(message.hasSuffix(".") ? "" : ".") \(remedy)."
    }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// From a return code; to be called at once, while `errno` still belongs to it.
    init(returned code: Int32, by action: String) {
        let text =
            code == MOSQ_ERR_ERRNO.rawValue ? strerror(errno) : UnsafeMutablePointer(mutating: mosquitto_strerror(code))
        self.init(Code(rawValue: code), "\(action): \(text.map { String(cString: $0) } ?? "error \(code)")")
    }

    /// Throws what a failed call of libmosquitto means.
    static func check(_ code: Int32, _ action: @autoclosure () -> String) throws(BrokerError) {
        if code != MOSQ_ERR_SUCCESS.rawValue { throw BrokerError(returned: code, by: action()) }
    }
}
