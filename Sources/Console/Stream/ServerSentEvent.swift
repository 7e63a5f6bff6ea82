import NIOCore

/// One event of a stream, as the HTML standard's server-sent events have it.
struct ServerSentEvent: Equatable {
    /// Where a client goes on after it has lost the connection; nil: where it went on before.
    var id: String?
    var name: String
    /// On one line, as JSON is written here.
    var data: [UInt8]

    init(_ name: String, id: String? = nil, _ data: [UInt8]) {
        (self.name, self.id, self.data) = (name, id, data)
    }

    func write(into buffer: inout ByteBuffer) {
        if let id { buffer.writeString("id: \(id)\n") }
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n\n")
    }
}
