import Hashing

/// What goes wrong between a gateway and what it depends on.
enum Fault: Equatable {
    /// The gateway ends without a word, and starts again after so many milliseconds.
    case kill(Place, down: Int)
    /// The same, and the disk keeps of what was not synced as much as chance has it.
    case powerLoss(Place, down: Int)
    /// The gateway is told to end, and started again.
    case restart
    /// The connection ends.
    case cut(Place)
    /// For so many milliseconds nothing comes from the broker or reaches it.
    case freeze(Int)
    /// For so many milliseconds only so many messages come and leave at once.
    case slow(Int, messages: Int)
    /// So many attempts to write or to sync fail.
    case disk(FaultyDisk.Failure, attempts: Int)
    /// For so many milliseconds the disk says that it has synced what it may lose.
    case lie(Int)
    /// The time of day is set forward, or back.
    case clock(Int)
    /// The broker is killed, and comes back with what it had retained some time before, or with nothing.
    case forgetful(isEmpty: Bool)
    /// For so many milliseconds the broker delivers every message twice.
    case doubled(Int)

    /// Where in a pass it happens: when `step` comes for the `count`th time.
    struct Place: Equatable {
        var step: Step
        var count: Int
    }

    /// What can be seen of a pass from outside.
    enum Step: CaseIterable {
        /// Messages are taken from the connection.
        case receive
        /// They are decided, and nothing is written.
        case decide
        /// The store is writing.
        case commit
        /// What is committed is handed to the connection.
        case publish
        /// Nothing has left yet.
        case acknowledge
        /// Acknowledgements have left, and a part of what is published.
        case transmit
        /// Everything has left, and the gateway does not know it.
        case flushed
    }
}

/// When what goes wrong.
struct FaultPlan {
    /// In the order of their times, in milliseconds.
    private(set) var faults: [(time: Int, fault: Fault)]
    /// From when on the clock is so wrong for a while that fixes count as too old, or deadlines as past.
    private(set) var wrongClock: Int?

    static let none = FaultPlan(faults: [])

    /// - Parameter length: of the run, in milliseconds.
    init(seed: UInt64, length: Int) {
        var random = SplitMix64(seed: seed, stream: 1)
        let count = 1 + random.index(below: 16)
        faults = (0..<count).map { _ in (2_000 + random.index(below: length - 20_000), Self.fault(&random)) }
        if random.index(below: 16) == 0 { faults.append((random.index(below: 40_000), .freeze(70_000))) }
        if random.index(below: 16) == 0 {
            let (time, jump) = (random.index(below: length), 2_000 + random.index(below: 3_600_000))
            let signed = random.index(below: 2) == 0 ? jump : -jump
            faults += [(time, .clock(signed)), (time + 20_000, .clock(-signed))]
            wrongClock = time
        }
        if random.index(below: 8) == 0 {
            let (time, duration) = (2_000 + random.index(below: length - 40_000), 500 + random.index(below: 20_000))
            let loss = Fault.powerLoss(Self.place(&random), down: 500 + random.index(below: 8_000))
            faults += [(time, .lie(duration)), (time + random.index(below: duration), loss)]
        }
        faults.sort { $0.time < $1.time }
    }

    private init(faults: [(time: Int, fault: Fault)]) { self.faults = faults }

    /// The same but for one fault.
    func without(_ index: Int) -> FaultPlan {
        var plan = self
        plan.faults.remove(at: index)
        return plan
    }

    private static func fault(_ random: inout SplitMix64) -> Fault {
        switch random.index(below: 22) {
        case 0...5: .kill(place(&random), down: 100 + random.index(below: 8_000))
        case 6...8: .powerLoss(place(&random), down: 500 + random.index(below: 8_000))
        case 9: .restart
        case 10...13: .cut(place(&random))
        case 14: .freeze(500 + random.index(below: 20_000))
        case 15: .slow(500 + random.index(below: 10_000), messages: 1 + random.index(below: 60))
        case 16: .disk(.full, attempts: 1 + random.index(below: 6))
        case 17: .disk(random.index(below: 2) == 0 ? .write : .sync, attempts: 1 + random.index(below: 4))
        case 18: .clock(random.index(below: 1_600) - 800)
        case 19...20: .forgetful(isEmpty: random.index(below: 2) == 0)
        default: .doubled(1_000 + random.index(below: 10_000))
        }
    }

    private static func place(_ random: inout SplitMix64) -> Fault.Place {
        let step = Fault.Step.allCases[random.index(below: Fault.Step.allCases.count)]
        return Fault.Place(step: step, count: 1 + random.index(below: step == .receive ? 3 : 12))
    }
}
