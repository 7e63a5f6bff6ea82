import Compression

/// The payload of a history entry as the store has it: JSON, compressed.
enum HistoryPayload {
    /// Stores hold what it has compressed: it stays as it is.
    private static let compression = Compression(sample: Array(sample.utf8))

    /// What messages have in common, the commonest last, which zstd finds first: an event, a visit, and alerts.
    private static let sample = """
        {"id":"51eaa4dda4b723f6","sequence":1,"type":"enter","fence":"depot","fence_name":"Depot","vehicle":"T1",\
        "time":"2026-11-29T02:32:54.453Z","published_at":"2026-11-29T02:32:54.443Z","lat":42.2805971,"lon":-83.7518912,\
        "initial":false,"determined":true,"interpolated":true,"dwell":300.0,"exit","dwell","arrival","departure","unconfirmed",\
        "accuracy":8.1,"arrived_at":"2026-11-29T02:12:10.000Z","departed_at":"2026-11-29T02:32:54.000Z","confirmed":true}
        "stage":"cleared","attention":"alarm","reason":"left-path","text":"Clear of the low bridge 3.2 m on . Drive on with care."}
        "stage":"passed","urgency":"Past","text":"Past the low bridge."}
        "stage":"stop","urgency":"Immediate","text":"Stop: low bridge 10'6\\" in 250 ft. You are 13'1\\"."}
        "stage":"detour","attention":"alarm","urgency":"Expected","severity":"Extreme","certainty":"Likely",\
        "line":{"type":"LineString","coordinates":[[-83.7518912,42.2805971],[-83.7518915,42.2805978]]}},\
        "text":"Turn off onto in 0.9 mi: low bridge 3.2 m ahead. Do not turn onto in 200 ft: low bridge 3.5 m on in 250 ft."}
        {"id":"ee28c84e14c27440","sequence":1,"type":"low-clearance","stage":"ahead","attention":"notice","probability":0.0,\
        "vehicle":"T1","time":"2026-11-29T02:32:54.453Z","published_at":"2026-11-29T02:32:54.443Z",\
        "expires_at":"2026-11-29T02:42:54.453Z","clearance":{"id":"osm:way:195411076","name":"Main Street","height":3.2,\
        "posted":"3.2","source":"osm","verdict":"too-low","lat":42.2805971,"lon":-83.7518912},"vehicle_height":4.0,\
        "margin":0.077,"height_source":"profile","distance":1517.6,"eta":182.1,"side_road":true,"detour":{"lat":42.2805971,\
        "lon":-83.7518912,"distance":1498.3,"turn_onto":"Main Street","length":694.4,"extra":531.1,\
        "line":{"type":"LineString","coordinates":[]}},"chain":["osm:way:195411076"],"urgency":"Expected","severity":"Severe",\
        "certainty":"Possible","text":"Low bridge 3.2 m on Main Street in 0.9 mi, if your way leads there. Last turn-off before \
        it: Main Street."}
        """

    static func stored(_ payload: [UInt8]) -> [UInt8] { compression.compressed(payload) }

    /// - Parameter stored: what `stored` gave; stores have had payloads that were not compressed.
    /// - Returns: nil where it is damaged.
    static func payload(_ stored: [UInt8]) -> [UInt8]? {
        Compression.isFrame(stored) ? compression.decompressed(stored) : stored
    }
}
