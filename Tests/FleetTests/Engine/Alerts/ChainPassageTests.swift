import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

@Suite("Who leaves a chain behind its first bridge has passed that, as far as is known once the roads have parted")
struct ChainPassageTests {
    /// Two low bridges, `ef` and `gh`, which are one alert; between them Yard Lane leads away. Side Road begins before them, runs
    /// beside the first, 12 m to the north, and then away from there.
    ///
    ///                n──────m               q
    ///     a────────t──e=f───x──g=h────────z     t at 2,000 m, the bridges in the middle of ef at 2,080 m, of gh at 2,320 m
    ///                       w
    private let drawing: Drawing

    init() throws {
        drawing = try Drawing(
            """
            a 0 0
            t 2000 0
            e 2060 0
            f 2100 0
            x 2200 0
            g 2300 0
            h 2340 0
            z 5000 0
            w 2200 -1500
            n 2060 12
            m 2200 12
            q 2600 500
            p 6000 2500
            at tertiary name=Main+Street
            te tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.2
            fxg tertiary name=Main+Street
            gh tertiary name=Main+Street maxheight=3.2
            hz tertiary name=Main+Street
            tnmqp residential name=Side+Road oneway=yes
            xw residential name=Yard+Lane
            """)
    }

    // MARK: Candidates

    /// - Parameters:
    ///   - edges: driven since the fix before.
    ///   - share: the probability of it.
    private func candidate(_ edges: String, _ share: Double) throws -> MatchCandidate {
        let route = try edges.split(separator: " ").map { try drawing.edge(String($0)) }
        return MatchCandidate(
            position: RoadPosition(edge: try #require(route.last), offset: 20), probability: share, route: route)
    }

    @Test(
        "Each candidate is followed from the bridge on, and whether the vehicle went under is as the likelier ones have it",
        arguments: [
            ([[("te ef fx", 0.8), ("tp", 0.2)]], true),
            // On the road beside after all.
            ([[("te ef fx", 0.8), ("tp", 0.2)], [("fx", 0.3), ("tp", 0.7)]], false),
            ([[("te ef fx", 0.8), ("tp", 0.2)], [("tp", 1)]], false),
            // That was noise.
            ([[("te ef fx", 0.8), ("tp", 0.2)], [("fx", 0.3), ("tp", 0.7)], [("fx xw", 1)]], true),
            // Less likely while it went under.
            ([[("te ef fx", 0.4), ("tp", 0.6)]], false),
            ([[("te ef fx", 0.4), ("tp", 0.6)], [("fx xw", 0.9), ("tp", 0.1)]], true),
            // From none of the candidates before, as after a gap.
            ([[("te ef fx", 0.8), ("tp", 0.2)], [("xw", 1)]], true),
            ([[("te ef fx", 0.4), ("tp", 0.6)], [("xw", 1)]], false),
            ([[("te ef fx", 1)], [("tp", 1)]], true),
        ] as [([[(String, Double)]], Bool)])
    func wentUnder(fixes: [[(edges: String, share: Double)]], isUnder: Bool) throws {
        let table = HazardTable(drawing.network, height: 412)
        let entry = try drawing.edge("ef")
        let hazard = try #require(table.hazards.first { $0.entry == entry })
        #expect(hazard.clearances.count == 2)
        let structures = Structures(drawing.network, table, hazard)
        var passage = StructurePassage()
        for fix in fixes {
            let candidates = try fix.map { try candidate($0.edges, $0.share) }
            let isThrough = passage.take(candidates, [structures], drawing.network)
            #expect(!isThrough)
            // As it is stored between two fixes.
            passage = try StructurePassage(encoded: passage.encoded(format: 1, capacity: 8), format: 1)
        }
        #expect(passage.wentUnder == isUnder)
    }

    @Test("Of a record from before candidates were followed, a pass holds")
    func formerRecord() throws {
        let former = try StructurePassage(encoded: [1, 1], format: 1)
        #expect(former.wentUnder && !former.wentThrough && former.exceptions.isEmpty)
    }

    // MARK: Timelines

    /// Drives along a line at 10 m/s.
    ///
    /// - Parameters:
    ///   - noise: fixes from one place on the line to another are so far north of Main Street.
    ///   - silence: from one place to another there are none, and six minutes more pass.
    /// - Returns: the stages of the alert of both bridges.
    private func stages(
        _ nodes: String, every: Seconds = 1, noise: (along: ClosedRange<Metres>, north: Metres)? = nil,
        silence: Range<Metres>? = nil
    ) throws -> [AlertMessage.Stage] {
        let dispatcher = Dispatcher(drawing.network)
        for var fix in Journey(line: try drawing.line(nodes), speed: 10, every: every, offset: 507).fixes {
            let driven = 507 + 10 * fix.time.seconds
            if let noise, noise.along.contains(driven) { fix.position = Drawing.place(driven, noise.north) }
            if let silence {
                if silence.contains(driven) { continue }
                if driven >= silence.upperBound { fix.time = fix.time.adding(360) }
            }
            dispatcher.fix(fix)
        }
        return dispatcher.alerts.filter { $0.clearance.id == "osm:way:1003" }.map(\.stage)
    }

    @Test(
        "Who took the road beside, and was taken to be under the bridge for some fixes, is clear of it",
        arguments: [2_120.0, 2_140], [4.0, 5])
    func beside(to end: Metres, north: Metres) throws {
        let stages = try stages("atnmqp", noise: (along: 2_050...end, north: north))
        #expect(stages.last == .cleared && !stages.contains(.passed), "\(stages)")
    }

    @Test("Who took it is clear of the bridge, however far his fixes are apart", arguments: [1.0, 10, 30])
    func besideWithSparseFixes(every: Seconds) throws {
        #expect(try stages("atnmqp", every: every).last == .cleared)
    }

    @Test(
        "Who went under has passed, though he was taken to be on the road beside for some fixes",
        arguments: [(2_055.0, 7.0), (2_070, 8)])
    func under(from start: Metres, north: Metres) throws {
        let stages = try stages("atefxw", noise: (along: start...2_150, north: north))
        #expect(stages == [.ahead, .detour, .stop, .passed])
    }

    @Test("Who went under has passed, however far his fixes are apart", arguments: [1.0, 10, 30])
    func underWithSparseFixes(every: Seconds) throws {
        #expect(try stages("atefxw", every: every).last == .passed)
    }

    @Test("Who is not heard of behind it for so long that his road is looked for anew has passed", arguments: [0.0, 6])
    func underBeforeSilence(north: Metres) throws {
        let noise = (along: 2_055...2_130 as ClosedRange<Metres>, north: north)
        let stages = try stages("atefxw", noise: noise, silence: 2_131..<2_260)
        #expect(stages == [.ahead, .detour, .stop, .passed])
    }
}
