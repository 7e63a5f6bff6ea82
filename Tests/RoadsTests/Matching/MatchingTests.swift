import Foundation
import Geo
import Hashing
import Roads
import RoadsTestSupport
import Testing

/// On which road a vehicle is taken to be.
struct MatchingTests {
    // MARK: One fix

    @Test("Probabilities of one fix add up to 1, the likeliest first")
    func normalised() throws {
        var drive = try MatchingDrive("a 0 0\nb 500 0\nc 0 15\nd 500 15\nab primary\ncd residential")
        for east in stride(from: 20.0, through: 400, by: 20) {
            drive.fix(east, 9)
            #expect(abs(drive.candidates.reduce(0) { $0 + $1.probability } - 1) < 1e-3)
            let ranked = drive.candidates.map(\.probability)
            #expect(ranked == ranked.sorted(by: >))
        }
    }

    @Test("Without a course both directions of a road are equally likely; a course decides")
    func direction() throws {
        var drive = try MatchingDrive("a 0 0\nb 500 0\nab primary")
        drive.fix(200, 2)
        #expect(abs(drive.probability("ab") - 0.5) < 1e-6)
        drive.restart()
        drive.fix(200, 2, course: 85)
        #expect(drive.best == "ab")
        #expect(drive.certainty > 0.99)
        drive.restart()
        drive.fix(200, 2, course: 275)
        #expect(drive.best == "ba")
    }

    @Test("A second fix decides the direction without any course")
    func movement() throws {
        var drive = try MatchingDrive("a 0 0\nb 500 0\nab primary")
        drive.fix(300, 2)
        drive.fix(250, -2)
        #expect(drive.best == "ba")
        #expect(drive.certainty > 0.95)
    }

    @Test("A one-way road is not driven against", arguments: [nil, 270.0])
    func oneway(course: Degrees?) throws {
        var drive = try MatchingDrive("a 0 0\nb 500 0\nab primary oneway=yes")
        for east in [300.0, 250, 200] { drive.fix(east, 0, course: course) }
        #expect(drive.candidates.allSatisfy { drive.drawn.name($0.position.edge) == "ab" })
    }

    @Test(
        "Who comes back by the street beside, as speeds say there was time for, is not taken to have turned round on the road",
        arguments: [(nil, "ba"), (9.0, "dc")])
    func roundTheBlock(speed: MetresPerSecond?, best: String) throws {
        var drive = try MatchingDrive("a 0 0\nb 300 0\nc 0 15\nd 300 15\nab service\ncd primary\nbd service")
        drive.fix(200, 0, course: 90, speed: speed)
        drive.fix(150, 14, course: 270, speed: speed, after: 30)
        #expect(drive.best == best)
    }

    @Test("Where no road is near there is no match, and beside a road there is again")
    func offNetwork() throws {
        var drive = try MatchingDrive("a 0 0\nb 500 0\nab primary")
        drive.fix(100, 0)
        drive.fix(150, 250)
        #expect(drive.candidates.isEmpty)
        drive.fix(200, 3)
        #expect(!drive.candidates.isEmpty)
    }

    @Test(
        "A worse fix looks farther for its road, up to 100 m",
        arguments: [
            (5.0, 29.0, true), (5, 31, false), (20, 79, true), (20, 81, false), (100, 99, true), (100, 101, false),
        ])
    func radius(accuracy: Metres, beside: Metres, isFound: Bool) throws {
        var drive = try MatchingDrive("a 0 0\nb 500 0\nab primary")
        drive.fix(200, beside, accuracy: accuracy)
        #expect(drive.candidates.isEmpty == !isFound)
    }

    // MARK: Roads side by side

    private static let parallel = """
        a 0 0
        b 1000 0
        c 0 15
        d 1000 15
        ab primary
        cd residential
        """

