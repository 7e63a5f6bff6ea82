import PostgreSQLTestSupport
import Store
import Testing

/// In what tests keep their stores.
enum DatabaseKind: CaseIterable {
    case sqlite, postgreSQL

    /// What `TemporaryStore` makes in this test.
    @TaskLocal static var current = sqlite
}

/// Runs each test of a suite once with each database.
struct EachDatabase: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        for kind in DatabaseKind.allCases {
            await DatabaseKind.$current.withValue(kind) {
                do {
                    try await body()
                } catch {
                    Issue.record(error, "with \(kind)")
                }
            }
        }
    }
}

extension Trait where Self == EachDatabase {
    static var eachDatabase: Self { Self() }
}
