import Geo

import func Foundation.cos
import func Foundation.sin

/// Where ways lie inside of fences, by GeographicLib and GEOS alone.
struct FenceReference {
    /// A part of a way inside of the fence, by how far it is along the way; nil: the way begins or ends inside.
    struct Stay {
        var entry: Metres?
        var exit: Metres?
    }

    /// Nothing is sure of a vehicle that is no deeper on a side than so many times its accuracy, or no longer than it takes to
    /// say that it has left.
    private static let depthMin: Metres = 8 * FenceCase.accuracy
    private static let samples = 300

    /// A place on the way of one case.
    private struct Question {
        var number: Int
        var way: Metres
    }

    private let cases: [FenceCase]
    private let judges: [any SideJudge]

    init(_ cases: [FenceCase]) {
        self.cases = cases
        judges = cases.map { makeJudge($0.shape) }
    }

    /// By case; nil where nothing is sure.
    func stays() throws -> [[Stay]?] {
        let questions = cases.indices.flatMap { number in
            (0...Self.samples).map {
                Question(number: number, way: cases[number].length * Double($0) / Double(Self.samples))
            }
        }
        let depths = try depths(questions)
        var changes: [(number: Int, low: Metres, high: Metres, isEntry: Bool)] = []
        var sure = cases.map { _ in true }
        for number in cases.indices {
            let first = number * (Self.samples + 1)
            let own = Array(depths[first...first + Self.samples])
            sure[number] = isSure(cases[number], own)
            for index in 1...Self.samples where (own[index] >= 0) != (own[index - 1] >= 0) {
                changes.append(
                    (number, questions[first + index - 1].way, questions[first + index].way, own[index] >= 0))
            }
        }
        for number in try ragged(questions, depths) { sure[number] = false }
        // Halved down to a millimetre, all at once.
        for _ in 0..<16 {
            let middles = changes.map { Question(number: $0.number, way: ($0.low + $0.high) / 2) }
            for (index, depth) in try self.depths(middles).enumerated() {
                if (depth >= 0) == changes[index].isEntry {
                    changes[index].high = middles[index].way
                } else {
                    changes[index].low = middles[index].way
                }
            }
        }
        return cases.indices.map { number in
            sure[number]
                ? stays(
                    changes.filter { $0.number == number }.map { ($0.high, $0.isEntry) },
                    depths[number * (Self.samples + 1)] >= 0) : nil
        }
    }

    /// The cases whose sides change more than once between two samples, or change and change back.
    private func ragged(_ questions: [Question], _ depths: [Metres]) throws -> Set<Int> {
        // Where the samples are deeper on their side than half the way between them, no border can be there.
        let near = questions.indices.dropLast().filter { index in
            questions[index].number == questions[index + 1].number
                && depths[index].magnitude + depths[index + 1].magnitude
                    <= questions[index + 1].way - questions[index].way
        }
        let pieces = 40
        let closer = near.flatMap { index in
            (0...pieces).map { piece in
                let step = (questions[index + 1].way - questions[index].way) / Double(pieces)
                return Question(number: questions[index].number, way: questions[index].way + step * Double(piece))
            }
        }
        let sides = try self.depths(closer).map { $0 >= 0 }
        return Set(
            near.indices.filter { position in
                let own = sides[position * (pieces + 1)..<(position + 1) * (pieces + 1)]
                return zip(own, own.dropFirst()).count { $0 != $1 } > 1
            }.map { questions[near[$0]].number })
    }

    private func stays(_ changes: [(way: Metres, isEntry: Bool)], _ isInside: Bool) -> [Stay] {
        var stays = isInside ? [Stay()] : []
        for change in changes {
            if change.isEntry {
                stays.append(Stay(entry: change.way))
            } else {
                stays[stays.count - 1].exit = change.way
            }
        }
        return stays
    }

