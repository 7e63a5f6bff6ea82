import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

@Suite("What a vehicle has driven past is noted once for each fix, however often it is judged by that")
struct JudgedAgainTests {
    /// A low bridge in the middle of `ef` at 4,320 m, and a road beside it, 20 m to the north, that leaves for good behind it. At
    /// `k` and `o` both roads go on as other edges.
    ///
    ///                               ┌────p────────────r
    ///              n─────────────o──┘    h            │
    ///     a────────j───e=f──────k────────g────────────z
    private func road(_ maxheight: String = "3.2") throws -> Drawing {
        try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            k 4450 0
            g 5200 0
            z 9000 0
            n 4050 20
            o 4450 20
            q 4560 20
            p 5200 600
            r 9000 600
            s 4450 -500
            t 4450 500
            aj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=\(maxheight)
            fkgz tertiary name=Main+Street
            jnoqp tertiary name=Side+Road
            prz tertiary name=Side+Road
            ks tertiary name=South+Street
            ot tertiary name=North+Street
            """)
    }

    private func fix(_ east: Metres, _ north: Metres, at seconds: Seconds) -> Fix {
        Fix(position: Drawing.place(east, north), time: .at(seconds), accuracy: 5)
    }

    enum Again: CaseIterable { case not, profile, map, deadline }

    /// Drives up to the bridge, and past it where the road beside is somewhat likelier; at the last of these places it is judged
    /// again.
    private func drive(_ again: Again) throws -> Dispatcher {
        let dispatcher = Dispatcher(try road().network)
        for step in 0..<10 { dispatcher.fix(fix(3_000 + 100 * Double(step), 0, at: 10 * Double(step))) }
        dispatcher.fix(fix(4_400, 10.3, at: 145))
        dispatcher.fix(fix(4_480, 10.3, at: 153))
        switch again {
        case .not: break
        case .profile: dispatcher.tell(.profile(HeightProfile(height: 412, source: "dispatch")), at: 154)
        case .map: dispatcher.replace(try road("3.1").network, at: 154)
        case .deadline: dispatcher.tick(215)
        }
        return dispatcher
    }

    @Test("Who was likelier on the road beside has passed once it is known that he was not", arguments: Again.allCases)
    func passed(again: Again) throws {
        let dispatcher = try drive(again)
        for step in 0..<10 { dispatcher.fix(fix(4_700 + 100 * Double(step), 0, at: 220 + 10 * Double(step))) }
        #expect(dispatcher.stages.last == .passed, "\(dispatcher.log)")
    }

    @Test("Who was on the road beside has not", arguments: Again.allCases)
    func beside(again: Again) throws {
        let dispatcher = try drive(again)
        for step in 0..<20 {
            let east = 4_700 + 100 * Double(step)
            dispatcher.fix(fix(east, min(600, 20 + (east - 4_560) * 580 / 640), at: 220 + 10 * Double(step)))
        }
        #expect(!dispatcher.stages.contains(.passed), "\(dispatcher.log)")
    }
}
