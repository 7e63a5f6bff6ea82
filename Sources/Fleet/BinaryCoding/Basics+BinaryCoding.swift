import Geo
import Messages
import Roads

extension Timestamp: BinaryRecord {
    static var placeholder: Self { Timestamp(milliseconds: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&milliseconds)
    }
}

extension Coordinate: BinaryRecord {
    static var placeholder: Self { Coordinate(latitude: 0, longitude: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&latitude)
        try coder.code(&longitude)
    }
}

extension Circle: BinaryRecord {
    static var placeholder: Self { Circle(center: .placeholder, radius: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&center)
        try coder.code(&radius)
    }
}

extension EdgeKey: BinaryRecord {
    static var placeholder: Self { EdgeKey(way: 0, from: 0, to: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&way)
        try coder.code(&from)
        try coder.code(&to)
    }
}
