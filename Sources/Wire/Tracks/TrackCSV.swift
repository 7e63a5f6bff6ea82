import Foundation
import Geo
import Messages

/// A track as comma-separated values (RFC 4180, with line feeds alone).
enum TrackCSV {
    static func document(of vehicle: VehicleID, _ fixes: [Fix]) -> String {
        let name = quoted(vehicle.text)
        var text = "vehicle,time,lat,lon,accuracy,speed,course\n"
        for fix in fixes {
            let fields = [
                name, RFC3339.text(fix.time), TrackNumber.text(fix.position.latitude, decimals: 7),
                TrackNumber.text(fix.position.longitude, decimals: 7),
                fix.accuracy.map { TrackNumber.text($0, decimals: 1) } ?? "",
                fix.speed.map { TrackNumber.text($0, decimals: 2) } ?? "",
                fix.course.map { TrackNumber.text($0, decimals: 1) } ?? "",
            ]
            text += fields.joined(separator: ",") + "\n"
        }
        return text
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { ",\" ".contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}

/// Numbers as text, never with an exponent: XML Schema's `decimal` has none.
enum TrackNumber {
    static func text(_ value: Double, decimals: Int) -> String { String(format: "%.*f", decimals, value) }
}
