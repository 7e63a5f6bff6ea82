import Clearances
import FleetTestSupport
import Geo
import Hashing
import Messages
import RoadImport
import Roads
import Testing

@testable import Fleet

/// The choice of regions against one that looks at everything.
struct RegionChooserTests {
    private static let settings = EngineSettings()
    private static let extent: Metres = 60_000
    private static let groups = ["north", "south", "east", "west"]

    private func place(_ random: inout SplitMix64) -> Coordinate {
        Drawing.place(random.fraction() * Self.extent, random.fraction() * Self.extent)
    }

    private func fence(_ number: Int, _ random: inout SplitMix64) -> Fence {
        let (east, north) = (random.fraction() * Self.extent, random.fraction() * Self.extent)
        let size = 30 + 1_500 * random.fraction()
        let shape: Shape
        switch number % 3 {
        case 0: shape = .circle(Circle(center: Drawing.place(east, north), radius: size))
        case 1:
            let corners = [(-1.0, -1.0), (1, -0.8), (0.2, 0.1), (0.7, 1), (-1, 0.9)]
            let outer = corners.map { Drawing.place(east + $0.0 * size, north + $0.1 * size) }
            shape = .polygons([Polygon(outer: outer)])
        default:
            let line = [(0.0, 0.0), (3, 1), (4, 3)].map { Drawing.place(east + $0.0 * size, north + $0.1 * size) }
            shape = .corridor(Corridor(line: line, width: size / 2))
        }
        var fence = Fence(id: "fence-\(number)", shape: shape)
        if number % 2 == 0 {
            fence.groups = [Self.groups[random.index(below: 4)], Self.groups[random.index(below: 4)]]
        }
        if number % 10 == 5 { fence.vehicles = [Dispatcher.truck.vehicle] }
        if number % 7 == 0 { fence.validUntil = .at(number % 2 == 0 ? -1 : 1) }
        return fence
    }

    /// Looks at every fence in force.
    private func slowly(_ catalogue: FenceCatalogue, at position: Coordinate, groups: [String]) -> [String] {
        let near = catalogue.known.values.compactMap { known -> (distance: Metres, id: String)? in
            let fence = known.fence
            let isForAll = fence.groups.isEmpty && fence.vehicles.isEmpty
            let concerns =
                isForAll || fence.vehicles.contains(Dispatcher.truck.vehicle)
                || !Set(fence.groups).isDisjoint(with: groups)
            guard concerns, fence.validUntil.map({ $0 > .at(0) }) ?? true else { return nil }
            return (known.shape.signedDistance(from: position).magnitude, fence.id)
        }
        return near.sorted { $0 < $1 }.prefix(Self.settings.regions.limit).map(\.id)
    }

    private func choice(
        _ catalogue: FenceCatalogue, _ audiences: FenceAudiences, at position: Coordinate, groups: [String]
    ) -> [String] {
        let chooser = RegionChooser(
            catalogue: catalogue, audiences: audiences, clearances: ClearanceRegions(unplaced: [], Self.settings),
            settings: Self.settings.regions, vehicle: Dispatcher.truck.vehicle, groups: groups, time: .at(0), quiet: nil
        )
        return chooser.choice(at: position).regions.map(\.id)
    }

