import Geo
import Messages

extension VehicleAddress: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(vehicle)
        writer.put(levels)
        writer.put(device)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(vehicle: try reader.get(), levels: try reader.get(), device: try reader.get())
    }
}

extension VehicleID: Kept {
    func keep(in writer: inout KeptWriter) { writer.put(text) }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        let text = try reader.text()
        guard let id = VehicleID(text) else { throw reader.problem("the vehicle's name \"\(text)\"") }
        self = id
    }
}

extension Fix.Trigger: Kept {}

extension Fix: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(position)
        writer.put(time)
        writer.put(accuracy)
        writer.put(speed)
        writer.put(course)
        writer.put(altitude)
        writer.put(trigger)
        writer.put(region)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(
            position: try reader.get(), time: try reader.get(), accuracy: try reader.get(), speed: try reader.get(),
            course: try reader.get(), altitude: try reader.get(), trigger: try reader.get(), region: try reader.get())
    }
}

extension UnitSystem: Kept {}

extension HeightProfile: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(height)
        writer.put(margin)
        writer.put(source)
        writer.put(measuredAt)
        writer.put(validFor)
        writer.put(units)
        writer.put(groups)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(
            height: try reader.get(), margin: try reader.get(), source: try reader.get(),
            measuredAt: try reader.get(), validFor: try reader.get(), units: try reader.get(),
            groups: try reader.get())
    }
}

extension Consent.Status: Kept {}

extension Consent: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(status)
        writer.put(isInUse)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(try reader.get(), isInUse: try reader.get())
    }
}

extension Presence: Kept {}
