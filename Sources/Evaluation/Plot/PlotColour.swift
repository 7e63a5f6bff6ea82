import Messages

/// Dark on light, as on a page.
enum PlotColour {
    static let background = "#faf9f5"
    static let ink = "#22262b"
    static let faint = "#6a6f76"
    static let road = "#cfcdc6"
    static let trip = "#2b6cb0"
    static let detour = "#1f8a4c"
    static let low = "#c62828"

    static func of(_ stage: AlertMessage.Stage) -> String {
        switch stage {
        case .ahead: "#d99a00"
        case .detour: "#e2681a"
        case .stop: low
        case .cleared: detour
        case .passed: ink
        }
    }
}
