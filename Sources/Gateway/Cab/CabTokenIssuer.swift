import Messages
import Store

/// The gateway thread's side of `CabAccess`: stores what is asked for, then has it in force.
struct CabTokenIssuer {
    private let access: CabAccess
    /// Seconds.
    private let validFor: Double

    init(_ access: CabAccess, validFor: Double) {
        self.access = access
        self.validFor = validFor
    }

    /// Takes up what the store holds.
    ///
    /// - Parameter isShared: whether other gateways write there, too.
    func restore(from store: Store, isShared: Bool = false, at now: Timestamp) throws {
        let stored = try store.meta(CabSecret.key) ?? store.settle(CabSecret.key, CabSecret().stored, at: now)
        if let secret = CabSecret(stored: stored) {
            access.begin(secret, try store.loadCabTokens(at: now), isShared: isShared)
        }
    }

    /// Stores what others wait for, and answers them.
    ///
    /// - Returns: whether any token is new or gone.
    @discardableResult
    func carryOut(in store: Store, at now: Timestamp) -> Bool {
        var isChanged = false
        for order in access.orders.take() {
            switch order {
            case .pair(let code, let digest, let answer):
                let token = CabToken(
                    id: 0, vehicle: code.vehicle, digest: digest, createdAt: now, expiresAt: now.adding(validFor))
                let result = Result {
                    try store.add(token, for: SpentCabCode(nonce: code.nonce, expiresAt: code.expiresAt))
                }
                if case .success(let kept?) = result {
                    access.add(kept)
                    isChanged = true
                }
                access.remove { $0.expiresAt <= now }
                answer.resume(with: result)
            case .revoke(let id, let answer):
                let result = Result { try store.removeCabToken(id, at: now) }
                if case .success = result {
                    access.remove { $0.id == id }
                    isChanged = true
                }
                answer.resume(with: result)
            case .find(let digest, let answer): answer.resume(returning: access.token(digest: digest, at: now))
            }
        }
        return isChanged
    }

    /// Removes those of vehicles that an operator wants forgotten, and has earlier codes be worth nothing.
    func removeTokens(of vehicles: Set<VehicleID>, in store: Store, at now: Timestamp) throws {
        try store.removeCabTokens(of: vehicles, codesUntil: now.adding(CabCode.validFor), at: now)
        access.remove { vehicles.contains($0.vehicle) }
    }

    /// Nobody waits for a gateway that has ended, or whose store does not work.
    static func refuse(_ access: CabAccess) {
        for order in access.orders.take() {
            switch order {
            case .pair(_, _, let answer): answer.resume(throwing: CabAccess.UnavailableError())
            case .revoke(_, let answer): answer.resume(throwing: CabAccess.UnavailableError())
            case .find(_, let answer): answer.resume(throwing: CabAccess.UnavailableError())
            }
        }
    }
}
