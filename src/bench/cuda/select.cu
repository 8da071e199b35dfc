// What Funnel's selections are measured against, in CUDA C++:
//
//   copy   cudaMemcpyAsync from device to device: the ceiling of the device's memory
//   cub    cub::DeviceSelect::If, Flagged and Unique, cub::DevicePartition::If,
//          cub::DeviceRunLengthEncode::Encode; a chain of cub::DeviceSelect::If,
//          cub::DeviceScan::InclusiveSum of what is kept and cub::DeviceReduce::Max of the sums,
//          with the number that is kept brought to the host in between, since the next two need it
//
//   nvcc -O3 -std=c++17 -arch=native -o select select.cu
//   ./select int,long,float,double,byte select-50,flagged-50,unique-2 1048576,268435456 0.2
//
// The operations: select-0, select-50, select-100, flagged-50, partition-50 (percent that are kept),
// unique-2, unique-128, runs-2, runs-128 (lengths of runs), chain-50 (not of floats, whose sums
// depend on the order).
//
// The last argument is the time in seconds to spend on each measurement. Each line of output is a
// JSON object. Times are in nanoseconds, one for each launch.
//
// kernel_ns: between two events around the launch, with further launches already queued behind it,
//   so that no launch latency of the host is in it; of fewer than 2^22 elements the mean of 100
//   launches in a row. None of a chain, in which the host waits.
// wall_ns: on the host, from the call to the number of elements that are kept in host memory, of a
//   chain to the largest sum.
// cache: "warm" reads one buffer again and again, as a program does that selects from resident data;
//   an input smaller than the L2 cache then stays in it. "cold" goes round over as many buffers as
//   fit into four times the L2 cache, each at least once before any is read again. Inputs larger
//   than that have one buffer and are "cold". There are as many buffers for outputs.
//
// Element i of every buffer is a whole number from 0 to 127, made from splitmix64(i), or in runs
// 0, 0, 1, 1, ...; flags are 1 for those over 63. The caller does the same and checks what the last
// launch gave: "result" is how many are kept, "hash" the sum of (element k of an output) * (2k + 1)
// modulo 2^64, over all outputs; the second part of a partition, which CUB reverses, from its end;
// of a chain the largest sum.
// Any CUDA error ends the program with exit code 3.

#include <algorithm>
#include <chrono>
#include <type_traits>

#include "cub.cuh"

namespace {

constexpr int THREADS = 256;
constexpr int WARM_UP = 10;
constexpr int LEAST_SAMPLES = 20;
constexpr int MOST_SAMPLES = 500;
constexpr int SPAN = 128;
constexpr int FLAGGED_OVER = 63;
constexpr int64_t COPIED_INTS = int64_t{1} << 28;

enum Kind { SELECT, FLAGGED, PARTITION, UNIQUE, RUNS, CHAIN };

/** An operation; of random elements those over a limit are kept. */
struct Task {
  const char* name;
  Kind kind;
  int limit;
  int run;
};

const Task TASKS[] = {
    {"select-0", SELECT, 200, 0},        {"select-50", SELECT, 63, 0},
    {"select-100", SELECT, -1, 0},       {"flagged-50", FLAGGED, 63, 0},
    {"partition-50", PARTITION, 63, 0},  {"unique-2", UNIQUE, 0, 2},
    {"unique-128", UNIQUE, 0, 128},      {"runs-2", RUNS, 0, 2},
    {"runs-128", RUNS, 0, 128},          {"chain-50", CHAIN, 63, 0},
};

__host__ __device__ int value(int64_t i, int run) {
  return run == 0 ? (int)(splitmix64((uint64_t)i) >> 57) : (int)(i / run % SPAN);
}

template <typename T>
__global__ void fill(T* values, uint8_t* flags, int64_t total, int64_t length, int run) {
  int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += step) {
    int v = value(i % length, run);
    values[i] = (T)v;
    flags[i] = v > FLAGGED_OVER ? 1 : 0;
  }
}

template <typename T>
struct Over {
  T limit;
  __host__ __device__ bool operator()(const T& x) const { return x > limit; }
};

