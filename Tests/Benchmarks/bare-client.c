/* What a client of libmosquitto takes at least: it does nothing with a message, or sends it back.
 *
 * usage: bare-client count PORT TOPIC QOS N          ends after N messages
 *        bare-client echo PORT TOPIC QOS PREFIX OUT  publishes on OUT what comes on topics that begin with PREFIX
 *
 * Prints "ready" once it is subscribed. */
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *topic, *prefix, *out;
static int qos;
static long left;

static void connected(struct mosquitto *client, void *context, int code) {
    (void)context;
    if (code == 0) mosquitto_subscribe(client, NULL, topic, qos);
}

static void subscribed(struct mosquitto *client, void *context, int id, int count, const int *granted) {
    (void)client, (void)context, (void)id, (void)count, (void)granted;
    puts("ready");
    fflush(stdout);
}

static void received(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    (void)context;
    if (prefix == NULL) {
        if (--left == 0) mosquitto_disconnect(client);
    } else if (strncmp(message->topic, prefix, strlen(prefix)) == 0) {
        mosquitto_publish(client, NULL, out, message->payloadlen, message->payload, qos, false);
    }
}

int main(int count, char **arguments) {
    if (count < 6) return 2;
    topic = arguments[3];
    qos = atoi(arguments[4]);
    if (strcmp(arguments[1], "echo") == 0) {
        if (count != 7) return 2;
        prefix = arguments[5];
        out = arguments[6];
    } else {
        left = atol(arguments[5]);
    }
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new(NULL, true, NULL);
    mosquitto_connect_callback_set(client, connected);
    mosquitto_subscribe_callback_set(client, subscribed);
    mosquitto_message_callback_set(client, received);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    if (mosquitto_connect(client, "127.0.0.1", atoi(arguments[2]), 60) != MOSQ_ERR_SUCCESS) return 1;
    while (mosquitto_loop(client, 1000, 1) == MOSQ_ERR_SUCCESS) {}
    return left == 0 ? 0 : 1;
}
