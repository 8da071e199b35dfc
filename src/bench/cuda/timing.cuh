// What the programs here have in common: data, times by events, and lines of output.

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                    \
  do {                                                                                 \
    cudaError_t error = (call);                                                        \
    if (error != cudaSuccess) {                                                        \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,              \
                   cudaGetErrorString(error));                                         \
      std::exit(3);                                                                    \
    }                                                                                  \
  } while (0)

namespace {

__host__ __device__ uint64_t splitmix64(uint64_t i) {
  uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

struct Settings {
  double seconds;
  int64_t l2Bytes;
  int blocks;
  cudaStream_t stream;
};

/** Nanoseconds of each of several launches, by events. launch(k) is the k-th. */
template <typename Launch>
std::vector<double> kernelTimes(const Settings& settings, int first, int count, Launch launch) {
  std::vector<cudaEvent_t> events(2 * count);
  for (cudaEvent_t& event : events) {
    CHECK(cudaEventCreate(&event));
  }
  for (int k = 0; k < count; k++) {
    CHECK(cudaEventRecord(events[2 * k], settings.stream));
    launch(first + k);
    CHECK(cudaEventRecord(events[2 * k + 1], settings.stream));
  }
  CHECK(cudaStreamSynchronize(settings.stream));
  std::vector<double> times;
  for (int k = 0; k < count; k++) {
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, events[2 * k], events[2 * k + 1]));
    times.push_back(milliseconds * 1e6);
  }
  for (cudaEvent_t event : events) {
    CHECK(cudaEventDestroy(event));
  }
  return times;
}

/** How many launches, each of so many nanoseconds, fill the time that is given. */
inline int launches(const Settings& settings, double nanoseconds, int least, int most) {
  double wanted = settings.seconds * 1e9 / (nanoseconds + 1);
  return (int)(wanted < least ? least : wanted > most ? most : wanted);
}

inline void printTimes(const char* name, const std::vector<double>& times) {
  std::printf(",\"%s\":[", name);
  for (size_t k = 0; k < times.size(); k++) {
    std::printf(k == 0 ? "%.0f" : ",%.0f", times[k]);
  }
  std::printf("]");
}

inline bool contains(const std::vector<std::string>& names, const char* wanted) {
  for (const std::string& name : names) {
    if (name == wanted) {
      return true;
    }
  }
  return false;
}

/** The parts of a list with commas between; "-" is an empty one. */
inline std::vector<std::string> split(const char* list) {
  std::vector<std::string> parts;
  if (std::string(list) == "-") {
    return parts;
  }
  std::string part;
  for (const char* c = list;; c++) {
    if (*c == ',' || *c == 0) {
      parts.push_back(part);
      part.clear();
    } else {
      part += *c;
    }
    if (*c == 0) {
      return parts;
    }
  }
}

}  // namespace
