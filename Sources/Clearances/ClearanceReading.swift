public import Geo

/// What a height text on a sign or in data says.
public enum ClearanceReading: Hashable, Sendable {
    /// The tallest vehicle that fits, rounded down to a centimetre.
    case limit(Centimetres)
    /// `none`, `default`, `no_sign` and the like: nothing lower than the legal default stands there.
    case legalDefault
    /// Not readable, or it cannot be true. Never "no limit".
    case unknown
}

/// Whether a vehicle of one effective height fits under a clearance.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
    case fits
    case tooLow = "too-low"
    case unknown
}

extension ClearanceReading {
    /// Heights a road can really have; what lies outside is a typing error or another unit.
    public static let plausible: ClosedRange<Centimetres> = 100...1000

    /// - Parameters:
    ///   - height: effective height of the vehicle, rounded up.
    ///   - legalDefault: up to which height a road without a lower sign is open to everybody.
    public func verdict(height: Centimetres, legalDefault: Centimetres) -> Verdict {
        switch self {
        case .limit(let limit): height > limit ? .tooLow : .fits
        case .legalDefault: height > legalDefault ? .unknown : .fits
        case .unknown: .unknown
        }
    }

    /// Both hold: the lowest readable limit wins; a text that cannot be read outweighs "nothing lower than usual".
    public func merged(with other: ClearanceReading) -> ClearanceReading {
        switch (self, other) {
        case (.limit(let a), .limit(let b)): .limit(min(a, b))
        case (.limit, _): self
        case (_, .limit): other
        case (.unknown, _), (_, .unknown): .unknown
        case (.legalDefault, .legalDefault): .legalDefault
        }
    }

    /// The known limit that `new` would raise or lift; nil where no limit is known or the new one is no higher.
    public func limitRaised(by new: ClearanceReading) -> Centimetres? {
        guard case .limit(let known) = self else { return nil }
        if case .limit(let limit) = new, limit <= known { return nil }
        return known
    }
}