    @Test("Of two roads 15 m apart the one that was driven so far is kept, though a fix lies nearer the other")
    func parallelContinuity() throws {
        var drive = try MatchingDrive(Self.parallel)
        for east in stride(from: 0.0, through: 400, by: 50) { drive.fix(east, 0, course: 90) }
        drive.fix(450, 9, course: 90)
        #expect(drive.best == "ab")
        for east in stride(from: 500.0, through: 900, by: 50) { drive.fix(east, 1, course: 90) }
        #expect(drive.best == "ab")
        #expect(drive.certainty > 0.95)
    }

    @Test(
        "Of two one-way carriageways 15 m apart the course decides, whatever the noise",
        arguments: [
            (90.0, "ab"), (270.0, "dc"),
        ])
    func parallelCourse(course: Degrees, expected: String) throws {
        var drive = try MatchingDrive(
            "a 0 0\nb 1000 0\nc 0 15\nd 1000 15\nab primary oneway=yes\ndc primary oneway=yes")
        let places = stride(from: 100.0, through: 900, by: 50).map { course < 180 ? $0 : 1_000 - $0 }
        for (index, east) in places.enumerated() {
            drive.fix(east, [6, 8, 9, 7][index % 4], course: course)
            #expect(drive.best == expected)
        }
    }

    // MARK: One above the other

    private static let crossing = """
        a -500 0
        b 500 0
        c 0 -500
        d 0 500
        ab primary maxheight=3.2
        cd primary bridge=yes layer=1
        """

    @Test(
        "A truck on a bridge is not on the road under it, a truck under it not on the bridge", arguments: [nil, true])
    func crossing(hasCourse: Bool?) throws {
        var under = try MatchingDrive(Self.crossing)
        var over = try MatchingDrive(Self.crossing)
        for metres in stride(from: -300.0, through: 300, by: 25) {
            under.fix(metres, 2, course: hasCourse.map { _ in 90 })
            over.fix(2, metres, course: hasCourse.map { _ in 0 })
            guard metres > -300 else { continue }
            #expect(under.best == "ab")
            #expect(over.best == "cd")
            #expect(under.certainty > 0.8 && over.certainty > 0.8)
        }
    }

    // MARK: Noise

    @Test("Noise of 5 m on a straight road never leads into a side street", arguments: [1.0, 5, 10])
    func noise(every: Seconds) throws {
        let sides = (1...9).map { "s\($0) \($0 * 100) 0\nt\($0) \($0 * 100) 80" }
        let ways = (1...9).map { "s\($0)-t\($0) residential" }
        let main = "a " + "0 0\nz 1000 0\n"
        let road = (["a"] + (1...9).map { "s\($0)" } + ["z"]).joined(separator: "-") + " primary"
        for seed in UInt64(1)...20 {
            var drive = try MatchingDrive(main + (sides + [road] + ways).joined(separator: "\n"))
            var random = SplitMix64(seed: seed)
            for east in stride(from: 5.0, through: 990, by: 15 * every) {
                let (x, y) = random.gaussian(deviation: 5)
                drive.fix(east + x, y, course: 90)
                #expect(!drive.best.contains("t"), "seed \(seed) at \(east) m: \(drive.best)")
            }
        }
    }

    @Test("Standing with noise keeps the road that was driven, and its direction", arguments: UInt64(1)...20)
    func standing(seed: UInt64) throws {
        var drive = try MatchingDrive("a 0 0\ns 500 0\nb 1000 0\nt 500 300\nasb primary\nst residential")
        for east in stride(from: 300.0, through: 440, by: 20) { drive.fix(east, 0, course: 90) }
        var random = SplitMix64(seed: seed)
        var turned = 0
        for _ in 0..<60 {
            let (x, y) = random.gaussian(deviation: 5)
            drive.fix(450 + x, y, accuracy: 7.5)
            #expect(["as", "sa"].contains(drive.best))
            if drive.best == "sa" { turned += 1 }
        }
        // One leap of 25 m backwards looks like turning round for as long as nothing speaks against it.
        #expect(turned <= 2)
        #expect(drive.best == "as")
    }

    // MARK: Turning and starting anew

