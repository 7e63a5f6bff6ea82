/// What is wrong with what a client wants to put in force, in one sentence.
struct BodyError: Error, Hashable {
    /// The member that is wrong, such as `geometry.coordinates[0][17]`; empty: the whole.
    var place: String
    var message: String
}
