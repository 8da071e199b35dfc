// What Funnel's histograms are measured against, in CUDA C++:
//
//   copy        cudaMemcpyAsync from device to device: the ceiling of the device's memory
//   cub         cub::DeviceHistogram::HistogramEven
//   cuda-naive  the counters set to 0, then one atomicAdd in global memory for each sample, in a
//               grid-stride loop
//
//   nvcc -O3 -std=c++17 -arch=native -o histogram histogram.cu
//   ./histogram uniform,constant,hot,sorted 1048576,268435456 268435456 16,256,65536 0.2
//
// The arguments: how samples are distributed; lengths of bytes, which have 256 bins; lengths of
// ints; bins of ints, all of the same width from 0 below 10^9; the time in seconds to spend on each
// measurement. A list may be "-", which is empty. Each line of output is a JSON object. Times are in
// nanoseconds, one for each launch.
//
// kernel_ns: between two events around the launch, with further launches already queued behind it,
//   so that no launch latency of the host is in it; of fewer than 2^22 elements the mean of 100
//   launches in a row.
// wall_ns: on the host, from the call to all counters in host memory.
// cache: "warm" reads one buffer again and again, as a program does that counts resident data; an
//   input smaller than the L2 cache then stays in it. "cold" goes round over as many buffers as fit
//   into four times the L2 cache, each at least once before any is read again. Inputs larger than
//   that have one buffer and are "cold".
//
// Sample i of every buffer is made from splitmix64(i) as value() says; the caller does the same.
// The counters of the last launch are checked by the caller: "total" is their sum, "hash" the sum of
// (counter of bin k) * (2k + 1) modulo 2^64. Where CUB cannot have its memory, or refuses the bins,
// "note" says so and there are no times. Any other CUDA error ends the program with exit code 3.

#include <chrono>

#include "cub.cuh"

namespace {

constexpr int THREADS = 256;
constexpr int MOST_WARM_UPS = 10;
constexpr int LEAST_SAMPLES = 3;
constexpr int MOST_SAMPLES = 500;
constexpr int BYTES = 256;
constexpr int SPAN = 1000000000;
constexpr int MOST_BINS = 1 << 24;
constexpr int64_t COPIED_INTS = int64_t{1} << 28;

enum Data { UNIFORM, CONSTANT, HOT, SORTED, ALTERNATING, UNKNOWN };

const char* const NAMES[] = {"uniform", "constant", "hot", "sorted", "alternating"};

/** Sample i of length, from 0 below span. hot: nine in ten are the same. */
__host__ __device__ uint64_t value(Data data, uint64_t i, uint64_t length, uint64_t span) {
  uint64_t bits = splitmix64(i);
  uint64_t uniform = ((bits >> 32) * span) >> 32;
  switch (data) {
    case CONSTANT:
      return span / 3;
    case HOT:
      return (bits & 0xffff) * 10 < 9 * 65536 ? span / 3 : uniform;
    case SORTED:
      return i * span / length;
    case ALTERNATING:
      return i % 2 == 0 ? span / 3 : 2 * span / 3;
    default:
      return uniform;
  }
}

template <typename T>
__global__ void fill(T* samples, int64_t total, int64_t length, Data data, int64_t span) {
  int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += step) {
    samples[i] = (T)value(data, i % length, length, span);
  }
}

__device__ int binOf(uint8_t sample, int) { return sample; }

__device__ int binOf(int32_t sample, int bins) {
  return (int)((uint64_t)sample * (uint64_t)bins / SPAN);
}

template <typename T>
__global__ void naive(const T* samples, int64_t length, int* counters, int bins) {
  int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += step) {
    atomicAdd(&counters[binOf(samples[i], bins)], 1);
  }
}

/** Warms up, then takes times. After it, launches from warmUps + times on are new. */
template <typename Launch>
std::vector<double> warmTimes(const Settings& settings, int64_t length, int& warmUps,
                              Launch launch) {
  std::vector<double> first = kernelTimes(settings, 0, 1, launch);
  int more = launches(settings, first.back(), 0, MOST_WARM_UPS);
  if (more > 0) {
    first = kernelTimes(settings, 1, more, launch);
  }
  warmUps = 1 + more;
  int count = launches(settings, first.back(), LEAST_SAMPLES, MOST_SAMPLES);
  return timesOf(settings, length, warmUps, count, launch);
}

