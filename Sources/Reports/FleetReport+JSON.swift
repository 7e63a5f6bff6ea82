import Messages
import Wire

extension JSONWriter {
    mutating func members(of report: FleetReport) {
        member("from", report.span.lowerBound)
        member("to", report.span.upperBound)
        member("total") { $0.members(of: report.total) }
        member("messages") { writer in
            for stage in AlertMessage.Stage.allCases {
                writer.name(stage.name)
                writer.integer(report.messages[stage] ?? 0)
            }
        }
        name("lead")
        if let lead = report.lead { object { $0.members(of: lead) } } else { null() }
        member("days", each: report.days) { writer, day in
            writer.object { writer in
                writer.member("day", day.key)
                writer.members(of: day.counts)
            }
        }
        member("hours", each: report.hours) { writer, hour in
            writer.object { writer in
                writer.member("hour", hour.key)
                writer.members(of: hour.counts)
            }
        }
        member("bridges", each: report.bridges) { writer, bridge in
            writer.object { writer in
                writer.members(of: bridge.key)
                writer.members(of: bridge.counts)
            }
        }
        member("vehicles", each: report.vehicles) { writer, vehicle in
            writer.object { writer in
                writer.member("vehicle", vehicle.key.text)
                writer.members(of: vehicle.counts)
            }
        }
        member("passes", each: report.passes) { writer, pass in
            writer.object { writer in
                writer.member("time", pass.time)
                writer.member("vehicle", pass.vehicle.text)
                writer.member("alert", pass.alert)
                writer.member("bridge") { $0.members(of: pass.bridge) }
            }
        }
        member("unreadable", report.unreadable)
        member("blind_time", each: report.blind) { writer, blind in
            writer.object { writer in
                writer.member("vehicle", blind.vehicle.text)
                writer.member("seconds", blind.time.total, decimals: 1)
                writer.member("spots", each: blind.time.spots) { writer, spot in
                    writer.object { writer in
                        writer.member("spot", spot.spot.rawValue)
                        writer.member("seconds", spot.seconds, decimals: 1)
                    }
                }
            }
        }
    }

    private mutating func members(of counts: AlertCounts) {
        for (heading, count) in counts.columns { member(heading, count) }
    }

    private mutating func members(of bridge: FleetReport.Bridge) {
        member("id", bridge.id)
        member("name", bridge.name)
        member("posted", bridge.posted)
    }

    private mutating func members(of lead: FleetReport.Lead) {
        for (name, spread) in [("distance" as StaticString, lead.distance), ("time", lead.time)] {
            member(name) { writer in
                writer.member("minimum", spread.minimum, decimals: 1)
                writer.member("tenth", spread.tenth, decimals: 1)
                writer.member("median", spread.median, decimals: 1)
            }
        }
    }
}

extension AlertMessage.Stage {
    fileprivate var name: StaticString {
        switch self {
        case .ahead: "ahead"
        case .detour: "detour"
        case .stop: "stop"
        case .cleared: "cleared"
        case .passed: "passed"
        }
    }
}
