import Geo

/// Puts pieces of road together that meet end to end, so that there are fewer lines, and names have room along them.
struct LineJoining {
    private let lines: [[Coordinate]]
    /// The lines that begin or end at a place.
    private let ends: [Coordinate: [Int]]
    private var isUsed: [Bool]

    init(_ lines: [[Coordinate]]) {
        self.lines = lines
        var ends: [Coordinate: [Int]] = [:]
        for (index, line) in lines.enumerated() {
            for end in [line[0], line[line.count - 1]] { ends[end, default: []].append(index) }
        }
        self.ends = ends
        isUsed = [Bool](repeating: false, count: lines.count)
    }

    /// At a junction of three or more a line ends: which of them go on as one is not known.
    mutating func joined() -> [[Coordinate]] {
        var joined: [[Coordinate]] = []
        for index in lines.indices where !isUsed[index] {
            isUsed[index] = true
            let forwards = extended(lines[index])
            joined.append(extended(forwards.reversed()))
        }
        return joined
    }

    /// Goes on from the line's last place as long as there is one way on.
    private mutating func extended(_ start: [Coordinate]) -> [Coordinate] {
        var line = start
        while let end = line.last, let meeting = ends[end], meeting.count == 2,
            let next = meeting.first(where: { !isUsed[$0] })
        {
            isUsed[next] = true
            let piece = lines[next]
            line += piece[0] == end ? piece.dropFirst() : piece.reversed().dropFirst()
        }
        return line
    }
}
