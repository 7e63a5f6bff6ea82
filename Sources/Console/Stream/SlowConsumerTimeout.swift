import NIOCore

/// Closes the connection of a client that does not read what it asked for: what is written to it takes memory until it does.
///
/// NIO takes 64 KiB and then asks writers to wait; from there on the client has a time to make room.
final class SlowConsumerTimeout: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private var end: Scheduled<Void>?

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        end?.cancel()
        end = context.channel.isWritable ? nil : close(context, after: ConsoleLimits.readerPatience)
        context.fireChannelWritabilityChanged()
    }

    /// Who stops does not wait for who does not read.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            end?.cancel()
            end = close(context, after: .seconds(1))
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        context.fireChannelInactive()
    }

    private func close(_ context: ChannelHandlerContext, after delay: TimeAmount) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: delay) {
            if !channel.isWritable { channel.close(promise: nil) }
        }
    }
}
