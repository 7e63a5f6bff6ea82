import Geo
import Messages

extension PayloadReading {
    /// The gateway's own layout of fixes: one object, or an array of them.
    init(headroom root: JSONValue, _ context: PayloadContext) throws(InputError) {
        guard let elements = root.elements else {
            add(try Fix(headroom: root, context), of: try context.vehicle(in: root))
            return
        }
        try add(each: elements, in: root, of: context.vehicle) { element throws(InputError) in
            (try context.vehicle(in: element), try Fix(headroom: element, context))
        }
    }
}

extension JSONValue {
    /// As `number`; nil for -1, which Apple's Core Location says for a speed or a course that it does not know.
    fileprivate func knownNumber(_ name: StaticString, in range: ClosedRange<Double>) throws(InputError) -> Double? {
        self[name]?.double == -1 ? nil : try number(name, in: range)
    }
}

extension Fix {
    /// Throws the first reason found; unknown members are ignored.
    init(headroom object: JSONValue, _ context: PayloadContext) throws(InputError) {
        guard object.isObject else { throw object.notAnObject() }
        self.init(
            position: Coordinate(
                latitude: try object.requiredNumber("lat", in: -90...90),
                longitude: try object.requiredNumber("lon", in: -180...180)),
            time: try context.time(try object.time("time")),
            accuracy: try object.number("accuracy", in: 0...Double.greatestFiniteMagnitude),
            speed: try object.knownNumber("speed", in: 0...Double.greatestFiniteMagnitude),
            // Some receivers call north 360.
            course: try object.knownNumber("course", in: 0...360).map { $0 == 360 ? 0 : $0 },
            altitude: try object.number("altitude"),
            trigger: try object.choice("trigger") ?? .interval,
            region: try object.text("region", atMost: WireLimits.idCharacters).map { RegionKey($0) })
    }
}
