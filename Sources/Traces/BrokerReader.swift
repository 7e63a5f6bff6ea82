import Broker
import Fleet
import Gateway
import Messages
import MQTT
import Wire

/// Reads what `mosquitto_sub -F %j` wrote down, as the gateway reads it from the broker. What a gateway has published
/// itself is passed over.
struct BrokerReader {
    private let configuration: GatewayConfiguration
    private let decoder = RecordingDecoder()

    init(_ configuration: GatewayConfiguration) { self.configuration = configuration }

    func read(_ file: TraceFile, into trace: inout Trace) {
        let intake = Intake(configuration)
        var end = Timestamp.distantPast
        for line in file.lines {
            // With %J an empty line stands for each payload that is no JSON.
            guard !line.isBlank else {
                trace.pass(.blank)
                continue
            }
            do throws(RejectedPart) {
                let message = try decoder.message(line.bytes)
                end = max(end, message.arrival)
                if isOutput(message.topic) {
                    trace.pass(.ofGateway)
                } else {
                    take(message, line: line.number, by: intake, into: &trace)
                }
            } catch {
                trace.reject(TraceError(error), line: line.number)
            }
        }
        trace.goOn(to: end)
    }

    private func isOutput(_ topic: String) -> Bool {
        configuration.topics.isOutput(topic) || configuration.pattern.isOutput(topic)
            || configuration.inputs.contains { $0.isOutput(topic) }
    }

    private func take(_ message: RecordedMessage, line: Int, by intake: Intake, into trace: inout Trace) {
        var batch = Intake.Batch()
        let received = ReceivedMessage(
            topic: message.topic, payload: message.payload, qos: .atLeastOnce, retained: message.retained)
        intake.take(received, at: message.arrival, &batch)
        trace.add(
            TraceEntry(
                line: line, arrival: message.arrival, inputs: batch.inputs, refusedEntries: batch.registrations),
            problems: batch.rejections.map(Self.problem), others: batch.others)
    }

    private static func problem(_ rejected: RejectedInput) -> TraceError {
        TraceError(rejected.reason, "on \(rejected.topic)" + (rejected.problem.map { ": \($0)" } ?? ""))
    }
}
