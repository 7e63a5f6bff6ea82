@main struct Headroom { static func main() {} }
