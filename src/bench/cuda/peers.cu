// What Funnel's reductions and scans are measured against, in CUDA C++:
//
//   copy        cudaMemcpyAsync from device to device: the ceiling of the device's memory
//   cub         reduce: cub::DeviceReduce::Sum and Max
//               scan: cub::DeviceScan::InclusiveSum, and InclusiveScan for max and affine
//   cuda-naive  reduce: one load a thread in a grid-stride loop, a tree in shared memory, a second
//               kernel
//
//   nvcc -O3 -std=c++17 -arch=native -o peers peers.cu
//   ./peers reduce int,long,float,double sum,max 1024,1048576,268435456 0.2
//   ./peers scan int,long sum,max,affine 1024,1048576,268435456 0.2
//
// affine, over long only, is no operator of CUB's own and not commutative: a long stands for the
// map x -> (2 * h + 1) * x + b over 32-bit integers, h in its high half.
//
// The last argument is the time in seconds to spend on each measurement. Each line of output is a
// JSON object. Times are in nanoseconds, one for each launch.
//
// kernel_ns: between two events around the launch, with further launches already queued behind it,
//   so that no launch latency of the host is in it; of fewer than 2^22 elements the mean of 100
//   launches in a row.
// wall_ns: on the host, from the call to its result in host memory, which of a scan is the last
//   element of its output.
// cache: "warm" reads one buffer again and again, as a program does that reduces resident data;
//   an input smaller than the L2 cache then stays in it. "cold" goes round over as many buffers as
//   fit into four times the L2 cache, each at least once before any is read again. Inputs larger
//   than that have one buffer and are "cold". A scan has as many buffers for its output.
//
// Element i of every buffer is made from splitmix64(i); the caller does the same and checks the
// results. Any CUDA error ends the program with exit code 3.

#include <chrono>
#include <type_traits>

#include <cuda/std/limits>

#include "cub.cuh"

namespace {

constexpr int THREADS = 256;
constexpr int WARM_UP = 10;
constexpr int LEAST_SAMPLES = 20;
constexpr int MOST_SAMPLES = 500;
constexpr int64_t COPIED_INTS = int64_t{1} << 28;

template <typename T>
__device__ T element(uint64_t i) {
  uint64_t bits = splitmix64(i);
  if constexpr (std::is_same_v<T, float>) {
    return (float)(bits >> 40) * 0x1p-24f;
  } else if constexpr (std::is_same_v<T, double>) {
    return (double)(bits >> 11) * 0x1p-53;
  } else {
    return (T)bits;
  }
}

template <typename T>
__global__ void fill(T* values, int64_t total, int64_t length) {
  int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += step) {
    values[i] = element<T>(i % length);
  }
}

struct Sum {
  static constexpr const char* NAME = "sum";
  template <typename T>
  __host__ __device__ static T identity() {
    return T(0);
  }
  template <typename T>
  __host__ __device__ T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      return (T)((U)a + (U)b);
    } else {
      return a + b;
    }
  }
  template <typename T>
  static cudaError_t cub(void* temporary, size_t& bytes, const T* values, T* result, int length,
                         cudaStream_t stream) {
    return cub::DeviceReduce::Sum(temporary, bytes, values, result, length, stream);
  }
  template <typename T>
  static cudaError_t scan(void* temporary, size_t& bytes, const T* values, T* results, int length,
                          cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(temporary, bytes, values, results, length, stream);
  }
};

struct Max {
  static constexpr const char* NAME = "max";
  template <typename T>
  __host__ __device__ static T identity() {
    return cuda::std::numeric_limits<T>::lowest();
  }
  template <typename T>
  __host__ __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
  template <typename T>
  static cudaError_t cub(void* temporary, size_t& bytes, const T* values, T* result, int length,
                         cudaStream_t stream) {
    return cub::DeviceReduce::Max(temporary, bytes, values, result, length, stream);
  }
  template <typename T>
  static cudaError_t scan(void* temporary, size_t& bytes, const T* values, T* results, int length,
                          cudaStream_t stream) {
    return cub::DeviceScan::InclusiveScan(temporary, bytes, values, results, Max{}, length,
                                          stream);
  }
};

struct Affine {
  static constexpr const char* NAME = "affine";
  __host__ __device__ long long operator()(long long left, long long right) const {
    uint32_t h = (uint32_t)((uint64_t)left >> 32);
    uint32_t b = (uint32_t)left;
    uint32_t k = (uint32_t)((uint64_t)right >> 32);
    uint32_t d = (uint32_t)right;
    uint32_t half = 2 * h * k + h + k;
    return (long long)((uint64_t)half << 32 | (uint32_t)(b * (2 * k + 1) + d));
  }
  static cudaError_t scan(void* temporary, size_t& bytes, const long long* values,
                          long long* results, int length, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveScan(temporary, bytes, values, results, Affine{}, length,
                                          stream);
  }
};

