import Geo
import Messages

extension AlertMessage.Stage: BinaryCodable {}
extension AlertMessage.Attention: BinaryCodable {}
extension AlertMessage.Verdict: BinaryCodable {}
extension AlertMessage.Urgency: BinaryCodable {}
extension AlertMessage.Severity: BinaryCodable {}
extension AlertMessage.Certainty: BinaryCodable {}
extension AlertMessage.ClearedReason: BinaryCodable {}

extension AlertMessage.Clearance: BinaryRecord {
    static var placeholder: Self {
        AlertMessage.Clearance(
            id: "", name: "", height: nil, posted: "", source: "", verdict: .unknown, position: .placeholder)
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&id)
        try coder.code(&name)
        try coder.code(&height)
        try coder.code(&posted)
        try coder.code(&source)
        try coder.code(&verdict)
        try coder.code(&position)
    }
}

extension AlertMessage.Detour: BinaryRecord {
    static var placeholder: Self {
        AlertMessage.Detour(
            position: .placeholder, distance: 0, turnOnto: nil, length: nil, extra: nil, line: [])
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&position)
        try coder.code(&distance)
        try coder.code(&turnOnto)
        try coder.code(&length)
        try coder.code(&extra)
        try coder.code(&line)
    }
}

extension AlertMessage: BinaryRecord {
    static var placeholder: Self {
        AlertMessage(
            id: "", sequence: 0, stage: .ahead, attention: .alarm, probability: 0, vehicle: .placeholder,
            time: .placeholder, expiresAt: .placeholder, clearance: .placeholder, vehicleHeight: 0, margin: 0,
            heightSource: "", distance: 0, eta: 0, sideRoad: false, detour: nil, chain: [], urgency: .expected,
            severity: .severe, certainty: .possible, text: "")
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&id)
        try coder.code(&sequence)
        try coder.code(&stage)
        try coder.code(&attention)
        try coder.code(&probability)
        try coder.code(&vehicle)
        try coder.code(&time)
        try coder.code(&expiresAt)
        try coder.code(&clearance)
        try coder.code(&vehicleHeight)
        try coder.code(&margin)
        try coder.code(&heightSource)
        try coder.code(&distance)
        try coder.code(&eta)
        try coder.code(&sideRoad)
        try coder.code(&detour)
        try coder.code(&chain)
        try coder.code(&urgency)
        try coder.code(&severity)
        try coder.code(&certainty)
        try coder.code(&reason)
        try coder.code(&text)
    }
}

extension AlertText.Kind: BinaryCodable {}

extension AlertText.Turn: BinaryRecord {
    static var placeholder: Self { AlertText.Turn(distance: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&onto)
        try coder.code(&distance)
    }
}

extension AlertText: BinaryRecord {
    static var placeholder: Self {
        AlertText(
            kind: .road, style: .placeholder, posted: "", distance: 0, hasDetour: false, isUnknown: false)
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&kind)
        try coder.code(&style)
        try coder.code(&posted)
        try coder.code(&road)
        try coder.code(&distance)
        try coder.code(&turn)
        try coder.code(&hasDetour)
        try coder.code(&isUnknown)
    }
}

extension RequestMessage.Kind: BinaryCodable {}

extension FenceStay: BinaryRecord {
    static var placeholder: Self { FenceStay(fence: "", since: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&fence)
        try coder.code(&since)
    }
}

extension Region.Kind: BinaryCodable {}

extension Region: BinaryRecord {
    static var placeholder: Self { Region(id: "", circle: .placeholder, kind: .fence) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&id)
        try coder.code(&circle)
        try coder.code(&kind)
    }
}

extension StateMessage.Regions.Failure: BinaryRecord {
    static var placeholder: Self { StateMessage.Regions.Failure(id: "", reason: "") }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&id)
        try coder.code(&reason)
    }
}

extension StateMessage.Regions: BinaryRecord {
    static var placeholder: Self { StateMessage.Regions(version: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&version)
        try coder.code(&acknowledged)
        try coder.code(&failed)
    }
}

extension StateMessage.HeightStatus: BinaryCodable {}
extension StateMessage.BlindSpot: BinaryCodable {}

extension StateMessage: BinaryRecord {
    static var placeholder: Self {
        StateMessage(
            id: "", sequence: 0, time: .placeholder, alerts: [], height: 0, heightSource: "", heightStatus: .assumed,
            presence: nil, lastFix: nil, blind: [])
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&id)
        try coder.code(&sequence)
        try coder.code(&time)
        try coder.code(&fences)
        try coder.code(&alerts)
        try coder.code(&height)
        try coder.code(&heightSource)
        try coder.code(&heightStatus)
        try coder.code(&consent)
        try coder.code(&presence)
        try coder.code(&lastFix)
        try coder.code(&position)
        try coder.code(&blind)
        try coder.code(&regions)
        try coder.code(&fencesAsOf)
    }
}

extension TrackingMessage: BinaryRecord {
    static var placeholder: Self {
        TrackingMessage(
            id: "", version: 0, time: .placeholder, quiet: nil, reportInterval: 0, validUntil: .placeholder)
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&id)
        try coder.code(&version)
        try coder.code(&time)
        try coder.code(&quiet)
        try coder.code(&reportInterval)
        try coder.code(&validUntil)
    }
}
