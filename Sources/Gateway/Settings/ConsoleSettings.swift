extension Settings {
    /// The dashboard and the API over HTTP.
    public struct Console: Hashable, Sendable {
        /// When a request needs a token.
        public enum Authentication: String, CaseIterable, Sendable {
            /// Where the console listens beyond loopback.
            case remote
            case required
            case none
        }

        public var listen: NetworkAddress
        /// Further names under which people and proxies reach the console.
        public var names: [String]
        public var auth: Authentication
        public var tokensFile: String?

        /// Whether a request needs a token.
        public var needsToken: Bool {
            auth == .required || (auth == .remote && !listen.isLoopback)
        }

        init(_ read: inout SettingsReader) {
            read.section("console", "The dashboard and the API, over HTTP.")
            listen = read(
                "console.listen", .listenAddress, default: "127.0.0.1:8080",
                "0.0.0.0:8080 listens on every interface; port 0 picks a free one.")
            names = read(
                "console.names", .list(of: .text, example: "[trucks.example]"), default: "",
                "Further names under which people and proxies reach it; others are refused.")
            auth = read(
                "console.auth", .oneOf, default: "remote",
                "When a request needs a token: remote, where it listens beyond loopback; required, always; none, never."
            )
            tokensFile = read(
                "console.tokens_file", .optional(.file), default: "",
                "Lines of a role, viewer (reads) or editor (changes), and a token.")
        }

        func requireSense(_ read: inout SettingsReader) {
            let isRequired = auth == .required
            let reason = isRequired ? "console.auth is required" : "\(listen) can be reached from elsewhere"
            let other = isRequired ? "console.auth: remote" : "console.listen: \"127.0.0.1:\(listen.port)\""
            read.require(
                !needsToken || tokensFile != nil, of: "console.auth", and: "console.listen", "console.tokens_file",
                wrong: "the console asks for a token, as \(reason), but nobody has one",
                right: "write console.tokens_file, or \(other)")
        }
    }

    /// What is logged.
    public struct Log: Hashable, Sendable {
        public enum Level: String, CaseIterable, Sendable {
            case trace, debug, info, notice, warning, error, critical
        }

        public var level: Level

        init(_ read: inout SettingsReader) {
            read.section("log", "What is logged, on standard error.")
            level = read(
                "log.level", .oneOf, default: "info",
                "The least important that is: trace, debug, info, notice, warning, error or critical.")
        }
    }
}
