import Cryptography
package import Messages
package import Store
import Synchronization

/// What became of a code that was presented.
package enum PairingOutcome: Sendable {
    /// - Parameter text: the token itself, which is told once and kept nowhere here.
    case paired(CabToken, text: String)
    /// It is no code of this gateway's, has expired, was used before, or its vehicle was forgotten since.
    case refused
    /// The gateway does not run, or its store does not work.
    case unavailable
}

/// Which phones may speak for which vehicle: read from any thread, changed by the gateway thread, which stores it.
package final class CabAccess: Sendable {
    /// The most that wait for the gateway thread.
    private static let ordersMax = 1_000
    private static let tokenBytes = 32

    enum Order: Sendable {
        case pair(CabCode, digest: [UInt8], CheckedContinuation<CabToken?, any Error>)
        case revoke(Int64, CheckedContinuation<Bool, any Error>)
        /// A token that is not known here, and may be known to another gateway.
        case find(digest: [UInt8], CheckedContinuation<CabToken?, any Error>)
    }

    /// Nobody carries out what is asked for, or knows the tokens: the gateway has not begun, or its store does not work.
    package struct UnavailableError: Error {}

    private struct Content {
        var secret: CabSecret?
        /// By the digest of the token.
        var tokens: [[UInt8]: CabToken] = [:]
        /// Whether other gateways pair phones, too.
        var isShared = false
    }

    let orders = OrderQueue<Order>(limit: ordersMax)
    private let content = Mutex(Content())

    init() {}

    // MARK: From any thread

    /// A code for a phone of this vehicle; nil before the gateway has begun.
    package func code(for vehicle: VehicleID, at now: Timestamp) -> (text: String, expiresAt: Timestamp)? {
        guard let secret = content.withLock(\.secret) else { return nil }
        let code = CabCode(vehicle: vehicle, at: now)
        return (code.text(secret: secret), code.expiresAt)
    }

    /// Exchanges a code for a token.
    package func pair(_ code: String, at now: Timestamp) async -> PairingOutcome {
        guard let secret = content.withLock(\.secret) else { return .unavailable }
        guard let code = CabCode(code, secret: secret), code.expiresAt > now else { return .refused }
        let text = Base64URL.text((0..<Self.tokenBytes).map { _ in UInt8.random(in: .min ... .max) })
        do {
            let token = try await ask { Order.pair(code, digest: Self.digest(text), $0) }
            return token.map { .paired($0, text: text) } ?? .refused
        } catch {
            return .unavailable
        }
    }

    /// Ends what a token allows.
    ///
    /// - Returns: whether there was one; nil where the gateway does not take changes now.
    package func revoke(_ id: Int64) async -> Bool? { try? await ask { Order.revoke(id, $0) } }

    /// The token that `text` is, as long as it holds.
    ///
    /// - Throws: `UnavailableError` where that cannot be known now: a phone must not be told that it is not paired by a
    ///   gateway that has not read its tokens yet.
    package func token(_ text: String, at now: Timestamp) async throws -> CabToken? {
        let digest = Self.digest(text)
        if let known = token(digest: digest, at: now) { return known }
        let (hasBegun, isShared) = content.withLock { ($0.secret != nil, $0.isShared) }
        guard hasBegun else { throw UnavailableError() }
        return isShared ? try await ask { Order.find(digest: digest, $0) } : nil
    }

    func token(digest: [UInt8], at now: Timestamp) -> CabToken? {
        content.withLock { $0.tokens[digest] }.flatMap { $0.expiresAt > now ? $0 : nil }
    }

    /// Whether a token still holds.
    package func holds(_ token: CabToken, at now: Timestamp) -> Bool {
        token.expiresAt > now && content.withLock { $0.tokens[token.digest] != nil }
    }

    /// Whether anybody waits for the gateway thread.
    var isAwaited: Bool { orders.isAwaited }

    /// Those of one vehicle, the oldest first.
    package func tokens(of vehicle: VehicleID, at now: Timestamp) -> [CabToken] {
        let all = content.withLock { Array($0.tokens.values) }
        return all.filter { $0.vehicle == vehicle && $0.expiresAt > now }.sorted { $0.id < $1.id }
    }

    private func ask<Found: Sendable>(
        _ order: (CheckedContinuation<Found, any Error>) -> Order
    ) async throws -> Found {
        try await withCheckedThrowingContinuation { continuation in
            if orders.add(order(continuation)) != .added { continuation.resume(throwing: UnavailableError()) }
        }
    }

    private static func digest(_ text: String) -> [UInt8] { SHA256.digest(of: Array(text.utf8)) }

    // MARK: The gateway thread

    /// - Parameter isShared: whether other gateways pair phones, too.
    func begin(_ secret: CabSecret, _ tokens: [CabToken], isShared: Bool = false) {
        content.withLock { content in
            content.isShared = isShared
            content.secret = secret
            content.tokens = Dictionary(tokens.map { ($0.digest, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    func add(_ token: CabToken) { content.withLock { $0.tokens[token.digest] = token } }

    func remove(where isRemoved: (CabToken) -> Bool) {
        content.withLock { content in content.tokens = content.tokens.filter { !isRemoved($0.value) } }
    }
}
