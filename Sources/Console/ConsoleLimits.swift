import NIOCore
import Wire

/// What one client may cost. At a limit the client gets an error or waits; the gateway's own work goes on.
enum ConsoleLimits {
    /// Bytes of a request's body: the largest is a fence, which may have as many as by MQTT. More: 413.
    static let body = WireLimits.featureBytes
    /// Bytes of a request's head: a browser sends 1 kB, a token and a cookie of a neighbour on the same host name
    /// some more. More: 400, and the connection is closed.
    static let head = 16 << 10
    static let headFields = 100
    /// Open connections: a browser holds 6, and one open stream holds one. More: they wait to be accepted.
    static let connections = 512
    /// Those of one address that hold no event stream; those that do have limits of their own, since a proxy in front, or a
    /// phone company's address translation, is one address for all of them. More: they are closed at once.
    static let connectionsOfPeer = 128
    /// How long a client may take for the head of its first request, which fits a few packets; and how long for the rest of
    /// any request, of which the largest body takes 17 s at 1 Mbit/s. Then the connection is closed.
    static let headPatience = TimeAmount.seconds(10)
    static let bodyPatience = TimeAmount.seconds(60)
    /// Seconds that a connection may be idle: above the 15 to 60 s between two
    /// scrapes, so that Prometheus keeps its connection. Then it is closed.
    static let idleSeconds: Int64 = 75
    /// Fixes of one track: a day at a fix a second has 86,400, and takes 8 MB of GeoJSON. More: 400.
    static let trackFixes = 100_000
    /// Explanations and previews worked out at once: they take a core for up to seconds. More: 503.
    static let workers = 4
    /// Event streams of dispatchers open at once: with 10,000 vehicles each takes 3 to 5 ms of a core every second (measured),
    /// so all together a third of one. More: 503.
    static let streams = 64
    /// Those of one address. A proxy in front, or a dispatch office's address translation, is one address for all behind it, so
    /// most are left to it; 16 remain for the dispatchers of other addresses. More: 503.
    static let streamsOfPeer = 48
    /// Event streams of phones open at once: half of the connections, so that those that have none can ask and all can send.
    /// More: 503, and the phone asks again and again.
    static let cabStreams = 256
    /// How long a client may leave unread what was written to it: a tunnel takes no longer to drive through, and a stream
    /// goes on where it was lost. Then the connection is closed.
    static let readerPatience = TimeAmount.seconds(30)
}
