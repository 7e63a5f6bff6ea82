package import Clearances

extension PointClearance {
    /// `validUntil` as a moment.
    package var expiry: Timestamp? {
        get { validUntil.map { Timestamp(milliseconds: 0).adding($0) } }
        set { validUntil = newValue?.since(Timestamp(milliseconds: 0)) }
    }
}
