import Fleet
import Geo
import Messages
import Wire

extension FenceList.Item {
    /// Another one for each change that somebody makes.
    var version: String {
        var writer = JSONWriter()
        writeFeature(&writer, inside: 0)
        return EntityTag.hash(writer.bytes)
    }

    /// - Parameter inside: how many vehicles are.
    func write(_ writer: inout JSONWriter, inside: Int) {
        writer.object { writer in
            writer.member("id", fence.id)
            writer.member("name", fence.name)
            writer.members(ofTermsOf: fence)
            writeStanding(&writer, inside: inside)
            writer.member("bounds", bounds)
        }
    }

    /// The Feature as dispatch writes it, and how it stands.
    func writeFeature(_ writer: inout JSONWriter, inside: Int) {
        writer.feature(id: fence.id) { writer in
            writer.geometry(of: fence.shape)
        } properties: { writer in
            writer.member("name", fence.name)
            writer.extent(of: fence.shape)
            writer.members(ofTermsOf: fence)
            writeStanding(&writer, inside: inside)
        }
    }

    private func writeStanding(_ writer: inout JSONWriter, inside: Int) {
        writer.member("origin", snapshot.origin.rawValue)
        writer.member("kind", fence.shape.kind)
        writer.member("inside", inside)
    }
}

extension Shape {
    fileprivate var kind: String {
        switch self {
        case .circle: "circle"
        case .polygons: "polygon"
        case .corridor: "corridor"
        }
    }
}
