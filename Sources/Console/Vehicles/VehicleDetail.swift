import Fleet
import Geo
import Messages
import Wire

/// What is shown of one vehicle beyond its summary.
struct VehicleDetail {
    let vehicle: VehicleSnapshot
    let map: MapSnapshot
    /// By alert.
    let handlings: [String: Handling]
    let regionLimit: Int
    /// Of texts that say how alerts stand now; nil: the vehicle's.
    let units: UnitSystem?
    /// As published; nil: none is known.
    let lastVisit: [UInt8]?

    func write(_ writer: inout JSONWriter) {
        writer.name("height")
        vehicle.writeHeight(&writer, vehicle.writeProfile)
        writer.member("alerts", each: vehicle.alerts) { writer, alert in
            writer.object { alert.write(&$0, units: units, handling: handlings[alert.message.id]) }
        }
        writer.member("fences", each: vehicle.state?.fences ?? []) { writer, stay in
            writer.object { writer in
                writer.member("id", stay.fence)
                writer.member("name", map.fences[stay.$fence]?.fence.name)
                writer.member("since", stay.since)
            }
        }
        writer.member("fences_as_of", vehicle.state?.fencesAsOf)
        writeRegions(&writer)
        writer.name("quiet")
        if let quiet = vehicle.quiet { writer.object { $0.members(of: quiet) } } else { writer.null() }
        writer.name("last_visit")
        if let lastVisit { writer.raw(lastVisit) } else { writer.null() }
        writer.member("address") { $0.member("levels", each: vehicle.address.levels) { $0.string($1) } }
    }

    private func writeRegions(_ writer: inout JSONWriter) {
        let state = vehicle.state?.regions
        let failed = Dictionary(
            (state?.failed ?? []).map { ($0.$id, $0.reason) }, uniquingKeysWith: { first, _ in first })
        writer.member("regions") { writer in
            writer.member("version", state?.version)
            writer.member("acknowledged", state?.acknowledged)
            writer.member("limit", regionLimit)
            writer.member("items", each: vehicle.regions) { writer, region in
                writer.object { writer in
                    writer.member("id", region.id)
                    writer.member("kind", region.kind.rawValue)
                    writer.members(of: region.circle)
                    writer.member("failed", failed[region.$id])
                }
            }
        }
    }
}

extension JSONWriter {
    /// `lat`, `lon` and `radius`.
    mutating func members(of circle: Circle) {
        position(circle.center)
        member("radius", circle.radius, decimals: 1)
    }
}
