import Clearances
import Evaluation
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// What a driver reads or hears.
struct AlertTextTests {
    private func texts(
        _ drawing: Drawing, units: UnitSystem?, _ language: Language? = nil, along line: String = "az"
    ) throws -> [String] {
        let dispatcher = Dispatcher(drawing.network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 412, units: units, language: language)), at: -60)
        dispatcher.drive(Journey(line: try drawing.line(line)))
        return dispatcher.alerts.map(\.text)
    }

    @Test("Imperial: miles to a tenth, then feet to the next fifty")
    func imperial() throws {
        #expect(
            try texts(.bridge(), units: .imperial) == [
                "Low bridge 10'6\" on Main Street in 1.3 mi. Leave at Bypass Road in 1.1 mi.",
                "Leave at Bypass Road in 0.2 mi. Low bridge 10'6\" on Main Street in 0.4 mi.",
                "STOP. Low bridge 10'6\" on Main Street in 300 ft. No turn-off before it.",
                "Passed under the low bridge 10'6\" on Main Street: check the vehicle, the height set for it, and the sign.",
            ])
    }

    @Test("Metric: kilometres to a tenth, then metres to the next ten; a bare number on the sign is metres")
    func metric() throws {
        #expect(
            try texts(.bridge("3.2"), units: .metric) == [
                "Low bridge 3.2 m on Main Street in 2.1 km. Leave at Bypass Road in 1.8 km.",
                "Leave at Bypass Road in 390 m. Low bridge 3.2 m on Main Street in 690 m.",
                "STOP. Low bridge 3.2 m on Main Street in 90 m. No turn-off before it.",
                "Passed under the low bridge 3.2 m on Main Street: check the vehicle, the height set for it, and the sign.",
            ])
    }

    @Test(
        "A driver reads the language of the profile, numbers too",
        arguments: [
            (Language.english, "Low bridge 3.2 m on Main Street in 2.1 km. Leave at Bypass Road in 1.8 km."),
            (.german, "Niedrige Brücke 3.2 m auf Main Street in 2,1 km. Abfahren bei Bypass Road in 1,8 km."),
            (.spanish, "Puente bajo 3.2 m en Main Street a 2,1 km. Salga por Bypass Road a 1,8 km."),
            (.french, "Pont bas 3.2 m sur Main Street dans 2,1 km. Sortez par Bypass Road dans 1,8 km."),
        ])
    func language(language: Language, ahead: String) throws {
        let all = try texts(.bridge("3.2"), units: .metric, language)
        #expect(all.first == ahead)
        let english = try texts(.bridge("3.2"), units: .metric)
        #expect(all.count == english.count)
        #expect(zip(all, english).allSatisfy { ($0 == $1) == (language == .english) }, "\(all)")
    }

    @Test("Every language has every text, with the same values in it", arguments: Language.allCases)
    func tables(language: Language) {
        for key in TextKey.allCases {
            let names = [Language.english, language].map { language in
                Set(TextTable.table(language)[key, default: ""].matches(of: /{\w+}/).map { String($0.0) })
            }
            #expect(TextTable.table(language)[key]?.isEmpty == false, "\(key)")
            // An ending names the bridge as its grammar wants.
            #expect(
                names[0] == names[1] || names.allSatisfy { !$0.isDisjoint(with: ["{bridge}", "{inner}"]) }, "\(key)")
        }
    }

    @Test("A profile that names no units is answered in the configured ones")
    func configured() throws {
        #expect(try texts(.bridge(), units: nil).first?.hasSuffix("Leave at Bypass Road in 1.1 mi.") == true)
    }

    @Test("A road without a name is left out, not called something else")
    func nameless() throws {
        let drawing = try Drawing.dead("name=Yard+Lane", road: "")
        #expect(
            try texts(drawing, units: .metric).first
                == "Low bridge 3.2 m in 2.1 km. No detour: turn off at Yard Lane in 1.8 km.")
    }

    @Test("Where no detour exists, the text says so and the detour is null")
    func noDetour() throws {
        let drawing = try Drawing.dead("name=Yard+Lane")
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        #expect(dispatcher.alerts.allSatisfy { $0.detour == nil })
        let ahead = try #require(dispatcher.alerts.first)
        #expect(
            ahead.text == "Low bridge 3.2 m on Main Street in 1.3 mi. No detour: turn off at Yard Lane in 1.1 mi.")
    }

    @Test("Of lanes the lowest height is told, not the data's text")
    func lanes() throws {
        #expect(
            try texts(.bridge("none|3.2"), units: .metric).first
                == "Low bridge 3.2 m on Main Street in 2.1 km. Leave at Bypass Road in 1.8 km.")
    }

    @Test(
        "What is nearer than any length says is here, in every language",
        arguments: [
            (Language.english, "STOP. Low bridge 3.2 m here. No turn-off before it."),
            (.german, "STOPP. Niedrige Brücke 3.2 m hier. Davor keine Abzweigung."),
            (.spanish, "PARE. Puente bajo 3.2 m aquí. No hay salida antes."),
            (.french, "STOP. Pont bas 3.2 m ici. Aucune sortie avant."),
        ])
    func here(language: Language, stop: String) {
        for (units, distance) in [(UnitSystem.imperial, 7.5), (.metric, 4.5), (.imperial, 0)] {
            for kind in [AlertText.Kind.road, .sideRoad, .notice, .straightLine] {
                let text = AlertText(
                    kind: kind, style: TextStyle(units: units, language: language), posted: "3.2", road: nil,
                    distance: distance, turn: AlertText.Turn(onto: "B 4", distance: distance), hasDetour: true,
                    isUnknown: false)
                for stage in [AlertMessage.Stage.ahead, .detour, .stop] {
                    #expect(!text.of(stage).contains(/\ 0 (ft|m)/), "\(text.of(stage))")
                }
                if kind == .road { #expect(text.of(.stop) == stop) }
            }
        }
    }

    @Test("An alert that ends says that the bridge is no longer ahead")
    func cleared() throws {
        let drawing = try Drawing.bridge()
        #expect(
            try texts(drawing, units: .imperial, along: "ajnq").last
                == "Clear of the low bridge 10'6\" on Main Street. Drive on with care.")
    }
}

extension Drawing {
    /// A main road with a low bridge and nothing but a yard to turn into before it.
    fileprivate static func dead(_ yard: String, road: String = "name=Main+Street") throws -> Drawing {
        try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            z 6500 0
            n 4000 300
            aj tertiary \(road)
            je tertiary \(road)
            ef tertiary maxheight=3.2 \(road)
            fz tertiary \(road)
            jn residential \(yard)
            """)
    }
}
