// What the programs that measure CUB have in common: the device, and lists of numbers.

#pragma once

#include <cub/cub.cuh>

#include "timing.cuh"

namespace {

/** Prints what the device is, and makes a stream; measurements take so many seconds each. */
inline Settings openDevice(const char* seconds) {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int driver = 0;
  int runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("{\"record\":\"device\",\"name\":\"%s\",\"multiprocessors\":%d,\"l2_bytes\":%d,"
              "\"cuda_driver\":%d,\"cuda_runtime\":%d,\"cub\":\"%d.%d.%d\"}\n",
              properties.name, properties.multiProcessorCount, properties.l2CacheSize, driver,
              runtime, CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  Settings settings{std::atof(seconds), properties.l2CacheSize,
                    properties.multiProcessorCount * 8, nullptr};
  CHECK(cudaStreamCreateWithFlags(&settings.stream, cudaStreamNonBlocking));
  return settings;
}

/** The numbers of a list, from 1 to most; false after a message if one is not. */
inline bool numbers(const char* list, int64_t most, std::vector<int64_t>& into) {
  for (const std::string& text : split(list)) {
    into.push_back(std::atoll(text.c_str()));
    if (into.back() < 1 || into.back() > most) {
      std::fprintf(stderr, "'%s' is not between 1 and %lld\n", text.c_str(),
                   (long long)most);
      return false;
    }
  }
  return true;
}

}  // namespace
