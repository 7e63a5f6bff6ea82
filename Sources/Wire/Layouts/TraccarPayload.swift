import Fleet
import Geo

extension PayloadReading {
    /// What Traccar forwards as JSON: a `position` and its `device`, or an `event`.
    ///
    /// Throws `invalidFix` where the receiver had no fix. A position that Traccar only repeats, because the device sent
    /// none, is no fix.
    init(traccar object: JSONValue, _ context: PayloadContext) throws(Rejection) {
        guard object.isObject else { throw .wrongType }
        if let event = object["event"] {
            guard event.isObject else { throw .wrongType }
            other = .event
            return
        }
        guard let position = object["position"] else { throw .missingField }
        guard position.isObject else { throw .wrongType }
        let vehicle = try context.vehicle(object["device"]?["uniqueId"])
        if try position.flag("outdated") == true {
            other = .lastKnownPosition
        } else {
            add(try Fix(traccar: position, context), of: vehicle)
        }
    }
}

extension Fix {
    /// Traccar's numbers are 0 where nothing is known, which for an accuracy is to be told.
    fileprivate init(traccar position: JSONValue, _ context: PayloadContext) throws(Rejection) {
        guard try position.flag("valid") != false else { throw .invalidFix }
        guard let latitude = try position.number("latitude", in: -90...90),
            let longitude = try position.number("longitude", in: -180...180)
        else { throw .missingField }
        let time = position["fixTime"] ?? position["deviceTime"]
        self.init(
            position: Coordinate(latitude: latitude, longitude: longitude),
            time: try context.time(try time?.time(offsetNeedsColon: false)),
            accuracy: try position.number("accuracy", in: 0...Double.greatestFiniteMagnitude)
                .flatMap { $0 > 0 ? $0 : nil },
            speed: try position.number("speed", in: 0...Double.greatestFiniteMagnitude)
                .map { $0 * MappedLayout.Unit.knots.factor },
            course: try position.number("course", in: 0...360).map { $0 == 360 ? 0 : $0 },
            altitude: try position.number("altitude"))
    }
}

extension JSONValue {
    fileprivate func flag(_ name: StaticString) throws(Rejection) -> Bool? {
        guard let member = self[name] else { return nil }
        guard let flag = member.bool else { throw .wrongType }
        return flag
    }
}
