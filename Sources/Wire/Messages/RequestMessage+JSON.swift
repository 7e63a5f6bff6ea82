import Messages

extension JSONWriter {
    /// As the AsyncAPI document describes it.
    mutating func members(of request: RequestMessage, _ vehicle: VehicleID, publishedAt: Timestamp) {
        member("id", request.id)
        member("sequence", 1)
        member("type", "request")
        member("kind", request.kind.rawValue)
        member("vehicle", vehicle.text)
        member("time", request.time)
        member("published_at", publishedAt)
        member("text", request.text)
    }
}
