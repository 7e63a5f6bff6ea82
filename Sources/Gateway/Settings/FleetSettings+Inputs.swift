import Wire

extension Settings.Fleet {
    /// Each message has one reading: no input takes in what is another's, the fleet's own or the gateway's; and each says
    /// all that the topics of output are made of.
    func requireInputsApart(from gateway: String, _ read: inout SettingsReader) {
        guard let pattern = try? TopicPattern(topic) else { return }
        for (index, input) in inputs.enumerated() {
            let place = "fleet.inputs[\(index)]"
            require(input, at: place, named: pattern.names, &read)
            let own = Leaf.allCases.map { pattern.filter(for: $0) } + ["\(gateway)/#"]
            let others = inputs[..<index].flatMap(\.claims)
            for (filters, owner) in [(own, "the gateway's own"), (others, "another input's")] {
                guard
                    let taken = filters.first(where: { filter in
                        input.claims.contains { TopicFilter.overlap($0, filter) }
                    })
                else { continue }
                read.require(
                    false, of: "fleet.inputs", and: "fleet.topic", "headroom.topic",
                    wrong: "\(place), \(input.topic), takes in what can be \(owner), \(taken)",
                    right: "write a topic that begins with another level, or has another number of levels")
            }
        }
    }

    private func require(
        _ input: FleetInput, at place: String, named names: [String], _ read: inout SettingsReader
    ) {
        let missing = names.filter { !input.topic.names.contains($0) }.map { "{\($0)}" }
        read.require(
            missing.isEmpty, of: "fleet.inputs", and: "fleet.topic",
            wrong:
                "\(place), \(input.topic), does not name \(alternatives(missing)), which the topics of \(topic) need",
            right: "write \(missing.joined(separator: " and ")) for a level of it, or a fleet.topic without")
    }
}
