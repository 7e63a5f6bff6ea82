#pragma once
#include <sys/time.h>
#include <amqp.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>

// What Swift cannot import: a function of variable arguments, and numbers that are defined as casts.

static inline amqp_rpc_reply_t amqp_login_plain(amqp_connection_state_t connection, const char *virtual_host, int heartbeat,
                                                const amqp_table_t *properties, const char *user, const char *password) {
    return amqp_login_with_properties(connection, virtual_host, AMQP_DEFAULT_MAX_CHANNELS, AMQP_DEFAULT_FRAME_SIZE, heartbeat,
                                      properties, AMQP_SASL_METHOD_PLAIN, user, password);
}

static const uint32_t amqp_method_connection_close = AMQP_CONNECTION_CLOSE_METHOD;
static const uint32_t amqp_method_connection_blocked = AMQP_CONNECTION_BLOCKED_METHOD;
static const uint32_t amqp_method_connection_unblocked = AMQP_CONNECTION_UNBLOCKED_METHOD;
static const uint32_t amqp_method_channel_close = AMQP_CHANNEL_CLOSE_METHOD;
static const uint32_t amqp_method_channel_close_ok = AMQP_CHANNEL_CLOSE_OK_METHOD;
static const uint32_t amqp_method_basic_cancel = AMQP_BASIC_CANCEL_METHOD;
static const uint32_t amqp_method_basic_return = AMQP_BASIC_RETURN_METHOD;
static const uint32_t amqp_method_basic_ack = AMQP_BASIC_ACK_METHOD;
static const uint32_t amqp_method_basic_nack = AMQP_BASIC_NACK_METHOD;
