import Clearances
package import Geo
package import Roads

/// Reads OSM files, and road files that were made of some, into the bytes of one road file.
package enum RoadBuild {
    /// - Parameters:
    ///   - paths: of OSM files and road files; read twice each, first for ways and relations, then for the nodes that those need.
    ///   - clearances: from elsewhere, to be snapped to the roads; what was rejected is counted in the report.
    ///   - snapDistance: how far from the road that it limits a clearance may lie.
    ///   - keepsBaseMap: whether water, woods, built-up land, railways, borders and names of places are kept for the page.
    ///   - progress: called now and then with the share done, `0 ... 1`.
    package static func build(
        _ paths: [String], clearances: ClearanceCollection = ClearanceCollection(), snapDistance: Metres = 40,
        keepsBaseMap: Bool = true, progress: (Double) -> Void
    ) throws(OSMFileError) -> (file: [UInt8], report: ImportReport) {
        var builder = RoadNetworkBuilder(snapDistance: snapDistance)
        for clearance in clearances.clearances { builder.add(clearance) }
        for reject in clearances.rejects { builder.countRejected(reject.reason.rawValue) }
        let passes = Double(paths.count * 2)
        for (index, path) in paths.enumerated() {
            if let network = try roadFile(path) {
                try reading(path) { () throws(RoadFileError) in try builder.addWays(of: network) }
                continue
            }
            try withoutActuallyEscaping(progress) { progress throws(OSMFileError) in
                try read(path, into: &builder) {
                    progress((Double(index) + $0) / passes)
                } visiting: { box, visitor in
                    visitor.way = { box.builder.add($0) }
                    visitor.relation = { box.builder.add($0) }
                }
            }
        }
        builder.finishWays()
        for (index, path) in paths.enumerated() {
            if let network = try roadFile(path) {
                try reading(path) { () throws(RoadFileError) in try builder.addNodes(of: network) }
                continue
            }
            try withoutActuallyEscaping(progress) { progress throws(OSMFileError) in
                try read(path, into: &builder) {
                    progress((Double(paths.count + index) + $0) / passes)
                } visiting: { box, visitor in
                    visitor.node = { box.builder.add($0) }
                }
            }
        }
        if keepsBaseMap {
            for path in paths { try readBaseMap(path, into: &builder) }
        }
        let result = builder.build()
        progress(1)
        return result
    }

    /// Nil where it is none.
    private static func roadFile(_ path: String) throws(OSMFileError) -> RoadNetwork? {
        guard let file = try? MappedFile(path), RoadNetwork.isRoadFile(file) else { return nil }
        return try reading(path) { () throws(RoadFileError) -> RoadNetwork in
            let network = try RoadNetwork(file)
            try network.verify()
            return network
        }
    }

    private static func reading<Result>(
        _ path: String, _ body: () throws(RoadFileError) -> Result
    ) throws(OSMFileError) -> Result {
        do throws(RoadFileError) { return try body() } catch { throw OSMFileError(path: path, reason: "\(error)") }
    }

    private static func readBaseMap(_ path: String, into builder: inout RoadNetworkBuilder) throws(OSMFileError) {
        if let network = try roadFile(path) {
            return try reading(path) { () throws(RoadFileError) in try builder.addBaseMap(of: network) }
        }
        let box = Box(builder)
        try BaseMapFile(path: path).read { box.builder.add($0) }
        builder = box.builder
    }

    /// - Parameter visit: says what of the file goes into the builder.
    private static func read(
        _ path: String, into builder: inout RoadNetworkBuilder, _ progress: @escaping (Double) -> Void,
        visiting visit: (Box, inout OSMFile.Visitor) -> Void
    ) throws(OSMFileError) {
        // The visitor's closures outlive no call; the builder is moved into a box that they share.
        let box = Box(builder)
        var visitor = OSMFile.Visitor(progress: { done, total in
            progress(total > 0 ? Double(done) / Double(total) : 0)
            return true
        })
        visit(box, &visitor)
        try OSMFile(path: path).read(visitor)
        builder = box.builder
    }

    private final class Box {
        var builder: RoadNetworkBuilder
        init(_ builder: RoadNetworkBuilder) { self.builder = builder }
    }
}
