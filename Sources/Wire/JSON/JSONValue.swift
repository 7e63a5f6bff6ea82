import CSimdJSON

/// A place in a parser's document; see `JSONParser.read` for how long it lives.
package struct JSONValue {
    private let place: csimdjson_value
    /// The parser's, which outlives the value.
    unowned(unsafe) let note: ReadingNote

    init(_ place: csimdjson_value, _ note: ReadingNote) {
        self.place = place
        self.note = note
    }

    private var type: csimdjson_type { csimdjson_get_type(place) }

    var isNull: Bool { type == CSIMDJSON_NULL }
    var isObject: Bool { type == CSIMDJSON_OBJECT }

    var bool: Bool? {
        var value = false
        return csimdjson_get_bool(place, &value) ? value : nil
    }

    /// Any number.
    var double: Double? {
        var value = 0.0
        return csimdjson_get_double(place, &value) ? value : nil
    }

    /// A number without a fractional part, however it is written: `2`, `2.0`, `2e0`.
    package var integer: Int? {
        var value: Int64 = 0
        return csimdjson_get_int64(place, &value) ? Int(value) : double.flatMap { Int(exactly: $0) }
    }

    /// The bytes of a string, unescaped. simdjson has checked those that were not escaped; a lone escaped surrogate
    /// may be left in them.
    var utf8: UnsafeRawBufferPointer? {
        var start: UnsafePointer<CChar>?
        var length = 0
        return csimdjson_get_string(place, &start, &length) ? UnsafeRawBufferPointer(start: start, count: length) : nil
    }

    /// Lone surrogates are replaced by U+FFFD.
    package var string: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }

    /// The member of that name, nil where it is absent or null. Of two with one name the first counts.
    package subscript(_ name: StaticString) -> JSONValue? {
        var member = csimdjson_value()
        let isFound = name.withUTF8Buffer { key in
            key.withMemoryRebound(to: CChar.self) { csimdjson_find(place, $0.baseAddress, $0.count, &member) }
        }
        guard isFound else { return nil }
        let value = JSONValue(member, note)
        return value.isNull ? nil : value
    }

    /// As above, for a name that the program does not know.
    subscript(_ name: String) -> JSONValue? {
        var member = csimdjson_value()
        var name = name
        let isFound = name.withUTF8 { key in
            key.withMemoryRebound(to: CChar.self) { csimdjson_find(place, $0.baseAddress, $0.count, &member) }
        }
        guard isFound else { return nil }
        let value = JSONValue(member, note)
        return value.isNull ? nil : value
    }

    /// The element of that number, from 0; nil where this is no array or has no such element.
    func element(_ index: Int) -> JSONValue? { elements?.dropFirst(index).first { _ in true } }

    /// Nil where this is no array.
    var elements: Elements? {
        var iterator = csimdjson_iterator()
        return csimdjson_iterate_array(place, &iterator) ? Elements(iterator: iterator, note: note) : nil
    }

    /// Nil where this is no object.
    var members: Members? {
        var iterator = csimdjson_iterator()
        return csimdjson_iterate_object(place, &iterator) ? Members(iterator: iterator, note: note) : nil
    }

    /// An array's elements in order.
    struct Elements: Sequence, IteratorProtocol {
        fileprivate var iterator: csimdjson_iterator
        fileprivate unowned(unsafe) let note: ReadingNote

        mutating func next() -> JSONValue? {
            var element = csimdjson_value()
            return csimdjson_next_element(&iterator, &element) ? JSONValue(element, note) : nil
        }
    }

    /// An object's members in order, repeated names and nulls included.
    struct Members: Sequence, IteratorProtocol {
        fileprivate var iterator: csimdjson_iterator
        fileprivate unowned(unsafe) let note: ReadingNote

        mutating func next() -> (name: String, value: JSONValue)? {
            var start: UnsafePointer<CChar>?
            var length = 0
            var member = csimdjson_value()
            guard csimdjson_next_member(&iterator, &start, &length, &member) else { return nil }
            let name = String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
            return (name, JSONValue(member, note))
        }
    }
}
