import ArgumentParser
import Gateway
import HeadroomConfiguration
import Messages
public import Reports
import Store

/// `headroom report`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Says what happened in a span of time.",
        discussion: """
            Reads the store of a gateway, which may be running: alerts by day, hour, bridge and vehicle, how far ahead \
            drivers were told, what they acknowledged, what dispatch took, who passed under, and for how long vehicles were \
            not warned. Days and hours are those \
            of UTC. An alert belongs to the time of its first message, with what became of it until a week after the span. \
            privacy.keep_events says how far back there is anything.
            """)

    /// They take a minute.
    private static let messagesMax = 1_000_000

    @OptionGroup var config: ConfigOption

    @Option(help: "The store, instead of the configuration's.", completion: .file())
    var store: String?

    @Option(help: "From this time on: RFC 3339, or a date for its midnight UTC. A week before --to without it.")
    var from: TimeArgument?

    @Option(help: "To before this time. Now without it.")
    var to: TimeArgument?

    @Option(help: "text for people; csv is one table; json is one object.")
    var format = ReportFormat.text

    func validate() throws {
        if let from, let to, from.time >= to.time { throw ValidationError("--from must be before --to.") }
    }

    func run() throws {
        let now = Timestamp.now
        let end = to?.time ?? now
        let start = from?.time ?? end.adding(-7 * 86_400)
        guard start < end else { throw CommandError.usage("--from must be before now") }
        let reader = try StoreReader.opened(try store.map(StoreLocation.init) ?? config.settings().storeLocation)
        do {
            Terminal.write(format.document(try reader.report(start..<end, at: now, limit: Self.messagesMax)))
        } catch let error as ReportError {
            throw CommandError.usage("\(error)")
        } catch {
            throw CommandError.failed("\(error)")
        }
    }
}

extension ReportFormat: ExpressibleByArgument {}
