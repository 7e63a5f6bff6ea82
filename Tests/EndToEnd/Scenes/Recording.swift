import Fleet
import Foundation
import Geo
import Messages
import Wire

/// One drive as the programs write it down that record drives.
enum Recording {
    static func gpx(_ fixes: [Fix]) -> String {
        let points = fixes.map { fix in
            """
            <trkpt lat="\(fix.position.latitude)" lon="\(fix.position.longitude)"><time>\(RFC3339.text(fix.time))</time></trkpt>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            \(points.joined(separator: "\n"))
            </trkseg></trk></gpx>
            """
    }

    static func jsonLines(_ fixes: [Fix]) -> String {
        fixes.map { #"{"vehicle":"T42","# + $0.json.dropFirst() }.joined(separator: "\n") + "\n"
    }

    /// Semicolons, decimal commas, km/h, and times in UTC that do not say so.
    static func csv(_ fixes: [Fix]) -> String {
        let rows = fixes.map { fix in
            let numbers = [
                fix.position.latitude, fix.position.longitude, fix.accuracy, fix.speed.map { $0 * 3.6 }, fix.course,
            ].map { $0.map { "\($0)".replacing(".", with: ",") } ?? "" }
            return (["T42", String(RFC3339.text(fix.time).dropLast()).replacing("T", with: " ")] + numbers)
                .joined(separator: ";")
        }
        return "Vehicle;Time (UTC);Lat;Lng;Accuracy;Speed (km/h);Heading\r\n" + rows.joined(separator: "\r\n") + "\r\n"
    }

    /// As `mosquitto_sub -F %j` writes it, each fix 60 ms after it was taken, behind a retained profile.
    static func broker(_ fixes: [Fix], topic: String = "fleet/T42") -> String {
        guard let first = fixes.first else { return "" }
        let profile = message(
            "\(topic)/profile", DemoTruck.profile, at: first.time.adding(-1), retain: true)
        let messages = fixes.map { message("\(topic)/location", $0.json, at: $0.time.adding(0.06)) }
        return ([profile] + messages).joined(separator: "\n") + "\n"
    }

    static func message(_ topic: String, _ payload: String, at time: Timestamp, retain: Bool = false) -> String {
        let quoted = payload.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return """
            {"tst":"\(RFC3339.text(time))+0000","topic":"\(topic)","qos":1,"retain":\(retain ? 1 : 0),\
            "payloadlen":\(payload.utf8.count),"mid":1,"payload":"\(quoted)"}
            """
    }
}