template <typename T, typename Op>
__global__ void naive(const T* values, int64_t length, T* partials) {
  __shared__ T scratch[THREADS];
  Op op;
  T sum = Op::template identity<T>();
  int64_t step = (int64_t)gridDim.x * THREADS;
  for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < length; i += step) {
    sum = op(sum, values[i]);
  }
  scratch[threadIdx.x] = sum;
  __syncthreads();
  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
    if ((int)threadIdx.x < stride) {
      scratch[threadIdx.x] = op(scratch[threadIdx.x], scratch[threadIdx.x + stride]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = scratch[0];
  }
}

std::string text(int32_t value) { return std::to_string(value); }
std::string text(long long value) { return std::to_string(value); }
std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}
std::string text(float value) { return text((double)value); }

/**
 * One peer, warm or cold, and the line about it. launch(from) works on the buffer that begins
 * from elements behind the first one and has its result at resultOf(from).
 */
template <typename T, typename Launch, typename ResultOf>
void measure(const Settings& settings, const char* subject, const char* work, const char* type,
             const char* op, int64_t length, const char* cache, int64_t buffers, T* hostResult,
             Launch launch, ResultOf resultOf) {
  auto place = [&](int64_t k) { return k % buffers * length; };
  auto nth = [&](int64_t k) { launch(place(k)); };
  for (int64_t k = 0; k < buffers; k++) {
    CHECK(cudaMemsetAsync(resultOf(place(k)), 0xA5, sizeof(T), settings.stream));
  }
  std::vector<double> first = kernelTimes(settings, 0, WARM_UP, nth);
  int count = launches(settings, first.back(), LEAST_SAMPLES, MOST_SAMPLES);
  std::vector<double> kernel = timesOf(settings, length, WARM_UP, count, nth);
  std::vector<double> wall;
  for (int k = 0; k < count; k++) {
    auto begin = std::chrono::steady_clock::now();
    int64_t from = place(WARM_UP + count + k);
    launch(from);
    CHECK(cudaMemcpyAsync(hostResult, resultOf(from), sizeof(T), cudaMemcpyDeviceToHost,
                          settings.stream));
    CHECK(cudaStreamSynchronize(settings.stream));
    auto end = std::chrono::steady_clock::now();
    wall.push_back(std::chrono::duration<double, std::nano>(end - begin).count());
  }
  std::printf("{\"record\":\"peer\",\"subject\":\"%s\",\"work\":\"%s\",\"type\":\"%s\","
              "\"op\":\"%s\",\"length\":%lld,\"cache\":\"%s\",\"buffers\":%lld,"
              "\"result\":\"%s\"",
              subject, work, type, op, (long long)length, cache, (long long)buffers,
              text(*hostResult).c_str());
  printTimes("kernel_ns", kernel);
  printTimes("wall_ns", wall);
  std::printf("}\n");
  std::fflush(stdout);
}

template <typename T, typename Op>
void reduce(const Settings& settings, const char* type, int64_t length, int64_t total,
            T* values) {
  T* result;
  T* hostResult;
  T* partials;
  void* temporary = nullptr;
  size_t temporaryBytes = 0;
  CHECK(cudaMalloc(&result, sizeof(T)));
  CHECK(cudaMallocHost(&hostResult, sizeof(T)));
  CHECK(cudaMalloc(&partials, settings.blocks * sizeof(T)));
  CHECK(Op::cub(temporary, temporaryBytes, values, result, (int)length, settings.stream));
  CHECK(cudaMalloc(&temporary, temporaryBytes));

  auto cub = [&](int64_t from) {
    CHECK(Op::cub(temporary, temporaryBytes, values + from, result, (int)length,
                  settings.stream));
  };
  auto plain = [&](int64_t from) {
    naive<T, Op><<<settings.blocks, THREADS, 0, settings.stream>>>(values + from, length,
                                                                   partials);
    CHECK(cudaGetLastError());
    naive<T, Op><<<1, THREADS, 0, settings.stream>>>(partials, settings.blocks, result);
    CHECK(cudaGetLastError());
  };
  auto resultOf = [&](int64_t) { return result; };
  int64_t buffers = total / length;
  if (buffers > 1) {
    measure(settings, "cub", "reduce", type, Op::NAME, length, "warm", 1, hostResult, cub,
            resultOf);
    measure(settings, "cuda-naive", "reduce", type, Op::NAME, length, "warm", 1, hostResult,
            plain, resultOf);
  }
  measure(settings, "cub", "reduce", type, Op::NAME, length, "cold", buffers, hostResult, cub,
          resultOf);
  measure(settings, "cuda-naive", "reduce", type, Op::NAME, length, "cold", buffers, hostResult,
          plain, resultOf);

  CHECK(cudaFree(temporary));
  CHECK(cudaFree(partials));
  CHECK(cudaFreeHost(hostResult));
  CHECK(cudaFree(result));
}

