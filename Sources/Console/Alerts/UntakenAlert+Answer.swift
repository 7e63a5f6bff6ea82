import Messages
import Store
import Wire

extension UntakenAlert {
    func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writeMembers(&writer)
            writer.position(position)
        }
    }

    func writeFeature(_ writer: inout JSONWriter) {
        writer.feature(id: id, geometry: { $0.point(position) }, properties: writeMembers)
    }

    private func writeMembers(_ writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("sequence", sequence)
        writer.member("vehicle", vehicle.text)
        writer.member("stage", stage.rawValue)
        writer.member("time", time)
        writer.member("text", text)
        writer.member("escalated_at", escalatedAt)
    }
}
