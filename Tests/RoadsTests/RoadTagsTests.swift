import Clearances
import Geo
import RoadsTestSupport
import Testing

@testable import Roads

@Suite("Whether a truck may drive on a way")
struct TruckAccessTests {
    @Test(
        "the most specific key that is tagged wins",
        arguments: [
            ([:], nil), (["bicycle": "no"], nil), (["hgv:conditional": "no @ (Su)"], nil),
            (["access:lanes": "no|yes"], nil),
            (["access": "yes"], "open"), (["access": "no"], "closed"), (["access": "private"], "destination"),
            (["access": "no", "vehicle": "yes"], "open"), (["vehicle": "no", "motor_vehicle": "yes"], "open"),
            (["motor_vehicle": "no", "hgv": "yes"], "open"), (["access": "yes", "hgv": "no"], "closed"),
            (["access": "no", "vehicle": "no", "motor_vehicle": "no", "hgv": "delivery"], "destination"),
            (["hgv": "designated", "access": "private"], "open"), (["motor_vehicle": "destination"], "destination"),
        ] as [([String: String], String?)])
    func specific(tags: [String: String], access: String?) {
        #expect(TruckAccess(tags).map { "\($0)" } == access)
    }

    @Test(
        "values: to start or end there, to pass, or closed; a list allows what its most open value allows",
        arguments: [
            ("private", "destination"), ("customers", "destination"), ("permit", "destination"),
            ("destination", "destination"), ("delivery", "destination"), ("destination;delivery", "destination"),
            ("no;delivery", "destination"), ("destination; yes", "open"), ("designated", "open"),
            ("permissive", "open"), ("unheard_of", "open"), ("no", "closed"), ("agricultural", "closed"),
            ("forestry", "closed"), ("agricultural;forestry", "closed"), ("emergency", "closed"), ("bus", "closed"),
        ])
    func values(value: String, access: String) {
        #expect(TruckAccess(["hgv": value]).map { "\($0)" } == access)
    }

    @Test(
        "a key for one direction wins over the same key for both, and not over a more specific one",
        arguments: [
            ([:], nil, nil), (["hgv": "no"], "closed", "closed"), (["hgv:forward": "no"], "closed", nil),
            (["hgv:backward": "delivery"], nil, "destination"),
            (["motor_vehicle:backward": "destination", "access": "yes"], "open", "destination"),
            (["hgv": "no", "hgv:backward": "yes"], "closed", "open"),
            (["hgv": "yes", "vehicle:forward": "no"], "open", "open"),
            (["access": "private", "access:forward": "yes"], "open", "destination"),
            (["vehicle:forward": "agricultural", "access": "yes"], "closed", "open"),
        ] as [([String: String], String?, String?)])
    func direction(tags: [String: String], forward: String?, backward: String?) {
        #expect(TruckAccess(tags, forward: true).map { "\($0)" } == forward)
        #expect(TruckAccess(tags, forward: false).map { "\($0)" } == backward)
    }
}

@Suite("What a road file keeps of its map objects")
struct SourceTagsTests {
    @Test(
        "the tags that are read, also those for one direction, so that road files can be joined",
        arguments: [
            "oneway", "barrier", "locked", "hgv", "motor_vehicle", "vehicle", "access", "hgv:forward",
            "motor_vehicle:backward", "vehicle:forward", "access:backward", "maxheight:forward",
        ])
    func kept(key: String) {
        #expect(SourceTags.used([key: "yes", "surface": "asphalt"]) == [key: "yes"])
    }
}

