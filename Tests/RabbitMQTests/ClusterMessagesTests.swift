import Broker
import Gateway
import MQTT
import RabbitMQ
import RabbitMQTestSupport
import Testing
import ThreadTestSupport

@Suite(.serialized)
struct ClusterMessagesTests {
    @Test("200 vehicles over MQTT arrive complete, each in one queue and in order", .timeLimit(.minutes(5)))
    func completeAndInOrder() async throws {
        try await onThread {
            let scene = try ClusterScene()
            let inbox = try scene.inbox()
            let vehicles = try (0..<200).map { try scene.mqtt("-\($0)") }
            let fixes = 20
            var messages: [ClusterMessage] = []
            for fix in 0..<fixes {
                for (number, vehicle) in vehicles.enumerated() {
                    try vehicle.publish(scene.topic("T\(number)"), "\(fix)")
                    vehicle.poll(.zero)
                }
                messages += try inbox.take(100, silence: .milliseconds(1))
            }
            for vehicle in vehicles { try vehicle.finish(patience: .seconds(20)) }
            let sentAgain = vehicles.map(\.sentAgain).reduce(0, +)
            messages += try inbox.take(vehicles.count * fixes + sentAgain - messages.count)

            let byTopic = Dictionary(grouping: messages) { $0.message.topic }
            #expect(byTopic.count == vehicles.count)
            for (number, vehicle) in vehicles.enumerated() {
                let own = byTopic[scene.topic("T\(number)")] ?? []
                // What was sent again may come twice, and nothing else. A repeat is not newer than all before it.
                #expect(own.count <= fixes + vehicle.sentAgain)
                var news: [Int] = []
                for fix in own.map({ Int(String(decoding: $0.message.payload, as: UTF8.self))! }) {
                    if fix > news.last ?? -1 { news.append(fix) }
                }
                #expect(news == Array(0..<fixes))
                #expect(Set(own.map(\.source)).count == 1)
            }
            #expect(Set(messages.map(\.source)) == scene.shards)
        }
    }

    @Test("Hashed by the key as it comes, a vehicle's position and its profile end in different queues")
    func wholeKeyIsHashed() async throws {
        try await onThread {
            let scene = try ClusterScene()
            let control = try scene.connection()
            // The shards' exchange is bound for all that is about a vehicle, as though the key alone were enough.
            try control.declare(
                RabbitMQTopology.Binding(
                    ClusterTopology.mqtt, to: .exchange(scene.cluster.vehicles), key: "\(scene.prefix).fleet.*.profile")
            )
            let inbox = try scene.inbox()
            let client = try scene.mqtt()
            for number in 0..<20 {
                try client.publish(scene.topic("T\(number)"), "position")
                try client.publish(scene.topic("T\(number)", "profile"), "profile")
            }
            try client.finish()
            let messages = try inbox.take(60).filter { $0.source != .sorting }
            let sources = Dictionary(grouping: messages) { $0.message.topic.split(separator: "/")[2] }
                .mapValues { Set($0.map(\.source)).count }
            #expect(messages.count == 40 && sources.values.contains(2))
        }
    }

    @Test("What is sorted comes to the queue of its vehicle's positions, in order and with its own topic")
    func sorting() async throws {
        try await onThread {
            let scene = try ClusterScene()
            let configuration = try ClusterScene.configuration(scene.prefix)
            let inbox = try scene.inbox()
            let publisher = try scene.connection()
            var sorting = SortingProgress(ClusterSorter(configuration), to: scene.cluster)
            let client = try scene.mqtt()
            for number in 0..<40 {
                try client.publish(scene.topic("T\(number)"), "position")
                for step in 0..<3 { try client.publish(scene.topic("T\(number)", "profile"), "\(step)") }
            }
            try client.finish()

            var arrived: [ClusterMessage] = []
            for _ in 0..<2_000 where arrived.count < 160 {
                for case .message(let message) in try inbox.poll(timeout: .milliseconds(10)) {
                    if message.source == .sorting {
                        try sorting.forward(message.message, tag: message.tag, over: publisher)
                    } else {
                        arrived.append(message)
                        try inbox.acknowledge(upTo: message.tag, of: message.source)
                    }
                }
                for case .confirmed(let sequence, let isTaken) in try publisher.poll(timeout: .zero) {
                    if let tag = try sorting.confirmed(sequence, isTaken: isTaken) {
                        try inbox.acknowledge(upTo: tag, of: .sorting)
                    }
                }
            }
            #expect(arrived.count == 160)
            let byVehicle = Dictionary(grouping: arrived) { $0.message.topic.split(separator: "/")[2] }
            for number in 0..<40 {
                let own = byVehicle["T\(number)"] ?? []
                #expect(Set(own.map(\.source)).count == 1)
                let profiles = own.filter { $0.message.topic == scene.topic("T\(number)", "profile") }
                #expect(profiles.map { String(decoding: $0.message.payload, as: UTF8.self) } == ["0", "1", "2"])
                #expect(profiles.allSatisfy { $0.message.vehicle == "T\(number)" })
            }
        }
    }

    @Test("A fence comes to every queue of vehicles")
    func catalogue() async throws {
        try await onThread {
            let scene = try ClusterScene()
            let inbox = try scene.inbox()
            let client = try scene.mqtt()
            try client.publish("\(scene.prefix)/fences/depot", "{}", retain: true)
            try client.finish()
            let messages = try inbox.take(scene.queues)
            #expect(Set(messages.map(\.message.topic)) == ["\(scene.prefix)/fences/depot"])
            #expect(Set(messages.map(\.source)) == scene.shards)
        }
    }
}
