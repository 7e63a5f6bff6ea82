import Messages
import Store

/// The gateway thread's side of `CabAccess`: stores what is asked for, then has it in force.
struct CabDesk {
    private let access: CabAccess
    /// Seconds.
    private let validFor: Double

    init(_ access: CabAccess, validFor: Double) {
        self.access = access
        self.validFor = validFor
    }

    /// Takes up what the store holds.
    func restore(from store: Store, at now: Timestamp) throws {
        var secret = CabSecret(stored: try store.meta(CabSecret.key))
        if secret == nil {
            let new = CabSecret()
            _ = try store.commit(StoreBatch(time: now, meta: [CabSecret.key: new.stored]))
            secret = new
        }
        if let secret { access.begin(secret, try store.loadCabTokens(at: now)) }
    }

    /// Stores what others wait for, and answers them.
    func carryOut(in store: Store, at now: Timestamp) throws {
        for order in access.orders.take() {
            switch order {
            case .pair(let code, let digest, let answer):
                let token = CabToken(
                    id: 0, vehicle: code.vehicle, digest: digest, createdAt: now, expiresAt: now.adding(validFor))
                let result = Result {
                    try store.add(token, for: SpentCabCode(nonce: code.nonce, expiresAt: code.expiresAt))
                }
                if case .success(let kept?) = result { access.add(kept) }
                access.remove { $0.expiresAt <= now }
                answer.resume(with: result)
            case .revoke(let id, let answer):
                let result = Result { try store.removeCabToken(id, at: now) }
                if case .success = result { access.remove { $0.id == id } }
                answer.resume(with: result)
            }
        }
    }

    /// Removes those of vehicles that another shard has.
    func removeTokens(of vehicles: Set<VehicleID>, in store: Store, at now: Timestamp) throws {
        for token in vehicles.flatMap({ access.tokens(of: $0, at: now) }) {
            _ = try store.removeCabToken(token.id, at: now)
        }
    }

    /// The store removes the tokens of vehicles by itself.
    func noteCommit(_ batch: StoreBatch) {
        guard !batch.removed.isEmpty else { return }
        let removed = Set(batch.removed)
        access.remove { removed.contains($0.vehicle) }
    }

    /// Nobody waits for a gateway that has ended, or whose store does not work.
    static func refuse(_ access: CabAccess) {
        for order in access.orders.take() {
            switch order {
            case .pair(_, _, let answer): answer.resume(throwing: CabAccess.UnavailableError())
            case .revoke(_, let answer): answer.resume(throwing: CabAccess.UnavailableError())
            }
        }
    }
}
