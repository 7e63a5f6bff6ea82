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
    /// A store that is not there, or may not be read, was asked for wrongly.
    init(_ error: StoreError) {
        self =
            switch error {
            case .missing, .directory, .notReadable: .usage("\(error)")
            default: .failed("\(error)")
            }
    }
}
