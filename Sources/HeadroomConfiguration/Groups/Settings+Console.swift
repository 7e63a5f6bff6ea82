import Console

extension Settings {
    mutating func readConsole(_ read: inout SettingsReader) {
        read.section("console", "The dashboard and the API, over HTTP.")
        read(
            "console.listen", .listenAddress, into: &console.listen, default: "127.0.0.1:8080",
            "0.0.0.0:8080 listens on every interface; port 0 picks a free one.")
        read(
            "console.names", .list(of: .hostName, example: "[trucks.example]"), into: &console.names, default: "",
            "Further names under which people and proxies reach it; others are refused.")
        read(
            "console.auth", .oneOf, into: &console.authentication, default: "remote",
            "When a request needs a token: remote, where it listens beyond loopback; required, always; none, never.")
        read(
            "console.tokens_file", .optional(.file), into: &console.tokensFile, default: "",
            "Lines of a role, viewer (reads) or editor (changes), and a token.")
        read(
            "console.tls", .optional(.certificate), into: &console.tls, default: "",
            "{cert_file: console.pem, key_file: console.key}: its certificate and those above it, and the key, in PEM. "
                + "It then speaks https alone; SIGHUP reads them again.")
        read(
            "console.health", .optional(.listenAddress), into: &console.health, default: "",
            "A further address on loopback, such as 127.0.0.1:8081, for /healthz, /readyz and /metrics alone.")
        read(
            "console.maplibre", .folder, into: &console.map.library, default: "/usr/local/share/maplibre-gl",
            "The folder of maplibre-gl.js and maplibre-gl.css, which draw the map; without them there are only lists.")
        readBackground(&read)
    }

    private mutating func readBackground(_ read: inout SettingsReader) {
        read(
            "console.style", .optional(.webAddress), into: &console.map.style, default: "",
            "A MapLibre style to draw under roads and vehicles, by its address; its tiles, fonts and icons are to be "
                + "at the same host.")
        read(
            "console.tiles", .optional(.webAddress), into: &console.map.tiles, default: "",
            "Raster tiles instead of a style, such as https://tiles.example/{z}/{x}/{y}.png. Browsers load them, and "
                + "tell that host what they look at.")
        read(
            "console.attribution", .optional(.text), into: &console.map.attribution, default: "",
            "Whom the map names as the source of the style or the tiles, in the words that their makers ask for.")
    }

    mutating func readCab(_ read: inout SettingsReader) {
        read.section("cab", "Phones in the cab, each paired with a vehicle by a link.")
        read(
            "cab.valid_for", .duration(1...366 * 86_400), into: &cabValidFor, default: "30 d",
            "How long a phone may speak for its vehicle until it is paired anew.")
    }

    mutating func readLog(_ read: inout SettingsReader) {
        read.section("log", "What is logged, on standard error.")
        read(
            "log.level", .oneOf, into: &logLevel, default: "info",
            "The least important that is: trace, debug, info, notice, warning, error or critical.")
    }

    func requireTokens(_ read: inout SettingsReader) {
        let isRequired = console.authentication == .required
        let reason = isRequired ? "console.auth is required" : "\(console.listen) can be reached from elsewhere"
        let other = isRequired ? "console.auth: remote" : "console.listen: \"127.0.0.1:\(console.listen.port)\""
        read.require(
            !console.needsToken || console.tokensFile != nil, of: "console.auth", and: "console.listen",
            "console.tokens_file",
            wrong: "the console asks for a token, as \(reason), but nobody has one",
            right: "write console.tokens_file, or \(other)")
    }

    func requireLoopbackHealth(_ read: inout SettingsReader) {
        read.require(
            console.health?.isLoopback ?? true, of: "console.health",
            wrong: "\(console.health?.description ?? "") can be reached from elsewhere",
            right: "write an address on loopback, such as 127.0.0.1:8081")
    }

    func requireHealthApart(_ read: inout SettingsReader) {
        guard let health = console.health else { return }
        read.require(
            !console.occupies(health), of: "console.health", and: "console.listen",
            wrong: "\(health) is taken by console.listen, \(console.listen)", right: "write another port")
    }

    func requireOneBackground(_ read: inout SettingsReader) {
        read.require(
            console.map.style == nil || console.map.tiles == nil, of: "console.tiles", and: "console.style",
            wrong: "there is a style and there are tiles", right: "write one of console.style and console.tiles")
    }
}
