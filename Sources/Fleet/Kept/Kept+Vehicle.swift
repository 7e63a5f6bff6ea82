import Geo
import Messages
import Roads

extension Vehicle {
    /// All of it that survives a restart.
    public var kept: [UInt8] {
        var writer = KeptWriter()
        writer.put(self)
        return writer.bytes
    }

    /// - Parameter bytes: what `kept` gave, in this version or an earlier one.
    public init(kept bytes: [UInt8]) throws(KeptProblem) {
        var reader = try KeptReader(bytes)
        self = try reader.get()
        try reader.end()
    }
}

extension Vehicle: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(address)
        writer.put(profile)
        writer.put(profileSince)
        writer.put(presence)
        writer.put(consent)
        writer.put(lastFix)
        writer.put(firstFix)
        writer.put(speed)
        writer.put(course)
        writer.put(gaps)
        writer.put(outliers)
        writer.put(isClockSkewed)
        writer.put(isPositionStale)
        writer.put(roads)
        writer.put(matchedAt)
        writer.put(guidance)
        writer.put(ordered)
        writer.put(fences)
        writer.put(visits)
        writer.put(quiet)
        writer.put(regions)
        writer.put(alerts)
        writer.put(quieted)
        writer.put(requests.sorted { $0.key.rawValue < $1.key.rawValue }.map { RequestMade($0.key, $0.value) })
        writer.put(published)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(address: try reader.get())
        profile = try reader.get()
        profileSince = try reader.get()
        presence = try reader.get()
        consent = try reader.get()
        lastFix = try reader.get()
        firstFix = try reader.get()
        speed = try reader.get()
        course = try reader.get()
        gaps = try reader.get()
        outliers = try reader.get()
        isClockSkewed = try reader.get()
        isPositionStale = try reader.get()
        roads = try reader.get()
        matchedAt = try reader.get()
        guidance = try reader.get()
        ordered = try reader.get()
        fences = try reader.get()
        visits = try reader.get()
        quiet = try reader.get()
        regions = try reader.get()
        alerts = try reader.get()
        quieted = try reader.get()
        for made in try reader.get([RequestMade].self) { requests[made.cause] = made.time }
        published = try reader.get()
    }
}

/// A request to the driver, and when it was last made.
private struct RequestMade: Kept {
    var cause: RequestCause
    var time: Timestamp

    init(_ cause: RequestCause, _ time: Timestamp) {
        (self.cause, self.time) = (cause, time)
    }

    func keep(in writer: inout KeptWriter) {
        writer.put(cause)
        writer.put(time)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(try reader.get(), try reader.get())
    }
}

extension MatchedRoad: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(key)
        writer.put(offset)
        writer.put(probability)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        key = try reader.get()
        offset = try reader.get()
        probability = try reader.get()
    }
}

extension OpenAlert: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(subject)
        writer.put(last)
        writer.put(idleSince)
        writer.put(idleAt)
        writer.put(wentUnder)
        writer.put(acknowledged)
        writer.put(toldAt)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        subject = try reader.get()
        last = try reader.get()
        idleSince = try reader.get()
        idleAt = try reader.get()
        wentUnder = try reader.get()
        acknowledged = try reader.get()
        toldAt = try reader.get()
    }
}

extension OpenAlert.Subject: Kept {
    func keep(in writer: inout KeptWriter) {
        switch self {
        case .entry(let key):
            writer.put(byte: 0)
            writer.put(key)
        case .unknownEntry(let key):
            writer.put(byte: 1)
            writer.put(key)
        case .straightLine(let clearance):
            writer.put(byte: 2)
            writer.put(clearance)
        }
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        switch try reader.byte() {
        case 0: self = .entry(try reader.get())
        case 1: self = .unknownEntry(try reader.get())
        case 2: self = .straightLine(clearance: try reader.get())
        default: throw reader.problem("what an alert is about")
        }
    }
}

extension Standstill: Kept {
    func keep(in writer: inout KeptWriter) { writer.put(place) }
    init(kept reader: inout KeptReader) throws(KeptProblem) { self.init(place: try reader.get()) }
}

extension QuietedAlert: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(subject)
        writer.put(standstill)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(subject: try reader.get(), standstill: try reader.get())
    }
}

extension FenceStanding.Border: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(fence)
        writer.put(serial)
        writer.put(since)
        writer.put(isDwellTold)
        writer.put(doubt)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(
            fence: try reader.get(), serial: try reader.get(), since: try reader.get(),
            isDwellTold: try reader.get(), doubt: try reader.get())
    }
}

extension BorderCrossing: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(position)
        writer.put(time)
        writer.put(isInterpolated)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(position: try reader.get(), time: try reader.get(), isInterpolated: try reader.get())
    }
}

extension QuietCircle: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(circle)
        writer.put(validUntil)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(circle: try reader.get(), validUntil: try reader.get())
    }
}

extension QuietSilence: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(circle)
        writer.put(end)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(circle: try reader.get(), end: try reader.get())
    }
}
