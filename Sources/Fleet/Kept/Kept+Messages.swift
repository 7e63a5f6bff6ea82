import Geo
import Messages

extension AlertMessage.Stage: Kept {}
extension AlertMessage.Verdict: Kept {}
extension AlertMessage.Urgency: Kept {}
extension AlertMessage.Severity: Kept {}
extension AlertMessage.Certainty: Kept {}
extension AlertMessage.ClearedReason: Kept {}

extension AlertMessage.Clearance: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(id)
        writer.put(name)
        writer.put(height)
        writer.put(posted)
        writer.put(source)
        writer.put(verdict)
        writer.put(position)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(
            id: try reader.get(), name: try reader.get(), height: try reader.get(), posted: try reader.get(),
            source: try reader.get(), verdict: try reader.get(), position: try reader.get())
    }
}

extension AlertMessage.Detour: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(position)
        writer.put(distance)
        writer.put(turnOnto)
        writer.put(length)
        writer.put(extra)
        writer.put(line)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(
            position: try reader.get(), distance: try reader.get(), turnOnto: try reader.get(),
            length: try reader.get(), extra: try reader.get(), line: try reader.get())
    }
}

extension AlertMessage: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(id)
        writer.put(sequence)
        writer.put(stage)
        writer.put(vehicle)
        writer.put(time)
        writer.put(expiresAt)
        writer.put(clearance)
        writer.put(vehicleHeight)
        writer.put(margin)
        writer.put(heightSource)
        writer.put(distance)
        writer.put(eta)
        writer.put(sideRoad)
        writer.put(detour)
        writer.put(chain)
        writer.put(urgency)
        writer.put(severity)
        writer.put(certainty)
        writer.put(reason)
        writer.put(text)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(
            id: try reader.get(), sequence: try reader.get(), stage: try reader.get(), vehicle: try reader.get(),
            time: try reader.get(), expiresAt: try reader.get(), clearance: try reader.get(),
            vehicleHeight: try reader.get(), margin: try reader.get(), heightSource: try reader.get(),
            distance: try reader.get(), eta: try reader.get(), sideRoad: try reader.get(), detour: try reader.get(),
            chain: try reader.get(), urgency: try reader.get(), severity: try reader.get(),
            certainty: try reader.get(), reason: try reader.get(), text: try reader.get())
    }
}

extension RequestMessage.Kind: Kept {}

extension FenceStay: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(fence)
        writer.put(since)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(fence: try reader.get(), since: try reader.get())
    }
}

extension Region.Kind: Kept {}

extension Region: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(id)
        writer.put(circle)
        writer.put(kind)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(id: try reader.get(), circle: try reader.get(), kind: try reader.get())
    }
}

extension StateMessage.Regions.Failure: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(id)
        writer.put(reason)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(id: try reader.get(), reason: try reader.get())
    }
}

extension StateMessage.Regions: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(version)
        writer.put(acknowledged)
        writer.put(failed)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(version: try reader.get(), acknowledged: try reader.get(), failed: try reader.get())
    }
}

extension StateMessage.HeightStatus: Kept {}
extension StateMessage.BlindSpot: Kept {}

extension StateMessage: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(id)
        writer.put(sequence)
        writer.put(time)
        writer.put(fences)
        writer.put(alerts)
        writer.put(height)
        writer.put(heightSource)
        writer.put(heightStatus)
        writer.put(consent)
        writer.put(presence)
        writer.put(lastFix)
        writer.put(position)
        writer.put(blind)
        writer.put(regions)
        writer.put(fencesAsOf)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(
            id: try reader.get(), sequence: try reader.get(), time: try reader.get(), fences: try reader.get(),
            alerts: try reader.get(), height: try reader.get(), heightSource: try reader.get(),
            heightStatus: try reader.get(), consent: try reader.get(), presence: try reader.get(),
            lastFix: try reader.get(), position: try reader.get(), blind: try reader.get(),
            regions: try reader.get())
        fencesAsOf = try reader.get()
    }
}

extension TrackingMessage: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(id)
        writer.put(version)
        writer.put(time)
        writer.put(quiet)
        writer.put(reportInterval)
        writer.put(validUntil)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(
            id: try reader.get(), version: try reader.get(), time: try reader.get(), quiet: try reader.get(),
            reportInterval: try reader.get(), validUntil: try reader.get())
    }
}
