import Clearances

/// Which of several clearances of one structure counts: where several limit an edge, the lowest of them. All are kept.
struct StructureRanking {
    /// By clearance: the lowest of its structure.
    private var lowest: [Int: Int] = [:]
    private let reading: (Int) -> ClearanceReading

    /// - Parameter structures: clearances that tell of one structure each.
    init(_ structures: [[Int]], reading: @escaping (Int) -> ClearanceReading) {
        self.reading = reading
        for members in structures {
            let lowest = members.min { rank($0) < rank($1) }
            for member in members { self.lowest[member] = lowest }
        }
    }

    func status(_ clearance: Int) -> ClearanceStatus {
        guard let lowest = lowest[clearance], lowest != clearance else { return .inForce }
        return .merged(into: ClearanceID(lowest))
    }

    /// Parts limits that count from those that a lower one of the same structure outweighs; in no order.
    func divide(_ limits: [LimitRecord]) -> (counting: [LimitRecord], outweighed: [LimitRecord]) {
        var counting: [EdgeAndStructure: LimitRecord] = [:]
        var outweighed: [LimitRecord] = []
        for limit in limits {
            let structure = lowest[Int(limit.clearance)] ?? Int(limit.clearance)
            let key = EdgeAndStructure(edge: limit.edge, structure: structure)
            guard let other = counting[key] else {
                counting[key] = limit
                continue
            }
            let isLower = rank(Int(limit.clearance)) < rank(Int(other.clearance))
            counting[key] = isLower ? limit : other
            outweighed.append(isLower ? other : limit)
        }
        return (Array(counting.values), outweighed)
    }

    private struct EdgeAndStructure: Hashable {
        var edge: UInt32
        var structure: Int
    }

    /// The order in which readings count, as in `ClearanceReading.merged`; the earlier of equals.
    private func rank(_ clearance: Int) -> (Int, Int) {
        switch reading(clearance) {
        case .limit(let limit): (limit, clearance)
        case .unknown: (.max - 1, clearance)
        case .legalDefault: (.max, clearance)
        }
    }
}

extension LimitRecord {
    /// The order of a road file.
    static func precedes(_ a: LimitRecord, _ b: LimitRecord) -> Bool { (a.edge, a.clearance) < (b.edge, b.clearance) }
}
