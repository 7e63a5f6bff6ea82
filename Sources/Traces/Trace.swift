import Fleet
import Foundation
package import Gateway
import Geo
package import Messages
import Wire

/// What a line of a trace says came in, and when.
package struct TraceEntry {
    package var line: Int
    package var arrival: Timestamp
    package var inputs: [Input]
    /// Answers to entries of dispatch that cannot be used.
    package var refusedEntries: [Registration] = []
}

/// A recorded drive, or several.
package struct Trace {
    /// In the order of the file.
    package private(set) var entries: [TraceEntry] = []
    package private(set) var account: TraceAccount
    /// Whether it holds all that a gateway heard: a vehicle without a profile in it had none.
    package private(set) var isOfGateway = false
    /// By vehicle, the entries of which is not known when they came.
    private var undated: [VehicleID: [Int]] = [:]
    private let levels: [String]

    /// - Parameters:
    ///   - setting: what the trace leaves open.
    ///   - remark: is told what cannot be used, a line each.
    /// - Throws: where nothing in it can be used.
    package init(
        _ path: String, _ setting: TraceSetting, remark: @escaping (String) -> Void
    ) throws(TraceFileError) {
        levels = setting.levels
        account = TraceAccount(path: TraceFile.name(of: path), tell: remark)
        let file = try TraceFile(path)
        switch file.format {
        case .gpx:
            account.unit = "point"
            GPXReader(vehicle: try setting.vehicle(of: path)).read(file, into: &self)
        case .jsonLines: JSONLinesReader(vehicle: try setting.vehicle(of: path)).read(file, into: &self)
        case .csv: try CSVReader(file, vehicle: setting.vehicle(of: path)).read(file, into: &self)
        case .ownTracks:
            OwnTracksReader(vehicle: try setting.vehicle(of: path), levels: levels).read(file, into: &self)
        case .broker:
            isOfGateway = true
            BrokerReader(setting.configuration).read(file, into: &self)
        }
        dateEntries(ageMax: setting.configuration.engine.fixes.ageMax)
        account.endReading()
        guard !entries.isEmpty else {
            throw .unusable(
                "\(TraceFile.name(of: path)) holds nothing that can be used: \(account.summary)")
        }
    }

    /// Vehicles of which it holds a height profile.
    package var profiled: Set<VehicleID> {
        Set(entries.flatMap(\.inputs).compactMap(\.profiledVehicle))
    }

    /// Vehicles of which it holds something.
    package var vehicles: Set<VehicleID> { Set(entries.flatMap(\.inputs).compactMap(\.vehicle)) }

    // MARK: What readers find

    /// Fixes of a recording that knows nothing of their arrival.
    ///
    /// - Parameter problems: what could not be read of the line.
    mutating func add(_ found: [RecordedFixes], line: Int, problems: [TraceError] = []) {
        for problem in problems { account.reject(problem, line: line) }
        for (vehicle, fixes) in found.map({ ($0.vehicle, $0.fixes) }) {
            guard let newest = fixes.map(\.time).max() else { continue }
            undated[vehicle, default: []].append(entries.count)
            entries.append(entry(fixes, of: vehicle, line: line, arrival: newest))
        }
        account.note(found.isEmpty ? .rejected : .fix)
    }

    private func entry(_ fixes: [Fix], of vehicle: VehicleID, line: Int, arrival: Timestamp) -> TraceEntry {
        let address = VehicleAddress(vehicle: vehicle, levels: levels)
        let input = Input.report(.location(fixes), from: address, receivedAt: arrival)
        return TraceEntry(line: line, arrival: arrival, inputs: [input])
    }

    /// Says of each fix when it came, once all are known.
    private mutating func dateEntries(ageMax: Seconds) {
        for (vehicle, places) in undated {
            let taken = places.map { entries[$0].arrival }
            for (place, arrival) in zip(places, ArrivalOrder.arrivals(of: taken, ageMax: ageMax))
            where arrival != entries[place].arrival {
                entries[place] = entry(
                    entries[place].inputs.flatMap(\.fixes), of: vehicle, line: entries[place].line, arrival: arrival)
            }
        }
        undated = [:]
    }

    /// What a line of a recording that knows its arrival says.
    ///
    /// - Parameter others: what it is where it is understood and says nothing.
    mutating func add(_ entry: TraceEntry, problems: [TraceError], others: [OtherMessage]) {
        for problem in problems { account.reject(problem, line: entry.line) }
        for other in others { account.note(other) }
        if !entry.inputs.isEmpty || !entry.refusedEntries.isEmpty { entries.append(entry) }
        let kind = entry.inputs.lazy.compactMap(TraceAccount.Kind.init).first
        account.note(kind ?? (problems.isEmpty ? .withoutUse : .rejected))
    }

    /// The recording ends behind the last line that says something: a gateway has told what fell due until then.
    mutating func goOn(to end: Timestamp) {
        guard let last = entries.last, last.arrival < end else { return }
        entries.append(TraceEntry(line: last.line, arrival: end, inputs: []))
    }

    /// A line that says nothing to the engine, and was not meant to.
    mutating func pass(_ kind: TraceAccount.Kind) { account.note(kind) }

    /// A line that cannot be read.
    mutating func reject(_ problem: TraceError, line: Int) {
        account.reject(problem, line: line)
        account.note(.rejected)
    }

    /// What the engine made nothing of, in a line that could be read.
    package mutating func noteUnused(_ reason: InputError, line: Int) { account.noteUnused(reason, line: line) }

    package func remark(_ text: String) { account.remark(text) }
}

/// What traces leave open.
package struct TraceSetting {
    /// The vehicle of traces that name none; nil: the file's name says it.
    private let vehicle: String?
    /// The levels in the topics of vehicles that were not heard by topic.
    let levels: [String]
    let configuration: GatewayConfiguration

    package init(vehicle: String?, levels: [String], configuration: GatewayConfiguration) {
        self.vehicle = vehicle
        self.levels = levels
        self.configuration = configuration
    }

    func vehicle(of path: String) throws(TraceFileError) -> VehicleID {
        let name = vehicle ?? Self.name(of: path)
        guard let id = VehicleID(name) else {
            throw .misnamed("expected --vehicle, or a file named after a vehicle's id, got \"\(name)\"")
        }
        return id
    }

    /// The OwnTracks recorder keeps `user/device/2015-08.rec`, a file a month.
    private static func name(of path: String) -> String {
        if path == TraceFile.standardInput { return "stdin" }
        let url = URL(filePath: path)
        let name = url.deletingPathExtension().lastPathComponent
        let isMonth = url.pathExtension == "rec" && name.wholeMatch(of: /\d{4}-\d{2}/) != nil
        return isMonth ? url.deletingLastPathComponent().lastPathComponent : name
    }
}

extension Input {
    /// Nil for what dispatch has registered, and for time.
    package var vehicle: VehicleID? {
        if case .report(_, let address, _) = self { address.vehicle } else { nil }
    }

    fileprivate var profiledVehicle: VehicleID? {
        if case .report(.profile(_?), let address, _) = self { address.vehicle } else { nil }
    }

    package var fixes: [Fix] {
        if case .report(.location(let fixes), _, _) = self { fixes } else { [] }
    }
}
