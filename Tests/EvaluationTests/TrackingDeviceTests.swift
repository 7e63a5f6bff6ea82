import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Evaluation
@testable import Fleet

/// What each device does, second by second, on a straight road eastwards.
struct TrackingDeviceTests {
    // MARK: Continuous

    @Test("Continuous: a fix each interval; where none is to be had then, the next")
    func continuous() {
        var road = TrackingRoad(ContinuousDevice(interval: 10))
        road.drive(25)
        road.drive(8, accuracy: nil)
        road.drive(15)
        #expect(road.reports == [0, 10, 20, 33, 43])
        // Looking is what costs: in vain as well.
        #expect(road.looks == [0, 10, 20, 30, 31, 32, 33, 43])
    }

    // MARK: Significant change

    @Test("Significant change: a fix on launch, and each time it has moved 500 m since the last one")
    func significantChange() {
        var road = TrackingRoad(SignificantChangeDevice())
        road.drive(60, speed: 21)
        road.drive(600, speed: 0)
        road.drive(20, speed: 21)
        #expect(road.reports == [0, 24, 48, 672])
        #expect(road.looks == road.reports)
    }

    @Test(
        "Significant change: without reception the receiver stays on, and the 500 m count from the fix that it gets then"
    )
    func significantChangeInTunnel() {
        var road = TrackingRoad(SignificantChangeDevice())
        road.drive(20, speed: 21)
        road.drive(15, speed: 21, accuracy: nil)
        road.drive(30, speed: 21)
        #expect(road.reports == [0, 35, 59])
        let everySecond = (24...35).map { Seconds($0) }
        #expect(road.looks == [0] + everySecond + [59])
    }

    // MARK: Quiet circle

    /// A circle round the start of the road.
    private func circle(_ radius: Metres, until end: Seconds = 3600, every interval: Seconds = 10) -> TrackingMessage {
        TrackingMessage(
            id: "", version: 1, time: .at(0), quiet: Circle(center: Drawing.place(0, 0), radius: radius),
            reportInterval: interval, validUntil: .at(end))
    }

    @Test("Quiet circle: reports at its interval until it is told of a circle, and again once it has left that")
    func quietCircle() {
        var road = TrackingRoad(QuietCircleDevice(interval: 1))
        road.drive(3, speed: 21)
        road.device.receive(circle(500))
        road.drive(45, speed: 21)
        // It is out after 24 s, and is told nothing new.
        #expect(road.reports == [0, 1, 2, 24, 34, 44])
    }

    @Test("Quiet circle: the receiver is off for as long as the device cannot have left at 36 m/s")
    func quietReceiver() {
        var road = TrackingRoad(QuietCircleDevice(interval: 10))
        road.drive(1, speed: 0)
        road.device.receive(circle(1000))
        road.drive(60, speed: 0)
        #expect(road.looks == [0, 27, 54])
        #expect(road.reports == [0])
    }

    @Test("Quiet circle: the nearer the border the more often it looks; that it has left it notices within a second")
    func quietBorder() {
        var road = TrackingRoad(QuietCircleDevice(interval: 10))
        road.drive(1, speed: 31)
        road.device.receive(circle(3000))
        road.drive(99, speed: 31)
        // Out after 96.8 s.
        #expect(road.looks == [0, 83, 94, 96, 97])
        #expect(road.reports == [0, 97])
    }

    @Test("Quiet circle: a device that gets no fix when it has to look may have left, and reports the next one")
    func quietInTunnel() {
        var road = TrackingRoad(QuietCircleDevice(interval: 10))
        road.drive(1, speed: 0)
        road.device.receive(circle(360))
        road.drive(9, speed: 0)
        // It has to look at 10 s.
        road.drive(5, speed: 0, accuracy: nil)
        road.drive(20, speed: 0)
        #expect(road.reports == [0, 15])
        #expect(road.looks == [0, 10, 11, 12, 13, 14, 15, 25])
    }

    @Test(
        "Quiet circle: an accuracy above 100 m is not a fix",
        arguments: [(100, [0]), (101, [0, 15])] as [(Metres, [Seconds])])
    func quietAccuracy(accuracy: Metres, reports: [Seconds]) {
        var road = TrackingRoad(QuietCircleDevice(interval: 10))
        road.drive(1, speed: 0)
        road.device.receive(circle(360))
        road.drive(14, speed: 0, accuracy: accuracy)
        road.drive(5, speed: 0)
        #expect(road.reports == reports)
    }

    @Test("Quiet circle: once the circle's time is over the device reports, wherever it is")
    func quietValidity() {
        var road = TrackingRoad(QuietCircleDevice(interval: 10))
        road.drive(1, speed: 0)
        road.device.receive(circle(10_000, until: 100))
        road.drive(125, speed: 0)
        #expect(road.reports == [0, 100, 110, 120])
    }

    @Test("Quiet circle: a circle that is taken back is no leave to be silent")
    func quietTakenBack() {
        var road = TrackingRoad(QuietCircleDevice(interval: 10))
        road.drive(1, speed: 0)
        road.device.receive(circle(10_000))
        road.drive(29, speed: 0)
        var order = circle(10_000, every: 5)
        order.quiet = nil
        road.device.receive(order)
        road.drive(10, speed: 0)
        #expect(road.reports == [0, 30, 35])
    }
}

/// A device on a straight road eastwards, and what it does there.
struct TrackingRoad<Device: TrackingDevice> {
    var device: Device
    private(set) var reports: [Seconds] = []
    private(set) var looks: [Seconds] = []
    private var time: Seconds = 0
    private(set) var east: Metres = 0

    init(_ device: Device) { self.device = device }

    /// - Parameter accuracy: nil: nothing is received.
    mutating func drive(_ seconds: Int, speed: MetresPerSecond = 10, accuracy: Metres? = 5) {
        for _ in 0..<seconds {
            let place = Drawing.place(east, 0)
            let fix = accuracy.map { Fix(position: place, time: .at(time), accuracy: $0, speed: speed) }
            let act = device.advance(to: DeviceSecond(time: .at(time), place: place, fix: fix))
            if act.looks { looks.append(time) }
            if act.report != nil { reports.append(time) }
            time += 1
            east += speed
        }
    }

    /// It is somewhere else at once.
    mutating func jump(_ metres: Metres) { east += metres }
}
