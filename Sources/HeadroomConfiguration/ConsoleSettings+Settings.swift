public import Console

extension ConsoleSettings {
    public init(_ settings: Settings.Console) {
        self.init(
            host: settings.listen.host, port: settings.listen.port,
            authentication: Authentication(rawValue: settings.auth.rawValue) ?? .remote,
            tokensFile: settings.tokensFile, names: settings.names,
            map: Map(
                library: settings.maplibre, style: settings.style, tiles: settings.tiles,
                attribution: settings.attribution))
    }
}