/** None of a byte is over 200, which it could be; all are over -1, which no byte is. */
struct AnyByte {
  __host__ __device__ bool operator()(const uint8_t& x) const { return x < 200; }
};

/** The type of a scan's sums. */
template <typename T>
using Sum = std::conditional_t<std::is_same_v<T, uint8_t>, int, T>;

/** The buffers of one type and length. */
template <typename T>
struct Buffers {
  T* values;
  uint8_t* flags;
  T* kept;
  int* lengths;
  Sum<T>* sums;
  Sum<T>* max;
  Sum<T>* hostMax;
  int* count;
  int* hostCount;
};

template <typename T, typename Predicate>
cudaError_t byPredicate(void* temporary, size_t& bytes, const Task& task, const Buffers<T>& b,
                        int64_t from, int length, Predicate predicate, cudaStream_t stream) {
  if (task.kind == PARTITION) {
    return cub::DevicePartition::If(temporary, bytes, b.values + from, b.kept + from, b.count,
                                    length, predicate, stream);
  }
  return cub::DeviceSelect::If(temporary, bytes, b.values + from, b.kept + from, b.count, length,
                               predicate, stream);
}

template <typename T>
cudaError_t cubSelect(void* temporary, size_t& bytes, const Task& task, const Buffers<T>& b,
                      int64_t from, int length, cudaStream_t stream) {
  switch (task.kind) {
    case FLAGGED:
      return cub::DeviceSelect::Flagged(temporary, bytes, b.values + from, b.flags + from,
                                        b.kept + from, b.count, length, stream);
    case UNIQUE:
      return cub::DeviceSelect::Unique(temporary, bytes, b.values + from, b.kept + from, b.count,
                                       length, stream);
    case RUNS:
      return cub::DeviceRunLengthEncode::Encode(temporary, bytes, b.values + from, b.kept + from,
                                                b.lengths + from, b.count, length, stream);
    default:
      if constexpr (std::is_same_v<T, uint8_t>) {
        if (task.limit < 0) {
          return byPredicate(temporary, bytes, task, b, from, length, AnyByte{}, stream);
        }
      }
      return byPredicate(temporary, bytes, task, b, from, length, Over<T>{(T)task.limit}, stream);
  }
}