template <typename T, typename Op>
void scan(const Settings& settings, const char* type, int64_t length, int64_t total,
          const T* values) {
  T* results;
  T* hostResult;
  void* temporary = nullptr;
  size_t temporaryBytes = 0;
  CHECK(cudaMalloc(&results, total * sizeof(T)));
  CHECK(cudaMallocHost(&hostResult, sizeof(T)));
  CHECK(Op::scan(temporary, temporaryBytes, values, results, (int)length, settings.stream));
  CHECK(cudaMalloc(&temporary, temporaryBytes));

  auto cub = [&](int64_t from) {
    CHECK(Op::scan(temporary, temporaryBytes, values + from, results + from, (int)length,
                   settings.stream));
  };
  auto resultOf = [&](int64_t from) { return results + from + length - 1; };
  int64_t buffers = total / length;
  if (buffers > 1) {
    measure(settings, "cub", "scan", type, Op::NAME, length, "warm", 1, hostResult, cub,
            resultOf);
  }
  measure(settings, "cub", "scan", type, Op::NAME, length, "cold", buffers, hostResult, cub,
          resultOf);

  CHECK(cudaFree(temporary));
  CHECK(cudaFreeHost(hostResult));
  CHECK(cudaFree(results));
}

template <typename T>
void type(const Settings& settings, bool isScan, const char* name,
          const std::vector<std::string>& ops, const std::vector<int64_t>& lengths) {
  for (int64_t length : lengths) {
    int64_t total = 4 * settings.l2Bytes / (int64_t)sizeof(T) / length * length;
    total = total < length ? length : total;
    T* values;
    CHECK(cudaMalloc(&values, total * sizeof(T)));
    fill<<<settings.blocks, THREADS, 0, settings.stream>>>(values, total, length);
    CHECK(cudaGetLastError());
    if (contains(ops, Sum::NAME)) {
      if (isScan) {
        scan<T, Sum>(settings, name, length, total, values);
      } else {
        reduce<T, Sum>(settings, name, length, total, values);
      }
    }
    if (contains(ops, Max::NAME)) {
      if (isScan) {
        scan<T, Max>(settings, name, length, total, values);
      } else {
        reduce<T, Max>(settings, name, length, total, values);
      }
    }
    if constexpr (std::is_same_v<T, long long>) {
      if (isScan && contains(ops, Affine::NAME)) {
        scan<T, Affine>(settings, name, length, total, values);
      }
    }
    CHECK(cudaFree(values));
  }
}

void copy(const Settings& settings) {
  int32_t* from;
  int32_t* to;
  size_t bytes = COPIED_INTS * sizeof(int32_t);
  CHECK(cudaMalloc(&from, bytes));
  CHECK(cudaMalloc(&to, bytes));
  fill<<<settings.blocks, THREADS, 0, settings.stream>>>(from, COPIED_INTS, COPIED_INTS);
  CHECK(cudaGetLastError());
  auto launch = [&](int) {
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, settings.stream));
  };
  std::vector<double> first = kernelTimes(settings, 0, WARM_UP, launch);
  int count = launches(settings, first.back(), LEAST_SAMPLES, MOST_SAMPLES);
  std::vector<double> times = kernelTimes(settings, WARM_UP, count, launch);
  int32_t host = 0;
  CHECK(cudaMemcpy(&host, to + COPIED_INTS - 1, sizeof host, cudaMemcpyDeviceToHost));
  int32_t expected = (int32_t)splitmix64(COPIED_INTS - 1);
  if (host != expected) {
    std::fprintf(stderr, "peers.cu: the copy is wrong: last element %d, expected %d\n", host,
                 expected);
    std::exit(3);
  }
  std::printf("{\"record\":\"peer\",\"subject\":\"copy\",\"work\":\"copy\",\"type\":\"int\",\"op\":\"copy\","
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
  std::string work = argc == 6 ? argv[1] : "";
  if (work != "reduce" && work != "scan") {
    std::fprintf(stderr,
                 "usage: peers reduce|scan TYPES OPS LENGTHS SECONDS, lists separated by commas\n");
    return 2;
  }
  bool isScan = work == "scan";
  std::vector<std::string> types = split(argv[2]);
  std::vector<std::string> ops = split(argv[3]);
  std::vector<int64_t> lengths;
  if (!numbers(argv[4], INT32_MAX, lengths)) {
    return 2;
  }
  Settings settings = openDevice(argv[5]);
  copy(settings);
  if (contains(types, "int")) {
    type<int32_t>(settings, isScan, "int", ops, lengths);
  }
  if (contains(types, "long")) {
    type<long long>(settings, isScan, "long", ops, lengths);
  }
  if (contains(types, "float")) {
    type<float>(settings, isScan, "float", ops, lengths);
  }
  if (contains(types, "double")) {
    type<double>(settings, isScan, "double", ops, lengths);
  }
  CHECK(cudaStreamDestroy(settings.stream));
  return 0;
}
