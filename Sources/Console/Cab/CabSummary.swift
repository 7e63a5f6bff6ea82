import Fleet
import Gateway
import Hummingbird
import Messages
import Wire

/// What a paired phone is told of its vehicle.
struct CabSummary {
    let vehicle: VehicleID
    let view: LiveView
    /// Of texts for drivers whose profile does not say.
    let fleetLanguage: Language

    /// - Parameter age: how old what is told may be.
    func json(noOlderThan age: Duration = LiveView.ageMax) async throws(HTTPError) -> [UInt8] {
        let known = try await view.known(noOlderThan: age).vehicles[vehicle]?.snapshot
        return JSONWriter.answer { write(known, to: &$0) }
    }

    /// - Parameter known: nil: nothing is known of the vehicle, or may be.
    private func write(_ known: VehicleSnapshot?, to writer: inout JSONWriter) {
        writer.member("vehicle", vehicle.text)
        writer.name("state")
        if let state = known?.state {
            writer.object { $0.members(of: state, vehicle, publishedAt: state.time) }
        } else {
            writer.null()
        }
        writer.name("height")
        if let known { known.writeHeight(&writer, known.writeProfile) } else { writer.null() }
        writer.member("language", (known?.language ?? fleetLanguage).rawValue)
        // What dispatch notes of them is not the driver's.
        writer.member("alerts", each: known?.alerts ?? []) { writer, alert in
            writer.object { alert.write(&$0, units: nil, handling: nil) }
        }
        writer.member("clearances", each: known?.regions.filter { $0.kind == .clearance } ?? []) { writer, region in
            writer.object { writer in
                writer.member("id", region.id)
                writer.members(of: region.circle)
            }
        }
        writer.name("tracking")
        if let tracking = known?.tracking {
            writer.object { $0.members(of: tracking, vehicle, publishedAt: tracking.time) }
        } else {
            writer.null()
        }
    }
}