/** Selects, waits for the number that is kept, scans so many, and takes the largest of the sums. */
template <typename T>
void chain(void* temporary, size_t bytes, const Task& task, const Buffers<T>& b, int64_t from,
           int length, cudaStream_t stream) {
  CHECK(cubSelect<T>(temporary, bytes, task, b, from, length, stream));
  CHECK(cudaMemcpyAsync(b.hostCount, b.count, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cub::DeviceScan::InclusiveSum(temporary, bytes, b.kept + from, b.sums + from,
                                      *b.hostCount, stream));
  CHECK(cub::DeviceReduce::Max(temporary, bytes, b.sums + from, b.max, *b.hostCount, stream));
}

/** Bytes of temporary memory, enough for each call of an operation. */
template <typename T>
size_t temporaryBytes(const Task& task, const Buffers<T>& b, int length, cudaStream_t stream) {
  size_t select = 0;
  CHECK(cubSelect<T>(nullptr, select, task, b, 0, length, stream));
  if (task.kind != CHAIN) {
    return select;
  }
  size_t scan = 0;
  size_t max = 0;
  CHECK(cub::DeviceScan::InclusiveSum(nullptr, scan, b.kept, b.sums, length, stream));
  CHECK(cub::DeviceReduce::Max(nullptr, max, b.sums, b.max, length, stream));
  return std::max({select, scan, max});
}

/** The sum of elements, each by its place's odd number; backwards from the last one if step is -1. */
template <typename V>
uint64_t hashOf(const V* elements, int64_t count, int64_t first, int step) {
  uint64_t hash = 0;
  for (int64_t k = 0; k < count; k++) {
    hash += (uint64_t)(int64_t)elements[first + k * step] * (2 * (uint64_t)k + 1);
  }
  return hash;
}

/** One operation, warm or cold, and the line about it. */
template <typename T>
void measure(const Settings& settings, const char* type, const Task& task, int64_t length,
             const char* cache, int64_t buffers, const Buffers<T>& b, void* temporary,
             size_t bytes) {
  auto place = [&](int64_t k) { return k % buffers * length; };
  auto nth = [&](int64_t k) {
    if (task.kind == CHAIN) {
      chain<T>(temporary, bytes, task, b, place(k), (int)length, settings.stream);
    } else {
      CHECK(cubSelect<T>(temporary, bytes, task, b, place(k), (int)length, settings.stream));
    }
  };
  CHECK(cudaMemsetAsync(b.kept, 0xA5, buffers * length * sizeof(T), settings.stream));
  CHECK(cudaMemsetAsync(b.count, 0xA5, sizeof(int), settings.stream));
  std::vector<double> first = kernelTimes(settings, 0, WARM_UP, nth);
  int count = launches(settings, first.back(), LEAST_SAMPLES, MOST_SAMPLES);
  std::vector<double> kernel;
  if (task.kind != CHAIN) {
    kernel = timesOf(settings, length, WARM_UP, count, nth);
  }
  std::vector<double> wall;
  int64_t last = 0;
  for (int k = 0; k < count; k++) {
    auto begin = std::chrono::steady_clock::now();
    last = WARM_UP + count + k;
    nth(last);
    CHECK(task.kind == CHAIN
              ? cudaMemcpyAsync(b.hostMax, b.max, sizeof(Sum<T>), cudaMemcpyDeviceToHost,
                                settings.stream)
              : cudaMemcpyAsync(b.hostCount, b.count, sizeof(int), cudaMemcpyDeviceToHost,
                                settings.stream));
    CHECK(cudaStreamSynchronize(settings.stream));
    auto end = std::chrono::steady_clock::now();
    wall.push_back(std::chrono::duration<double, std::nano>(end - begin).count());
  }
  int64_t kept = *b.hostCount;
  if (kept < 0 || kept > length) {
    std::fprintf(stderr, "select.cu: %s of %s: count=%lld\n", task.name, type, (long long)kept);
    std::exit(3);
  }
  std::vector<T> elements(length);
  CHECK(cudaMemcpy(elements.data(), b.kept + place(last), length * sizeof(T),
                   cudaMemcpyDeviceToHost));
  uint64_t hash = task.kind == CHAIN ? hashOf(b.hostMax, 1, 0, 1)
                                     : hashOf(elements.data(), kept, 0, 1);
  if (task.kind == PARTITION) {
    hash += hashOf(elements.data(), length - kept, length - 1, -1);
  }
  if (task.kind == RUNS) {
    std::vector<int> lengths(kept);
    CHECK(cudaMemcpy(lengths.data(), b.lengths + place(last), kept * sizeof(int),
                     cudaMemcpyDeviceToHost));
    hash += hashOf(lengths.data(), kept, 0, 1);
  }
  std::printf("{\"record\":\"peer\",\"subject\":\"cub\",\"type\":\"%s\",\"op\":\"%s\","
              "\"length\":%lld,\"cache\":\"%s\",\"buffers\":%lld,\"result\":\"%lld\","
              "\"hash\":\"%016llx\"",
              type, task.name, (long long)length, cache, (long long)buffers, (long long)kept,
              (unsigned long long)hash);
  if (!kernel.empty()) {
    printTimes("kernel_ns", kernel);
  }
  printTimes("wall_ns", wall);
  std::printf("}\n");
  std::fflush(stdout);
}

template <typename T>
void select(const Settings& settings, const char* type, const Task& task, int64_t length,
            int64_t buffers, const Buffers<T>& b) {
  void* temporary = nullptr;
  size_t bytes = temporaryBytes<T>(task, b, (int)length, settings.stream);
  CHECK(cudaMalloc(&temporary, bytes + 1));
  fill<T><<<settings.blocks, THREADS, 0, settings.stream>>>(b.values, b.flags, buffers * length,
                                                            length, task.run);
  CHECK(cudaGetLastError());
  if (buffers > 1) {
    measure<T>(settings, type, task, length, "warm", 1, b, temporary, bytes);
  }
  measure<T>(settings, type, task, length, "cold", buffers, b, temporary, bytes);
  CHECK(cudaFree(temporary));
}

template <typename T>
void type(const Settings& settings, const char* name, const std::vector<std::string>& ops,
          const std::vector<int64_t>& lengths) {
  for (int64_t length : lengths) {
    int64_t total = 4 * settings.l2Bytes / (int64_t)sizeof(T) / length * length;
    total = total < length ? length : total;
    Buffers<T> b;
    CHECK(cudaMalloc(&b.values, total * sizeof(T)));
    CHECK(cudaMalloc(&b.flags, total));
    CHECK(cudaMalloc(&b.kept, total * sizeof(T)));
    CHECK(cudaMalloc(&b.lengths, total * sizeof(int)));
    CHECK(cudaMalloc(&b.sums, total * sizeof(Sum<T>)));
    CHECK(cudaMalloc(&b.max, sizeof(Sum<T>)));
    CHECK(cudaMallocHost(&b.hostMax, sizeof(Sum<T>)));
    CHECK(cudaMalloc(&b.count, sizeof(int)));
    CHECK(cudaMallocHost(&b.hostCount, sizeof(int)));
    for (const Task& task : TASKS) {
      bool inAnyOrder = task.kind != CHAIN || !std::is_same_v<T, float>;
      if (contains(ops, task.name) && inAnyOrder) {
        select<T>(settings, name, task, length, total / length, b);
      }
    }
    CHECK(cudaFreeHost(b.hostCount));
    CHECK(cudaFree(b.count));
    CHECK(cudaFreeHost(b.hostMax));
    CHECK(cudaFree(b.max));
    CHECK(cudaFree(b.sums));
    CHECK(cudaFree(b.lengths));
    CHECK(cudaFree(b.kept));
    CHECK(cudaFree(b.flags));
    CHECK(cudaFree(b.values));
  }
}

void copy(const Settings& settings) {
  int32_t* from;
  int32_t* to;
  size_t bytes = COPIED_INTS * sizeof(int32_t);
  CHECK(cudaMalloc(&from, bytes));
  CHECK(cudaMalloc(&to, bytes));
  CHECK(cudaMemset(from, 0x5A, bytes));
  CHECK(cudaMemset(to, 0, bytes));
  auto launch = [&](int) {
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, settings.stream));
  };
  std::vector<double> first = kernelTimes(settings, 0, WARM_UP, launch);
  int count = launches(settings, first.back(), LEAST_SAMPLES, MOST_SAMPLES);
  std::vector<double> times = kernelTimes(settings, WARM_UP, count, launch);
  int32_t host = 0;
  CHECK(cudaMemcpy(&host, to + COPIED_INTS - 1, sizeof host, cudaMemcpyDeviceToHost));
  int32_t expected = 0x5A5A5A5A;
  if (host != expected) {
    std::fprintf(stderr, "select.cu: the copy is wrong: last element %d, expected %d\n", host,
                 expected);
    std::exit(3);
  }
  std::printf("{\"record\":\"peer\",\"subject\":\"copy\",\"type\":\"int\",\"op\":\"copy\","
              "\"length\":%lld,\"cache\":\"cold\",\"buffers\":1,\"result\":\"%d\"",
              (long long)COPIED_INTS, host);
  printTimes("kernel_ns", times);
  std::printf("}\n");
  std::fflush(stdout);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: select TYPES OPS LENGTHS SECONDS, lists separated by commas\n");
    return 2;
  }
  std::vector<std::string> types = split(argv[1]);
  std::vector<std::string> ops = split(argv[2]);
  std::vector<int64_t> lengths;
  if (!numbers(argv[3], INT32_MAX, lengths)) {
    return 2;
  }
  Settings settings = openDevice(argv[4]);
  copy(settings);
  if (contains(types, "int")) {
    type<int32_t>(settings, "int", ops, lengths);
  }
  if (contains(types, "long")) {
    type<long long>(settings, "long", ops, lengths);
  }
  if (contains(types, "float")) {
    type<float>(settings, "float", ops, lengths);
  }
  if (contains(types, "double")) {
    type<double>(settings, "double", ops, lengths);
  }
  if (contains(types, "byte")) {
    type<uint8_t>(settings, "byte", ops, lengths);
  }
  CHECK(cudaStreamDestroy(settings.stream));
  return 0;
}
