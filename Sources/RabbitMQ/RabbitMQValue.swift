import CRabbitMQ
import Glibc

/// A value of a header or of an argument of a declaration.
package enum RabbitMQValue: Hashable, Sendable, CustomStringConvertible {
    case text(String)
    case integer(Int)
    case truth(Bool)
    case table([String: RabbitMQValue])

    package var description: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): "\(integer)"
        case .truth(let truth): "\(truth)"
        case .table(let table): "\(table)"
        }
    }
}

/// Keeps what librabbitmq's tables and texts point at, as long as it lives.
final class RabbitMQMemory {
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit { blocks.forEach { free($0) } }

    func bytes(_ text: String) -> amqp_bytes_t { bytes(Array(text.utf8)) }

    func bytes(_ content: [UInt8]) -> amqp_bytes_t {
        guard !content.isEmpty else { return amqp_bytes_t(len: 0, bytes: nil) }
        let block = malloc(content.count)!
        content.withUnsafeBytes { block.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        blocks.append(block)
        return amqp_bytes_t(len: content.count, bytes: block)
    }

    func table(_ values: [String: RabbitMQValue]) -> amqp_table_t {
        guard !values.isEmpty else { return amqp_table_t(num_entries: 0, entries: nil) }
        let size = MemoryLayout<amqp_table_entry_t>.stride * values.count
        let block = malloc(size)!
        blocks.append(block)
        let entries = block.bindMemory(to: amqp_table_entry_t.self, capacity: values.count)
        for (index, (name, value)) in values.sorted(by: { $0.key < $1.key }).enumerated() {
            entries[index] = amqp_table_entry_t(key: bytes(name), value: field(value))
        }
        return amqp_table_t(num_entries: CInt(values.count), entries: entries)
    }

    private func field(_ value: RabbitMQValue) -> amqp_field_value_t {
        var field = amqp_field_value_t()
        switch value {
        case .text(let text):
            field.kind = UInt8(AMQP_FIELD_KIND_UTF8.rawValue)
            field.value.bytes = bytes(text)
        case .integer(let integer):
            field.kind = UInt8(AMQP_FIELD_KIND_I64.rawValue)
            field.value.i64 = Int64(integer)
        case .truth(let truth):
            field.kind = UInt8(AMQP_FIELD_KIND_BOOLEAN.rawValue)
            field.value.boolean = truth ? 1 : 0
        case .table(let values):
            field.kind = UInt8(AMQP_FIELD_KIND_TABLE.rawValue)
            field.value.table = table(values)
        }
        return field
    }
}

extension amqp_bytes_t {
    var array: [UInt8] { len == 0 ? [] : Array(UnsafeRawBufferPointer(start: bytes, count: len)) }
    var text: String { String(decoding: array, as: UTF8.self) }
}

extension amqp_table_t {
    /// The texts among its values.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for index in 0..<Int(num_entries) {
            let entry = entries[index]
            if entry.value.kind == UInt8(AMQP_FIELD_KIND_UTF8.rawValue) {
                texts[entry.key.text] = entry.value.value.bytes.text
            }
        }
        return texts
    }
}
