public import ArgumentParser
import Fleet
import Foundation
import Gateway
import Geo
import HeadroomConfiguration
import Messages
import RoadImport
public import Roads
import Wire

/// A length on the command line: a number in metres, or a text with its unit.
struct LengthArgument: ExpressibleByArgument {
    let text: String
    /// Exact, in tenths of a millimetre.
    let tenthMillimetres: Int

    init?(argument: String) {
        guard let tenths = LengthText.tenthMillimetres(argument, rounding: .up), tenths >= 0 else { return nil }
        text = argument
        tenthMillimetres = tenths
    }

    var metres: Metres { Metres(tenthMillimetres) / 10_000 }

    /// What `--help` shows.
    var defaultValueDescription: String { text }
}

extension VehicleID {
    /// - Throws: what to tell who entered a text that is no vehicle's id.
    init(argument text: String) throws {
        guard let id = VehicleID(text) else {
            throw ValidationError("Expected a vehicle id of 1 to 64 characters without + # /, got “\(text)”.")
        }
        self = id
    }
}

/// A time on the command line.
struct TimeArgument: ExpressibleByArgument {
    let time: Timestamp

    /// RFC 3339, or a date alone for its midnight UTC.
    init?(argument: String) {
        guard let time = RFC3339.timestamp(argument) ?? RFC3339.timestamp(argument + "T00:00:00Z") else { return nil }
        self.time = time
    }
}

extension ThroughPolicy: ExpressibleByArgument {}

extension LengthArgument {
    /// As the configuration's `heights.margin`.
    private static let marginMax = 10_000

    /// Of a vehicle of this height, rounded up to a centimetre.
    func effective(margin: LengthArgument?) -> Centimetres {
        (tenthMillimetres + (margin?.tenthMillimetres ?? 0) + 99) / 100
    }

    /// - Throws: where that is no height that is driven.
    func validate(margin: LengthArgument?) throws {
        if let margin, margin.tenthMillimetres > Self.marginMax {
            throw ValidationError(
                "Expected --margin from 0 m to 1 m, got \(margin.text); a number without a unit is metres, “3 in” is inches."
            )
        }
        guard (1...600).contains(effective(margin: margin)) else {
            throw ValidationError("Expected a height from 0.01 m to 6 m, margin included, got \(text).")
        }
    }
}

/// `--height` and `--margin`, as every command takes them.
struct HeightOptions: ParsableArguments {
    @Option(help: "Effective height of the vehicle, such as 4.0, \"13'6\\\"\" or \"411 cm\"; plain numbers are metres.")
    var height: LengthArgument

    @Option(help: "Safety margin to add, such as \"3 in\". Without it nothing is added.")
    var margin: LengthArgument?

    var effective: Centimetres { height.effective(margin: margin) }

    /// Those in which the height is written.
    var units: UnitSystem { height.text.contains { "'′f\"".contains($0) } ? .imperial : .metric }

    func validate() throws {
        try height.validate(margin: margin)
    }
}

/// `--config`, as every command takes it.
struct ConfigOption: ParsableArguments {
    @Option(
        name: .customLong("config"), help: "The gateway's configuration; the defaults without it.",
        completion: .file(extensions: ["yaml", "yml"]))
    var path: String?

    /// For commands that use a gateway's store: as it has them, with the store's password. The other files they name may be another
    /// machine's.
    func settings() throws -> Settings {
        try load(ProcessInfo.processInfo.environment) { loaded throws(SettingsError) in try loaded.withStorePassword() }
    }

    /// As `settings`, for commands that use the gateway's broker, too.
    func settingsWithPasswords() throws -> Settings {
        try load(ProcessInfo.processInfo.environment) { loaded throws(SettingsError) in try loaded.withPasswords() }
    }

    /// For commands that work as a gateway does: every file they name is there, and the password is read.
    ///
    /// - Parameter warn: called with what is allowed and most likely not meant.
    func checkedSettings(warn: (SettingsProblem) -> Void = { _ in }) throws -> Settings {
        try load(ProcessInfo.processInfo.environment) { loaded throws(SettingsError) in
            let settings = try loaded.validated()
            loaded.warnings.forEach(warn)
            return settings
        }
    }

    /// For commands that judge: the same wherever they run, whatever the environment says.
    func settingsToJudgeBy() throws -> Settings { try load([:]) { $0.settings } }

    private func load(
        _ environment: [String: String], _ settings: (LoadedSettings) throws(SettingsError) -> Settings
    ) throws -> Settings {
        do throws(SettingsError) {
            return try settings(Settings.load(path: path, environment: environment))
        } catch {
            throw CommandError(description: "\(error)", status: 2)
        }
    }
}

/// `--roads`, as every command takes it.
struct RoadsOption: ParsableArguments {
    @Option(
        name: .customLong("roads"),
        help: "Road file made by `headroom roads build`; given several times, they are joined.", completion: .file())
    var paths: [String]

    func open() throws -> RoadNetwork { try .opened(paths) }

    /// For messages.
    var text: String { paths.joined(separator: ", ") }
}

extension RoadNetwork {
    /// Maps a file, or joins several, and compares every checksum: reading it whole costs less than anything a command then
    /// does with it.
    ///
    /// - Throws: `CommandError` with the file's name.
    static func opened(_ paths: [String]) throws -> RoadNetwork {
        do {
            let network = try JoinedRoads.open(paths)
            try network.verify()
            return network
        } catch let error as RoadFileError {
            throw CommandError.failed("\(paths.joined(separator: ", ")): \(error)")
        } catch let error as FileError {
            throw CommandError(error)
        } catch {
            throw CommandError.failed("\(error)")
        }
    }
}

/// `--gaps` and `--outliers`, as every command takes them that drives simulated vehicles.
struct FaultOptions: ParsableArguments {
    @Option(help: "Chance per fix, 0 to 1, that the device then falls silent for 20 to 90 s.")
    var gaps = 0.0

    @Option(help: "Chance per fix, 0 to 1, that it is 100 to 1,000 m off and claims to be good.")
    var outliers = 0.0

    func validate() throws {
        guard (0...1).contains(gaps), (0...1).contains(outliers) else {
            throw ValidationError("Expected --gaps and --outliers from 0 to 1, got \(gaps) and \(outliers).")
        }
    }
}
