import CAllocationCount
import Fleet
import Geo
import Messages
import Roads

/// One engine that is fed from its first fix on.
struct BenchmarkRun {
    struct Result {
        var cost = Cost()
        /// What the engine has in memory at the end: its fences and its vehicles.
        var bytes = 0
        var effects = EffectCounts()
    }

    let network: RoadNetwork?
    let fences: [Fence]
    let ways: any Ways
    let batch: Int

    func result(rounds: Int, warmUp: Int) -> Result {
        var ways = ways
        let bytes = allocated_bytes()
        let engine = Engine(EngineSettings(), network: network, fences: fences)
        engine.prepare()
        var result = Result()
        for round in 0..<warmUp + rounds {
            let fixes = ways.next()
            if round == warmUp { count_instructions() }
            for first in stride(from: 0, to: fixes.count, by: batch) {
                let inputs = inputs(fixes[first..<min(first + batch, fixes.count)])
                if round < warmUp {
                    _ = engine.handle(inputs)
                } else {
                    Self.measure(engine, inputs, &result)
                }
            }
        }
        result.bytes = Int(allocated_bytes()) - Int(bytes)
        return withExtendedLifetime(engine) { result }
    }

    /// Not inlined: callgrind counts the instructions of this function alone (`--toggle-collect='*measure*'`).
    @inline(never)
    private static func measure(_ engine: Engine, _ inputs: [Input], _ result: inout Result) {
        let effects = result.cost.add(fixes: inputs.count - 1) { engine.handle(inputs) }
        result.effects.add(effects)
    }

    /// As the gateway hands them over: the batch begins with the time, and each fix came when it was taken.
    private func inputs(_ fixes: ArraySlice<VehicleFix>) -> [Input] {
        let reports = fixes.map { Input.report(.location([$0.fix]), from: $0.address, receivedAt: $0.fix.time) }
        return [.tick(fixes[fixes.startIndex].fix.time)] + reports
    }
}

/// What a run has caused.
struct EffectCounts: Encodable {
    var fixesAccepted = 0
    var rejections = 0
    var vehiclesChanged = 0
    var alerts = 0
    var events = 0
    var visits = 0
    var states = 0
    var others = 0

    mutating func add(_ effects: Effects) {
        fixesAccepted += effects.fixesAccepted
        rejections += effects.rejections.count
        vehiclesChanged += effects.changed.count
        for envelope in effects.envelopes {
            switch envelope.message {
            case .alert: alerts += 1
            case .event: events += 1
            case .visit: visits += 1
            case .state: states += 1
            case .routeCheck, .regions, .tracking, .request: others += 1
            }
        }
    }
}
