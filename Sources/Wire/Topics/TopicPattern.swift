package import Messages

/// The levels above the leaf in a vehicle's topics, such as `fleet/{v}` or `acme/{region}/{v}`.
package struct TopicPattern: Hashable, Sendable, CustomStringConvertible {
    enum Level: Hashable, Sendable {
        case literal(String)
        case named(String)
        case vehicle
    }

    let levels: [Level]

    /// `fleet/{v}`
    package static let standard = TopicPattern(levels: [.literal("fleet"), .vehicle])

    private init(levels: [Level]) { self.levels = levels }

    /// Levels are literal texts, names in braces, and exactly one `{v}`.
    package init(_ text: String) throws(TopicError) {
        let texts = try TopicLevels.split(text)
        var levels: [Level] = []
        for level in texts { levels.append(try Self.level(level)) }
        guard levels.contains(.vehicle) else { throw .vehicleMissing }
        for (index, level) in levels.enumerated() {
            if case .literal = level { continue }
            guard !levels[..<index].contains(level) else { throw .repeatedName(texts[index]) }
        }
        self.levels = levels
    }

    package var description: String { joined { "{\($0)}" } }

    /// The named levels beside the vehicle's, in order.
    package var names: [String] {
        levels.compactMap { if case .named(let name) = $0 { name } else { nil } }
    }

    /// How many levels beside the vehicle's are named.
    package var namedLevelCount: Int {
        levels.count { if case .named = $0 { true } else { false } }
    }

    /// What to subscribe to for one leaf of all vehicles: `fleet/+/location`.
    package func filter(for topicSuffix: TopicSuffix) -> String { joined { _ in "+" } + "/" + topicSuffix.rawValue }

    /// What to subscribe to for all that concerns one vehicle, whatever the other levels: `acme/+/T42/+`.
    package func filter(for vehicle: VehicleID) -> String { joined { $0 == "v" ? vehicle.text : "+" } + "/+" }

    /// The same for one leaf: `acme/+/T42/profile`.
    package func filter(for vehicle: VehicleID, _ topicSuffix: TopicSuffix) -> String {
        joined { $0 == "v" ? vehicle.text : "+" } + "/" + topicSuffix.rawValue
    }

    /// Filters for reports whose topic has a level too few or too many: subscribed to so that a device that is set up
    /// wrongly is counted instead of never heard of.
    package func misaddressed(_ topicSuffix: TopicSuffix) -> [String] {
        let filter = joined { _ in "+" }
        let short = filter.split(separator: "/").dropLast().joined(separator: "/")
        return [
            short.isEmpty ? topicSuffix.rawValue : short + "/" + topicSuffix.rawValue,
            filter + "/+/" + topicSuffix.rawValue,
        ]
    }

    /// The topic of one vehicle's leaf; nil where the address has not as many levels as the pattern has names, that is,
    /// where it was heard under another pattern and not since.
    package func topic(for address: VehicleAddress, _ topicSuffix: TopicSuffix) -> String? {
        guard address.levels.count == namedLevelCount else { return nil }
        var named = address.levels.makeIterator()
        return joined { $0 == "v" ? address.vehicle.text : named.next() ?? "" } + "/" + topicSuffix.rawValue
    }

    /// Whose topic that is, and of what.
    ///
    /// Throws `unknownTopic` where it does not fit the pattern, ends in no leaf or is too long, and `invalidVehicleID`.
    package func parse(_ topic: String) throws(InputError) -> (address: VehicleAddress, topicSuffix: TopicSuffix) {
        guard topic.utf8.count <= WireLimits.topicBytes else { throw .unknownTopic }
        var vehicle: Substring = ""
        var named: [String] = []
        var rest = topic.utf8[...]
        for level in levels {
            guard let end = rest.firstIndex(of: UInt8(ascii: "/")) else { throw .unknownTopic }
            let text = Substring(rest[..<end])
            rest = rest[end...].dropFirst()
            switch level {
            case .literal(let literal): guard text == literal else { throw .unknownTopic }
            case .vehicle: vehicle = text
            // The same rule as for vehicles: what is taken over into output topics must stand as one level there.
            case .named:
                guard let level = VehicleID(text) else { throw .unknownTopic }
                named.append(level.text)
            }
        }
        guard let topicSuffix = TopicSuffix(rawValue: String(Substring(rest))) else { throw .unknownTopic }
        guard let vehicle = VehicleID(vehicle) else { throw .invalidVehicleID }
        return (VehicleAddress(vehicle: vehicle, levels: named), topicSuffix)
    }

    /// Whether a gateway has published there.
    package func isOutput(_ topic: String) -> Bool {
        guard let topicSuffix = try? parse(topic).topicSuffix else { return false }
        return !WireDecoder.topicSuffixes.contains(topicSuffix)
    }

    private func joined(_ replacement: (String) -> String) -> String {
        levels.map { level in
            switch level {
            case .literal(let text): text
            case .named(let name): replacement(name)
            case .vehicle: replacement("v")
            }
        }.joined(separator: "/")
    }

    static func level(_ text: String) throws(TopicError) -> Level {
        guard text.contains(where: { $0 == "{" || $0 == "}" }) else { return .literal(text) }
        let name = text.dropFirst().dropLast()
        guard text.first == "{", text.last == "}", !name.isEmpty, !name.contains(where: { $0 == "{" || $0 == "}" })
        else {
            throw .strayBrace(text)
        }
        return name == "v" ? .vehicle : .named(String(name))
    }
}
