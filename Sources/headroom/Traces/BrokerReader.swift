import Broker
import Fleet
import Gateway
import Wire

/// Reads what `mosquitto_sub -F %j` wrote down, as the gateway reads it from the broker. What a gateway has published
/// itself is passed over.
struct BrokerReader {
    private let configuration: GatewayConfiguration
    private let decoder = RecordingDecoder()

    init(_ configuration: GatewayConfiguration) { self.configuration = configuration }

    func read(_ file: TraceFile, into trace: inout Trace) throws {
        var intake = Intake(configuration)
        for line in file.lines {
            // With %J an empty line stands for each payload that is no JSON.
            guard !line.isBlank else {
                trace.pass(.blank)
                continue
            }
            do throws(Rejection) {
                let message = try decoder.message(line.bytes)
                if configuration.topics.isOutput(message.topic) || configuration.pattern.isOutput(message.topic) {
                    trace.pass(.ofGateway)
                } else {
                    trace.take(message, line: line.number, by: &intake)
                }
            } catch {
                trace.reject(TraceProblem(error), line: line.number)
            }
        }
    }
}

extension Trace {
    /// A message as it was delivered to a gateway.
    mutating func take(_ message: RecordedMessage, line: Int, by intake: inout Intake) {
        var batch = Intake.Batch()
        intake.take(
            ReceivedMessage(
                topic: message.topic, payload: message.payload, qos: .atLeastOnce, retained: message.retained),
            at: message.arrival, &batch)
        let kind = batch.inputs.lazy.compactMap(TraceAccount.Kind.init).first
        let problems = batch.rejections.map { TraceProblem($0.reason, "on \(message.topic)") }
        let entry = TraceEntry(
            line: line, arrival: message.arrival, inputs: batch.inputs, refusals: batch.registrations)
        if let kind {
            reject(partly: problems, line: line)
            add(entry, kind)
        } else if problems.isEmpty {
            pass(.withoutUse)
        } else {
            reject(problems, line: line)
            if !entry.refusals.isEmpty { answer(entry) }
        }
    }
}

extension TraceAccount.Kind {
    /// Nil for time itself.
    init?(_ input: Input) {
        switch input {
        case .report(let report, _, _): self.init(report)
        case .fences: self = .fence
        case .clearances: self = .clearance
        case .tick: return nil
        }
    }

    private init(_ report: Report) {
        self =
            switch report {
            case .location: .fix
            case .profile: .profile
            case .route: .route
            case .consent: .consent
            case .presence: .presence
            case .acknowledgement: .acknowledgement
            }
    }
}
