/// Finds what a misspelt name was meant to be.
public enum Spelling {
    /// More mistakes than these make another word.
    private static let mistakesMax = 2

    /// The known name nearest to `name`: the same word in another section, or at most two letters off.
    public static func nearest(to name: String, among known: [String]) -> String? {
        let leaf = lastPart(name)
        let limit = min(mistakesMax, leaf.count / 2)
        guard name.count <= charactersMax else { return nil }
        return known.map { candidate in
            (candidate, lastPart(candidate) == leaf ? 1 : distance(Array(name), Array(candidate)))
        }
        .filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
    }

    /// Members that mean nothing here, each with the one that was most likely meant: `dwel (dwell?)`. Ten of them, and how
    /// many more there are; what is longer than 64 characters is cut off.
    public static func unknown(_ names: some Sequence<String>, known: [String]) -> [String] {
        let foreign = Set(names).subtracting(known).sorted()
        let listed = foreign.prefix(listedMax).map { name in
            let shown = name.count > charactersMax ? "\(name.prefix(charactersMax))…" : name
            return nearest(to: name, among: known).map { "\(shown) (\($0)?)" } ?? shown
        }
        return listed + (foreign.count > listedMax ? ["\(foreign.count - listedMax) more"] : [])
    }

    private static let listedMax = 10
    private static let charactersMax = 64

    private static func lastPart(_ name: String) -> Substring {
        name.suffix(from: name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)
    }

    /// Letters added, left out, replaced or swapped with their neighbour (optimal string alignment).
    public static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 1..<(a.count + 1) {
            var row = [i]
            for j in 1..<(b.count + 1) {
                let isSame = a[i - 1] == b[j - 1]
                var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, rows[i - 2][j - 2] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