    @Test("A vehicle that turns round on the road is soon taken to drive back", arguments: [nil, true])
    func turnsRound(hasCourse: Bool?) throws {
        var drive = try MatchingDrive("a 0 0\nb 1000 0\nab primary")
        for east in stride(from: 100.0, through: 500, by: 50) { drive.fix(east, 0, course: hasCourse.map { _ in 90 }) }
        #expect(drive.best == "ab")
        for east in stride(from: 450.0, through: 300, by: -50) {
            drive.fix(east, 0, course: hasCourse.map { _ in 270 })
        }
        #expect(drive.best == "ba")
        #expect(drive.certainty > 0.9)
    }

    @Test("A vehicle that turns off is on the side street two fixes later at the latest, with the whole way there")
    func turnsOff() throws {
        var drive = try MatchingDrive("a 0 0\ns 500 0\nb 1000 0\nt 500 500\nasb primary\nst residential")
        for east in stride(from: 300.0, through: 480, by: 60) { drive.fix(east, 0, course: 90) }
        drive.fix(500, 40, course: 0)
        #expect(drive.best == "st")
        #expect(drive.candidates.first?.route.map(drive.drawn.name) == ["as", "st"])
        drive.fix(500, 100, course: 0)
        #expect(drive.best == "st")
        #expect(drive.candidates.first?.route.map(drive.drawn.name) == ["st"])
        #expect(drive.certainty > 0.99)
    }

    @Test("Sparse fixes are joined along the road, over all edges between")
    func sparse() throws {
        var drive = try MatchingDrive(
            """
            a 0 0
            b 300 0
            c 600 0
            d 600 300
            e 600 600
            x 300 300
            y 900 300
            abc primary
            cde primary
            bx residential
            dy residential
            """)
        drive.fix(100, 0, course: 90)
        drive.fix(600, 400, course: 0)
        #expect(drive.best == "de")
        #expect(drive.candidates.first?.route.map(drive.drawn.name) == ["ab", "bc", "cd", "de"])
    }

    @Test("Where no road leads from the last match the match starts anew")
    func unconnected() throws {
        var drive = try MatchingDrive("a 0 0\nb 500 0\nc 0 200\nd 500 200\nab primary\ncd primary")
        drive.fix(200, 0, course: 90)
        drive.fix(250, 200, course: 90)
        #expect(drive.best == "cd")
        #expect(drive.candidates.first?.route.map(drive.drawn.name) == ["cd"])
    }

    @Test("Within a turn restriction over several edges a candidate keeps in mind where it has come from")
    func restrictionUnderWay() throws {
        var drive = try MatchingDrive(
            """
            s -500 0
            i 0 0
            j 300 0
            u 300 300
            e 800 0
            si primary
            ij primary
            je primary
            ju residential
            no_left_turn si ij ju
            """)
        func successors() throws -> [String] {
            let candidate = try #require(drive.candidates.first)
            return drive.drawn.network.successors(candidate.start.edge).map(drive.drawn.name).sorted()
        }
        for east in [-100.0, 50, 150, 155, 250] {
            drive.fix(east, 0, course: 90)
            guard east > 0 else { continue }
            #expect(drive.best == "ij")
            #expect(try successors() == ["je"])
        }
        drive.fix(350, 0, course: 90)
        #expect(drive.best == "je")
        #expect(drive.candidates.first?.shadow == nil)
        drive.restart()
        drive.fix(150, 0, course: 90)
        #expect(try successors() == ["je", "ju"])
    }

    @Test("After a restart nothing of what was before counts")
    func restarted() throws {
        var drive = try MatchingDrive(Self.parallel)
        for east in stride(from: 0.0, through: 400, by: 50) { drive.fix(east, 0, course: 90) }
        drive.restart()
        drive.fix(450, 9, course: 90)
        #expect(drive.best == "cd")
    }
}

extension SplitMix64 {
    /// Two independent numbers of a normal distribution (Box and Muller, 1958).
    fileprivate mutating func gaussian(deviation: Double) -> (Double, Double) {
        let radius = deviation * (-2 * log(Double.random(in: Double.ulpOfOne..<1, using: &self))).squareRoot()
        let turn = Double.random(in: 0..<(2 * .pi), using: &self)
        return (radius * cos(turn), radius * sin(turn))
    }
}
