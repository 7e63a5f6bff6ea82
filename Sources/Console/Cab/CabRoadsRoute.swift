import Fleet
import Gateway
import Geo
import HTTPTypes
import Hummingbird
import Messages
import NIOPosix
import Roads
import Store
import Wire

/// `GET /api/v1/cab/roads`: the roads round the vehicle of the token as GeoJSON, a Feature for each class of road, for the map of
/// the driver's page.
struct CabRoadsRoute {
    let view: LiveView

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("cab/roads") { request, context in
            _ = try RequestQuery(request, [])
            let snapshot = try await view.knownWithMap()
            guard let network = snapshot.map.network else {
                throw HTTPError(.notFound, message: "There is no road file.")
            }
            guard let place = snapshot.vehicles[try context.pairedCab.vehicle]?.snapshot.fix?.position else {
                throw HTTPError(.notFound, message: "No position of the vehicle is known.")
            }
            // Milliseconds in a city, on threads that nothing else waits for.
            let answer = try await NIOThreadPool.singleton.runIfActive { SurroundingRoads(place, network).json }
            return Response.json(answer)
        }
    }
}

/// The roads on which a driver finds his way: the larger ones as far as an alert reaches, the others nearby, without service roads.
private struct SurroundingRoads {
    /// From the vehicle: a mile to the last turn-off, and on to the structure.
    private static let majorRadius: Metres = 3_000
    private static let minorRadius: Metres = 1_000
    private static let leastMajor = RoadClass.tertiary
    /// Points above which no further class of road is added: some 100 kB before compression.
    private static let pointsMax = 6_000

    private var lines: [(roadClass: RoadClass, lines: [[Coordinate]])] = []

    init(_ place: Coordinate, _ network: RoadNetwork) {
        let spot = Bounds(place, place)
        let (near, far) = (spot.widened(by: Self.minorRadius), spot.widened(by: Self.majorRadius))
        var byClass: [RoadClass: [[Coordinate]]] = [:]
        for edge in network.roads(in: far) {
            let roadClass = network.roadClass(edge)
            let line = network.line(edge)
            guard roadClass != .service, line.count > 1,
                Bounds(line: line)?.meets(roadClass.rawValue >= Self.leastMajor.rawValue ? far : near) == true
            else { continue }
            byClass[roadClass, default: []].append(line)
        }
        var points = 0
        for roadClass in RoadClass.allCases.reversed() {
            guard let pieces = byClass[roadClass] else { continue }
            points += pieces.reduce(0) { $0 + $1.count }
            guard points <= Self.pointsMax || lines.isEmpty else { return }
            var joining = LineJoining(pieces)
            lines.append((roadClass, joining.joined()))
        }
    }

    var json: [UInt8] {
        JSONWriter.answer { writer in
            writer.member("type", "FeatureCollection")
            writer.member("features", each: lines) { writer, group in
                writer.object { writer in
                    writer.member("type", "Feature")
                    writer.member("properties") { $0.member("class", group.roadClass.tag) }
                    writer.member("geometry") { writer in
                        writer.member("type", "MultiLineString")
                        writer.member("coordinates", each: group.lines) { writer, line in
                            writer.array(line) { writer, point in
                                writer.array([point.longitude, point.latitude]) { $0.degrees($1) }
                            }
                        }
                    }
                }
            }
        }
    }
}