    /// Whether each part of the way leads far enough from the border, and those outside between two inside take long enough.
    private func isSure(_ fenceCase: FenceCase, _ depths: [Metres]) -> Bool {
        let step = fenceCase.length / Double(Self.samples) / fenceCase.speed
        guard depths.first!.magnitude > Self.depthMin, depths.last!.magnitude > Self.depthMin else { return false }
        var start = 0
        for index in 1...depths.count where index == depths.count || (depths[index] >= 0) != (depths[start] >= 0) {
            let part = depths[start..<index]
            let isBetween = start > 0 && index < depths.count && depths[start] < 0
            if part.map(\.magnitude).max()! < Self.depthMin { return false }
            if isBetween, Double(part.count) * step < 25 + 2 * fenceCase.interval { return false }
            start = index
        }
        return true
    }

    /// From the border; negative outside.
    private func depths(_ questions: [Question]) throws -> [Metres] {
        let places = try GeodSolve.places(
            questions.map { (from: cases[$0.number].start, bearing: cases[$0.number].bearing, distance: $0.way) })
        let needed = zip(questions, places).flatMap { question, place in
            judges[question.number].marks.map { (place, $0) }
        }
        var geodesics = try GeodSolve.inverse(needed)[...]
        return zip(questions, places).map { question, place in
            let judge = judges[question.number]
            let own = geodesics.prefix(judge.marks.count)
            geodesics = geodesics.dropFirst(judge.marks.count)
            return judge.depth(of: place, Array(own))
        }
    }
}

/// Tells how deep a place lies in a fence; of its marks it is told the geodesics from there.
private protocol SideJudge {
    var marks: [Coordinate] { get }
    func depth(of place: Coordinate, _ geodesics: [GeodSolve.Geodesic]) -> Metres
}

private func makeJudge(_ shape: Shape) -> any SideJudge {
    switch shape {
    case .circle(let circle): CircleJudge(circle: circle)
    case .polygons(let polygons): PolygonJudge(polygons)
    case .corridor(let corridor): CorridorJudge(corridor)
    }
}

private struct CircleJudge: SideJudge {
    let circle: Circle
    var marks: [Coordinate] { [circle.center] }

    func depth(of place: Coordinate, _ geodesics: [GeodSolve.Geodesic]) -> Metres {
        circle.radius - geodesics[0].distance
    }
}

/// Sides by GEOS in longitude and latitude, distances about as in the plane at the place.
private struct PolygonJudge: SideJudge {
    let marks: [Coordinate] = []
    private let geometry: GEOSGeometry
    private let middle: Degrees

    init(_ polygons: [Polygon]) {
        let middle = polygons[0].outer[0].longitude
        self.middle = middle
        geometry = GEOSGeometry(
            polygons: polygons.map { ([$0.outer] + $0.holes).map { $0.map { Self.plane($0, middle) } } })
    }

    private static func plane(_ place: Coordinate, _ middle: Degrees) -> PlanePoint {
        PlanePoint(middle + (place.longitude - middle).remainder(dividingBy: 360), place.latitude)
    }

    func depth(of place: Coordinate, _ geodesics: [GeodSolve.Geodesic]) -> Metres {
        let point = Self.plane(place, middle)
        // A degree of longitude is the shorter one: no border is nearer than this.
        let distance = geometry.distanceToBorder(from: point) * 111_000 * cos(place.latitude * .pi / 180)
        return geometry.contains(point) ? distance : -distance
    }
}

/// The line by its points in the azimuthal equidistant projection about the place, whose distance to it GEOS tells.
private struct CorridorJudge: SideJudge {
    let marks: [Coordinate]
    private let halfWidth: Metres

    init(_ corridor: Corridor) {
        let line = corridor.line
        var marks: [Coordinate] = []
        for (start, end) in zip(line, line.dropFirst()) {
            marks += (0..<12).map { start.interpolated(to: end, fraction: Double($0) / 12) }
        }
        self.marks = marks + [line[line.count - 1]]
        halfWidth = corridor.width / 2
    }

    func depth(of place: Coordinate, _ geodesics: [GeodSolve.Geodesic]) -> Metres {
        let points = geodesics.map { geodesic in
            let turn = geodesic.bearing * .pi / 180
            return PlanePoint(sin(turn), cos(turn)) * geodesic.distance
        }
        return halfWidth - GEOSGeometry(line: points).distanceToBorder(from: .zero)
    }
}