/** What is counted, for the lines about it. */
struct Case {
  const char* type;
  const char* data;
  int64_t length;
  int bins;
};

void printHead(const char* subject, const Case& what, const char* cache) {
  std::printf("{\"record\":\"peer\",\"subject\":\"%s\",\"type\":\"%s\",\"data\":\"%s\","
              "\"length\":%lld,\"bins\":%d,\"cache\":\"%s\"",
              subject, what.type, what.data, (long long)what.length, what.bins, cache);
}

/** One peer, warm or cold, and the line about it. launch(from) counts the buffer that begins there. */
template <typename Launch>
void measure(const Settings& settings, const char* subject, const Case& what, const char* cache,
             int64_t buffers, int* counters, int* hostCounters, Launch launch) {
  size_t bytes = what.bins * sizeof(int);
  auto nth = [&](int64_t k) { launch(k % buffers * what.length); };
  CHECK(cudaMemsetAsync(counters, 0xA5, bytes, settings.stream));
  int warmUps = 0;
  std::vector<double> kernel = warmTimes(settings, what.length, warmUps, nth);
  std::vector<double> wall;
  for (size_t k = 0; k < kernel.size(); k++) {
    auto begin = std::chrono::steady_clock::now();
    nth(warmUps + kernel.size() + k);
    CHECK(cudaMemcpyAsync(hostCounters, counters, bytes, cudaMemcpyDeviceToHost,
                          settings.stream));
    CHECK(cudaStreamSynchronize(settings.stream));
    auto end = std::chrono::steady_clock::now();
    wall.push_back(std::chrono::duration<double, std::nano>(end - begin).count());
  }
  int64_t total = 0;
  uint64_t hash = 0;
  for (int bin = 0; bin < what.bins; bin++) {
    total += hostCounters[bin];
    hash += (uint64_t)(int64_t)hostCounters[bin] * (2 * (uint64_t)bin + 1);
  }
  printHead(subject, what, cache);
  std::printf(",\"buffers\":%lld,\"total\":%lld,\"hash\":\"%016llx\"", (long long)buffers,
              (long long)total, (unsigned long long)hash);
  printTimes("kernel_ns", kernel);
  printTimes("wall_ns", wall);
  std::printf("}\n");
  std::fflush(stdout);
}

template <typename T>
cudaError_t cubHistogram(void* temporary, size_t& bytes, const T* samples, int* counters,
                         int bins, int upper, int64_t length, cudaStream_t stream) {
  return cub::DeviceHistogram::HistogramEven(temporary, bytes, samples, counters, bins + 1, 0,
                                             upper, (int)length, stream);
}

template <typename T>
void count(const Settings& settings, const Case& what, int upper, int64_t buffers,
           const T* samples) {
  size_t counterBytes = what.bins * sizeof(int);
  int* counters;
  int* hostCounters;
  CHECK(cudaMalloc(&counters, counterBytes));
  CHECK(cudaMallocHost(&hostCounters, counterBytes));

  void* temporary = nullptr;
  size_t temporaryBytes = 0;
  cudaError_t state = cubHistogram(temporary, temporaryBytes, samples, counters, what.bins, upper,
                                   what.length, settings.stream);
  if (state == cudaSuccess) {
    state = cudaMalloc(&temporary, temporaryBytes + 1);
  }
  if (state == cudaSuccess) {
    auto cub = [&](int64_t from) {
      CHECK(cubHistogram(temporary, temporaryBytes, samples + from, counters, what.bins, upper,
                         what.length, settings.stream));
    };
    if (buffers > 1) {
      measure(settings, "cub", what, "warm", 1, counters, hostCounters, cub);
    }
    measure(settings, "cub", what, "cold", buffers, counters, hostCounters, cub);
    CHECK(cudaFree(temporary));
  } else if (state == cudaErrorMemoryAllocation || state == cudaErrorInvalidValue) {
    cudaGetLastError();  // which forgets it
    printHead("cub", what, "");
    std::printf(",\"note\":\"%s: temporary bytes=%llu\"}\n", cudaGetErrorString(state),
                (unsigned long long)temporaryBytes);
    std::fflush(stdout);
  } else {
    CHECK(state);
  }

  auto plain = [&](int64_t from) {
    CHECK(cudaMemsetAsync(counters, 0, counterBytes, settings.stream));
    naive<T><<<settings.blocks, THREADS, 0, settings.stream>>>(samples + from, what.length,
                                                               counters, what.bins);
    CHECK(cudaGetLastError());
  };
  if (buffers > 1) {
    measure(settings, "cuda-naive", what, "warm", 1, counters, hostCounters, plain);
  }
  measure(settings, "cuda-naive", what, "cold", buffers, counters, hostCounters, plain);

  CHECK(cudaFreeHost(hostCounters));
  CHECK(cudaFree(counters));
}

