import FaultCampaign
import PostgreSQLTestSupport
import Store
import Testing

/// A few runs of the fault campaign; `deploy/test` makes a thousand with optimisation, `Tests/Campaign/run` as many as one likes.
struct FaultCampaignTests {
    @Test("Among faults of every kind the gateway says what it says without them", arguments: [0, 1, 3])
    func campaign(scenario: UInt64) throws {
        let (campaign, first) = (Campaign(), Campaign.seedsPerScenario * scenario)
        for seed in first..<first + 2 {
            let report = try campaign.run(seed: seed)
            #expect(report.problems == [], "Tests/Campaign/run --seed \(seed)")
            #expect(report.keys > 20)
        }
    }

    /// A gateway that acknowledges before it commits fails with the first seed, one that writes what is another's with the second.
    @Test(
        "Gateways that share a fleet say what they say without faults, whoever of them is killed or stands still",
        arguments: [2, 16])
    func cluster(seed: UInt64) throws {
        let report = try Campaign(cluster: PostgreSQLServer.shared.get()).run(seed: seed)
        #expect(report.problems == [], "Tests/Campaign/run --cluster --seed \(seed)")
        #expect(report.keys > 50)
    }

    @Test("The same seed gives the same run", arguments: [12])
    func deterministic(seed: UInt64) throws {
        let (first, second) = (try Campaign().run(seed: seed), try Campaign().run(seed: seed))
        #expect(first.digest == second.digest)
        #expect(first.faults == second.faults && !first.faults.isEmpty)
    }

    @Test("A store that need not survive a power loss loses the last commits by one, in their order, and stays whole")
    func process() throws {
        let (process, power) = (Campaign(durability: .process), Campaign())
        var undone = 0
        for seed: UInt64 in 0..<4 {
            let report = try process.run(seed: seed)
            #expect(report.problems == [])
            guard report.undone > 0 else { continue }
            undone += 1
            #expect(report.faults.keys.contains { $0.hasPrefix("power loss") })
            #expect(try power.run(seed: seed).undone == 0)
        }
        #expect(undone > 0)
    }

    @Test("So does every store on a disk that says that it holds what it does not", arguments: [44])
    func lie(seed: UInt64) throws {
        let report = try Campaign().run(seed: seed)
        #expect(report.problems == [])
        #expect(report.undone > 0 && report.faults["lie"] == 1)
    }
}
