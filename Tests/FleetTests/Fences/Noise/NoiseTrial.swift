import Fleet
import FleetTestSupport
import Geo
import Hashing
import Messages

/// A fence whose western border runs north through the origin, and what is said of trucks there.
struct NoiseTrial: Sendable, CustomStringConvertible {
    enum Outline: CaseIterable { case polygon, circle }

    var outline: Outline
    var hysteresis: Metres
    var receiver: NoisyReceiver

    init(_ random: inout SplitMix64) {
        outline = random.index(below: 2) == 0 ? .polygon : .circle
        hysteresis = random.index(below: 2) == 0 ? 0 : 20
        receiver = NoisyReceiver(&random)
    }

    var description: String { "\(outline) with a hysteresis of \(hysteresis) m, \(receiver)" }

    private var fence: Fence {
        let shape: Shape =
            switch outline {
            case .polygon:
                .polygons([
                    Polygon(outer: [(0, -200), (400, -200), (400, 200), (0, 200)].map { Drawing.place($0, $1) })
                ])
            case .circle: .circle(Circle(center: Drawing.place(200, 0), radius: 200))
            }
        return Fence(id: "yard", shape: shape, hysteresis: hysteresis)
    }

    /// What is said of these fixes, but for `determined`.
    func events(of fixes: [Fix]) -> [FenceEventMessage] {
        let truck = VehicleAddress(vehicle: VehicleID("T42")!)
        let engine = Engine(EngineSettings(), network: nil, fences: [fence])
        var events: [FenceEventMessage] = []
        func hear(_ input: Input) {
            for envelope in engine.handle([input]).envelopes {
                if case .event(let event) = envelope.message, event.event != .determined { events.append(event) }
            }
        }
        for fix in fixes { hear(.report(.location([fix]), from: truck, receivedAt: fix.time)) }
        if let last = fixes.last { hear(.tick(last.time.adding(120))) }
        return events
    }
}

// MARK: - Trucks

extension NoiseTrial {
    /// Beside the border for eight hours; outside where the distance is over 0.
    func parked(_ distance: Metres, hours: Double = 8, _ random: inout SplitMix64) -> [FenceEventMessage] {
        events(
            of: receiver.fixes(for: hours * 3600, &random) { _ in
                NoisyReceiver.Motion(east: -distance, north: 0, speed: 0, course: 0)
            })
    }

    /// How a truck crosses the border.
    enum Crossing: String, CaseIterable, Sendable {
        case stopsInside, drivesThrough, leavesAfterStop, crawlsIn, crawlsOut

        var event: FenceEventMessage.Event {
            switch self {
            case .stopsInside, .drivesThrough, .crawlsIn: .enter
            case .leavesAfterStop, .crawlsOut: .exit
            }
        }
    }

    /// How long after a truck crossed the border that was said; nil: never.
    func delay(_ crossing: Crossing, _ random: inout SplitMix64) -> Seconds? {
        let depth = 30 + 70 * random.fraction()
        let drive: StraightDrive =
            switch crossing {
            case .stopsInside:
                StraightDrive(from: -300, to: depth, speed: 8 + 7 * random.fraction(), waits: 0)
            case .drivesThrough: StraightDrive(from: -300, to: 900, speed: 8 + 12 * random.fraction(), waits: 0)
            case .leavesAfterStop:
                StraightDrive(from: depth, to: -500, speed: 5 + 7 * random.fraction(), waits: 600)
            case .crawlsIn: StraightDrive(from: -100, to: depth, speed: 1 + random.fraction(), waits: 0)
            case .crawlsOut: StraightDrive(from: depth, to: -100, speed: 1 + random.fraction(), waits: 600)
            }
        // A fix is as likely to be taken at any moment after the crossing.
        let shift = receiver.interval * random.fraction()
        let fixes = receiver.fixes(for: drive.end + 900, &random) { drive.motion(at: $0 + shift) }
        let crossed = drive.time(at: 0) - shift
        // Errors may bring a fix over the border before the truck.
        return events(of: fixes).first { $0.event == crossing.event && $0.time.seconds >= crossed - 60 }
            .map { $0.time.seconds - crossed }
    }
}

/// A truck that waits, speeds up by 1 m/s², drives and comes to a stop in the same way.
struct StraightDrive {
    let from: Metres
    let to: Metres
    let speed: MetresPerSecond
    let waits: Seconds
    private let acceleration: Double = 1

    init(from: Metres, to: Metres, speed: MetresPerSecond, waits: Seconds) {
        (self.from, self.to, self.speed, self.waits) = (from, to, speed, waits)
    }

    private var length: Metres { (to - from).magnitude }
    private var ramp: Seconds { speed / acceleration }
    private var steady: Seconds { (length - speed * ramp) / speed }
    var end: Seconds { waits + 2 * ramp + steady }

    private func driven(_ time: Seconds) -> (way: Metres, speed: MetresPerSecond) {
        let time = time - waits
        if time <= 0 { return (0, 0) }
        if time < ramp { return (acceleration * time * time / 2, acceleration * time) }
        if time < ramp + steady { return (speed * (time - ramp / 2), speed) }
        let left = max(0, 2 * ramp + steady - time)
        return (length - acceleration * left * left / 2, acceleration * left)
    }

    func motion(at time: Seconds) -> NoisyReceiver.Motion {
        let (way, speed) = driven(time)
        return NoisyReceiver.Motion(
            east: to > from ? from + way : from - way, north: 0, speed: speed, course: to > from ? 90 : 270)
    }

    /// When it is at a place.
    func time(at east: Metres) -> Seconds {
        var (low, high) = (waits, end)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if driven(middle).way < (east - from).magnitude { low = middle } else { high = middle }
        }
        return high
    }
}
