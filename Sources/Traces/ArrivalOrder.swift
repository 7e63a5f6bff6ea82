import Geo
import Messages

/// When the fixes of one vehicle came, where a recording knows only when each was taken.
///
/// Each came when it was taken, or right behind those that stand before it. A receiver whose clock is years ahead for a fix
/// or two must not take the use of all that follow: the longest run of lines in the order of time tells what the time was.
enum ArrivalOrder {
    /// - Parameters:
    ///   - taken: when the newest fix of each line was taken.
    ///   - ageMax: a line is ahead of its time where the next line of the run is older by more: it could not be used behind it.
    static func arrivals(of taken: [Timestamp], ageMax: Seconds) -> [Timestamp] {
        let run = longestRun(of: taken)
        var place = 0
        var now: Timestamp?
        return taken.indices.map { index in
            while place < run.count, run[place] < index { place += 1 }
            let arrival =
                if place < run.count, taken[index].since(taken[run[place]]) > ageMax {
                    now ?? taken[run[place]]
                } else {
                    max(now ?? taken[index], taken[index])
                }
            now = arrival
            return arrival
        }
    }

    /// The places of the most times that rise, or stay, from each to the next.
    private static func longestRun(of times: [Timestamp]) -> [Int] {
        // Of the runs of each length, where the one ends whose last time is the earliest.
        var ends: [Int] = []
        var before: [Int?] = []
        for (index, time) in times.enumerated() {
            var (length, longer) = (0, ends.count)
            while length < longer {
                let middle = (length + longer) / 2
                if times[ends[middle]] <= time { length = middle + 1 } else { longer = middle }
            }
            before.append(length > 0 ? ends[length - 1] : nil)
            if length < ends.count { ends[length] = index } else { ends.append(index) }
        }
        var run: [Int] = []
        var place = ends.last
        while let index = place {
            run.append(index)
            place = before[index]
        }
        return run.reversed()
    }
}
