import Geo

extension Double {
    /// With so many decimals, thousands apart: `1,234.5`. `0 ... 6` decimals.
    func text(decimals: Int, groups: Bool = true) -> String {
        let scale = (0..<decimals).reduce(1) { power, _ in power * 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let whole = groups ? (scaled / scale).grouped : "\(scaled / scale)"
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return sign + whole }
        let rest = "\(scaled % scale)"
        return sign + whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
    }

    /// To a tenth; whole numbers without decimals.
    var plain: String { text(decimals: self == rounded() ? 0 : 1) }
}
