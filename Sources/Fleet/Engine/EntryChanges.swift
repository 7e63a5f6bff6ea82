import Geo
import Messages

/// Entries that have changed and are in force: clearances and fences.
struct EntryChanges {
    /// To look through more takes as long as to judge a vehicle.
    private static let differencesMax = 64

    /// Where clearances are.
    var places = ChangedPlaces()
    /// Where hazards are others by that, of each time that some came into force; nil: that is not known.
    var differences: [MapDifference]? = []
    var fences = FenceChanges()

    var hasClearances: Bool { !places.isEmpty || differences?.isEmpty != true }

    mutating func formUnion(_ other: EntryChanges) {
        places.formUnion(other.places)
        differences = other.differences.flatMap { others in differences.map { $0 + others } }
        if differences?.count ?? 0 > Self.differencesMax { differences = nil }
        fences.formUnion(other.fences)
    }
}

/// Fences that came, went, or changed in more than their names.
struct FenceChanges {
    /// To look at more one by one costs as much as to choose anew.
    private static let countMax = 64

    /// Nil: it is not known which.
    private(set) var known: [FenceReplacement]? = []

    /// - Parameter replaced: nil: it is not known which.
    init(_ replaced: [FenceReplacement]? = []) {
        known = replaced.flatMap { $0.count > Self.countMax ? nil : $0 }
    }

    var isEmpty: Bool { known?.isEmpty ?? false }

    mutating func formUnion(_ other: FenceChanges) {
        self = FenceChanges(other.known.flatMap { others in known.map { $0 + others } })
    }
}
