import Foundation
import Gateway
import Roads
import RoadsTestSupport
import Testing

@Suite("Approaches as JSON")
struct ApproachWriterTests {
    /// A bridge on a straight road, and a street round it.
    private func line(street: String, height: String) throws -> [String: Any] {
        let network = try DrawnNetwork(
            """
            s -1000 0
            j 0 0
            a 300 0
            b 400 0
            k 700 0
            e 1700 0
            u 0 200
            v 700 200
            ab residential maxheight=\(height)
            bke residential
            sja residential
            juvk residential \(street)
            """
        ).network
        let table =
            height == "abc"
            ? HazardTable(network, height: 400, unknown: { _ in true }) : HazardTable(network, height: 400)
        let approach = try #require(table.approaches(network, alertDistance: 1_609).first)
        let json = ApproachWriter(network: network).json(approach)
        return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    @Test("what is not known of the clearance and the detour is null; nothing that is always there is left out")
    func unknown() throws {
        let line = try line(street: "", height: "abc")
        let clearance = try #require(line["clearance"] as? [String: Any])
        #expect(clearance["height"] is NSNull && clearance["posted"] as? String == "abc")
        let detour = try #require(line["detour"] as? [String: Any])
        #expect(detour["turn_onto"] is NSNull)
        #expect(detour["turnaround"] == nil && detour["shorter"] == nil, "true or absent")
    }

    @Test("shorter tells of the shortest detour, as the rules do, also where another one is shown")
    func shorter() throws {
        let network = try DrawnNetwork(DrawnNetwork.shorterUnderUnknown).network
        let table = HazardTable(network, height: 400, avoiding: network.edgesBelowDefault)
        let approach = try #require(
            table.approaches(network, alertDistance: 1_609).first { ($0.detour?.extra ?? 0) > 300 })
        let json = ApproachWriter(network: network).json(approach)
        let line = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect((line["detour"] as? [String: Any])?["shorter"] as? Bool == true, "\(json)")
    }

    @Test("what is known is told")
    func known() throws {
        let line = try line(street: "name=High+Street", height: "3.2")
        #expect((line["clearance"] as? [String: Any])?["height"] as? Double == 3.2)
        #expect((line["detour"] as? [String: Any])?["turn_onto"] as? String == "High Street")
    }
}
