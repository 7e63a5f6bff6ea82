import Clearances
import Evaluation
import Fleet
import Geo
import Hashing
import Messages
import Roads
import Testing

/// Trips drawn by chance, and what is true of them.
struct SimulationTripTests {
    @Test("Equal seeds draw equal trips, other seeds others")
    func seeds() throws {
        let network = try SimulationRoads.demo.open()
        func edges(_ seed: UInt64) -> [[EdgeID]?] {
            var draw = TripSampler(network, seed: seed)
            return (0..<5).map { _ in draw.anywhere(lengthMin: 300)?.edges }
        }
        #expect(edges(1) == edges(1))
        #expect(edges(1) != edges(2))
        #expect(edges(1).allSatisfy { $0 != nil })
    }

    @Test("A driver's own way takes at most 1.25 / 0.8 times as long as the fastest, by usual speeds")
    func drivers() throws {
        let network = try SimulationRoads.demo.open()
        func trips(varied: Bool) throws -> [Trip] {
            var draw = TripSampler(network, seed: 0)
            var trips: [Trip] = []
            for number in 0..<40 {
                if varied { draw.drawDriver() }
                // The same start and goal for both.
                draw.restart(SplitMix64(seed: 7, stream: number))
                let trip = draw.anywhere(lengthMin: 300)
                trips.append(try #require(trip))
            }
            return trips
        }
        let (fastest, own) = try (trips(varied: false), trips(varied: true))
        let again = try trips(varied: true)
        #expect(own.map(\.edges) == again.map(\.edges))
        for (fastest, own) in zip(fastest, own) {
            #expect(own.edges.last == fastest.edges.last || own.edges.last == network.reverse(fastest.edges.last!))
            #expect(own.duration <= fastest.duration * 1.25 / 0.8 + 60)
        }
        #expect(zip(fastest, own).contains { $0.edges != $1.edges })
    }

    @Test("A trip drives legal turns only")
    func legalTurns() throws {
        let network = try SimulationRoads.demo.open()
        var draw = TripSampler(network, seed: 11)
        for _ in 0..<20 {
            let edges = try #require({ draw.anywhere(lengthMin: 300) }()).edges
            for (edge, next) in zip(edges, edges.dropFirst()) { #expect(network.successors(edge).contains(next)) }
        }
    }

    @Test("Every detour on a public road is driven, from before its turn-off to its end")
    func detours() throws {
        let network = try SimulationRoads.demo.open()
        let table = HazardTable(network, height: EvaluationTrial.height)
        let trips = Trip.detours(network, table)
        let detours = table.hazards.filter(\.isPublic).flatMap(\.detours)
        #expect(trips.count == detours.count && !trips.isEmpty)
        for (trip, detour) in zip(trips, detours) {
            for (edge, next) in zip(trip.edges, trip.edges.dropFirst()) {
                #expect(network.successors(edge).contains(next))
            }
            let first = try #require(trip.edges.firstIndex(of: detour.edges[0]))
            #expect(first > 0 && network.original(trip.edges[first - 1]) == detour.arriving)
            #expect(Array(trip.edges[first...]) == detour.edges)
        }
    }

    @Test("No way between two edges is faster than the fastest")
    func fastest() throws {
        let network = try SimulationRoads.demo.open()
        let fastest = FastestWay(network)
        func seconds(_ edges: some Sequence<EdgeID>) -> Seconds {
            edges.reduce(0) { $0 + network.length($1) / network.usualSpeed($1) }
        }
        let originals = (0..<network.edgeCount).map { EdgeID($0) }.filter { network.original($0) == $0 }
        let table = slowTimes(network)
        for start in originals {
            for goal in originals where goal != start {
                let found = fastest.edges(from: start, to: goal).map { seconds($0.dropFirst()) }
                let truth = table[start]?.filter { network.original($0.key) == goal }.map(\.value).min()
                #expect((found == nil) == (truth == nil))
                // The search counts in single precision.
                if let found, let truth { #expect(abs(found - truth) < 1e-4) }
            }
        }
    }

    /// From each edge's end to every other's: relaxed over and over until nothing changes (Bellman and Ford).
    private func slowTimes(_ network: RoadNetwork) -> [EdgeID: [EdgeID: Seconds]] {
        let edges = (0..<network.edgeCount).map { EdgeID($0) }
        var times: [EdgeID: [EdgeID: Seconds]] = [:]
        for start in edges {
            var best: [EdgeID: Seconds] = [start: 0]
            var hasChanged = true
            while hasChanged {
                hasChanged = false
                for (edge, time) in best {
                    for next in network.successors(edge) {
                        let later = time + network.length(next) / network.usualSpeed(next)
                        if later < best[next] ?? .infinity {
                            best[next] = later
                            hasChanged = true
                        }
                    }
                }
            }
            times[start] = best
        }
        return times
    }

    @Test("A trip under a low edge begins before its last turn-off, passes the structure and goes on behind it")
    func passing() throws {
        let network = try SimulationRoads.demo.open()
        let table = HazardTable(network, height: SimulationRoads.demo.height)
        var draw = TripSampler(network, seed: 2)
        for _ in 0..<10 {
            let trip = try #require({ draw.passing(table, approach: SimulationRoads.demo.approach) }())
            let pass = try #require(trip.passes(network, table).first { $0.detourDistance != nil })
            let (detour, structure) = (try #require(pass.detourDistance), try #require(pass.structureDistance))
            #expect(0 < detour && detour <= pass.entryDistance && pass.entryDistance <= structure)
            #expect(structure < trip.length)
            let clearance = network.clearance(table.hazards[pass.hazard].clearances[0])
            let place = trip.place(at: trip.time(at: structure)).position
            #expect(place.distance(to: clearance.position) < 15)
        }
    }

    @Test("West on Washington Street the last turn-off is 1st Street, 80 m before the low edge")
    func washingtonStreet() throws {
        let network = try SimulationRoads.demo.open()
        let table = HazardTable(network, height: SimulationRoads.demo.height)
        let east = Coordinate(latitude: 42.2803, longitude: -83.7240)
        let west = Coordinate(latitude: 42.28069, longitude: -83.7550)
        let start = try #require(network.edges(within: 20, of: east).first { $0.bearing > 180 }).edge
        let goal = try #require(network.edges(within: 20, of: west).first { $0.bearing > 180 }).edge
        let low = try #require(table.hazards.first { network.startBearing($0.entry) > 180 })
        let under = try #require(FastestWay(network).edges(from: start, to: low.entry))
        let beyond = try #require(FastestWay(network).edges(from: low.entry, to: goal))
        let trip = Trip(network, edges: under + beyond.dropFirst())
        let passes = trip.passes(network, table)
        let pass = try #require(passes.first)
        #expect(passes.count == 1)
        let detour = try #require(pass.detourDistance)
        let junction = trip.place(at: trip.time(at: detour)).position
        #expect(junction.distance(to: Coordinate(latitude: 42.280564, longitude: -83.7508)) < 1)
        #expect((78...82).contains(pass.entryDistance - detour))
    }
}
