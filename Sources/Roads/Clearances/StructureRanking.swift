import Clearances

/// Which of several clearances of one structure counts: where several limit an edge, the lowest of them. All are kept.
struct StructureRanking {
    /// By clearance: the lowest of its structure, which is itself where it is alone; those beyond the last are.
    private var lowest: [Int]
    private let reading: (Int) -> ClearanceReading

    /// - Parameter structures: clearances that tell of one structure each.
    init(_ structures: [[Int]], reading: @escaping (Int) -> ClearanceReading) {
        self.reading = reading
        lowest = Array(0..<structures.joined().reduce(0) { max($0, $1 + 1) })
        for members in structures {
            guard let lowest = members.min(by: { rank($0) < rank($1) }) else { continue }
            for member in members { self.lowest[member] = lowest }
        }
    }

    func status(_ clearance: Int) -> ClearanceStatus {
        let lowest = lowest(of: clearance)
        return lowest == clearance ? .inForce : .merged(into: ClearanceID(lowest))
    }

    private func lowest(of clearance: Int) -> Int { clearance < lowest.count ? lowest[clearance] : clearance }

    /// Parts limits that count from those that a lower one of the same structure outweighs; in no order.
    func divide(_ limits: [LimitRecord]) -> (counting: [LimitRecord], outweighed: [LimitRecord]) {
        // By edge and structure.
        var counting: [UInt64: LimitRecord] = [:]
        counting.reserveCapacity(limits.count)
        var outweighed: [LimitRecord] = []
        for limit in limits {
            let key = UInt64(limit.edge) << 32 | UInt64(lowest(of: Int(limit.clearance)))
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
