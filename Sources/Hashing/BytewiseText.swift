import func Foundation.memcmp

/// A text that is compared, hashed and ordered by its bytes in UTF-8, as brokers compare topics and stores compare keys: `String` takes
/// an ü of one code point and one of two for the same.
///
/// As a property wrapper it leaves a member a `String`, has the `==` that the compiler makes for its type compare bytes, and gives the
/// member's name with a `$` to what keeps things by it.
@propertyWrapper
public struct BytewiseText: Hashable, Comparable, Sendable, Codable {
    public var wrappedValue: String
    public var projectedValue: BytewiseText { self }

    public init(wrappedValue: String) { self.wrappedValue = wrappedValue }

    public init(_ text: String) { self.init(wrappedValue: text) }

    public static func == (a: BytewiseText, b: BytewiseText) -> Bool {
        // Where the bytes are the same, so are the texts; and that they differ is found out sooner so.
        a.wrappedValue == b.wrappedValue && difference(a.wrappedValue, b.wrappedValue) == 0
    }

    public static func < (a: BytewiseText, b: BytewiseText) -> Bool { difference(a.wrappedValue, b.wrappedValue) < 0 }

    /// Below 0 where `a` comes first, 0 where both have the same bytes. Without copies, as fixes are judged by such keys.
    private static func difference(_ a: String, _ b: String) -> Int {
        let difference = a.utf8.withContiguousStorageIfAvailable { first in
            b.utf8.withContiguousStorageIfAvailable { second in
                guard let start = first.baseAddress, let other = second.baseAddress else {
                    return first.count - second.count
                }
                let order = memcmp(start, other, min(first.count, second.count))
                return order == 0 ? first.count - second.count : Int(order)
            }
        }
        if let difference, let difference { return difference }
        // On macOS a text of Foundation's may have no bytes of UTF-8 yet.
        return a.utf8.elementsEqual(b.utf8) ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    }

    public func hash(into hasher: inout Hasher) {
        let isHashed: Void? = wrappedValue.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        guard isHashed == nil else { return }
        var text = wrappedValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Each of some texts once, in their order.
    public static func distinct(_ texts: [String]) -> [String] {
        Set(texts.map(BytewiseText.init(_:))).sorted().map(\.wrappedValue)
    }

    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension BytewiseText: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(text) }
}

extension BytewiseText: CustomStringConvertible {
    public var description: String { wrappedValue }
}
