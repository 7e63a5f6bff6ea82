import ArgumentParser
import Console
import Gateway
import HeadroomConfiguration
import Messages
import QRCode
import Store
import Wire

/// `headroom cab`
struct Cab: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Pairs phones in the cab with vehicles.", subcommands: [CabLinkCommand.self])
}

/// `headroom cab link`
struct CabLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Prints a link that pairs a phone with a vehicle, and its QR code.",
        discussion: """
            The link holds for ten minutes and can be used once. The phone then may publish what this vehicle says, and read \
            what it is told, until cab.valid_for is over or an editor revokes it. The gateway must have begun with this store.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup var config: ConfigOption

    @Option(
        help:
            "Where phones reach the console, such as https://trucks.example; else as console.names or console.listen say."
    )
    var url: String?

    @Option(help: "text for people, with the QR code; json is one object.")
    var format = Format.text

    @Argument(help: "The vehicle's id.")
    var vehicle: String

    func validate() throws {
        _ = try VehicleID(argument: vehicle)
        guard url.map({ $0.hasPrefix("https://") || $0.hasPrefix("http://") }) ?? true else {
            throw ValidationError("Expected --url to begin with https:// or http://, got “\(url ?? "")”.")
        }
    }

    func run() throws {
        let settings = try config.settings()
        let vehicle = try VehicleID(argument: self.vehicle)
        guard url != nil || !settings.console.names.isEmpty || !settings.console.listensEverywhere else {
            throw CommandError.usage(
                "expected an address that phones reach, in --url or console.names, got only console.listen "
                    + "\(settings.console.listen), which stands for all addresses of this machine")
        }
        let reader = try StoreReader.opened(settings.storeLocation)
        guard let secret = try CabSecret(reader) else {
            throw CommandError.failed(
                "expected a store that a gateway has begun with, got \(settings.storeLocation); start it first")
        }
        let code = CabCode(vehicle: vehicle, at: .now)
        let link = base(settings) + CabLink.path(code: code.text(secret: secret))
        if !link.hasPrefix("https://"), !settings.console.listen.isLoopback || url != nil {
            Terminal.error("browsers give a phone's position to pages over https only; name one by --url")
        }
        Terminal.print(format == .json ? json(link, code) : text(link, code))
    }

    private func base(_ settings: Settings) -> String {
        let console = settings.console
        // A name without a certificate of the console's own is that of a proxy in front, with TLS.
        let port = console.tls == nil || console.listen.port == 443 ? "" : ":\(console.listen.port)"
        let given = url ?? console.names.first.map { "https://\($0)\(port)" } ?? "\(console.scheme)://\(console.listen)"
        return given.hasSuffix("/") ? String(given.dropLast()) : given
    }

    private func text(_ link: String, _ code: CabCode) -> String {
        let picture = QRCode(link).map { $0.terminalText + "\n" } ?? ""
        return "\(picture)\(link)\nfor \(code.vehicle), once, until \(RFC3339.text(code.expiresAt))"
    }

    private func json(_ link: String, _ code: CabCode) -> String {
        let bytes = JSONWriter.object { writer in
            writer.member("vehicle", code.vehicle.text)
            writer.member("link", link)
            writer.member("expires_at", code.expiresAt)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
