import Fleet
import Geo

extension PayloadReading {
    /// One fix, or as many as stand in the array to which `each` leads. A payload that is itself an array of objects is an
    /// array of fixes.
    init(mapped root: JSONValue, by layout: MappedLayout, _ context: PayloadContext) throws(Rejection) {
        guard let elements = try root.fixes(of: layout) else {
            let place = MappedPlace(layout: layout, element: root, payload: root)
            add(try place.fix(context), of: try place.vehicle(context))
            return
        }
        try add(each: elements, of: context.vehicle) { element throws(Rejection) in
            let place = MappedPlace(layout: layout, element: element, payload: root)
            return (try place.vehicle(context), try place.fix(context))
        }
    }
}

extension JSONValue {
    /// Nil where the payload is one fix.
    fileprivate func fixes(of layout: MappedLayout) throws(Rejection) -> Elements? {
        guard let each = layout.each else { return element(0)?.isObject == true ? elements : nil }
        guard let list = each.value(in: self) else { throw .missingField }
        guard let elements = list.elements else { throw .wrongType }
        return elements
    }
}

/// Where one fix stands.
private struct MappedPlace {
    let layout: MappedLayout
    let element: JSONValue
    let payload: JSONValue

    func vehicle(_ context: PayloadContext) throws(Rejection) -> VehicleID {
        switch layout.vehicle {
        case .constant(let text):
            guard let id = VehicleID(text) else { throw .invalidVehicleID }
            return id
        case .pointer(let pointer): return try context.vehicle(value(at: pointer))
        case nil: return try context.vehicle(nil)
        }
    }

    func fix(_ context: PayloadContext) throws(Rejection) -> Fix {
        guard let latitude = try number(.lat), let longitude = try number(.lon) else { throw .missingField }
        return Fix(
            position: Coordinate(latitude: latitude, longitude: longitude), time: try context.time(try time()),
            accuracy: try number(.accuracy), speed: try number(.speed),
            course: try number(.course).map { $0 >= 360 ? 0 : $0 }, altitude: try number(.altitude))
    }

    private func number(_ field: MappedLayout.Field) throws(Rejection) -> Double? {
        switch layout.fields[field] {
        case nil: return nil
        case .constant(let value): return value
        case .pointer(let pointer, let unit):
            guard let value = value(at: pointer) else { return nil }
            guard let number = value.numeral else { throw .wrongType }
            let converted = number * (unit?.factor ?? 1)
            guard field.range.contains(converted) else { throw .outOfRange }
            return converted
        }
    }

    private func time() throws(Rejection) -> Timestamp? {
        guard case .pointer(let pointer, let unit) = layout.fields[.time], let value = value(at: pointer) else {
            return nil
        }
        guard let unit else { return try value.time(offsetNeedsColon: false) }
        guard let number = value.numeral else { throw .wrongType }
        return try Timestamp(epochMilliseconds: unit == .milliseconds ? number : number * 1000)
    }

    private func value(at pointer: JSONPointer) -> JSONValue? {
        pointer.value(in: element) ?? pointer.value(in: payload)
    }
}
