import Wire

extension Settings {
    /// Each message has one reading: no input takes in what is another's, the fleet's own or the gateway's; and each says
    /// all that the topics of output are made of.
    func requireInputsApart(_ read: inout SettingsReader) {
        guard let pattern = try? TopicPattern(fleet.topic) else { return }
        for (index, input) in fleet.inputs.enumerated() {
            let place = "fleet.inputs[\(index)]"
            require(input, at: place, named: pattern.names, &read)
            let own = TopicSuffix.allCases.map { pattern.filter(for: $0) } + ["\(topicPrefix)/#"]
            let others = fleet.inputs[..<index].flatMap(\.claims)
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
                "\(place), \(input.topic), does not name \(alternatives(missing)), which the topics of \(fleet.topic) need",
            right: "write \(missing.joined(separator: " and ")) for a level of it, or a fleet.topic without")
    }

    /// Vehicles of different owners that would be taken for one: a level that the topic names is not part of their ids.
    ///
    /// An input that says `vehicle: "{v}"` has unique ids by its own word. In `fleet.topic` further levels only say where
    /// output goes: ids are unique there by contract.
    func warnOfMergedVehicles(_ read: inout SettingsReader) {
        for (index, input) in fleet.inputs.enumerated() where input.vehicle != .vehicleLevel {
            guard let template = input.template else { continue }
            let place = "fleet.inputs[\(index)]"
            let names = input.topic.namesBeforeVehicle.filter { !template.levels.contains($0) }
            if !names.isEmpty {
                let levels = alternatives(names.map { "{\($0)}" })
                read.warn(
                    of: "fleet.inputs",
                    wrong: "\(place), \(input.topic): \(levels) is not part of the vehicle's id, \(template): "
                        + "vehicles of one number under two of them would be one vehicle",
                    right: "write vehicle: \"\(names.map { "{\($0)}-" }.joined())\(template)\", or vehicle: \"{v}\" "
                        + "where ids are unique")
            }
            if let adjoining = template.adjoining {
                read.warn(
                    of: "fleet.inputs",
                    wrong: "\(place): \(adjoining) has no text between, so that 1 and 23 give the id of 12 and 3",
                    right: "write a text such as - between them")
            }
        }
    }
}
