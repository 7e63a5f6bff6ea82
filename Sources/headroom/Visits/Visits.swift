import ArgumentParser
import Fleet
import Foundation
import Gateway
import Geo
import HeadroomConfiguration
import Messages
import Store
import Wire

/// `headroom visits`
struct Visits: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows visits, or which vehicles were at one place at one time.",
        discussion: """
            Reads the store of a gateway, which may be running. An end that nobody knows is shown as `?`, and null in \
            JSON.

            A visit is unconfirmed while the vehicle that fell silent there has not reported again; one that was \
            withdrawn is not shown.

            With --overlap: pairs of vehicles within the radius at a time that both share. Marked as uncertain are those \
            that, or an end of which, rest on an arrival or a departure that nobody saw, on an unconfirmed visit, or on \
            accuracies that, added to the distance, exceed the radius.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, jsonl, geojson
    }

    @OptionGroup var config: ConfigOption

    @Option(help: "The store, instead of the configuration's.", completion: .file())
    var store: String?

    @Option(help: "Only of this vehicle; with --overlap, only with this one.")
    var vehicle: String?

    @Option(help: "Only what lasted to this time or longer: RFC 3339, or a date for its midnight UTC.")
    var from: TimeArgument?

    @Option(help: "Only what began before this time.")
    var to: TimeArgument?

    @Flag(help: "Show which vehicles were at one place at one time.")
    var overlap = false

    @Option(help: "With --overlap: how far apart one place may be. The configuration's visits.radius without it.")
    var radius: LengthArgument?

    @Option(help: "text for people; json and jsonl are one object a line.")
    var format = Format.text

    func validate() throws {
        if let vehicle { _ = try VehicleID(argument: vehicle) }
        if let from, let to, from.time >= to.time { throw ValidationError("--from must be before --to.") }
        if radius != nil && !overlap { throw ValidationError("--radius goes with --overlap.") }
    }

    func run() throws {
        let settings = try config.settings()
        let reader = try StoreReader.opened(store.map(StoreLocation.init) ?? settings.storeLocation)
        do throws(StoreError) {
            if overlap {
                try showOverlaps(in: reader, within: radius?.metres ?? settings.engine.visits.radius)
            } else {
                try showVisits(in: reader)
            }
        } catch {
            throw CommandError.failed("\(error)")
        }
    }

    private func showVisits(in reader: StoreReader) throws(StoreError) {
        let wanted = vehicle.flatMap { VehicleID($0) }
        let visits = try StoredVisit.all(in: reader, of: wanted, complain: complain)
            .filter { $0.isWithin(from: from?.time, to: to?.time) }
        switch format {
        case .text: Terminal.print(VisitsWriter.text(visits))
        case .json, .jsonl: for visit in visits { Terminal.print(VisitsWriter.json(visit)) }
        case .geojson: Terminal.print(VisitsWriter.geoJSON(visits))
        }
    }

    /// All visits are looked at, whatever is shown: a vehicle's other ones limit when it can have been at this one.
    private func showOverlaps(in reader: StoreReader, within radius: Metres) throws(StoreError) {
        let visits = try StoredVisit.all(in: reader, of: nil, complain: complain).map(\.visit)
        let overlaps = VisitOverlap.all(among: visits, within: radius).filter(isWanted)
        switch format {
        case .text: Terminal.print(VisitsOverlapWriter.text(overlaps))
        case .json, .jsonl: for overlap in overlaps { Terminal.print(VisitsOverlapWriter.json(overlap)) }
        case .geojson: Terminal.print(VisitsOverlapWriter.geoJSON(overlaps))
        }
    }

    private func isWanted(_ overlap: VisitOverlap) -> Bool {
        let isOfVehicle = vehicle == nil || [overlap.first, overlap.second].contains { $0.vehicle.text == vehicle }
        let isLateEnough = from.map { from in overlap.to.map { $0 >= from.time } ?? true } ?? true
        let isEarlyEnough = to.map { to in overlap.from.map { $0 < to.time } ?? true } ?? true
        return isOfVehicle && isLateEnough && isEarlyEnough
    }

    private func complain(_ text: String) { Terminal.error("headroom: \(text)") }
}
