import Messages

/// What one payload says, in whatever layout.
struct PayloadReading {
    /// What is said of one vehicle; nil: nobody can tell of which.
    struct Part {
        var vehicle: VehicleID?
        var fixes: [Fix] = []
        var rejections: [RejectedPart] = []
    }

    /// One for each vehicle, in the order in which the payload names them.
    private(set) var parts: [Part] = []
    /// Whether the device's own connection stands, where the payload tells.
    var presence: Presence?
    var other: OtherMessage?
    /// Where in `parts` those after the first are.
    private var further: [VehicleID?: Int] = [:]

    mutating func add(_ fix: Fix, of vehicle: VehicleID) { parts[index(of: vehicle)].fixes.append(fix) }

    mutating func add(_ rejection: RejectedPart, of vehicle: VehicleID?) {
        parts[index(of: vehicle)].rejections.append(rejection)
    }

    /// A payload that holds many fixes: what is wrong with one of them is no reason to pass over the others.
    ///
    /// - Parameters:
    ///   - root: the payload.
    ///   - vehicle: whose it is when an element cannot be read.
    /// - Throws: `missingField` where there are none, `tooLarge` past `WireLimits.fixes`.
    mutating func add(
        each elements: JSONValue.Elements, in root: JSONValue, of vehicle: VehicleID?,
        _ read: (JSONValue) throws(InputError) -> (vehicle: VehicleID, fix: Fix)
    ) throws(InputError) {
        var count = 0
        for element in elements {
            count += 1
            guard count <= WireLimits.fixes else {
                throw root.note.note(
                    .tooLarge, ReadingProblem("expected at most \(WireLimits.fixes) fixes", got: "more"))
            }
            do throws(InputError) {
                let (vehicle, fix) = try read(element)
                add(fix, of: vehicle)
            } catch {
                add(element.note.part(error), of: vehicle)
            }
        }
        guard count > 0 else { throw root.missing("", expected: "one fix or more") }
    }

    /// Nearly every payload is about one vehicle.
    private mutating func index(of vehicle: VehicleID?) -> Int {
        if let first = parts.first, first.vehicle == vehicle { return 0 }
        if let index = further[vehicle] { return index }
        if !parts.isEmpty { further[vehicle] = parts.count }
        parts.append(Part(vehicle: vehicle))
        return parts.count - 1
    }
}

/// What is known of a payload before it is read.
struct PayloadContext {
    /// Whom its topic names.
    var vehicle: VehicleID?
    /// How it is found out where the topic alone does not say, and what the levels of the topic say.
    var template = VehicleTemplate.headroomVehicle
    var levels: [String: Substring] = [:]
    /// Whether the broker had kept it, so that its arrival says nothing about its time.
    var isRetained: Bool
    var receivedAt: Timestamp

    /// The time of a fix that has none of its own.
    ///
    /// Throws `retainedWithoutTime`: a retained message says nothing about when its fix was taken.
    func time(_ own: Timestamp?) throws(InputError) -> Timestamp {
        if let own { return own }
        guard !isRetained else { throw .retainedWithoutTime }
        return receivedAt
    }

    /// Whom the topic alone names; nil where the payload has to say it.
    ///
    /// Throws `invalidVehicleID`.
    func topicVehicle() throws(InputError) -> VehicleID? {
        guard template.places.isEmpty else { return nil }
        return try template.id {
            levels[$0]
        } value: { _ in
            ""
        }
    }

    /// Whom the topic names, else whom the payload names, which is not looked into where the topic does.
    ///
    /// - Parameters:
    ///   - element: where the fix stands.
    ///   - shared: where what the element does not hold is looked for; nil: nowhere.
    func vehicle(in element: JSONValue, or shared: SharedValues? = nil) throws(InputError) -> VehicleID {
        if let vehicle { return vehicle }
        return try template.id {
            levels[$0]
        } value: { pointer throws(InputError) in
            guard let value = pointer.value(in: element) ?? shared?.value(at: pointer) else {
                throw element.missing("\(pointer)", expected: "a vehicle's id")
            }
            guard let text = value.string ?? value.integer.map({ String($0) }) else {
                throw value.refused(.wrongType, at: "\(pointer)", expected: "a vehicle's id, a text or a whole number")
            }
            return text
        }
    }
}
