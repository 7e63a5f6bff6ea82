/// A setting the console cannot start with.
package enum ConsoleSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Authentication is in force and there is no tokens file.
    case tokensNeeded(host: String)
    case tokensUnreadable(file: String)
    /// `line` counts from 1.
    case tokensLine(file: String, line: Int, problem: String)
    case tokensEmpty(file: String)
    case certificateUnreadable(file: String)
    case keyUnreadable(file: String)
    case keyOfAnotherCertificate(certificate: String, key: String)
    /// A file of the program's own is not there.
    case documentUnreadable(file: String)

    package var description: String {
        switch self {
        case .tokensNeeded(let host):
            "console.tokens_file: listening on \(host) needs tokens; name a file of lines `viewer TOKEN` and "
                + "`editor TOKEN`, or set console.auth to none"
        case .tokensUnreadable(let file): "\(file): cannot be read"
        case .tokensLine(let file, let line, let problem): "\(file):\(line): \(problem)"
        case .tokensEmpty(let file): "\(file): expected lines `viewer TOKEN` and `editor TOKEN`, got none"
        case .certificateUnreadable(let file):
            "console.tls.cert_file: expected a certificate chain in PEM, got \(file), which cannot be read as one"
        case .keyUnreadable(let file):
            "console.tls.key_file: expected a private key in PEM without a passphrase, got \(file), which cannot be read as one"
        case .keyOfAnotherCertificate(let certificate, let key):
            "console.tls.key_file: expected the key of \(certificate), got \(key), which belongs to another certificate"
        case .documentUnreadable(let file):
            "\(file): cannot be read; install Headroom_Console.resources beside the program, as the build makes it"
        }
    }
}

/// A port of the console's could not be had: most often another program, or another gateway, listens on it.
package struct PortUnavailableError: Error, Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: Int
    /// What the system said, such as `Address already in use`.
    package var reason: String

    /// Which says host and port.
    package var setting: String

    package init(host: String, port: Int, reason: String, setting: String = "console.listen") {
        self.host = host
        self.port = port
        self.reason = reason
        self.setting = setting
    }

    package var description: String {
        let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        return "cannot listen on \(authority): \(reason); free the port or set another \(setting)"
    }
}
