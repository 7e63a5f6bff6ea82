/// Where RabbitMQ is and how to speak AMQP 0-9-1 to it.
package struct RabbitMQSettings: Hashable, Sendable {
    /// Files in PEM. TLS 1.2 or newer is spoken, and the host's name must be in its certificate.
    package struct TLS: Hashable, Sendable {
        package var caFile: String
        /// The client's own certificate, and its key; both or none.
        package var certFile: String?
        package var keyFile: String?

        package init(caFile: String, certFile: String? = nil, keyFile: String? = nil) {
            (self.caFile, self.certFile, self.keyFile) = (caFile, certFile, keyFile)
        }
    }

    /// A name or an address, IPv6 without brackets.
    package var host: String
    package var port: Int
    /// Nil: the connection is not encrypted.
    package var tls: TLS?
    package var user: String
    package var virtualHost = "/"
    /// After this long without a byte of its own each side sends one. RabbitMQ 3.10 gives a silent client up after three times
    /// as long (11.9 s were measured with 4): 3 s let a queue whose owner froze have another owner within 10 s.
    package var heartbeatSeconds = 3
    /// How long the socket, TLS and the login may take, each; and how long an answer may, such as to a declaration.
    package var timeout: Duration = .seconds(10)

    package init(host: String = "127.0.0.1", port: Int = 5672, user: String = "guest") {
        (self.host, self.port, self.user) = (host, port, user)
    }
}
