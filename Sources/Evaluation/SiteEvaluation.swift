/// What is counted of passes at one structure, so that a busy one does not hide the others.
package struct SiteEvaluation: Equatable, Sendable, Codable {
    /// As in `Evaluation`.
    package var tellable = 0
    package var toldBefore = 0
    package var noticedBefore = 0
    package var droveTheMile = 0
    package var droveAndToldAtTheMile = 0
    package var droveAndNoticedAtTheMile = 0

    static func += (sum: inout SiteEvaluation, more: SiteEvaluation) {
        for count in counts { sum[keyPath: count] += more[keyPath: count] }
    }

    private static var counts: [WritableKeyPath<SiteEvaluation, Int>] {
        [
            \.tellable, \.toldBefore, \.noticedBefore, \.droveTheMile, \.droveAndToldAtTheMile,
            \.droveAndNoticedAtTheMile,
        ]
    }
}

extension [String: SiteEvaluation] {
    /// The mean over sites of a share of passes; nil where no site has any.
    func mean(_ part: (SiteEvaluation) -> Int, of whole: (SiteEvaluation) -> Int) -> Double? {
        let shares = values.filter { whole($0) > 0 }.map { Double(part($0)) / Double(whole($0)) }
        return shares.isEmpty ? nil : shares.reduce(0, +) / Double(shares.count)
    }
}
