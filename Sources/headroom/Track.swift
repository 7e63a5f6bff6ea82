import ArgumentParser
import Fleet
import Gateway
import HeadroomConfiguration
import Messages
import Store
public import Wire

/// `headroom track`
struct Track: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes where a vehicle was.",
        discussion: """
            Reads the store of a gateway, which may be running. There are positions where the gateway's \
            privacy.keep_positions says for how long they are kept.

            headroom replay reads GPX and CSV. GPX has no accuracies, CSV no altitudes.
            """)

    /// Eleven days at a fix a second; they take 400 MB of memory while they are written.
    private static let fixesMax = 1_000_000

    @OptionGroup var config: ConfigOption

    @Option(help: "The store, instead of the configuration's.", completion: .file())
    var store: String?

    @Option(help: "Only fixes of this time or later: RFC 3339, or a date for its midnight UTC.")
    var from: TimeArgument?

    @Option(help: "Only fixes before this time.")
    var to: TimeArgument?

    @Option(help: "geojson is one Feature with the times of its positions; gpx is version 1.1.")
    var format = TrackFormat.geojson

    @Argument(help: "The vehicle's id.")
    var vehicle: String

    func validate() throws {
        _ = try VehicleID(argument: vehicle)
        if let from, let to, from.time >= to.time { throw ValidationError("--from must be before --to.") }
    }

    func run() throws {
        let vehicle = try VehicleID(argument: self.vehicle)
        let settings = try config.settings()
        let reader = try StoreReader.opened(store.map(StoreLocation.init) ?? settings.storeLocation)
        let page: TrackPage
        do throws(StoreError) {
            page = try reader.track(of: vehicle, from: from?.time, to: to?.time, limit: Self.fixesMax)
        } catch {
            throw CommandError.failed("\(error)")
        }
        guard page.next == nil else {
            throw CommandError.usage("there are more than \(Self.fixesMax) fixes; narrow --from and --to")
        }
        guard !page.fixes.isEmpty else { throw CommandError.failed(missing(settings)) }
        Terminal.write(format.document(of: vehicle, page.fixes))
    }

    private func missing(_ settings: Settings) -> String {
        let isBounded = from != nil || to != nil
        let text = "no position of \(vehicle) is stored" + (isBounded ? " for these times" : "")
        guard settings.keepPositions <= 0 else { return text }
        return text + "; privacy.keep_positions is 0, so that the gateway keeps none"
    }
}

extension TrackFormat: ExpressibleByArgument {}
