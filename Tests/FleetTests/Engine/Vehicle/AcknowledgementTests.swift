import Fleet
import FleetTestSupport
import Messages
import Testing

/// A driver's answer to an alert.
struct AcknowledgementTests {
    private func alerted() throws -> (Dispatcher, id: String) {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        // Up to `detour`, sequence 2.
        for fix in Journey(line: try drawing.line("az")).fixes.prefix(19) { dispatcher.fix(fix) }
        return (dispatcher, try #require(dispatcher.alerts.first).id)
    }

    private func acknowledged(_ dispatcher: Dispatcher) -> Int? {
        dispatcher.kept?.alerts.first?.acknowledged
    }

    @Test("A sequence that was sent is covered, with those before it", arguments: [1, 2])
    func known(sequence: Int) throws {
        let (dispatcher, id) = try alerted()
        dispatcher.tell(.acknowledgement(.alert(id: id, sequence: sequence)), at: 185)
        #expect(dispatcher.rejections.isEmpty)
        #expect(acknowledged(dispatcher) == sequence)
    }

    @Test("A sequence that was not sent yet is refused: no answer covers a later stage")
    func later() throws {
        let (dispatcher, id) = try alerted()
        dispatcher.tell(.acknowledgement(.alert(id: id, sequence: 3)), at: 185)
        #expect(dispatcher.rejections == [.unknownAcknowledgement])
        #expect(acknowledged(dispatcher) == nil)
    }

    @Test("An unknown alert is refused, on a known vehicle and on an unknown one")
    func unknown() throws {
        let (dispatcher, _) = try alerted()
        dispatcher.tell(.acknowledgement(.alert(id: "0123456789abcdef", sequence: 1)), at: 185)
        let stranger = VehicleAddress(vehicle: VehicleID("T43")!)
        dispatcher.hear([
            .report(.acknowledgement(.alert(id: "0123456789abcdef", sequence: 1)), from: stranger, receivedAt: .at(185))
        ])
        #expect(dispatcher.rejections == [.unknownAcknowledgement, .unknownAcknowledgement])
        #expect(dispatcher.engine.vehicleCount == 1)
    }

    @Test("A late answer to an earlier stage takes nothing back")
    func backwards() throws {
        let (dispatcher, id) = try alerted()
        for sequence in [2, 1] { dispatcher.tell(.acknowledgement(.alert(id: id, sequence: sequence)), at: 185) }
        #expect(acknowledged(dispatcher) == 2)
    }

    @Test("An answer changes nothing that is said")
    func silent() throws {
        let (dispatcher, id) = try alerted()
        let said = dispatcher.envelopes
        dispatcher.tell(.acknowledgement(.alert(id: id, sequence: 1)), at: 185)
        #expect(dispatcher.envelopes == said)
    }
}
