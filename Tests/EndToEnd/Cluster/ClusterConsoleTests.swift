import Fleet
import Foundation
import Geo
import Messages
import Testing

/// The consoles of two gateways that share a fleet.
struct ClusterConsoleTests {
    /// What a console tells of the fleet.
    private struct Seen: Equatable {
        var vehicles: [String]
        var alerts: [String]
        var untaken: [String]

        init(_ console: ConsoleClient) async throws {
            vehicles = try await console.get("/vehicles?limit=1000").items.compactMap { $0["vehicle"] as? String }
            alerts = try await console.get("/alerts?limit=1000").items.compactMap { $0["id"] as? String }.sorted()
            untaken = try await console.get("/alerts?state=untaken").items.compactMap { $0["id"] as? String }
                .sorted()
        }
    }

    private func client(_ gateway: GatewayProcess, _ cluster: GatewayCluster) -> ConsoleClient {
        ConsoleClient(gateway: gateway, scratch: cluster.scratch)
    }

    @Test(
        "Both consoles list all vehicles and all open alerts, and take what is meant for any; after a takeover the one that is left",
        .timeLimit(.minutes(10)))
    func wholeFleet() async throws {
        let drive = BridgeDrive(vehicles: 40)
        let cluster = try await GatewayCluster()
        let (north, south) = (try cluster.gateway("north"), try cluster.gateway("south"))
        try await cluster.start(north, south)
        try await cluster.publish(drive.beginning(fleet: cluster.fleet, headroom: cluster.prefix))
        // On the way to the bridge, and there they stay.
        for fix in DepotScene.drive(25, age: -20) {
            try await cluster.publish(
                drive.vehicles.map {
                    FleetSpeaker.Message(topic: "\(cluster.fleet)/\($0)/location", payload: fix.json)
                })
        }
        let tall = drive.vehicles.count / 10 * 9
        func everything(_ seen: Seen) -> Bool { Set(seen.vehicles) == Set(drive.vehicles) && seen.alerts.count == tall }
        let consoles = [client(north, cluster), client(south, cluster)]
        try await eventually(within: .seconds(40), "the consoles do not show the fleet: \(south.errors.suffix(2_000))")
        {
            let seen = try await (Seen(consoles[0]), Seen(consoles[1]))
            return everything(seen.0) && seen.0 == seen.1
        }
        try await eventually(within: .seconds(10), "the consoles do not tell the same of how far vehicles are") {
            let progress = try await (progress(consoles[0]), progress(consoles[1]))
            return progress.0.count == tall && progress.0 == progress.1
        }
        for console in consoles { try await handles(console, north, south) }
        let before = try await Seen(consoles[1])
        #expect(before.vehicles == drive.vehicles)

        try await north.stop(SIGKILL)
        try await eventually(within: .seconds(20), "the queues of a gateway that is gone are not taken") {
            try await cluster.owned(south) == GatewayCluster.queues
        }
        try await eventually(within: .seconds(10), "the console that is left does not show the fleet") {
            try await Seen(consoles[1]) == before
        }
        #expect(try await south.stop().status == 0)
    }

    /// What is told of now, by alert.
    private func progress(_ console: ConsoleClient) async throws -> [String: String] {
        try await console.get("/alerts?limit=1000").items.reduce(into: [:]) { texts, alert in
            guard let id = alert["id"] as? String, let now = alert["now"] as? [String: Any] else { return }
            texts[id] = "\(alert["text_now"] ?? "") \(now["time"] ?? "") \(now["distance"] ?? "")"
        }
    }

    /// A dispatcher takes an alert of each gateway's vehicles, and gives each of some vehicles another height.
    private func handles(_ console: ConsoleClient, _ north: GatewayProcess, _ south: GatewayProcess) async throws {
        let name = console.gateway.name
        let alerts = try await console.get("/alerts?limit=1000").items.compactMap { $0["id"] as? String }
        // Of eight vehicles both gateways have some, but for one in a hundred times.
        for id in alerts.prefix(8) {
            let taken = try await console.put(
                "/alerts/\(id)/handling", #"{"status": "taken", "by": "\#(name)"}"#)
            #expect(taken.status == 200, "\(taken)")
            #expect(try await console.get("/alerts/\(id)/handling").object["by"] as? String == name)
        }
        for vehicle in ["S1", "S2", "S3", "S4", "S5", "S6"] {
            let put = try await console.put(
                "/vehicles/\(vehicle)/profile", #"{"height": "3.9 m", "source": "\#(name)"}"#)
            #expect(put.status == 200, "\(vehicle) at \(name): \(put)")
        }
    }

    @Test(
        "A phone is paired by either gateway, and speaks for its vehicle through both until it is revoked at either",
        .timeLimit(.minutes(6)))
    func cabs() async throws {
        let cluster = try await GatewayCluster()
        let gateways = try ["north", "south"].map { try cluster.gateway($0) }
        try await cluster.start(gateways[0], gateways[1])
        let editors = gateways.map { client($0, cluster) }
        for (vehicle, first) in [("T1", 0), ("T2", 1), ("T3", 0), ("T4", 1)] {
            var phones = gateways.map { client($0, cluster) }
            let code = try await code(of: vehicle, by: gateways[first], cluster)
            let paired = try await phones[first].post("/cab/pairing", #"{"code": "\#(code)"}"#)
            let token = try #require(paired.object["token"] as? String, "\(paired)")
            #expect(try await phones[1 - first].post("/cab/pairing", #"{"code": "\#(code)"}"#).status == 410)
            for index in phones.indices { phones[index].token = token }
            for phone in phones {
                #expect(try await phone.put("/cab/profile", #"{"height": 4.1}"#).status == 200)
                let sent = try await phone.post("/cab/fixes", fix)
                #expect(sent.status == 200, "\(vehicle) at \(phone.gateway.name): \(sent)")
            }
            let other = editors[1 - first]
            let id = try #require(
                try await other.get("/vehicles/\(vehicle)/cab-tokens").items.first?["id"] as? Int)
            #expect(try await other.delete("/cab-tokens/\(id)").status == 200)
            try await eventually(within: .seconds(5), "the token is not revoked") {
                try await phones[first].post("/cab/fixes", fix).status == 401
            }
        }
        for gateway in gateways { #expect(try await gateway.stop().status == 0) }
    }

    private var fix: String {
        "[" + Fix(position: DepotScene.place(50, 50), time: .now, accuracy: 5).json + "]"
    }

    /// What `headroom cab link` prints behind the mark.
    private func code(of vehicle: String, by gateway: GatewayProcess, _ cluster: GatewayCluster) async throws -> String
    {
        let result = try await run(
            Repository.program,
            [
                "cab", "link", vehicle, "--config", gateway.configuration, "--format", "json", "--url",
                "https://a.example/",
            ],
            cluster.scratch)
        let link = try #require(result.output.firstMatch(of: /"link":"([^"]+)"/)?.1, "\(result)")
        return String(try #require(link.split(separator: "#").last))
    }
}
