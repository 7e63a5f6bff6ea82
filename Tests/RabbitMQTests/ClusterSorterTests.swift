import Broker
import Fleet
import Gateway
import MQTT
import Messages
import RabbitMQ
import Testing
import Wire

struct ClusterSorterTests {
    private let input: FleetInput

    init() throws {
        let layout = MappedLayout(fields: [
            .lat: .pointer(JSONPointer("/lat")!), .lon: .pointer(JSONPointer("/lon")!),
        ])
        input = FleetInput(
            topic: try InputTopic("in/put"), layout: .mapped(layout), vehicle: VehicleTemplate(JSONPointer("/id")!))
    }

    private func message(of vehicle: String) -> ReceivedMessage {
        let payload = "{\"id\":\"\(vehicle)\",\"lat\":42.28,\"lon\":-83.75}"
        return ReceivedMessage(topic: "in/put", payload: Array(payload.utf8), qos: .atLeastOnce, retained: false)
    }

    @Test(
        "A vehicle is sorted as long as its key has no more bytes than AMQP carries",
        arguments: [
            ("T42", true),
            // Beside fleet. and .location 239 and 241 bytes.
            (String(repeating: "\u{1D518}", count: 59) + "abc", true),
            (String(repeating: "\u{1D518}", count: 60) + "a", false),
            (String(repeating: "\u{1D518}", count: 64), false),
        ])
    func keyLength(vehicle: String, isSorted: Bool) throws {
        var refused: [String] = []
        let sorter = ClusterSorter(try ClusterScene.configuration(inputs: [input])) { refused.append($0.text) }
        let keys = sorter.copies(of: message(of: vehicle)).map(\.key)
        #expect(keys == (isSorted ? ["fleet.\(vehicle).location"] : []))
        #expect(refused == (isSorted ? [] : [vehicle]))
    }

    @Test(
        "A vehicle's key is that of its location under the topics of the first start, whichever are in use",
        arguments: [
            ("fleet/{v}", "fleet/{v}", "fleet.T42.location"), ("fleet/{v}", "trucks/{v}", "fleet.T42.location"),
            ("fleet/{v}", "trucks/{site}/{v}", "fleet.T42.location"),
            ("acme/{site}/{v}", "trucks/{v}", "acme.any.T42.location"),
            ("acme/{site}/{v}", "acme/{site}/{v}", "acme.any.T42.location"),
        ])
    func changedTopic(first: String, now: String, key: String) throws {
        var configuration = try ClusterScene.configuration(pattern: now)
        configuration.keyPattern = try TopicPattern(first)
        let sorter = ClusterSorter(configuration)
        let vehicle = now.replacing("{site}", with: "depot").replacing("{v}", with: "T42")
        for leaf in ["location", "profile", "consent"] {
            let message = ReceivedMessage(
                topic: "\(vehicle)/\(leaf)", payload: [], qos: .atLeastOnce, retained: false)
            #expect(sorter.copies(of: message).map(\.key) == [key])
        }
    }

    @Test("A message that does not go on is acknowledged after those before it, and at once where there are none")
    func acknowledgement() throws {
        let scene = try ClusterScene(queues: 1)
        let configuration = try ClusterScene.configuration(scene.prefix, inputs: [input])
        let connection = try scene.connection()
        var sorting = SortingProgress(ClusterSorter(configuration), to: scene.cluster)
        let long = message(of: String(repeating: "\u{1D518}", count: 64))
        #expect(try sorting.forward(long, tag: 1, over: connection) == 1)
        #expect(try sorting.forward(message(of: "T42"), tag: 2, over: connection) == nil)
        #expect(try sorting.forward(long, tag: 3, over: connection) == nil)
        var done: UInt64?
        for case .confirmed(let sequence, let isTaken) in try connection.poll(timeout: .seconds(60)) {
            done = try sorting.confirmed(sequence, isTaken: isTaken)
        }
        #expect(done == 3 && sorting.underWay == 0)
    }
}
