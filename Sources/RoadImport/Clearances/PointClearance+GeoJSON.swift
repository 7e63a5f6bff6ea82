public import Clearances
import Roads

/// Why a single Feature is no clearance; for whoever wrote it.
public struct ClearanceFeatureProblem: Error, Hashable, CustomStringConvertible {
    public var reason: ClearanceRejection
    /// What exactly; may be empty.
    public var detail: String

    public var description: String {
        // What is expected and what was got stands behind the member's name.
        let subject = reason == .value ? "clearance" : reason.rawValue
        return detail.isEmpty ? subject : "\(subject): \(detail)"
    }
}

extension PointClearance {
    /// Reads one GeoJSON Feature by the rules of `clearances convert`, as somebody's word that is to hold at once: a
    /// clearance that cannot be read or cannot be true is refused, where a file's is kept as unknown.
    ///
    /// - Parameter id: under which it is kept; the feature need not repeat it, and must not say another.
    public init(geoJSON: [UInt8], id: String) throws(ClearanceFeatureProblem) {
        do throws(RowRejection) {
            self = try ClearanceGeoJSONReader.clearance(geoJSON, id: id)
        } catch {
            throw ClearanceFeatureProblem(reason: error.reason, detail: error.detail)
        }
    }

    /// The members of a Feature, and of its `properties`, that mean nothing to a clearance; empty where it is none.
    public static func unknownMembers(inGeoJSON bytes: [UInt8]) -> [String] {
        ClearanceGeoJSONReader.unknownMembers(of: bytes)
    }
}