    @Test("At 200 places among 2,000 fences that come, change and go: the same as by looking at all of them")
    func fences() {
        var random = SplitMix64(seed: 7)
        var fences = (0..<2_000).map { fence($0, &random) }
        let catalogue = FenceCatalogue(files: fences)
        var audiences = FenceAudiences()
        for round in 0..<200 {
            // One changes, one goes, one comes.
            let (changed, gone) = (random.index(below: fences.count), random.index(below: fences.count))
            let number = Int(fences[changed].id.dropFirst("fence-".count)) ?? 0
            fences[changed] = fence(number, &random)
            var changes = [FenceChange(id: fences[changed].id, fence: fences[changed])]
            if gone != changed {
                // A file's would come back.
                let other = Yard.circle(fences[gone].id, -900_000, 0, radius: 1)
                fences[gone] = other
                changes.append(FenceChange(id: other.id, fence: other))
            }
            let new = fence(2_000 + round, &random)
            fences.append(new)
            changes.append(FenceChange(id: new.id, fence: new))
            for change in changes { _ = catalogue.apply(change) }
            audiences.follow(catalogue)

            let position = place(&random)
            let groups = Array(Self.groups.prefix(round % 3))
            #expect(
                choice(catalogue, audiences, at: position, groups: groups)
                    == slowly(catalogue, at: position, groups: groups), "round \(round)")
        }
    }

    @Test("Fences that are all taken back are not found, nor are their places kept")
    func stopAll() {
        var random = SplitMix64(seed: 8)
        let catalogue = FenceCatalogue(files: [])
        var audiences = FenceAudiences()
        let fences = (0..<1_000).map { fence($0, &random) }
        for fence in fences { _ = catalogue.apply(FenceChange(id: fence.id, fence: fence)) }
        audiences.follow(catalogue)
        #expect(!choice(catalogue, audiences, at: place(&random), groups: ["north"]).isEmpty)
        for fence in fences { _ = catalogue.apply(FenceChange(id: fence.id, fence: nil)) }
        audiences.follow(catalogue)
        #expect(choice(catalogue, audiences, at: place(&random), groups: ["north"]).isEmpty)
        #expect(audiences.fences(for: Dispatcher.truck.vehicle, groups: Self.groups).isEmpty)
    }

    @Test("Of 20,000 clearances the same as by looking at all of them, fences and clearances by one measure")
    func clearances() {
        var random = SplitMix64(seed: 9)
        let clearances = (0..<20_000).map { number in
            Clearance(PointClearance(id: "c\(number)", position: place(&random), posted: "3"))
        }
        let regions = ClearanceRegions(unplaced: clearances, Self.settings)
        #expect(regions.regions.count == 20_000)
        let fences = (0..<50).map { fence($0 * 21 + 1, &random) }
        let catalogue = FenceCatalogue(files: fences)
        var audiences = FenceAudiences()
        audiences.follow(catalogue)
        for _ in 0..<20 {
            let position = place(&random)
            let chooser = RegionChooser(
                catalogue: catalogue, audiences: audiences, clearances: regions, settings: Self.settings.regions,
                vehicle: Dispatcher.truck.vehicle, groups: [], time: .at(0), quiet: nil)
            let near = regions.regions.map { region in
                ((region.circle.center.distance(to: position) - region.circle.radius).magnitude, region.id)
            }
            let borders = catalogue.known.values.filter { $0.concerns(Dispatcher.truck.vehicle, groups: []) }.map {
                ($0.shape.signedDistance(from: position).magnitude, $0.fence.id)
            }
            let slowly = (near + borders).sorted { $0 < $1 }.prefix(20)
            let choice = chooser.choice(at: position)
            #expect(choice.regions.map(\.id) == slowly.map(\.1))
            #expect(choice.reach == slowly.last?.0)
        }
    }

    @Test("Across the antimeridian a fence in two pieces takes one place")
    func antimeridian() {
        let place = Coordinate(latitude: 10, longitude: 179.999)
        let across = Fence(id: "across", shape: .circle(Circle(center: place, radius: 2_000)))
        let corners = [(9.9, 179.9), (9.9, -179.9), (10.1, -179.9), (10.1, 179.9)]
        let square = Fence(
            id: "square",
            shape: .polygons([Polygon(outer: corners.map { Coordinate(latitude: $0.0, longitude: $0.1) })]))
        // More than are looked at one by one, so that they stand in the index.
        let catalogue = FenceCatalogue(files: RegionTests.row(99) + [across, square])
        var audiences = FenceAudiences()
        audiences.follow(catalogue)
        let west = Coordinate(latitude: 10, longitude: -179.99)
        #expect(choice(catalogue, audiences, at: west, groups: []).prefix(2) == ["across", "square"])
        #expect(Set(choice(catalogue, audiences, at: west, groups: [])).count == 20)
    }
}
