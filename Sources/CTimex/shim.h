#pragma once
// Not part of Swift's Glibc module: whether the system keeps its clock set.
#include <sys/timex.h>
