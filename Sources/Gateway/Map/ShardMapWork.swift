import Broker
import Fleet

/// What follows from the map for one shard: made where it is first needed, or on other threads once `doElsewhere` was called.
struct ShardMapWork {
    private let engine: Engine
    private let clock: GatewayClock
    /// Nil: what follows from the map is made where it is first needed.
    private var worker: MapWorker?
    /// Until when messages wait for the hazards of the vehicles that were taken up; nil: they do not, or no longer.
    private var hazardsDeadline: ContinuousClock.Instant?

    init(of engine: Engine, clock: GatewayClock) { (self.engine, self.clock) = (engine, clock) }

    /// From here on no pass waits for what follows from the map; the first of it is begun.
    ///
    /// - Parameter deadline: until then at most the shard is to be given no message before the hazards of its vehicles are there.
    mutating func doElsewhere(waker: Waker, messagesWaitUntil deadline: ContinuousClock.Instant? = nil) {
        engine.doMapWorkElsewhere(at: clock())
        worker = MapWorker(waker: waker)
        hazardsDeadline = deadline
        begin()
    }

    /// Whether messages are to wait for the hazards of the vehicles that were taken up.
    func awaitsHazards(at now: ContinuousClock.Instant) -> Bool { hazardsDeadline.map { now < $0 } ?? false }

    /// Begins what is to be made of the map.
    mutating func begin() {
        guard let worker else { return }
        if hazardsDeadline != nil, !engine.awaitsHazards { hazardsDeadline = nil }
        while let work = engine.takeMapWork() { worker.begin(work) }
    }

    /// Whether some of it has been begun that is not in force yet.
    var isUnderWay: Bool { worker?.isUnderWay ?? false }
    /// Whether what follows from changed clearances is being made.
    var isChangeUnderWay: Bool { isUnderWay && engine.isMapBehind }

    /// Waits until what has been begun is made.
    func wait(until deadline: ContinuousClock.Instant) {
        if isUnderWay { worker?.wait(until: deadline) }
    }

    /// The oldest piece that is made, to be decided.
    func takeResult() -> MapWork.Result? { worker?.takeResult() }
}
