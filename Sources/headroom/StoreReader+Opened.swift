import Store

extension StoreReader {
    /// For commands that read the store which the user or the configuration names.
    ///
    /// - Throws: `CommandError`: a store that is not there was asked for wrongly; one that cannot be read is a failure.
    static func opened(_ location: StoreLocation) throws -> StoreReader {
        do throws(StoreError) {
            return try StoreReader(location)
        } catch {
            if case .missing = error { throw CommandError.usage("\(error)") }
            throw CommandError.failed("\(error)")
        }
    }
}
