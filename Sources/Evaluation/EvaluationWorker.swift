import Fleet
import Geo
import Hashing
package import Messages
import Roads

/// Draws trips by their numbers and drives them through an engine of its own: one for each thread.
package struct EvaluationWorker {
    /// Tells how long it has been running: the core has no clock of its own, and the engine's time is measured.
    package typealias Stopwatch = () -> Duration

    let evaluator: Evaluator
    private let engine: Engine
    private let stopwatch: Stopwatch
    private var draw: TripSampler

    package init(_ evaluator: Evaluator, stopwatch: @escaping Stopwatch) {
        self.evaluator = evaluator
        self.stopwatch = stopwatch
        engine = Engine(evaluator.settings, network: evaluator.network)
        engine.restore(evaluator.turns.rows(evaluator.network))
        engine.restore(evaluator.history)
        draw = evaluator.plan.sampler(evaluator.network)
    }

    /// Draws a trip and drives it once for each interval.
    ///
    /// - Parameter number: of the trip in the plan; all else that is driven has no part in the result.
    /// - Returns: nil where the network has no such trip.
    package mutating func account(ofTrip number: Int) -> TripAccount? {
        trip(number).map { account(of: $0, number: number) }
    }

    func account(of trip: Trip, number: Int) -> TripAccount {
        let records = evaluator.plan.intervals.map {
            record(of: evaluator.plan.drive(trip, number: number, interval: $0), number: number)
        }
        return TripAccount(
            number: number, evaluations: records.map { evaluator.judge.evaluation(of: $0, number: number) },
            hasAllStages: records.first?.alertWithAllStages != nil)
    }

    /// The trip of that number, the same whatever was drawn before; nil where the network has none.
    mutating func trip(_ number: Int) -> Trip? {
        if let given = evaluator.given, evaluator.plan.isNatural(number) { return given[number] }
        draw.restart(SplitMix64(seed: evaluator.plan.seed, stream: number))
        if evaluator.plan.variesWays { draw.drawDriver() }
        return evaluator.plan.isNatural(number) ? draw.anywhere() : draw.passing(evaluator.table)
    }

    func record(of drive: Drive, number: Int) -> TripRecord {
        guard let vehicle = VehicleID("trip-\(number)") else {
            preconditionFailure("digits and dashes can stand in a vehicle's id")
        }
        let address = VehicleAddress(vehicle: vehicle)
        var record = TripRecord(drive, passes: drive.trip.passes(evaluator.network, evaluator.table))
        let profile = HeightProfile(height: evaluator.table.height, margin: 0, source: "evaluation")
        _ = engine.handle([.report(.profile(profile), from: address, receivedAt: drive.start)])
        if evaluator.plan.knowsDestinations {
            let route = Route.waypoints(drive.trip.waypoints)
            _ = engine.handle([.report(.route(route), from: address, receivedAt: drive.start)])
        }
        for fix in drive {
            let begin = stopwatch()
            let effects = engine.handle([.report(.location([fix]), from: address, receivedAt: fix.time)])
            record.engineTime += stopwatch() - begin
            record.note(fix, effects, matched: engine.vehicle(vehicle)?.matchedEdge) {
                hazard(ofAlert: $0, of: vehicle)
            }
        }
        engine.forget(vehicle)
        return record
    }

    /// Alerts name no edges; the engine knows by which one the hazard of an open alert is entered.
    private func hazard(ofAlert id: String, of vehicle: VehicleID) -> Int? {
        let entry = engine.vehicle(vehicle)?.alerts.first { $0.id == id }?.entry
        return entry.flatMap { evaluator.judge.hazardsByEntry[$0] }
    }
}

extension EvaluationWorker {
    /// Draws a trip as the first interval of the plan drives it: roads, way, low bridge, detour, and where each stage
    /// came.
    ///
    /// - Parameter attribution: what the roads' source asks to be named as.
    /// - Returns: an SVG file that needs nothing else, of about 200 kB at most; nil where the network has no such trip.
    package mutating func picture(ofTrip number: Int, attribution: String) -> String? {
        trip(number).map { picture(of: $0, number: number, attribution: attribution) }
    }

    /// What a trip's truck reports as the first interval of the plan has it; nil where the network has no such trip.
    package mutating func fixes(ofTrip number: Int) -> [Fix]? {
        trip(number).map { Array(drive($0, number: number)) }
    }

    private func drive(_ trip: Trip, number: Int) -> Drive {
        evaluator.plan.drive(trip, number: number, interval: evaluator.plan.intervals[0])
    }

    func picture(of trip: Trip, number: Int, attribution: String) -> String {
        let record = record(of: drive(trip, number: number), number: number)
        let scene = TripScene(record, number: number, evaluator.network, evaluator.table, evaluator.settings)
        return TripPlot(scene, attribution: attribution).svg
    }
}
