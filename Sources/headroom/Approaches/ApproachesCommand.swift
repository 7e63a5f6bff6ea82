import ArgumentParser
import Clearances
import Fleet
import Gateway
import Geo
import Messages
import Roads

/// `headroom approaches`
struct ApproachesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approaches",
        abstract: "Shows every approach to every low clearance: the last turn-off, where to warn, the detour.",
        discussion: """
            As text: a heading for each clearance, with its height and id, and below it a row for each way to arrive at \
            it: the road and the direction of arrival, where to leave it, and how far the last turn-off lies before \
            the low road.

            The detour is the shortest under nothing too low. Where that leads under something that the map calls lower than \
            the legal default, without a number, it is the shortest from the same junction that does not, if there is one.

            In json, nodes and ways are named by their OSM ids. A negative node is none of the map's: the place on a way \
            from which a clearance of another source limits it. The next road file gives it the same id, as long as the \
            clearance has the same one.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, jsonl, geojson
    }

    @OptionGroup var roads: RoadsOption
    @OptionGroup var height: HeightOptions

    @Option(help: "What a detour may pass through: no private roads (strict), all, or no service roads either.")
    var through = ThroughPolicy.strict

    @Option(help: "The longest detour that counts.")
    var maxLength = LengthArgument(argument: "30 km")!

    @Option(help: "How far before the last turn-off the driver is told: the alert point.")
    var distance = LengthArgument(argument: "1 mi")!

    @Option(help: "Only approaches to this clearance, such as osm:way:4711.")
    var clearance: String?

    @Option(help: "Units of the text: metric or imperial (default: those of --height).")
    var units: UnitSystem?

    @Option(help: "text for people; json is one object a line.")
    var format = Format.text

    func run() throws {
        let network = try roads.open()
        var settings = EngineSettings()
        settings.detours = DetourRules(through: through, lengthMax: maxLength.metres)
        let table = HazardTable(network, height: height.effective, settings)
        let all = table.approaches(network, alertDistance: distance.metres)
        let shown = all.filter { approach in
            guard let clearance else { return true }
            return approach.hazard.clearances.contains { network.clearance($0).id == clearance }
        }
        if let clearance, shown.isEmpty { try requireKnown(clearance, network) }
        let writer = ApproachWriter(network: network)
        switch format {
        case .text:
            let text = ApproachText(
                network: network, height: height.effective, through: through, units: units ?? height.units)
            Terminal.print(text.text(shown))
        case .json, .jsonl: for approach in shown { Terminal.print(writer.json(approach)) }
        case .geojson: Terminal.print(writer.geoJSON(shown))
        }
    }

    private func requireKnown(_ id: String, _ network: RoadNetwork) throws {
        let isKnown = (0..<network.clearanceCount).contains { network.clearance(ClearanceID($0)).id == id }
        guard isKnown else { throw CommandError.failed("\(roads.text) holds no clearance \(id)") }
        Terminal.error("\(id) is not too low for this height, or is reached only out of another low zone")
    }
}
