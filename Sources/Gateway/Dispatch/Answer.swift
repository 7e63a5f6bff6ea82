/// Who waits for what becomes of an order: a request of this gateway's console, or another gateway.
struct Answer<Outcome: Sendable>: Sendable {
    private let told: @Sendable (Outcome) -> Void

    /// - Parameter told: called once, on the gateway's thread.
    init(_ told: @escaping @Sendable (Outcome) -> Void) { self.told = told }

    init(_ continuation: CheckedContinuation<Outcome, Never>) { told = { continuation.resume(returning: $0) } }

    func resume(returning outcome: Outcome) { told(outcome) }
}
