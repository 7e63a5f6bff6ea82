import CRabbitMQ

/// What RabbitMQ or librabbitmq did not do.
package struct RabbitMQError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// Settings that no connection can be made with.
        case settings
        /// No connection could be made.
        case unreachable
        /// The certificate is not to be trusted, or the port does not speak TLS.
        case tls
        /// The server is there and does not let this client in.
        case refused
        /// The connection that there was is lost: what was not acknowledged is delivered again, what was not confirmed may
        /// or may not have been taken.
        case lost
        /// The same, over an error of the server's own: most often it has a message that it cannot deliver.
        case serverFailed
        /// The server closed a channel; the connection goes on.
        ///
        /// - code: AMQP's, such as 404 for what does not exist and 406 for what is declared otherwise.
        case channel(code: Int)
    }

    package static let notFound = Kind.channel(code: Int(AMQP_NOT_FOUND))
    package static let preconditionFailed = Kind.channel(code: Int(AMQP_PRECONDITION_FAILED))

    package var kind: Kind
    /// One line, in the server's or the library's words.
    package var reason: String

    package init(_ kind: Kind, _ reason: String) {
        (self.kind, self.reason) = (kind, reason)
    }

    /// What can be done about it.
    package var remedy: String {
        switch kind {
        case .settings: "Correct the setting that is named"
        case .unreachable: "Check that RabbitMQ runs, and its host, port and firewall; try again after a pause"
        case .tls: "Check the CA file, the certificate's names and dates, and that the port speaks TLS"
        case .refused: "Check the user, the password and the permissions on the virtual host"
        case .lost: "Connect again after a pause; what was not acknowledged comes again"
        case .serverFailed:
            "See RabbitMQ's log; where it says method_field_shortstr_overflow, a message was published to a topic of more than 255 bytes"
        case Self.notFound: "Declare it: headroom cluster plan --apply"
        case Self.preconditionFailed:
            "It is declared with other arguments: delete it when it is empty, and declare it again with headroom cluster plan --apply"
        case .channel: "Open the channel again; see RabbitMQ's log"
        }
    }

    package var description: String { "\(reason)\(reason.hasSuffix(".") ? "" : ".") \(remedy)." }

    /// From one of librabbitmq's return codes.
    init(returned code: CInt, by action: String) {
        let text = String(cString: amqp_error_string2(code))
        switch code {
        case AMQP_STATUS_SSL_ERROR.rawValue, AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED.rawValue,
            AMQP_STATUS_SSL_PEER_VERIFY_FAILED.rawValue, AMQP_STATUS_SSL_CONNECTION_FAILED.rawValue:
            self.init(.tls, "\(action): \(text)")
        default: self.init(.lost, "\(action): \(text)")
        }
    }

    static func check(_ code: CInt, _ action: @autoclosure () -> String) throws(RabbitMQError) {
        if code != AMQP_STATUS_OK.rawValue { throw RabbitMQError(returned: code, by: action()) }
    }
}
