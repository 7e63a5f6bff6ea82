/// Something the gateway says to or about a vehicle. `Wire/Messages` turns it into bytes and a topic.
///
/// Another kind is a type in this folder, a case here, and what the compiler then asks for.
public enum Message: Hashable, Sendable {
    case alert(AlertMessage)
    case routeCheck(RouteCheckMessage)
    case event(FenceEventMessage)
    case visit(VisitMessage)
    case regions(RegionsMessage)
    case tracking(TrackingMessage)
    case state(StateMessage)
    case request(RequestMessage)
}

/// A message and where it goes.
public struct Envelope: Hashable, Sendable {
    public var address: VehicleAddress
    public var message: Message

    public init(address: VehicleAddress, message: Message) {
        self.address = address
        self.message = message
    }
}
