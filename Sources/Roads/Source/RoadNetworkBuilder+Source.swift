import BinaryCoding
import Clearances
public import Geo

/// Building from what road files were built from: several become the network that one build of all their map objects makes.
extension RoadNetworkBuilder {
    /// The ways, turn restrictions and clearances of a road file; call before `finishWays()`.
    ///
    /// A clearance that was added under the same id before counts once; of two that differ, the lower one.
    public mutating func addWays(of network: RoadNetwork) throws(RoadFileError) {
        do throws(BinaryCodingError) {
            var reader = SourceReader(network.sourceWays)
            _ = try reader.snapDistance()
            while let object = try reader.next() {
                switch object {
                case .way(let way): add(way)
                case .relation(let relation): add(relation)
                case .clearance(let clearance): addLowest(clearance)
                }
            }
        } catch {
            throw .damaged(section: "\(RoadFile.Section.sourceWays)")
        }
    }

    /// The base map of a road file, as far as it has one.
    public mutating func addBaseMap(of network: RoadNetwork) throws(RoadFileError) {
        for feature in try network.baseMapNear() { add(feature) }
    }

    /// The nodes of a road file; call after `finishWays()`.
    public mutating func addNodes(of network: RoadNetwork) throws(RoadFileError) {
        do throws(BinaryCodingError) {
            var reader = CompactReader(network.sourceNodes)
            var (id, latitude, longitude) = (Int64(0), Int64(0), Int64(0))
            while !reader.binary.isAtEnd {
                id &+= try reader.binary.signed()
                latitude &+= try reader.binary.signed()
                longitude &+= try reader.binary.signed()
                let tags = try reader.tags()
                guard let south = Int32(exactly: latitude), let east = Int32(exactly: longitude) else {
                    throw reader.binary.unreadable("coordinates of 32 bits")
                }
                add(SourceNode(id: id, position: Coordinate(fixed: south, east), tags: tags))
            }
        } catch {
            throw .damaged(section: "\(RoadFile.Section.sourceNodes)")
        }
    }
}

extension RoadNetwork {
    /// How far from the road that it limits a clearance could lie when the file was built.
    public var snapDistance: Metres {
        get throws(RoadFileError) {
            var reader = SourceReader(sourceWays)
            do throws(BinaryCodingError) {
                return try reader.snapDistance()
            } catch {
                throw .damaged(section: "\(RoadFile.Section.sourceWays)")
            }
        }
    }
}

/// Reads what `SourceWriter` has written.
private struct SourceReader {
    enum Object {
        case way(SourceWay)
        case relation(SourceRelation)
        case clearance(PointClearance)
    }

    private var reader: CompactReader
    private var lastWay: Int64 = 0
    private var lastNode: Int64 = 0

    init(_ bytes: Table<UInt8>) { reader = CompactReader(bytes) }

    mutating func snapDistance() throws(BinaryCodingError) -> Metres {
        let distance = try reader.binary.double()
        guard RoadNetworkBuilder.snapDistances.contains(distance) else {
            throw reader.binary.unreadable("a distance of at most a kilometre")
        }
        return distance
    }

    /// Nil at the end.
    mutating func next() throws(BinaryCodingError) -> Object? {
        guard !reader.binary.isAtEnd else { return nil }
        let kind = SourceWriter.Kind(rawValue: try reader.binary.number())
        switch kind {
        case .way: return .way(try way())
        case .relation: return .relation(try relation())
        case .clearance: return .clearance(try clearance())
        case nil: throw reader.binary.unreadable("the kind of a map object")
        }
    }

    private mutating func way() throws(BinaryCodingError) -> SourceWay {
        lastWay &+= try reader.binary.signed()
        var nodes: [Int64] = []
        for _ in 0..<(try reader.binary.length()) {
            lastNode &+= try reader.binary.signed()
            nodes.append(lastNode)
        }
        return SourceWay(id: lastWay, nodes: nodes, tags: try reader.tags())
    }

    private mutating func relation() throws(BinaryCodingError) -> SourceRelation {
        let id = try reader.binary.signed()
        var members: [SourceRelation.Member] = []
        for _ in 0..<(try reader.binary.length()) {
            let kind: SourceRelation.Member.Kind = try reader.binary.number() == 0 ? .node : .way
            members.append(SourceRelation.Member(kind: kind, id: try reader.binary.signed(), role: try reader.text()))
        }
        return SourceRelation(id: id, members: members, tags: try reader.tags())
    }

    private mutating func clearance() throws(BinaryCodingError) -> PointClearance {
        let (id, posted, name, road) = (
            try reader.text(), try reader.text(), try reader.text(), try reader.text()
        )
        let passage = PointClearance.Passage(rawValue: try reader.text())
        let (source, date) = (try reader.text(), try reader.text())
        var clearance = PointClearance(
            id: id, position: try position(), posted: posted, name: name, road: road, passage: passage, source: source,
            date: date)
        for _ in 0..<(try reader.binary.length()) { clearance.approach.append(try reader.binary.double()) }
        for _ in 0..<(try reader.binary.length()) { clearance.detours.append(try position()) }
        return clearance
    }

    private mutating func position() throws(BinaryCodingError) -> Coordinate {
        let position = Coordinate(latitude: try reader.binary.double(), longitude: try reader.binary.double())
        guard position.isValid else { throw reader.binary.unreadable("a position on Earth") }
        return position
    }
}