template <typename T>
void type(const Settings& settings, const char* name, const std::vector<Data>& all,
          const std::vector<int64_t>& lengths, const std::vector<int64_t>& bins, int upper) {
  for (int64_t length : lengths) {
    int64_t total = 4 * settings.l2Bytes / (int64_t)sizeof(T) / length * length;
    total = total < length ? length : total;
    T* samples;
    CHECK(cudaMalloc(&samples, total * sizeof(T)));
    for (Data data : all) {
      fill<<<settings.blocks, THREADS, 0, settings.stream>>>(samples, total, length, data,
                                                             (int64_t)upper);
      CHECK(cudaGetLastError());
      for (int64_t k : bins) {
        count<T>(settings, Case{name, NAMES[data], length, (int)k}, upper, total / length, samples);
      }
    }
    CHECK(cudaFree(samples));
  }
}

void copy(const Settings& settings) {
  int32_t* from;
  int32_t* to;
  size_t bytes = COPIED_INTS * sizeof(int32_t);
  CHECK(cudaMalloc(&from, bytes));
  CHECK(cudaMalloc(&to, bytes));
  fill<<<settings.blocks, THREADS, 0, settings.stream>>>(from, COPIED_INTS, COPIED_INTS, UNIFORM,
                                                         (int64_t)SPAN);
  CHECK(cudaGetLastError());
  auto launch = [&](int64_t) {
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, settings.stream));
  };
  int warmUps = 0;
  std::vector<double> times = warmTimes(settings, COPIED_INTS, warmUps, launch);
  int32_t host = 0;
  CHECK(cudaMemcpy(&host, to + COPIED_INTS - 1, sizeof host, cudaMemcpyDeviceToHost));
  int32_t expected = (int32_t)value(UNIFORM, COPIED_INTS - 1, COPIED_INTS, SPAN);
  if (host != expected) {
    std::fprintf(stderr, "histogram.cu: the copy is wrong: last element %d, expected %d\n", host,
                 expected);
    std::exit(3);
  }
  std::printf("{\"record\":\"peer\",\"subject\":\"copy\",\"type\":\"int\",\"data\":\"uniform\","
              "\"length\":%lld,\"bins\":0,\"cache\":\"cold\"",
              (long long)COPIED_INTS);
  printTimes("kernel_ns", times);
  std::printf("}\n");
  std::fflush(stdout);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

Data dataOf(const std::string& name) {
  for (int k = 0; k < UNKNOWN; k++) {
    if (name == NAMES[k]) {
      return (Data)k;
    }
  }
  return UNKNOWN;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: histogram DATA BYTE_LENGTHS INT_LENGTHS INT_BINS SECONDS, lists"
                         " separated by commas\n");
    return 2;
  }
  std::vector<Data> data;
  for (const std::string& name : split(argv[1])) {
    data.push_back(dataOf(name));
    if (data.back() == UNKNOWN) {
      std::fprintf(stderr, "histogram: '%s' is no distribution\n", name.c_str());
      return 2;
    }
  }
  std::vector<int64_t> byteLengths;
  std::vector<int64_t> intLengths;
  std::vector<int64_t> bins;
  if (!numbers(argv[2], INT32_MAX, byteLengths) || !numbers(argv[3], INT32_MAX, intLengths) ||
      !numbers(argv[4], MOST_BINS, bins)) {
    return 2;
  }
  Settings settings = openDevice(argv[5]);
  copy(settings);
  type<uint8_t>(settings, "byte", data, byteLengths, {BYTES}, BYTES);
  type<int32_t>(settings, "int", data, intLengths, bins, SPAN);
  CHECK(cudaStreamDestroy(settings.stream));
  return 0;
}
