/// What the owner of a store does while it fails: it is asked after each attempt, and nothing else is done until the operation
/// has succeeded or is given up.
package struct StoreRetry: Sendable {
    /// Waits until it is time for the next attempt; `failures` is 1 at the first.
    ///
    /// - Returns: whether there is to be one; if not, the operation throws its error.
    package var failed: @Sendable (_ error: StoreError, _ failures: Int) -> Bool
    /// An operation that had failed has succeeded.
    package var recovered: @Sendable () -> Void

    package init(
        failed: @escaping @Sendable (_ error: StoreError, _ failures: Int) -> Bool,
        recovered: @escaping @Sendable () -> Void
    ) {
        self.failed = failed
        self.recovered = recovered
    }
}
