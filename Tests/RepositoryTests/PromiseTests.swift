import Foundation
import Testing

/// What the Operations article promises is tested: each line of its table names a test.
struct PromiseTests {
    private static func rows() throws -> [[Substring]] {
        let article = try Repository.text("\(Repository.catalogue)/Operations.md")
        let section = try #require(article.components(separatedBy: "## Promises\n").last)
        return section.components(separatedBy: "\n## ")[0].split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasSuffix("| tests |") }.map { $0.split(separator: "|") }
    }

    @Test("Every promise names a test that is there")
    func tests() throws {
        let files = try Repository.files(under: "Tests", ".swift").map { try Repository.text($0) }
        let rows = try Self.rows()
        #expect(rows.count >= 15)
        for row in rows {
            let names = row[row.count - 1].matches(of: #/`(?<suite>\w+)\.(?<test>\w+)`/#)
            #expect(!names.isEmpty, "\(row)")
            for name in names {
                #expect(
                    files.contains { $0.contains("struct \(name.suite) ") && $0.contains("func \(name.test)(") },
                    "\(name.0)")
            }
        }
    }
}
