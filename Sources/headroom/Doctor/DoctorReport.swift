import Foundation

/// What one check of `headroom doctor` has found.
struct CheckResult: Encodable {
    enum Status: String, Encodable, CaseIterable {
        case ok
        /// It works, and may not for long, or not as it is meant.
        case warning
        case failed
    }

    /// Such as `store`.
    var subject: String
    var status: Status
    /// What was found.
    var finding: String
    /// What to do; nil: nothing.
    var advice: String?

    init(_ subject: String, _ status: Status, _ finding: String, advice: String? = nil) {
        (self.subject, self.status, self.finding, self.advice) = (subject, status, finding, advice)
    }
}

/// All that `headroom doctor` has found.
struct DoctorReport {
    private var results: [CheckResult] = []

    mutating func add(_ result: CheckResult) { results.append(result) }

    var hasFailures: Bool { results.contains { $0.status == .failed } }

    /// Two columns and the finding; the advice below it.
    var text: String {
        let width = results.map(\.subject.count).max() ?? 0
        let lines = results.flatMap { result in
            let cells = [(result.status.rawValue, 8), (result.subject, width + 2)]
            let start = cells.map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined()
            let advice = result.advice.map { String(repeating: " ", count: start.count) + "→ " + $0 }
            return [start + result.finding, advice].compactMap(\.self)
        }
        let counts = CheckResult.Status.allCases.map { status in
            "\(results.count { $0.status == status }) \(status.rawValue)"
        }
        return (lines + [counts.joined(separator: ", ")]).joined(separator: "\n")
    }

    /// One object a line.
    var jsonLines: String { results.map { VisitsJSON.text($0) }.joined(separator: "\n") }
}
