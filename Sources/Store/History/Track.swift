import Geo
package import Messages

/// A part of a vehicle's track, in the order of its times.
package struct TrackPage: Hashable, Sendable {
    /// As accepted, to a centimetre, a decimetre of accuracy and altitude, 1 cm/s and a tenth of a degree; what made the
    /// device report is not kept.
    package var fixes: [Fix]
    /// Where the next page begins; nil: there is nothing more yet.
    package var next: TrackCursor?

    package init(fixes: [Fix] = [], next: TrackCursor? = nil) {
        self.fixes = fixes
        self.next = next
    }
}

/// A place in a track, which stays one when positions come or go.
package struct TrackCursor: Hashable, Sendable, LosslessStringConvertible {
    let time: Timestamp

    init(time: Timestamp) { self.time = time }

    /// Nil where `text` is no cursor's description.
    package init?(_ text: String) {
        guard let time = Int64(text) else { return nil }
        self.init(time: Timestamp(milliseconds: time))
    }

    /// For a URL or a link; it means nothing to anyone else.
    package var description: String { "\(time.milliseconds)" }
}

/// Which part of which track is wanted.
struct TrackQuery {
    var vehicle: VehicleID
    var from: Timestamp?
    var to: Timestamp?
    var limit: Int
    var after: TrackCursor?

    func page(_ database: SQLConnection) throws -> TrackPage {
        precondition(limit > 0, "A page of a track holds at least one fix.")
        var page = TrackPage(fixes: try database.all(Self.sql, values) { TrackColumns($0).fix })
        guard page.fixes.count > limit else { return page }
        page.fixes.removeLast()
        page.next = page.fixes.last.map { TrackCursor(time: $0.time) }
        return page
    }

    private static let sql = """
        SELECT time, latitude, longitude, accuracy, speed, course, altitude FROM position
        WHERE track = (SELECT number FROM track WHERE vehicle = ?) AND time >= ? AND time > ? AND time < ? ORDER BY time LIMIT ?
        """

    /// One row more than the page holds: it tells whether there are more.
    private var values: SQLValues {
        let bounds = [from?.milliseconds ?? .min, after?.time.milliseconds ?? .min, to?.milliseconds ?? .max]
        return [vehicle.text, bounds[0], bounds[1], bounds[2], limit + 1]
    }
}

/// A fix as whole numbers.
struct TrackColumns {
    var time: Int64
    var latitude: Int64
    var longitude: Int64
    var accuracy: Int64?
    var speed: Int64?
    var course: Int64?
    var altitude: Int64?

    init(_ fix: Fix) {
        time = fix.time.milliseconds
        latitude = Self.whole(fix.position.latitude * 1e7)
        longitude = Self.whole(fix.position.longitude * 1e7)
        accuracy = fix.accuracy.map { Self.whole($0 * 10) }
        speed = fix.speed.map { Self.whole($0 * 100) }
        course = fix.course.map { Self.whole($0 * 10) }
        altitude = fix.altitude.map { Self.whole($0 * 10) }
    }

    init(_ row: SQLRow) {
        (time, latitude, longitude) = (row[0], row[1], row[2])
        (accuracy, speed, course, altitude) = (row[3], row[4], row[5], row[6])
    }

    var values: SQLValues { [time, latitude, longitude, accuracy, speed, course, altitude] }

    var fix: Fix {
        Fix(
            position: Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7),
            time: Timestamp(milliseconds: time), accuracy: accuracy.map { Double($0) / 10 },
            speed: speed.map { Double($0) / 100 }, course: course.map { Double($0) / 10 },
            altitude: altitude.map { Double($0) / 10 })
    }

    /// A number that a device made up may be beyond all that is whole.
    private static func whole(_ value: Double) -> Int64 { Int64(exactly: value.rounded()) ?? 0 }
}
