import Fleet
import FleetTestSupport
package import Geo
package import Messages

/// A series of messages from vehicles and dispatch, made to bring about every kind of answer.
package enum Script {
    package struct Message: Sendable {
        package var topic: String
        package var payload: String
        package var isRetained: Bool
        /// Of a position, when the vehicle was there.
        package var fixTime: Timestamp?

        package init(topic: String, payload: String, isRetained: Bool = false, fixTime: Timestamp? = nil) {
            (self.topic, self.payload, self.isRetained, self.fixTime) = (topic, payload, isRetained, fixTime)
        }
    }

    package struct Step: Sendable {
        package var time: Timestamp
        /// None: time passes.
        package var messages: [Message]

        package init(time: Timestamp, messages: [Message]) { (self.time, self.messages) = (time, messages) }
    }

    /// While a vehicle denies consent nothing is stored of it, not even what it was asked for, so that it may be asked again
    /// after a crash.
    package static let repeatedRequests = "fleet/T7/request"

    /// A truck that is too tall for a bridge drives under it, through one fence and into another, where it rests; another
    /// has no profile, and takes its consent back for a while.
    package static let steps: [Step] = {
        let drive = Journey(line: [Drawing.place(0, 0), Drawing.place(7_000, 0)], every: 20).fixes
        let rest = (1...9).map { number in
            var fix = drive[drive.count - 1]
            fix.time = fix.time.adding(45 * Seconds(number))
            fix.speed = 0
            return fix
        }
        let other = Journey(line: [Drawing.place(0, 3_000), Drawing.place(3_000, 3_000)], every: 30, start: 3).fixes
        var steps = [
            Step(time: .at(-30), messages: [clearance]),
            Step(time: .at(-25), messages: [fence("on-the-way", east: 2_000, ""), fence("depot", east: 6_900, stays)]),
            Step(time: .at(-20), messages: [Message(topic: "fleet/T42/profile", payload: profile, isRetained: true)]),
            Step(time: .at(41), messages: [consent("denied")]), Step(time: .at(95), messages: [consent("always")]),
        ]
        steps += (drive + rest).map { Step(time: $0.time.adding(0.4), messages: [location("T42", $0)]) }
        steps += other.map { Step(time: $0.time.adding(0.4), messages: [location("T7", $0)]) }
        steps += (1...4).map { Step(time: .at(900 + 200 * Seconds($0)), messages: []) }
        return steps.sorted { $0.time < $1.time }
    }()

    private static let profile = #"{"height": 4.12, "source": "driver"}"#
    private static let stays = #", "vehicles": ["T42"], "dwell": "2 min""#

    private static func consent(_ status: String) -> Message {
        Message(topic: "fleet/T7/consent", payload: #"{"status": "\#(status)"}"#, isRetained: true)
    }

    private static let clearance = Message(
        topic: "headroom/clearances/survey-12",
        payload: #"""
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(pair(5_000, 0))}, "properties":
             {"clearance": "10'6\"", "name": "W Washington St", "detours": [\#(pair(4_500, 0)), \#(pair(5_500, 0))]}}
            """#, isRetained: true)

    package static func fence(_ id: String, east: Metres, _ members: String) -> Message {
        Message(
            topic: "headroom/fences/\(id)",
            payload: #"""
                {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(pair(east, 0))}, "properties":
                 {"name": "\#(id)", "radius": 200\#(members)}}
                """#, isRetained: true)
    }

    package static func location(_ vehicle: String, _ fix: Fix) -> Message {
        let position = fix.position
        return Message(
            topic: "fleet/\(vehicle)/location",
            payload: #"""
                {"lat": \#(position.latitude), "lon": \#(position.longitude), "time": \#(fix.time.milliseconds),
                 "accuracy": 5, "speed": \#(fix.speed ?? 0), "course": \#(fix.course ?? 90)}
                """#, fixTime: fix.time)
    }

    package static func retained(_ topic: String, _ payload: String) -> Message {
        Message(topic: topic, payload: payload, isRetained: true)
    }

    /// A low bridge at 5,000 m.
    package static func bridge(_ clearance: Metres) -> Message {
        retained(
            "headroom/clearances/bridge",
            #"""
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(pair(5_000, 0))},
             "properties": {"clearance": \#(clearance), "name": "Bridge"}}
            """#)
    }

    package static func pair(_ east: Metres, _ north: Metres) -> String {
        let place = Drawing.place(east, north)
        return "[\(place.longitude), \(place.latitude)]"
    }
}
