/// Reads the weekly part of OSM's opening hours (wiki.openstreetmap.org/wiki/Key:opening_hours/specification): rules such as
/// `Mo-Fr 06:00-18:00`, separated by semicolons.
///
/// - Days stand alone, in lists and in ranges, which may go round the week's end; without any, a rule is for all days.
/// - Times are spans, or `off`, `closed`, `open` or `24/7`; without any, a day is open from 00:00 to 24:00. A span belongs to
///   the day on which it begins, also where it ends on the next: `22:00-06:00` and `22:00-30:00` say the same.
/// - What a later rule says of a day takes the place of what earlier ones say, unless a comma stands before it instead of a
///   semicolon: then it is added.
///
/// Case and white space do not matter. Holidays, months, dates, the sun, comments and open ends are not understood.
struct WeekText {
    /// By day, Monday first: spans in minutes since its 00:00, from 0 up to 1439 and to 2880 at most.
    private(set) var days: [[Range<Int>]] = Array(repeating: [], count: 7)
    private var rule: Substring = ""
    /// What is still to be read of the rule.
    private var tokens: ArraySlice<Substring> = []

    private static let dayNames = ["mo", "tu", "we", "th", "fr", "sa", "su"]
    private static let wholeDay = [0..<1440]

    init(_ text: String) throws(WeeklyHoursError) {
        var isEmpty = true
        for rule in text.split(separator: ";") {
            self.rule = rule
            tokens = Self.tokens(rule)[...]
            guard !tokens.isEmpty else { continue }
            isEmpty = false
            try readRule()
        }
        if isEmpty { throw .empty }
    }

    private mutating func readRule() throws(WeeklyHoursError) {
        var isAdded = false
        repeat {
            let selected = try selectedDays(mustBeNamed: isAdded)
            let spans = try spans()
            for day in selected { days[day] = isAdded ? days[day] + spans : spans }
            isAdded = true
        } while takes(",")
        if let rest = tokens.first { throw .notUnderstood(String(rest)) }
    }

    private mutating func selectedDays(mustBeNamed: Bool) throws(WeeklyHoursError) -> [Int] {
        guard let token = tokens.first, token.first?.isLetter == true, Self.spans(named: token) == nil else {
            if mustBeNamed { throw .notUnderstood(String(try next())) }
            return Array(0..<7)
        }
        var selected: [Int] = []
        repeat {
            let first = try day()
            let last = takes("-") ? try day() : first
            selected += (first...(last < first ? last + 7 : last)).map { $0 % 7 }
        } while takes(",")
        return selected
    }

    private mutating func day() throws(WeeklyHoursError) -> Int {
        let name = try next()
        guard let day = Self.dayNames.firstIndex(of: name.lowercased()) else { throw .notUnderstood(String(name)) }
        return day
    }

    private mutating func spans() throws(WeeklyHoursError) -> [Range<Int>] {
        guard let token = tokens.first else { return Self.wholeDay }
        if let spans = Self.spans(named: token) {
            tokens.removeFirst()
            return spans
        }
        var spans = [try span()]
        while tokens.first == ",", tokens.dropFirst().first?.first?.isNumber == true {
            tokens.removeFirst()
            spans.append(try span())
        }
        return spans
    }

    private static func spans(named word: Substring) -> [Range<Int>]? {
        switch word.lowercased() {
        case "off", "closed": []
        case "open", "24/7": wholeDay
        default: nil
        }
    }

    private mutating func span() throws(WeeklyHoursError) -> Range<Int> {
        let (text, begin) = try minute(upTo: 1439)
        guard takes("-") else { throw .notUnderstood(text + (tokens.first ?? "")) }
        let end = try minute(upTo: 2880).minute
        return begin..<(end > begin ? end : end + 1440)
    }

    /// `HH:MM`, with hours beyond 24 on the next day.
    private mutating func minute(upTo limit: Int) throws(WeeklyHoursError) -> (text: String, minute: Int) {
        let text = try next()
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            let hours = UInt8(parts[0]), let minutes = UInt8(parts[1]), minutes < 60
        else { throw .notUnderstood(String(text)) }
        let minute = Int(hours) * 60 + Int(minutes)
        guard minute <= limit else { throw .notUnderstood(String(text)) }
        return (String(text), minute)
    }

    /// Where the rule ends too early, it is not understood as a whole.
    private mutating func next() throws(WeeklyHoursError) -> Substring {
        if let token = tokens.popFirst() { return token }
        throw .notUnderstood(rule.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    private mutating func takes(_ token: Substring) -> Bool {
        guard tokens.first == token else { return false }
        tokens.removeFirst()
        return true
    }

    /// Words, times, comments, and other characters one by one.
    private static func tokens(_ rule: Substring) -> [Substring] {
        var tokens: [Substring] = []
        var rest = rule.drop(while: \.isWhitespace)
        while let first = rest.first {
            let length =
                switch first {
                case "\"": 1 + rest.dropFirst().prefix { $0 != "\"" }.count + 1
                case _ where first.isLetter: rest.prefix(while: \.isLetter).count
                case _ where first.isNumber: rest.prefix { $0.isNumber || $0 == ":" || $0 == "/" }.count
                default: 1
                }
            tokens.append(rest.prefix(length))
            rest = rest.dropFirst(length).drop(while: \.isWhitespace)
        }
        return tokens
    }
}
