import Console
import Gateway
import HeadroomConfiguration
import Logging

/// What `serve` makes of its settings before it connects to anything and listens anywhere.
struct GatewayParts {
    let files: GatewayFiles
    let configuration: GatewayConfiguration
    let shared = SharedState(version: programVersion)
    let console: Console

    /// - Parameters:
    ///   - keepsJoinedRoads: whether what several road files are joined to is written beside the store, for later starts.
    ///   - warn: told of each entry of a file that is not used, and where it stands.
    /// - Throws: `CommandError` where a file that the settings name is not what it ought to be, or settings do not go together.
    init(_ settings: Settings, keepsJoinedRoads: Bool, _ logger: Logger, warn: (String) -> Void) throws {
        files = try GatewayFiles(settings, keepsJoinedRoads: keepsJoinedRoads, warn: warn)
        do {
            configuration = try GatewayConfiguration(settings, version: programVersion)
            console = try Console(
                settings: settings.console, configuration: configuration, shared: shared, logger: logger)
        } catch {
            throw CommandError.usage("\(error)")
        }
    }
}
