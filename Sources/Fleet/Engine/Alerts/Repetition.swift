import Messages

/// What the journal holds is done again after a start, maybe by other settings or another map than then.
struct Repetition {
    /// Keys of the messages that it led to then.
    let published: Set<UInt64>
    /// When it is done again.
    let now: Timestamp

    /// Takes back alerts that have begun or risen and had not then, where the position says no longer where the vehicle is: its
    /// driver is told nothing new by it. A later position tells the same, if it is so.
    ///
    /// - Parameters:
    ///   - messages: that the position has led to.
    ///   - alerts: that are open after it.
    ///   - before: those that were open before it.
    func takeBack(
        _ messages: inout [AlertMessage], of alerts: inout [OpenAlert], asBefore before: [OpenAlert],
        judgedBy fix: Fix
    ) {
        guard now.since(fix.time) >= RuleTime.alertAgeMax else { return }
        messages.removeAll { message in
            guard !message.stage.isEnd, !published.contains(Message.alert(message).key) else { return false }
            guard let index = alerts.firstIndex(where: { $0.id == message.id }) else { return true }
            if let open = before.first(where: { $0.id == message.id }) {
                alerts[index].last = open.last
                alerts[index].text = open.text
            } else {
                alerts.remove(at: index)
            }
            return true
        }
    }
}
