import Fleet
import FleetTestSupport
import GatewayTestSupport
import Geo
import Hashing
import Messages

/// What reaches the broker from vehicles and dispatch, and when. What is lost, late or doubled on the way there is so in a run
/// without faults, too.
struct Scenario {
    /// In milliseconds; nothing reaches the broker after it.
    static let length = 100_000

    let town: QuietTown
    /// Engines start again and again on the same town, and clearances go through the same states in every run.
    let hazards = SharedHazards(mapsMax: 32)
    /// Whether fences and clearances change while vehicles move.
    private let changesMap: Bool
    /// Milliseconds after the start, ascending.
    private(set) var arrivals: [(time: Int, message: Script.Message)] = []

    init(number: UInt64) throws {
        var random = SplitMix64(seed: number)
        changesMap = number % 2 == 1
        town = try QuietTown(seed: number, bridges: 40, fences: 8)
        // It takes as long as six others.
        if number % 64 == 7 { addCrowd() } else { addTrucks(&random) }
        addChanges(&random)
        arrivals.sort { $0.time < $1.time }
    }

    private mutating func add(_ message: Script.Message, at time: Int) {
        if time < Self.length { arrivals.append((time, message)) }
    }

    // MARK: Vehicles

    private static let truckCount = 5

    /// Trucks that wander through the town.
    private mutating func addTrucks(_ random: inout SplitMix64) {
        for number in 0..<Self.truckCount {
            let journey = Journey(
                line: Self.way(&random), speed: 10 + Double(random.index(below: 12)),
                every: Seconds(1 + random.index(below: 8)), start: Seconds(4 + random.index(below: 4)))
            addFixes(journey.fixes, of: "truck-\(number)", &random)
        }
    }

    /// What a device sends: some of it is lost, some is sent twice, and now and then a few seconds of it come at once.
    private mutating func addFixes(_ fixes: [Fix], of truck: String, _ random: inout SplitMix64) {
        var open = 0
        for fix in fixes {
            var time = Int(fix.time.seconds * 1_000) + 200 + random.index(below: 600)
            if random.index(below: 25) == 0 { open = time + random.index(below: 8_000) }
            time = max(time, open)
            if random.index(below: 30) == 0 { continue }
            add(Script.location(truck, fix), at: time)
            if random.index(below: 20) == 0 { add(Script.location(truck, fix), at: time + random.index(below: 3_000)) }
        }
    }

    private static func way(_ random: inout SplitMix64) -> [Coordinate] {
        var corners = [(2 + random.index(below: 10), 2 + random.index(below: 10))]
        while corners.count < 14 {
            let (column, row) = corners[corners.count - 1]
            let step = random.index(below: 2) == 0 ? 1 : -1
            let next = random.index(below: 2) == 0 ? (column + step, row) : (column, row + step)
            if (0..<14).contains(next.0), (0..<14).contains(next.1) { corners.append(next) }
        }
        return corners.map { Drawing.place(Metres($0.0) * 400, Metres($0.1) * 400) }
    }

    /// Vehicles that come at once into a place where many fences overlap, and leave it: more messages than the gateway keeps in
    /// memory.
    private mutating func addCrowd() {
        for number in 0..<50 {
            add(Script.fence("crowd-\(number)", east: 2_000, #", "dwell": "30 s""#), at: 1_500)
        }
        for number in 0..<50 {
            let line = [Drawing.place(1_900, 2), Drawing.place(3_800, 2)]
            let journey = Journey(line: line, speed: 8, every: 8, start: 5 + 0.02 * Seconds(number))
            for fix in journey.fixes {
                add(Script.location("truck-\(number)", fix), at: Int(fix.time.seconds * 1_000) + 300)
            }
        }
    }

    // MARK: What changes meanwhile

    private mutating func addChanges(_ random: inout SplitMix64) {
        for number in 0..<4 {
            add(Self.fence(number, &random), at: 1_000 + number)
            add(Self.clearance(number, &random), at: 1_100 + number)
            add(Self.profile(number, &random), at: 1_200 + number)
        }
        for _ in 0..<12 {
            let time = 10_000 + random.index(below: Self.length - 10_000)
            let number = random.index(below: 4)
            var message =
                switch random.index(below: changesMap ? 4 : 2) {
                case 0: Self.profile(number, &random)
                case 1: Self.route(number, &random)
                case 2: Self.fence(number, &random)
                default: Self.clearance(number, &random)
                }
            if random.index(below: 5) == 0 { message.payload = "" }
            add(message, at: time)
        }
    }

    private static func fence(_ number: Int, _ random: inout SplitMix64) -> Script.Message {
        Script.fence(
            "changing-\(number)", east: 400 * Metres(2 + random.index(below: 10)),
            #", "dwell": "\#(10 + random.index(below: 20)) s""#)
    }

    private static func clearance(_ number: Int, _ random: inout SplitMix64) -> Script.Message {
        let place = Script.pair(
            400 * Metres(2 + random.index(below: 10)) + 200, 400 * Metres(2 + random.index(below: 10)))
        return Script.Message(
            topic: "headroom/clearances/survey-\(number)",
            payload: #"""
                {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(place)}, "properties":
                 {"clearance": "\#(30 + random.index(below: 10))0 cm", "name": "Survey \#(number)"}}
                """#, isRetained: true)
    }

    private static func profile(_ number: Int, _ random: inout SplitMix64) -> Script.Message {
        Script.Message(
            topic: "fleet/truck-\(number)/profile", payload: #"{"height": 3.\#(1 + random.index(below: 9))}"#,
            isRetained: true)
    }

    private static func route(_ number: Int, _ random: inout SplitMix64) -> Script.Message {
        let places = (0..<2).map { _ in
            Script.pair(400 * Metres(random.index(below: 14)), 400 * Metres(random.index(below: 14)))
        }
        return Script.Message(
            topic: "fleet/truck-\(number)/route", payload: #"{"waypoints": [\#(places.joined(separator: ", "))]}"#,
            isRetained: true)
    }
}
