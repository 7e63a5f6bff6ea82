import Foundation
import Testing

/// The map of a whole region, as a browser loads it.
struct ConsoleMapEndToEndTests {
    @Test(
        "A region's tiles are small at every zoom",
        .enabled(if: Repository.isThere(Repository.rheinNeckar), "needs rhein-neckar_de_2016.osm.pbf"),
        .timeLimit(.minutes(6)))
    func tiles() async throws {
        let scratch = try Scratch()
        let roads = scratch.path("region.roads")
        let build = try await run(Repository.program, ["roads", "build", Repository.rheinNeckar, "-o", roads], scratch)
        try #require(build.status == 0, "roads build: \(build.errors)")
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: roads)
        try await gateway.start()
        let client = ConsoleClient(gateway: gateway, scratch: scratch)
        let bounds = try #require((try await client.get("/status").object["bounds"]) as? [Double])
        // Mannheim, in the middle of it.
        let (latitude, longitude) = (49.487, 8.466)
        #expect(bounds[0] < longitude && bounds[1] < latitude && bounds[2] > longitude && bounds[3] > latitude)
        for zoom in 5...15 {
            let tiles = pow(2, Double(zoom))
            let column = Int((longitude + 180) / 360 * tiles)
            let row = Int((1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2 * tiles)
            let tile = try await client.size("/tiles/roads/\(zoom)/\(column)/\(row)")
            #expect(tile.status == 200 && (100...200_000).contains(tile.bytes), "zoom \(zoom): \(tile)")
        }
        try await gateway.stop()
    }
}
