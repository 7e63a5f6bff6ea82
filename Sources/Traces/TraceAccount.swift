import Fleet
import Messages
import Wire

/// What became of the lines of a trace: every line is counted once, and what could not be used is named.
package struct TraceAccount {
    /// What a line held. The raw value is how it is counted.
    enum Kind: String, CaseIterable {
        case fix = "with fixes"
        case profile = "with profiles"
        case route = "with routes"
        case consent = "with consent"
        case presence = "with presence"
        case acknowledgement = "with acknowledgements"
        case fence = "with fences"
        case clearance = "with clearances"
        case forgetting = "to forget a vehicle"
        case ofGateway = "of a gateway, passed over"
        /// Of GPX.
        case planned = "waypoints or route points, not used"
        case withoutUse = "with nothing to use"
        case header = "with the columns' names"
        case blank = "blank"
        case rejected = "that cannot be used"
    }

    /// So many lines are named for one reason; after that they are only counted.
    private static let namedMax = 20

    let path: String
    /// What is counted.
    var unit = "line"
    private var others: [OtherMessage: Int] = [:]
    private var counts: [Kind: Int] = [:]
    private var rejections: [String: Int] = [:]
    private var unused: [InputError: LineNumbers] = [:]

    /// Is told what people are to know, a line each.
    private let tell: (String) -> Void

    init(path: String, tell: @escaping (String) -> Void) {
        self.path = path
        self.tell = tell
    }

    mutating func note(_ kind: Kind) { counts[kind, default: 0] += 1 }

    /// A message that is understood, and says nothing.
    mutating func note(_ other: OtherMessage) { others[other, default: 0] += 1 }

    /// Named at once, with its place.
    mutating func reject(_ problem: TraceError, line: Int) {
        rejections[problem.reason, default: 0] += 1
        if rejections[problem.reason, default: 0] <= Self.namedMax { tell("\(path):\(line): \(problem)") }
    }

    mutating func noteUnused(_ reason: InputError, line: Int) { unused[reason, default: LineNumbers()].add(line) }

    func remark(_ text: String) { tell("\(path): \(text)") }

    /// Says how often what was not named on its own.
    func endReading() {
        for (reason, count) in rejections.sorted(by: { $0.key < $1.key }) where count > Self.namedMax {
            remark("\(count - Self.namedMax) more: \(reason)")
        }
    }

    /// `25 lines: 23 with fixes, 2 with nothing to use`
    package var summary: String {
        let lines = counts.values.reduce(0, +)
        let kinds = Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0) \(kind.rawValue)" + (kind == .withoutUse ? named : "") }
        }
        return "\(lines) \(unit)\(lines == 1 ? "" : "s")" + (kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", "))
    }

    /// ` (2 waypoint, 1 status)`
    private var named: String {
        let names = others.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }

    /// What the engine did not use of lines that could be read; nil where there is nothing of the kind.
    package var unusedSummary: String? {
        guard !unused.isEmpty else { return nil }
        let reasons = unused.sorted { $0.key.rawValue < $1.key.rawValue }
        return "not used: "
            + reasons.map { "\($0.value.count) \($0.key.rawValue) (\($0.value))" }.joined(separator: ", ")
    }
}

extension TraceAccount.Kind {
    /// Nil for time itself.
    init?(_ input: Input) {
        switch input {
        case .report(let report, _, _): self.init(report)
        case .fences: self = .fence
        case .clearances: self = .clearance
        case .forget: self = .forgetting
        case .tick, .backlog: return nil
        }
    }

    private init(_ report: Report) {
        self =
            switch report {
            case .location: .fix
            case .profile: .profile
            case .route: .route
            case .consent: .consent
            case .presence: .presence
            case .acknowledgement: .acknowledgement
            case .refused: .rejected
            }
    }
}

/// Why a trace cannot be used at all.
package enum TraceFileError: Error, Equatable, CustomStringConvertible {
    /// There is no such file, or its name is no vehicle's id and none was given.
    case misnamed(String)
    /// Nothing in it can be used.
    case unusable(String)

    package var description: String {
        switch self {
        case .misnamed(let text), .unusable(let text): text
        }
    }
}

/// Why a line of a trace cannot be used.
struct TraceError: Error, CustomStringConvertible {
    /// By which problems are counted.
    var reason: String
    /// What exactly; may be empty.
    var detail = ""

    init(_ reason: String, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    init(_ rejection: InputError, _ detail: String = "") { self.init(rejection.rawValue, detail) }

    init(_ rejected: RejectedPart) { self.init(rejected.reason, rejected.problem?.description ?? "") }

    var description: String { detail.isEmpty ? reason : "\(reason): \(detail)" }
}

/// Numbers of lines, as people list them: `lines 3, 7-9`.
struct LineNumbers: CustomStringConvertible {
    /// What is listed fits two lines of a terminal.
    private static let rangesMax = 20

    private(set) var count = 0
    private var ranges: [ClosedRange<Int>] = []

    /// A line may be noted more than once; it is listed once.
    mutating func add(_ line: Int) {
        count += 1
        if let last = ranges.last, last.contains(line) { return }
        if let last = ranges.last, last.upperBound + 1 == line {
            ranges[ranges.count - 1] = last.lowerBound...line
        } else if ranges.count <= Self.rangesMax {
            ranges.append(line...line)
        }
    }

    var description: String {
        let listed = ranges.prefix(Self.rangesMax).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }
        let isOne = ranges.count == 1 && ranges[0].count == 1
        return (isOne ? "line " : "lines ") + listed.joined(separator: ", ")
            + (ranges.count > Self.rangesMax ? " and more" : "")
    }
}
