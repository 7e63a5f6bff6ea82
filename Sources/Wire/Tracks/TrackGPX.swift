import Foundation
import Geo
import Messages

/// A track as GPX 1.1, which has no member for accuracy: it is left out.
enum TrackGPX {
    static func document(of vehicle: VehicleID, _ fixes: [Fix]) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Headroom" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
            <trk><name>\(escaped(vehicle.text))</name><trkseg>

            """
        for fix in fixes { text += point(fix) }
        return text + "</trkseg></trk>\n</gpx>\n"
    }

    private static func point(_ fix: Fix) -> String {
        let latitude = TrackNumber.text(fix.position.latitude, decimals: 7)
        let longitude = TrackNumber.text(fix.position.longitude, decimals: 7)
        let altitude = fix.altitude.map { "<ele>\(TrackNumber.text($0, decimals: 1))</ele>" } ?? ""
        return "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">\(altitude)<time>\(RFC3339.text(fix.time))</time>"
            + motion(fix) + "</trkpt>\n"
    }

    private static func motion(_ fix: Fix) -> String {
        let speed = fix.speed.map { "<gpxtpx:speed>\(TrackNumber.text($0, decimals: 2))</gpxtpx:speed>" } ?? ""
        let course = fix.course.map { "<gpxtpx:course>\(TrackNumber.text($0, decimals: 1))</gpxtpx:course>" } ?? ""
        guard !(speed + course).isEmpty else { return "" }
        return "<extensions><gpxtpx:TrackPointExtension>\(speed)\(course)</gpxtpx:TrackPointExtension></extensions>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
