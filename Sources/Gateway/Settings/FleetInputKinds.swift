// Inputs: groups of keys in a list.

extension SettingKind where Value == FleetInput {
    static var fleetInput: Self {
        let expected = "an input, such as {layout: owntracks, topic: \"owntracks/{user}/{v}\"}"
        return Self(expected: expected, form: .groups) { node throws(SettingsError) in
            var group = try GroupReader(node, expected)
            let name = group.required("layout", SettingKind<LayoutName>.oneOf)
            let topic = group.required("topic", .inputTopic)
            let vehicle = group.optional("vehicle", .pointer)
            let fields = group.optional("fields", .fields)
            if let name, let topic {
                group.problems += contradictions(
                    node, name, topic, hasVehicle: group.has("vehicle"), hasFields: group.has("fields"))
            }
            try group.finish()
            guard let name, let topic else { throw node.refused(expected) }
            return FleetInput(topic: topic, layout: layout(name, vehicle, fields ?? [:]))
        }
    }

    private static func layout(
        _ name: LayoutName, _ vehicle: String?, _ fields: [MappedLayout.Field: MappedLayout.Source]
    ) -> FleetInput.Layout {
        switch name {
        case .owntracks: .ownTracks
        case .traccar: .traccar
        case .mapped: .mapped(MappedLayout(vehicle: vehicle, fields: fields))
        }
    }

    private static func contradictions(
        _ node: SettingNode, _ name: LayoutName, _ topic: String, hasVehicle: Bool, hasFields: Bool
    ) -> [SettingsProblem] {
        let namesVehicle = TopicRules.vehicles(in: topic) == 1
        let isMapped = name == .mapped
        var found: [(wrong: String, right: String)] = []
        if name == .owntracks && !namesVehicle {
            found.append(("does not say which level is the vehicle", "write {v} for it, as in owntracks/{user}/{v}"))
        }
        if isMapped && namesVehicle == hasVehicle {
            found.append(("needs the vehicle's id from one place", "write {v} in its topic, or vehicle: /pointer"))
        }
        if isMapped && !hasFields {
            found.append(("has no fields", "write fields: {lat: /pointer, lon: /pointer}"))
        }
        if !isMapped && (hasVehicle || hasFields) {
            found.append(("has a layout that needs no vehicle and no fields", "remove them, or write layout: mapped"))
        }
        return found.map { node.problem(wrong: "\(node.name) \($0.wrong)", right: $0.right) }
    }
}

/// The layouts as they are written.
private enum LayoutName: String, CaseIterable {
    case owntracks, traccar, mapped
}

extension SettingKind where Value == String {
    fileprivate static var inputTopic: Self {
        Self("a topic in which {v} stands at most once, and + and # only as whole levels") { text, _ in
            TopicRules.isInputTopic(text) ? text : nil
        }
    }

    fileprivate static var pointer: Self {
        Self("a JSON Pointer, such as /VP/lat") { text, _ in isPointer(text) ? text : nil }
    }

    /// RFC 6901 §3: after a `~` stands 0 or 1.
    private static func isPointer(_ text: String) -> Bool {
        text.hasPrefix("/")
            && text.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
                .allSatisfy { $0.first == "0" || $0.first == "1" }
    }
}

extension SettingKind where Value == [MappedLayout.Field: MappedLayout.Source] {
    fileprivate static var fields: Self {
        let expected = "where the members of a fix are, such as {lat: /VP/lat, lon: /VP/long}"
        return Self(expected: expected, form: .groups) { node throws(SettingsError) in
            var group = try GroupReader(node, expected)
            var fields: Value = [:]
            for field in MappedLayout.Field.allCases {
                let isRequired = field == .lat || field == .lon
                let kind = SettingKind<MappedLayout.Source>.source(of: field)
                fields[field] =
                    isRequired ? group.required(field.rawValue, kind) : group.optional(field.rawValue, kind)
            }
            try group.finish()
            return fields
        }
    }
}

extension SettingKind where Value == MappedLayout.Source {
    /// A pointer alone, or with a unit.
    fileprivate static func source(of field: MappedLayout.Field) -> Self {
        let unit = field.units.last.map(\.rawValue) ?? ""
        let expected = "a JSON Pointer, or {pointer: /VP/\(field.rawValue), unit: \(unit)}"
        return Self(expected: expected, form: .groups) { node throws(SettingsError) in
            if case .text = node.shape {
                return MappedLayout.Source(pointer: try SettingKind<String>.pointer.read(node))
            }
            var group = try GroupReader(node, expected)
            let pointer = group.required("pointer", .pointer)
            let unit = group.optional("unit", .unit(of: field))
            try group.finish()
            guard let pointer else { throw node.refused(expected) }
            return MappedLayout.Source(pointer: pointer, unit: unit)
        }
    }
}

extension SettingKind where Value == MappedLayout.Unit {
    fileprivate static func unit(of field: MappedLayout.Field) -> Self {
        Self(alternatives(field.units.map(\.rawValue))) { text, _ in
            field.units.first { $0.rawValue == text }
        }
    }
}
