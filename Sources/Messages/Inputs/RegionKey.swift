import Hashing

/// A device's region by its name: the same name gives the same key, in every version and on every machine.
///
/// The FNV-1a hash of the name, as a fix is copied at each step of its way, and copying a text costs more than many of the steps.
/// Among a billion names two share a key with a probability of 3 %; a device watches twenty regions.
public struct RegionKey: Hashable, Comparable, Sendable, Codable {
    public let hash: UInt64

    public init(_ name: String) { hash = FNV1a(name.utf8).value }

    public init(hash: UInt64) { self.hash = hash }

    public static func < (a: RegionKey, b: RegionKey) -> Bool { a.hash < b.hash }
}

extension RegionKey: ExpressibleByStringLiteral {
    public init(stringLiteral name: String) { self.init(name) }
}
