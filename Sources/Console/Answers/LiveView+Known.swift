import Gateway
import HTTPTypes
import Hummingbird

extension LiveView {
    /// As `snapshot`.
    ///
    /// - Throws: 503 where nothing is known of what holds, as the store fails.
    func known(noOlderThan age: Duration = ageMax) async throws(HTTPError) -> LiveSnapshot {
        let snapshot = await snapshot(noOlderThan: age)
        guard !snapshot.isOutdated else { throw .storeFails }
        return snapshot
    }
}

extension HTTPError {
    static var storeFails: HTTPError {
        HTTPError(.serviceUnavailable, headers: [.retryAfter: "10"], message: "The store cannot be used now.")
    }
}
