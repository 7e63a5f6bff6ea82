import Fleet
import Geo
import Messages
import Wire

// Inputs: groups of keys in a list.

extension SettingKind where Value == FleetInput {
    static var fleetInput: Self {
        let expected = "an input, such as {layout: owntracks, topic: \"owntracks/{user}/{v}\"}"
        return Self(expected: expected, form: .groups) { node throws(SettingsError) in
            var group = try GroupReader(node, expected)
            let name = group.required("layout", SettingKind<LayoutName>.oneOf)
            let topic = group.required("topic", .inputTopic)
            let vehicle = group.optional("vehicle", .vehicle)
            let each = group.optional("each", .pointer)
            let fields = group.optional("fields", .fields)
            if let name, let topic {
                group.problems += contradictions(node, name, topic, group)
                if let vehicle {
                    group.problems += vehicle.problems(node, name.layout(MappedLayout(fields: [:])), topic)
                }
            }
            try group.finish()
            guard let name, let topic else { throw node.refused(expected) }
            let mapped = MappedLayout(each: each, fields: fields ?? [:])
            return FleetInput(topic: topic, layout: name.layout(mapped), vehicle: vehicle)
        }
    }

    private static func contradictions(
        _ node: SettingNode, _ name: LayoutName, _ topic: InputTopic, _ group: GroupReader
    ) -> [SettingsProblem] {
        let isMapped = name == .mapped
        var found: [(key: String, expected: String, got: String)] = []
        if name == .owntracks && !topic.namesVehicle {
            found.append(("topic", "the level {v} for the vehicle, as in owntracks/{user}/{v}", "\(topic)"))
        }
        if name == .owntracks && topic.isOpenEnded {
            found.append(("topic", "a topic without /#, since this layout takes in what lies below", "\(topic)"))
        }
        if isMapped && !topic.namesVehicle && !group.has("vehicle") {
            found.append(("vehicle", "a JSON Pointer, or {v} in the topic", "nothing"))
        }
        if isMapped && !group.has("fields") {
            found.append(("fields", "{lat: /pointer, lon: /pointer}", "nothing"))
        }
        if !isMapped && ["each", "fields"].contains(where: group.has) {
            found.append(("layout", "mapped, where each or fields is given", name.rawValue))
        }
        return found.map { node.problem($0.key, expected: $0.expected, got: $0.got) }
    }
}

/// The layouts as they are written.
private enum LayoutName: String, CaseIterable {
    case headroom, owntracks, traccar, mapped

    func layout(_ mapped: MappedLayout) -> InputLayout {
        switch self {
        case .headroom: .headroom
        case .owntracks: .ownTracks
        case .traccar: .traccar
        case .mapped: .mapped(mapped)
        }
    }
}

extension SettingKind where Value == InputTopic {
    fileprivate static var inputTopic: Self {
        Self("a topic in which {v} stands at most once, and + and # only as whole levels") { text, _ in
            try? InputTopic(text)
        }
    }
}

extension SettingKind where Value == JSONPointer {
    fileprivate static var pointer: Self {
        Self("a JSON Pointer, such as /VP/lat") { text, _ in JSONPointer(text) }
    }
}

extension SettingKind where Value == VehicleTemplate {
    /// A pointer alone, a template, or the vehicle itself.
    fileprivate static var vehicle: Self {
        let expected = "a JSON Pointer such as /VP/veh, a template such as \"{operator}-{v}\", or {value: T42}"
        return Self(expected: expected, form: .groups) { node throws(SettingsError) in
            if case .text(let text) = node.shape {
                if text.hasPrefix("/") { return VehicleTemplate(try SettingKind<JSONPointer>.pointer.read(node)) }
                do throws(VehicleTemplateError) {
                    return try VehicleTemplate(text)
                } catch {
                    throw SettingsError([
                        node.problem(
                            wrong: "\(node.name): expected \(error.expected), got \(FlowStyle.enclosed(error.got))",
                            right: "write \(expected)")
                    ])
                }
            }
            var group = try GroupReader(node, expected)
            let value = group.required("value", .vehicleName)
            try group.finish()
            guard let value else { throw node.refused(expected) }
            return VehicleTemplate(value)
        }
    }
}

extension VehicleTemplate {
    /// What of it the topic and the layout do not have.
    fileprivate func problems(_ input: SettingNode, _ layout: InputLayout, _ topic: InputTopic) -> [SettingsProblem] {
        let known = topic.names + (topic.namesVehicle ? ["v"] : [])
        let levels = levels.filter { !known.contains($0) }.map { level in
            let right =
                Spelling.nearest(to: level, among: known).map { "did you mean {\($0)}?" }
                ?? "write {\(level)} for a level of the topic, too"
            let names = known.isEmpty ? "a topic with named levels" : alternatives(known.map { "{\($0)}" })
            return ("expected \(names), got {\(level)}", right)
        }
        let places = layout.isMapped ? [] : places.filter { $0 != layout.vehiclePlace }
        let foreign = places.map { place in
            let right = layout.vehiclePlace.map { "write {\($0)}" } ?? "write levels of the topic"
            return ("expected the place where the layout has the vehicle's id, got {\(place)}", right)
        }
        var problems = levels + foreign
        if topic.namesVehicle && !self.levels.contains("v") {
            problems.append(
                (
                    "expected {v}, which stands in the topic, got \(self)",
                    "write {v} in it, or another name in the topic"
                ))
        }
        return problems.map { input.problem(wrong: "\(input.name).vehicle: \($0.0)", right: $0.1) }
    }
}

extension InputLayout {
    fileprivate var isMapped: Bool { if case .mapped = self { true } else { false } }
}

extension SettingKind where Value == VehicleID {
    fileprivate static var vehicleName: Self {
        Self("a vehicle's id: 1 to 64 characters without + # /") { text, _ in VehicleID(text) }
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
    /// A pointer alone, or with a unit; or a value, with a unit or without.
    fileprivate static func source(of field: MappedLayout.Field) -> Self {
        let unit = field.units.last.map(\.rawValue) ?? ""
        let expected = "a JSON Pointer, or {pointer: /VP/\(field.rawValue), unit: \(unit)}"
        return Self(expected: expected, form: .groups) { node throws(SettingsError) in
            if case .text = node.shape { return .pointer(try SettingKind<JSONPointer>.pointer.read(node)) }
            var group = try GroupReader(node, expected)
            let isConstant = group.has("value") && field != .time
            let value = isConstant ? group.required("value", .number(-1e9...1e9)) : nil
            let pointer = isConstant ? nil : group.required("pointer", .pointer)
            let unit = group.optional("unit", .unit(of: field))
            let part = isConstant ? nil : group.optional("part", .integer(MappedLayout.parts))
            let isUnitRefused = group.has("unit") && unit == nil
            if let value, !isUnitRefused, !field.range.contains(value * (unit?.factor ?? 1)) {
                group.problems.append(node.problem(expected: field.expected, got: decimal(value)))
            }
            try group.finish()
            if let value { return .constant(value * (unit?.factor ?? 1)) }
            guard let pointer else { throw node.refused(expected) }
            return .pointer(pointer, unit: unit, part: part)
        }
    }
}

extension MappedLayout.Field {
    fileprivate var expected: String {
        "a value from \(decimal(range.lowerBound))" + (range.upperBound < 1e9 ? " to \(decimal(range.upperBound))" : "")
    }
}

extension SettingKind where Value == MappedLayout.Unit {
    fileprivate static func unit(of field: MappedLayout.Field) -> Self {
        Self(alternatives(field.units.map(\.rawValue))) { text, _ in
            field.units.first { $0.rawValue == text }
        }
    }
}
