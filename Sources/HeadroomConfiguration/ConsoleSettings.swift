public import Console

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
        /// The folder of MapLibre GL JS, with which the page draws its map.
        public var maplibre: String
        /// A MapLibre style under the page's own layers.
        public var style: String?
        /// Raster tiles under the page's own layers: an address with `{z}`, `{x}` and `{y}`.
        public var tiles: String?
        /// What whoever made style or tiles wants to be named.
        public var attribution: String?

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
            maplibre = read(
                "console.maplibre", .folder, default: "/usr/local/share/maplibre-gl",
                "The folder of maplibre-gl.js and maplibre-gl.css, which draw the map; without them there is a plain one."
            )
            readBackground(&read)
        }

        private mutating func readBackground(_ read: inout SettingsReader) {
            style = read(
                "console.style", .optional(.webAddress), default: "",
                "A MapLibre style to draw under roads and vehicles, by its address; its tiles, fonts and icons are to be "
                    + "at the same host.")
            tiles = read(
                "console.tiles", .optional(.webAddress), default: "",
                "Raster tiles instead of a style, such as https://tiles.example/{z}/{x}/{y}.png. Browsers load them, and "
                    + "tell that host what they look at.")
            attribution = read(
                "console.attribution", .optional(.text), default: "", "What its makers want to be named for the map.")
        }

        func requireSense(_ read: inout SettingsReader) {
            let isRequired = auth == .required
            let reason = isRequired ? "console.auth is required" : "\(listen) can be reached from elsewhere"
            let other = isRequired ? "console.auth: remote" : "console.listen: \"127.0.0.1:\(listen.port)\""
            read.require(
                !needsToken || tokensFile != nil, of: "console.auth", and: "console.listen", "console.tokens_file",
                wrong: "the console asks for a token, as \(reason), but nobody has one",
                right: "write console.tokens_file, or \(other)")
            read.require(
                style == nil || tiles == nil, of: "console.tiles", and: "console.style",
                wrong: "there is a style and there are tiles", right: "write one of console.style and console.tiles")
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