@Suite("Which barriers stop a truck")
struct BarrierTests {
    @Test(
        "posts and walls do; gates and booths do only where access or a lock says so; no barrier at all does not",
        arguments: [
            ([:], .open), (["barrier": "no"], .open), (["highway": "crossing", "access": "no"], .open),
            (["barrier": "bollard"], .closed), (["barrier": "block"], .closed), (["barrier": "cycle_barrier"], .closed),
            (["barrier": "bollard", "hgv": "yes"], .open), (["barrier": "bollard", "access": "private"], .closed),
            (["barrier": "gate"], .open), (["barrier": "gate", "access": "no"], .closed),
            (["barrier": "gate", "motor_vehicle": "no"], .closed),
            (["barrier": "gate", "access": "private"], .destination),
            (["barrier": "gate", "access": "private", "hgv": "no"], .closed),
            (["barrier": "gate", "access": "no", "vehicle": "customers"], .destination),
            (["barrier": "gate", "vehicle": "private", "motor_vehicle": "yes"], .open),
            (["barrier": "lift_gate", "access": "no", "hgv": "yes"], .open), (["barrier": "toll_booth"], .open),
            (["barrier": "height_restrictor"], .open), (["barrier": "cattle_grid"], .open),
            (["barrier": "height_restrictor", "access": "private"], .destination),
            (["barrier": "border_control"], .open), (["barrier": "kerb"], .open), (["barrier": "chicane"], .open),
            (["barrier": "gate", "locked": "yes"], .destination), (["barrier": "gate", "locked": "no"], .open),
            (["barrier": "gate", "locked": "yes", "access": "yes"], .open),
            (["barrier": "gate", "locked": "yes", "motor_vehicle": "no"], .closed),
            (["barrier": "bollard", "locked": "yes"], .closed),
        ] as [([String: String], TruckAccess)])
    func access(tags: [String: String], access: TruckAccess) {
        #expect(Barrier.access(tags) == access)
    }

    @Test(
        "of a kind that is not known to let trucks pass nobody relies on: only its own tags open it",
        arguments: ["yes", "boulder", "barrier_board", "rope", "unheard_of"])
    func unknownKind(kind: String) {
        #expect(Barrier.access(["barrier": kind]) == .destination)
        #expect(Barrier.access(["barrier": kind, "hgv": "yes"]) == .open)
        #expect(Barrier.access(["barrier": kind, "access": "no"]) == .closed)
    }
}

@Suite("What a road is called")
struct RoadTitleTests {
    @Test(
        "its name, else its number; of several the first",
        arguments: [
            ("Main Street", "B 3", "Main Street"), ("", "B 3", "B 3"), ("", "162;Ring 1", "162"), ("", "", ""),
            ("Main Street; Broadway", "", "Main Street"), ("", " ; A 5 ", "A 5"),
        ])
    func title(name: String, number: String, title: String) {
        #expect(RoadTitle.of(name: name, number: number) == title)
    }

