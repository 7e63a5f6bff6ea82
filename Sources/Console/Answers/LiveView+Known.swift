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

    /// As `known`, for what is said of fences, clearances or roads.
    ///
    /// - Throws: 503 also where the gateway does not know them.
    func knownWithMap(noOlderThan age: Duration = ageMax) async throws(HTTPError) -> LiveSnapshot {
        let snapshot = try await known(noOlderThan: age)
        guard snapshot.isMapKnown else { throw .hasNoQueue }
        return snapshot
    }
}

extension HTTPError {
    static var storeFails: HTTPError {
        HTTPError(.serviceUnavailable, headers: [.retryAfter: "10"], message: "The store cannot be used now.")
    }

    static var hasNoQueue: HTTPError {
        HTTPError(
            .serviceUnavailable, headers: [.retryAfter: "10"],
            message: "This gateway has none of the cluster's queues now, and knows no map; ask another one.")
    }
}
