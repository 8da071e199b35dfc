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

/**
 * The same of launches in a row, without what events and the host add to a short one: the mean of
 * many, each of which is recorded as a graph with a copy of 8 bytes to the host, as each run of
 * Funnel is (QueuedRuns.java). They must not wait for the host.
 */
template <typename Launch>
std::vector<double> queuedTimes(const Settings& settings, int first, int count, Launch launch) {
  constexpr int QUEUED = 100;
  constexpr size_t COPIED = 8;
  std::vector<cudaGraphExec_t> launches(QUEUED);
  void* device;
  void* host;
  cudaEvent_t begin;
  cudaEvent_t end;
  CHECK(cudaMalloc(&device, COPIED));
  CHECK(cudaMallocHost(&host, COPIED));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int k = 0; k < QUEUED; k++) {
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(settings.stream, cudaStreamCaptureModeThreadLocal));
    launch(first + k);
    CHECK(cudaMemcpyAsync(host, device, COPIED, cudaMemcpyDeviceToHost, settings.stream));
    CHECK(cudaStreamEndCapture(settings.stream, &graph));
    CHECK(cudaGraphInstantiate(&launches[k], graph, 0));
    CHECK(cudaGraphDestroy(graph));
  }
  std::vector<double> times;
  for (int k = 0; k < count; k++) {
    float milliseconds = 0;
    CHECK(cudaEventRecord(begin, settings.stream));
    for (cudaGraphExec_t each : launches) {
      CHECK(cudaGraphLaunch(each, settings.stream));
    }
    CHECK(cudaEventRecord(end, settings.stream));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(milliseconds * 1e6 / QUEUED);
  }
  for (cudaGraphExec_t each : launches) {
    CHECK(cudaGraphExecDestroy(each));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  return times;
}

/** Times of launches over so many elements: of few in a row, else by events. */
template <typename Launch>
std::vector<double> timesOf(const Settings& settings, int64_t length, int first, int count,
                            Launch launch) {
  return length < 1 << 22 ? queuedTimes(settings, first, count, launch)
                          : kernelTimes(settings, first, count, launch);
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
