import Testing

@testable import HeadroomConfiguration

/// What is said about one of `fleet.inputs` that is not complete, makes no sense, or could take two vehicles for one.
struct FleetInputSettingsTests {
    @Test(arguments: [
        (
            "layout: owntracks",
            "fleet.inputs[0].topic: expected a topic in which {v} stands at most once, and + and # only as whole levels, got nothing"
        ),
        (
            "layout: json, topic: a",
            "fleet.inputs[0].layout: expected headroom, owntracks, traccar or mapped, got \"json\""
        ),
        (
            "layout: owntracks, topic: a/b",
            "fleet.inputs[0].topic: expected the level {v} for the vehicle, as in owntracks/{user}/{v}, got a/b"
        ),
        (
            "layout: traccar, topic: a, vehicle: /b",
            "fleet.inputs[0].vehicle: expected the place where the layout has the vehicle's id, got {/b}; write {/device/uniqueId}"
        ),
        (
            "layout: traccar, topic: a, each: /b",
            "fleet.inputs[0].layout: expected mapped, where each or fields is given, got traccar"
        ),
        (
            "layout: mapped, topic: a, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected a JSON Pointer, or {v} in the topic, got nothing"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", vehicle: /id, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected {v}, which stands in the topic, got {/id}; write {v} in it, or another name"
        ),
        (
            "layout: mapped, topic: \"a/{operator}/{v}\", vehicle: \"{operatr}-{v}\", fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected {operator} or {v}, got {operatr}; did you mean {operator}?"
        ),
        (
            "layout: owntracks, topic: \"a/{v}\", vehicle: \"{v}-{/tid}\"",
            "fleet.inputs[0].vehicle: expected the place where the layout has the vehicle's id, got {/tid}; write levels"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", vehicle: \"x{v\", fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected a closing brace, got \"{v\"; write a JSON Pointer such as /VP/veh, a template"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", vehicle: \"x#{v}\", fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected text of at most 64 characters without + # / and control characters, got \"x#\""
        ),
        (
            "layout: mapped, topic: a, vehicle: T42, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected a level of the topic such as {v}, or a place in the payload such as {/VP/veh}, "
                + "got \"T42\"; write"
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: {pointer: /a, part: 32}, lon: /b}",
            "fleet.inputs[0].fields.lat.part: expected a whole number from 0 to 31, got \"32\""
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: {value: 1, part: 0}, lon: /b}",
            "unknown key fleet.inputs[0].fields.lat.part; it may have value, unit"
        ),
        (
            "layout: mapped, topic: \"a/{v}\"",
            "fleet.inputs[0].fields: expected {lat: /pointer, lon: /pointer}, got nothing"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", fields: {lat: /a}",
            "fleet.inputs[0].fields.lon: expected a JSON Pointer, or {pointer: /VP/lon, unit: 1e-7 deg}, got nothing"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", fields: {lat: a, lon: /b}",
            "fleet.inputs[0].fields.lat: expected a JSON Pointer, such as /VP/lat, got \"a\""
        ),
        (
            "layout: mapped, topic: \"a/{v}\", fields: {lat: /a, lon: /b, speed: {pointer: /c, unit: m}}",
            "fleet.inputs[0].fields.speed.unit: expected m/s, km/h, mph or kn, got \"m\""
        ),
        (
            "layout: mapped, topic: \"a/{v}\", fields: {lat: /a, lon: /b, sped: /c}",
            "unknown key fleet.inputs[0].fields.sped; did you mean fleet.inputs[0].fields.speed?"
        ),
        (
            "layout: owntracks, topic: \"a/{v}\", tpic: b",
            "unknown key fleet.inputs[0].tpic; did you mean fleet.inputs[0].topic"
        ),
        (
            "layout: owntracks, topic: \"a/{v}/#\"",
            "fleet.inputs[0].topic: expected a topic without /#, since this layout takes in what lies below, got a/{v}/#"
        ),
        (
            "layout: traccar, topic: \"a/#/b\"",
            "fleet.inputs[0].topic: expected a topic in which {v} stands at most once, and + and # only as whole levels, got \"a/#/b\""
        ),
        (
            "layout: mapped, topic: a, vehicle: {value: x/y}, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle.value: expected a vehicle's id: 1 to 64 characters without + # /, got \"x/y\""
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, each: b, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].each: expected a JSON Pointer, such as /VP/lat, got \"b\""
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: /a, lon: /b, accuracy: {value: -1, unit: m}}",
            "fleet.inputs[0].fields.accuracy: expected a value from 0, got -1"
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: {value: 9100000, unit: 1e-5 deg}, lon: /b}",
            "fleet.inputs[0].fields.lat.unit: expected deg, 1e-6 deg or 1e-7 deg, got \"1e-5 deg\""
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: {value: 91000000, unit: 1e-6 deg}, lon: /b}",
            "fleet.inputs[0].fields.lat: expected a value from -90 to 90, got 91000000"
        ),
    ])
    func anInputIsCompleteAndMakesSense(input: String, message: String) throws {
        let problems = try SettingsFolder().problems("fleet:\n  inputs:\n    - {\(input)}")
        #expect(problems.hasPrefix("headroom.yaml:3:"))
        #expect(problems.contains(": " + message))
        #expect(!problems.contains("\n"))
    }

    @Test(
        "A level that the topic names, and the id does not, would make one vehicle of two: a warning with its place",
        arguments: [
            ("layout: owntracks, topic: \"owntracks/{user}/{v}\"", "{user} is not part of the vehicle's id, {v}"),
            (
                "layout: mapped, topic: \"hfp/{operator}/{route}/{v}/#\", vehicle: \"{route}-{v}\", fields: {lat: /a, lon: /b}",
                "{operator} is not part of the vehicle's id, {route}-{v}"
            ),
            (
                "layout: mapped, topic: \"hfp/{operator}/#\", vehicle: /veh, fields: {lat: /a, lon: /b}",
                "{operator} is not part of the vehicle's id, {/veh}"
            ),
            (
                "layout: traccar, topic: \"traccar/{server}\"",
                "{server} is not part of the vehicle's id, {/device/uniqueId}"
            ),
            ("layout: owntracks, topic: \"o/{user}/{v}\", vehicle: \"{user}{v}\"", "{user}{v} has no text between"),
        ])
    func mergedVehicles(input: String, warning: String) throws {
        let loaded = try SettingsFolder().load("fleet:\n  inputs:\n    - {\(input)}")
        #expect(loaded.warnings.count == 1)
        let text = loaded.warnings.first?.asWarning ?? ""
        #expect(text.contains("headroom.yaml:3:") && text.contains(": warning: fleet.inputs[0]"), "\(text)")
        #expect(text.contains(warning), "\(text)")
    }

    @Test(
        "No warning where ids cannot merge, or are unique by the operator's word, or by contract",
        arguments: [
            "inputs: [{layout: owntracks, topic: \"owntracks/{user}/{v}\", vehicle: \"{user}-{v}\"}]",
            "inputs: [{layout: owntracks, topic: \"owntracks/+/{v}\"}]",
            "inputs: [{layout: owntracks, topic: \"owntracks/{user}/{v}\", vehicle: \"{v}\"}]",
            "inputs: [{layout: headroom, topic: \"depot/{v}/{kind}\"}]", "topic: \"acme/{region}/{v}\"",
        ])
    func uniqueVehicles(fleet: String) throws {
        #expect(try SettingsFolder().load("fleet: {\(fleet)}").warnings == [])
    }
}