    @Test("a bridge over a road without a name bears its own alone")
    func bridge() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0
            c 50 -50
            d 50 50
            ab residential maxheight=3.2
            cd residential bridge=yes layer=1 name=High+Street
            """)
        #expect(try drawn.clearances("ab").map(\.name) == ["High Street"])
    }
}

@Suite("What the tags of a way say about driving on it")
struct RoadTagsTests {
    @Test(
        "drivable: motorway to residential, unclassified, living street, road, service and the links",
        arguments: [
            ("motorway", .motorway, false), ("motorway_link", .motorway, true), ("trunk", .trunk, false),
            ("trunk_link", .trunk, true), ("primary", .primary, false), ("primary_link", .primary, true),
            ("secondary", .secondary, false), ("secondary_link", .secondary, true), ("tertiary", .tertiary, false),
            ("tertiary_link", .tertiary, true), ("unclassified", .unclassified, false),
            ("residential", .residential, false), ("living_street", .livingStreet, false), ("road", .road, false),
            ("service", .service, false),
        ] as [(String, RoadClass, Bool)])
    func drivable(highway: String, roadClass: RoadClass, isLink: Bool) throws {
        let road = try #require(RoadTags(["highway": highway]))
        #expect(road.roadClass == roadClass)
        #expect(road.isLink == isLink)
    }

    @Test(
        "not drivable",
        arguments: [
            [:], ["railway": "rail"], ["highway": "footway"], ["highway": "cycleway"], ["highway": "pedestrian"],
            ["highway": "track"], ["highway": "construction"], ["highway": "residential_link"],
            ["highway": "service", "area": "yes"], ["highway": "residential", "access": "no"],
            ["highway": "residential", "hgv": "no"], ["highway": "service", "access": "no", "bus": "yes"],
            ["highway": "residential", "hgv:forward": "no", "hgv:backward": "no"],
            ["highway": "residential", "oneway": "yes", "vehicle:forward": "no"],
            ["highway": "residential", "oneway": "-1", "vehicle:backward": "no"],
        ])
    func notDrivable(tags: [String: String]) {
        #expect(RoadTags(tags) == nil)
    }

    @Test(
        "one way: as tagged; motorways and roundabouts imply it, but where the direction changes",
        arguments: [
            (["highway": "residential"], .no), (["highway": "residential", "oneway": "yes"], .along),
            (["highway": "residential", "oneway": "true"], .along),
            (["highway": "residential", "oneway": "1"], .along),
            (["highway": "residential", "oneway": "-1"], .against), (["highway": "residential", "oneway": "no"], .no),
            (["highway": "residential", "oneway": "reversible"], .no), (["highway": "motorway"], .along),
            (["highway": "motorway", "oneway": "reversible"], .no),
            (["highway": "motorway_link", "oneway": "reversible"], .no),
            (["highway": "motorway", "oneway": "alternating"], .no),
            (["highway": "motorway", "oneway": "no"], .no), (["highway": "motorway", "oneway": "-1"], .against),
            (["highway": "trunk"], .no), (["highway": "tertiary", "junction": "roundabout"], .along),
            (["highway": "tertiary", "junction": "roundabout", "oneway": "no"], .no),
            (["highway": "tertiary", "junction": "roundabout", "oneway": "-1"], .against),
            (["highway": "primary_link"], .no),
        ] as [([String: String], RoadTags.Oneway)])
    func oneway(tags: [String: String], oneway: RoadTags.Oneway) throws {
        #expect(try #require(RoadTags(tags)).oneway == oneway)
    }

    @Test(
        "to start or end there only: by access, or by kind of service road",
        arguments: [
            ([:], false), (["service": "alley"], false), (["service": "parking_aisle"], true),
            (["service": "driveway"], true), (["service": "drive-through"], true),
            (["service": "emergency_access"], true), (["access": "private"], true), (["access": "customers"], true),
            (["hgv": "destination"], true), (["hgv": "yes", "access": "private"], false),
            (["hgv": "yes", "service": "driveway"], true), (["hgv:forward": "destination"], false),
            (["hgv:forward": "destination", "hgv:backward": "no"], true), (["hgv:forward": "no"], false),
            (["oneway": "yes", "access:forward": "private"], true),
            (["oneway": "yes", "access:backward": "private"], false),
        ] as [([String: String], Bool)])
    func destinationOnly(tags: [String: String], isDestinationOnly: Bool) throws {
        let tags = tags.merging(["highway": "service"]) { $1 }
        #expect(try #require(RoadTags(tags)).destinationOnly == isDestinationOnly)
    }

    @Test(
        "usual speed in km/h: the posted limit where it is a number that is driven, else what the class is driven at",
        arguments: [
            ("50", 50.0), ("50 km/h", 50), ("30 mph", 48.280_32), ("30mph", 48.280_32), ("5", 5), ("none", 30),
            ("walk", 30), ("", 30), ("0", 30), ("999", 30), ("50;80", 30), ("DE:urban", 30),
        ])
    func speed(maxspeed: String, kilometresPerHour: Double) throws {
        let road = try #require(RoadTags(["highway": "residential", "maxspeed": maxspeed]))
        #expect(abs(road.usualSpeed * 3.6 - kilometresPerHour) < 1e-9)
    }

    @Test("usual speeds do not fall with the class, and a link is driven slower than its road")
    func speedsByClass() {
        let classes = RoadClass.allCases.filter { $0.rawValue >= RoadClass.residential.rawValue }
        let speeds = classes.map { $0.usualSpeed(isLink: false) }
        #expect(speeds == speeds.sorted())
        for roadClass in classes where roadClass.rawValue >= RoadClass.tertiary.rawValue {
            #expect(roadClass.usualSpeed(isLink: true) < roadClass.usualSpeed(isLink: false))
        }
    }

    @Test(
        "layer: as tagged, else bridges above and tunnels below",
        arguments: [
            ([:], 0), (["bridge": "yes"], 1), (["bridge": "viaduct", "layer": "2"], 2), (["bridge": "no"], 0),
            (["tunnel": "yes"], -1), (["tunnel": "yes", "layer": "-2"], -2), (["layer": "x", "bridge": "yes"], 1),
        ] as [([String: String], Int)])
    func layer(tags: [String: String], layer: Int) throws {
        #expect(try #require(RoadTags(tags.merging(["highway": "primary"]) { $1 })).layer == layer)
    }
}
