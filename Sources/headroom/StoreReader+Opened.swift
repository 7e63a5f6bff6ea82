import Store

extension StoreReader {
    /// For commands that read the store which the user or the configuration names.
    ///
    /// - Throws: `CommandError`.
    static func opened(_ location: StoreLocation) throws -> StoreReader {
        do throws(StoreError) {
            return try StoreReader(location)
        } catch {
            throw CommandError(error)
        }
    }
}

extension CommandError {
    /// A store that is not there was asked for wrongly; one that cannot be read is a failure.
    init(_ error: StoreError) {
        self =
            switch error {
            case .missing, .directory: .usage("\(error)")
            default: .failed("\(error)")
            }
    }
}
