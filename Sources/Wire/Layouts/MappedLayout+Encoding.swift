import Geo
import Messages

extension MappedLayout {
    /// One fix as the layout reads it: every pointer leads through objects, and `each` to an array of one.
    ///
    /// - Parameter texts: what else stands in it.
    func encoded(_ fix: Fix, placing texts: [(place: JSONPointer, text: String)]) -> [UInt8] {
        var root = Branch()
        for (place, text) in texts { root.put(.text(text), at: place.tokens[...]) }
        var lists: [JSONPointer: [Int: MappedValue]] = [:]
        for (field, source) in fields {
            guard case .pointer(let pointer, let unit, let part) = source, let leaf = field.leaf(of: fix, in: unit)
            else { continue }
            if let part {
                lists[pointer, default: [:]][part] = leaf
            } else {
                root.put(leaf, at: pointer.tokens[...])
            }
        }
        for (pointer, parts) in lists { root.put(.list(parts), at: pointer.tokens[...]) }
        var writer = JSONWriter()
        writer.write(root, below: each?.tokens[...] ?? [])
        return writer.bytes
    }
}

/// A value of a fix as it is written.
private enum MappedValue {
    case number(Double, decimals: Int)
    case seconds(Timestamp)
    case milliseconds(Timestamp)
    case text(String)
    /// The parts of one text, by number.
    indirect case list([Int: MappedValue])
}

/// A JSON object under way.
private struct Branch {
    enum Member {
        case leaf(MappedValue)
        case branch(Branch)
    }

    var members: [String: Member] = [:]

    /// Where two pointers want one place, the later has it.
    mutating func put(_ leaf: MappedValue, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        guard path.count > 1 else { return members[name] = .leaf(leaf) }
        var branch = Branch()
        if case .branch(let existing) = members[name] { branch = existing }
        branch.put(leaf, at: path.dropFirst())
        members[name] = .branch(branch)
    }
}

extension MappedLayout.Field {
    /// Nil where the fix does not know it.
    fileprivate func leaf(of fix: Fix, in unit: MappedLayout.Unit?) -> MappedValue? {
        switch (self, unit) {
        case (.time, .milliseconds): return .milliseconds(fix.time)
        case (.time, .some): return .seconds(fix.time)
        case (.time, nil): return .text(RFC3339.text(fix.time))
        default: return value(of: fix).map { .number($0 / (unit?.factor ?? 1), decimals: decimals(in: unit)) }
        }
    }

    private func value(of fix: Fix) -> Double? {
        switch self {
        case .lat: fix.position.latitude
        case .lon: fix.position.longitude
        case .accuracy: fix.accuracy
        case .speed: fix.speed
        case .course: fix.course
        case .altitude: fix.altitude
        case .time: nil
        }
    }

    /// So many that a millimetre, and a hundredth of a degree of course, are not lost.
    private func decimals(in unit: MappedLayout.Unit?) -> Int {
        switch (self, unit) {
        case (.lat, .degrees6), (.lon, .degrees6): 2
        case (.lat, .degrees7), (.lon, .degrees7): 1
        case (.lat, _), (.lon, _): 8
        case (.course, .radians): 5
        default: 3
        }
    }
}

extension JSONWriter {
    /// - Parameter path: to an array that holds it; empty: it is the document.
    fileprivate mutating func write(_ branch: Branch, below path: ArraySlice<String>) {
        guard let name = path.first else { return write(branch) }
        object { writer in
            writer.name(name)
            if path.count > 1 {
                writer.write(branch, below: path.dropFirst())
            } else {
                writer.array([branch]) { $0.write($1) }
            }
        }
    }

    /// By name, so that the same fix gives the same bytes.
    private mutating func write(_ branch: Branch) {
        object { writer in
            for (name, member) in branch.members.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                switch member {
                case .leaf(let leaf): writer.write(leaf)
                case .branch(let branch): writer.write(branch)
                }
            }
        }
    }

    fileprivate mutating func write(_ leaf: MappedValue) {
        switch leaf {
        case .number(let value, let decimals): number(value, decimals: decimals)
        case .seconds(let time): epochSeconds(time)
        case .milliseconds(let time): integer(Int(time.milliseconds))
        case .text(let text): string(text)
        case .list(let parts): string(parts.text)
        }
    }
}

extension [Int: MappedValue] {
    /// Separated by commas; nothing stands for a part that is not known.
    fileprivate var text: String {
        let count = (keys.max() ?? -1) + 1
        return (0..<count).map { self[$0]?.text ?? "" }.joined(separator: ",")
    }
}

extension MappedValue {
    /// As it stands in a text that holds several.
    fileprivate var text: String {
        if case .text(let text) = self { return text }
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
