import Geo
import Messages

extension PayloadReading {
    /// What Traccar forwards as JSON: a `position` and its `device`, or an `event`.
    ///
    /// Throws `invalidFix` where the receiver had no fix. A position that Traccar only repeats, because the device sent
    /// none, is no fix.
    init(traccar object: JSONValue, _ context: PayloadContext) throws(InputError) {
        guard object.isObject else { throw object.notAnObject() }
        if let event = object["event"] {
            guard event.isObject else { throw event.notAnObject(at: "event") }
            other = .event
            return
        }
        guard let position = object["position"] else { throw object.missing("position", expected: "an object") }
        guard position.isObject else { throw position.notAnObject(at: "position") }
        let vehicle = try context.vehicle(in: object)
        if try position.flag("outdated") == true {
            other = .lastKnownPosition
        } else {
            add(try Fix(traccar: position, context), of: vehicle)
        }
    }
}

extension Fix {
    /// Traccar's numbers are 0 where nothing is known, which for an accuracy is to be told.
    fileprivate init(traccar position: JSONValue, _ context: PayloadContext) throws(InputError) {
        guard try position.flag("valid") != false else { throw .invalidFix }
        let time = position["fixTime"] ?? position["deviceTime"]
        self.init(
            position: Coordinate(
                latitude: try position.requiredNumber("latitude", in: -90...90),
                longitude: try position.requiredNumber("longitude", in: -180...180)),
            time: try context.time(try time?.time(at: "fixTime", offsetNeedsColon: false)),
            accuracy: try position.number("accuracy", in: 0...Double.greatestFiniteMagnitude)
                .flatMap { $0 > 0 ? $0 : nil },
            speed: try position.number("speed", in: 0...Double.greatestFiniteMagnitude)
                .map { $0 * MappedLayout.Unit.knots.factor },
            course: try position.number("course", in: 0...360).map { $0 == 360 ? 0 : $0 },
            altitude: try position.number("altitude"))
    }
}

extension JSONValue {
    fileprivate func flag(_ name: StaticString) throws(InputError) -> Bool? {
        guard let member = self[name] else { return nil }
        guard let flag = member.bool else {
            throw member.refused(.wrongType, at: "\(name)", expected: "true or false")
        }
        return flag
    }
}
