import Hashing
package import Messages

/// The pattern of vehicles' topics, and those that were in use before: what was retained under them may still be there.
package struct TopicPatterns: Hashable, Sendable {
    /// Of each, a vehicle has seven topics to be emptied when it is forgotten.
    private static let formerMax = 8

    package let current: TopicPattern
    /// At most eight, the newest first.
    package let former: [TopicPattern]

    /// - Parameter stored: `text` of each part of a store; what cannot be read in it is passed over.
    package init(_ current: TopicPattern, stored: [String] = []) {
        var former: [TopicPattern] = []
        for line in stored.flatMap({ $0.split(separator: "\n") }) {
            guard let pattern = try? TopicPattern(String(line)), pattern != current, !former.contains(pattern) else {
                continue
            }
            former.append(pattern)
        }
        self.current = current
        self.former = Array(former.prefix(Self.formerMax))
    }

    /// As a store keeps them: one a line, that in use first.
    package var text: String { ([current] + former).map(\.description).joined(separator: "\n") }

    /// Whose topic that is, and of what, by the pattern in use before all others; nil: nobody's.
    package func parse(_ topic: String) -> (address: VehicleAddress, topicSuffix: TopicSuffix)? {
        for pattern in [current] + former {
            if let found = try? pattern.parse(topic) { return found }
        }
        return nil
    }

    /// Whether a topic is one of that vehicle.
    package func concerns(_ vehicle: VehicleID, _ topic: String) -> Bool { parse(topic)?.address.vehicle == vehicle }

    /// What to subscribe to for all that concerns one vehicle under the patterns that were in use before.
    package func formerFilters(for vehicle: VehicleID) -> [String] {
        BytewiseText.distinct(former.map { $0.filter(for: vehicle) }).filter { $0 != current.filter(for: vehicle) }
    }

    /// Where a vehicle's topics were under the patterns that were in use before; none that are another vehicle's now.
    ///
    /// - Parameter address: of any of the patterns. Those that have other named levels have no topic for it.
    package func formerTopics(of address: VehicleAddress, _ topicSuffixes: [TopicSuffix]) -> [String] {
        let topics = former.flatMap { pattern -> [String] in
            let address = pattern.namedLevelCount == 0 ? VehicleAddress(vehicle: address.vehicle) : address
            return topicSuffixes.compactMap { pattern.topic(for: address, $0) }
        }
        return BytewiseText.distinct(topics).filter { concerns(address.vehicle, $0) }
    }
}
