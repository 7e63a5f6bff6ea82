import Clearances
import Geo

/// All that a road file is made of, put into its tables.
struct RoadFileContents {
    var ways: [RoadNetworkBuilder.DrivableWay]
    var assembly: EdgeAssembly
    var turns: TurnTable
    var structures: StructureAssembly
    var crossings: [CrossingRecord]
    var report: ImportReport
    var baseMap: BaseMapAssembly
    var source: (ways: [UInt8], nodes: [UInt8])

    /// Counts what the base map shows, too.
    mutating func bytes() -> [UInt8] {
        var writer = RoadFileWriter()
        writer.set(.nodes, assembly.nodeRecords)
        writer.set(.ways, ways.map { $0.record(&writer) })
        writer.set(.edges, assembly.edges)
        writer.set(.shapes, assembly.shapes)
        writer.set(.points, assembly.points)
        writeTurns(to: &writer)
        writeClearances(to: &writer)
        writer.set(.crossings, crossings)
        let (cells, items) = assembly.grid()
        writer.set(.cells, cells)
        writer.set(.cellItems, items)
        writer.set(.summary, Array(summary.utf8))
        writer.set(.sourceWays, source.ways)
        writer.set(.sourceNodes, source.nodes)
        baseMap.write(to: &writer, &report)
        return writer.bytes()
    }

    private func writeTurns(to writer: inout RoadFileWriter) {
        let successors = CompressedRows(turns.successors)
        let predecessors = CompressedRows(inverting: turns.successors)
        let arrivals = CompressedRows(assembly.arriving)
        writer.set(.successorStarts, successors.starts)
        writer.set(.successors, successors.items)
        writer.set(.predecessorStarts, predecessors.starts)
        writer.set(.predecessors, predecessors.items)
        writer.set(.arrivalStarts, arrivals.starts)
        writer.set(.arrivals, arrivals.items)
    }

    private func writeClearances(to writer: inout RoadFileWriter) {
        var approaches: [Double] = []
        var detours: [PointRecord] = []
        var rows: [ClearanceRecord] = []
        for (index, clearance) in structures.clearances.enumerated() {
            rows.append(
                ClearanceRecord(
                    id: writer.text(clearance.id), name: writer.text(clearance.name),
                    posted: writer.text(clearance.posted), source: writer.text(clearance.source),
                    point: PointRecord(clearance.position), limit: ClearanceRecord.limit(clearance.reading),
                    structure: ClearanceRecord.structure(structures.statuses[index]),
                    date: writer.text(clearance.date), approaches: approaches.add(clearance.approach),
                    detours: detours.add(clearance.detours.map { PointRecord($0) }),
                    isPoint: index < structures.firstPoint ? 0 : 1))
        }
        writer.set(.clearances, rows)
        writer.set(.approaches, approaches)
        writer.set(.detours, detours)
        writer.set(.limits, structures.limits)
        writer.set(.outweighed, structures.outweighed)
    }

    private var summary: String {
        "\(report.drivableWays) drivable ways, \(report.lengthKilometres) km, \(report.junctions) junctions, "
            + "\(report.directedEdges) directed edges, \(report.clearances) clearances"
    }
}

extension Array {
    /// Puts a list behind the others.
    fileprivate mutating func add(_ list: [Element]) -> ListRecord {
        defer { self += list }
        return ListRecord(start: UInt32(count), count: UInt32(list.count))
    }
}

extension RoadNetworkBuilder.DrivableWay {
    fileprivate func record(_ writer: inout RoadFileWriter) -> WayRecord {
        var flags: UInt8 = 0
        if road.isLink { flags |= WayRecord.isLink }
        if road.isBridge { flags |= WayRecord.isBridge }
        if road.isRoundabout { flags |= WayRecord.isRoundabout }
        if road.destinationOnly { flags |= WayRecord.destinationOnly }
        return WayRecord(
            osm: id, name: writer.text(road.name), number: writer.text(road.number),
            usualSpeed: Float(road.usualSpeed), roadClass: road.roadClass.rawValue, flags: flags,
            layer: Int8(clamping: road.layer))
    }
}

/// Lists of lists as one array and where each list starts in it.
private struct CompressedRows {
    var starts: [UInt32] = [0]
    var items: [UInt32] = []

    init(_ lists: [[UInt32]]) {
        starts.reserveCapacity(lists.count + 1)
        for list in lists {
            items += list
            starts.append(UInt32(items.count))
        }
    }

    /// For each item, the lists that hold it, in ascending order.
    init(inverting lists: [[UInt32]]) {
        starts = Array(repeating: 0, count: lists.count + 1)
        for item in lists.joined() { starts[Int(item) + 1] += 1 }
        for index in 1..<max(1, starts.count) { starts[index] += starts[index - 1] }
        var next = starts
        items = Array(repeating: 0, count: Int(starts.last ?? 0))
        for (list, members) in lists.enumerated() {
            for item in members {
                items[Int(next[Int(item)])] = UInt32(list)
                next[Int(item)] += 1
            }
        }
    }
}
