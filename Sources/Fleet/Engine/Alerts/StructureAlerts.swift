import Messages

extension [HazardAssessment] {
    /// Of sightings of one structure by several entries the one to tell of: one that calls for an alert before one that only
    /// keeps it open, one that is sure enough to report, one on the path before a side road, the one that was told of before
    /// others, then the nearest.
    ///
    /// - Parameter known: the hazard that an open alert is about; nil where there is none.
    func likeliest(besides known: Int?) -> HazardAssessment? {
        func rank(_ it: HazardAssessment) -> Int {
            (it.raises ? 8 : 0) + (it.isReportable ? 4 : 0) + (it.isSideRoad ? 0 : 2) + (it.hazard == known ? 1 : 0)
        }
        return self.min { a, b in
            let (one, other) = (rank(a), rank(b))
            return one == other ? a.distanceToEntry < b.distanceToEntry : one > other
        }
    }
}

extension AlertMessage {
    /// Whether nothing more is to be said of the structure until the vehicle comes again, or moves.
    var isFinal: Bool { stage == .passed || stage == .cleared && reason == .standing }
}
