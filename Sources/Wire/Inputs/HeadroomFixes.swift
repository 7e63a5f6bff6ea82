import Fleet
import Geo

/// The gateway's own layout of fixes (contract §2.1): one object, or an array of them.
struct HeadroomFixes {
    var fixes: [Fix] = []
    var rejections: [Rejection] = []

    /// A retained message says nothing about when its fix was taken, so there each fix needs its own time.
    init(_ root: JSONValue, retained: Bool, receivedAt: Timestamp) throws(Rejection) {
        let defaultTime = retained ? nil : receivedAt
        guard let elements = root.elements else {
            fixes = [try Fix(headroom: root, defaultTime: defaultTime)]
            return
        }
        for element in elements {
            guard fixes.count + rejections.count < WireLimits.fixes else { throw .tooLarge }
            do throws(Rejection) {
                fixes.append(try Fix(headroom: element, defaultTime: defaultTime))
            } catch {
                rejections.append(error)
            }
        }
        guard !(fixes.isEmpty && rejections.isEmpty) else { throw .missingField }
    }
}

extension Fix {
    /// Throws the first reason found; unknown members are ignored. `defaultTime` nil: the fix must have its own.
    fileprivate init(headroom object: JSONValue, defaultTime: Timestamp?) throws(Rejection) {
        guard object.isObject else { throw .wrongType }
        guard let latitude = try object.number("lat", in: -90...90),
            let longitude = try object.number("lon", in: -180...180)
        else { throw .missingField }
        guard let time = try object.time("time") ?? defaultTime else { throw .retainedWithoutTime }
        self.init(
            position: Coordinate(latitude: latitude, longitude: longitude), time: time,
            accuracy: try object.number("accuracy", in: 0...Double.greatestFiniteMagnitude),
            speed: try object.number("speed", in: 0...Double.greatestFiniteMagnitude),
            // Some receivers call north 360; others say -1 for a course they do not know, which is no 359.
            course: try object.number("course", in: 0...360).map { $0 == 360 ? 0 : $0 },
            altitude: try object.number("altitude"),
            trigger: try object.choice("trigger") ?? .interval,
            region: try object.text("region", atMost: WireLimits.idCharacters))
    }
}
