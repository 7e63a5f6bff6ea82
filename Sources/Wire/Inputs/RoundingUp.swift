import Geo

extension Metres {
    /// The smallest whole number of units, `perMetre` of them to a metre, that is not below this length.
    ///
    /// Exact for the decimal text the number was written as: 4.11 m is 411 cm, though 4.11 is no binary fraction and
    /// 4.35 × 100 falls short of 435, because the Double nearest to a decimal is what the division gives back.
    func roundedUp(perMetre units: Int) -> Int {
        let nearest = (self * Double(units)).rounded()
        return Int(nearest) + (nearest / Double(units) >= self ? 0 : 1)
    }
}
