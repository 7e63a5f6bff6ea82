#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
// Not part of Swift's Glibc module; the broker thread is woken through an eventfd.
#include <sys/eventfd.h>
