import Clearances
import Synchronization

/// A directed road graph with clearances, read in place from the bytes of a road file.
///
/// Immutable and safe to share. Nothing is copied at opening; the pages that are used are read when they are.
public final class RoadNetwork: Sendable {
    /// Keeps the bytes alive: a mapped file or an array's storage.
    private let storage: any RoadFileStorage
    let nodes: Table<NodeRecord>
    let ways: Table<WayRecord>
    let edges: Table<EdgeRecord>
    let shapes: Table<ShapeRecord>
    let points: Table<PointRecord>
    let successorStarts: Table<UInt32>
    let successorRows: Table<UInt32>
    let predecessorStarts: Table<UInt32>
    let predecessorRows: Table<UInt32>
    let arrivalStarts: Table<UInt32>
    let arrivalRows: Table<UInt32>
    let clearanceRows: Table<ClearanceRecord>
    /// Sorted by edge.
    let limits: Table<LimitRecord>
    /// Limits that a lower one of the same structure keeps from counting; sorted by edge.
    let outweighed: Table<LimitRecord>
    /// Degrees.
    let approaches: Table<Double>
    let detours: Table<PointRecord>
    /// Sorted by shape.
    let crossings: Table<CrossingRecord>
    /// Sorted by key; one more row closes the last.
    let cells: Table<CellRecord>
    let cellItems: Table<UInt32>
    let strings: Table<UInt8>
    let summaryBytes: Table<UInt8>
    /// What the file was built from; read only to join it with others.
    let sourceWays: Table<UInt8>
    let sourceNodes: Table<UInt8>
    let baseMapFeatures: Table<BaseMapRecord>
    /// Sorted by key; one more row closes the last.
    let baseMapCells: Table<CellRecord>
    let baseMapItems: Table<UInt32>
    let baseMapShapes: Table<UInt8>
    /// What holds beside or instead of the file's clearances; nil in a network as its file has it.
    let overlay: ClearanceOverlay?
    /// Nil as long as nobody has asked.
    private let knownByReading = Mutex<ClearancesByReading?>(nil)

    /// - Throws: `RoadFileError` where the bytes are no road file, of another version, cut off, or their directory is
    ///   damaged. Content is not read: see `verify()`.
    public convenience init(_ storage: any RoadFileStorage) throws(RoadFileError) {
        try self.init(storage, overlay: nil)
    }

    /// The same roads with other clearances in force. It shares the file's bytes: opening looks at header and directory
    /// only, which takes some microseconds, and finds them as sound as before.
    func overlaid(by overlay: ClearanceOverlay) -> RoadNetwork {
        do {
            return try RoadNetwork(storage, overlay: overlay)
        } catch {
            preconditionFailure("the bytes of a road file changed while it was open: \(error)")
        }
    }

    private init(_ storage: any RoadFileStorage, overlay: ClearanceOverlay?) throws(RoadFileError) {
        let bytes = storage.bytes
        let entries = try RoadFile.directory(of: bytes)
        func table<Row: BitwiseCopyable>(_ section: RoadFile.Section) throws(RoadFileError) -> Table<Row> {
            guard section.rawValue < UInt32(entries.count) else { return Table<Row>.empty }
            let entry = entries[Int(section.rawValue)]
            let range = Int(entry.offset)..<Int(entry.offset + entry.length)
            guard let table = Table<Row>(UnsafeRawBufferPointer(rebasing: bytes[range])) else {
                throw .damaged(section: "\(section)")
            }
            return table
        }
        self.storage = storage
        self.overlay = overlay
        nodes = try table(.nodes)
        ways = try table(.ways)
        edges = try table(.edges)
        shapes = try table(.shapes)
        points = try table(.points)
        successorStarts = try table(.successorStarts)
        successorRows = try table(.successors)
        predecessorStarts = try table(.predecessorStarts)
        predecessorRows = try table(.predecessors)
        arrivalStarts = try table(.arrivalStarts)
        arrivalRows = try table(.arrivals)
        clearanceRows = try table(.clearances)
        limits = try table(.limits)
        outweighed = try table(.outweighed)
        approaches = try table(.approaches)
        detours = try table(.detours)
        crossings = try table(.crossings)
        cells = try table(.cells)
        cellItems = try table(.cellItems)
        strings = try table(.strings)
        summaryBytes = try table(.summary)
        sourceWays = try table(.sourceWays)
        sourceNodes = try table(.sourceNodes)
        baseMapFeatures = try table(.baseMapFeatures)
        baseMapCells = try table(.baseMapCells)
        baseMapItems = try table(.baseMapItems)
        baseMapShapes = try table(.baseMapShapes)
        guard successorStarts.count == edges.count + 1, predecessorStarts.count == edges.count + 1,
            arrivalStarts.count == nodes.count + 1
        else {
            throw .damaged(section: "turns")
        }
    }

    /// Whether bytes claim to be a road file, of whatever version.
    public static func isRoadFile(_ storage: any RoadFileStorage) -> Bool { RoadFile.isOne(storage.bytes) }

    /// Reads every byte and compares every checksum.
    public func verify() throws(RoadFileError) { try RoadFile.verify(storage.bytes) }

    /// Sums up the file's content: equal for equal files, whatever they are called and whatever is overlaid.
    public var fingerprint: UInt64 {
        storage.bytes.loadUnaligned(as: RoadFile.Header.self).checksum
    }

    public var nodeCount: Int { nodes.count }
    public var wayCount: Int { ways.count }
    public var edgeCount: Int { edges.count }
    /// See `EdgeID.block`.
    var edgeBlockCount: Int { edgeCount / EdgeID.blockSize + 1 }
    public var clearanceCount: Int { clearanceRows.count + (overlay?.appendedCount ?? 0) }

    var byReading: ClearancesByReading {
        knownByReading.withLock { known in
            if let known { return known }
            let made = ClearancesByReading(self)
            known = made
            return made
        }
    }

    /// What `roads build` said about the import, as it said it.
    public var summary: String { text(of: summaryBytes, TextRecord(offset: 0, length: UInt32(summaryBytes.count))) }

    func text(_ record: TextRecord) -> String { text(of: strings, record) }

    private func text(of table: Table<UInt8>, _ record: TextRecord) -> String {
        let start = Int(record.offset)
        return String(decoding: (start..<(start + Int(record.length))).map { table[$0] }, as: UTF8.self)
    }
}

/// Bytes that stay where they are for as long as their owner lives, aligned to 8.
public protocol RoadFileStorage: Sendable {
    var bytes: UnsafeRawBufferPointer { get }
}

/// A road file in memory.
public final class RoadFileBuffer: RoadFileStorage, @unchecked Sendable {
    // Sendable: written once in `init`, read-only from then on.
    public let bytes: UnsafeRawBufferPointer

    public init(_ content: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(content.count, 1), alignment: 8)
        copy.copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(rebasing: copy[..<content.count])
    }

    deinit { bytes.deallocate() }
}
