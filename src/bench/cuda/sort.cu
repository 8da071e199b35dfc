// What Funnel's sorts are measured against, in CUDA C++:
//
//   sort                cub::DeviceRadixSort::SortKeys
//   order               cub::DeviceRadixSort::SortPairs with positions
//   merge-sort          cub::DeviceMergeSort::StableSortKeysCopy
//   merge               cub::DeviceMerge::MergeKeys of two halves, each sorted before
//   segments-N          cub::DeviceSegmentedSort::StableSortKeys of segments of N keys: 16, 1000 or
//                       1000000
//   segments-short      the same, of 1, 8, 15, 6 keys and so on: all lengths up to 16, again and again
//   segments-uneven     the same, half of the keys in segments of ten, the others in one
//
//   nvcc -O3 -std=c++17 -arch=native -o sort sort.cu
//   ./sort int,long,float sort,order uniform,ten-bits,constant,sorted 1048576,268435456 0.2
//
// The last argument is the time in seconds to spend on each measurement. Each line of output is a
// JSON object. Times are in nanoseconds, one for each launch.
//
// kernel_ns: between two events around the launch, with further launches already queued behind it,
//   so that no launch latency of the host is in it; of fewer than 2^22 elements the mean of 100
//   launches in a row.
// wall_ns: on the host, from the call to the end of the sort; nothing comes back.
// cache: "warm" reads one buffer again and again; keys smaller than the L2 cache then stay in it.
//   "cold" goes round over as many buffers as fit into four times the L2 cache, each at least once
//   before any is read again. Keys larger than that have one buffer and are "cold". There are as
//   many buffers for outputs. Keys stay as they are: CUB sorts into other memory.
//
// Keys are made from whole numbers: splitmix64(i); its highest 10 bits; 77; or i, of bytes
// 256 i / n. Floating-point keys are converted from these, of floats from their lowest 32 bits. The
// caller does the same and checks what the last launch gave: "hash" is the sum of (bits of element
// k, as an integer with a sign) * (2k + 1) modulo 2^64, over the sorted keys, or over the positions.
// Any CUDA error ends the program with exit code 3.

#include <chrono>
#include <type_traits>

#include "cub.cuh"

namespace {

constexpr int THREADS = 256;
constexpr int WARM_UP = 5;
constexpr int LEAST_SAMPLES = 10;
constexpr int MOST_SAMPLES = 500;
constexpr int64_t CONSTANT = 77;

enum Data { UNIFORM, TEN_BITS, ALL_ALIKE, SORTED };
const char* const DATA[] = {"uniform", "ten-bits", "constant", "sorted"};

__device__ int64_t value(int64_t i, int64_t length, int data, bool isByte) {
  switch (data) {
    case UNIFORM:
      return (int64_t)splitmix64((uint64_t)i);
    case TEN_BITS:
      return (int64_t)(splitmix64((uint64_t)i) >> 54);
    case ALL_ALIKE:
      return CONSTANT;
    default:
      return isByte ? 256 * i / length : i;
  }
}

template <typename T>
__global__ void fill(T* keys, int* positions, int64_t total, int64_t length, int data) {
  int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += step) {
    int64_t v = value(i % length, length, data, sizeof(T) == 1);
    if constexpr (std::is_same_v<T, float>) {
      keys[i] = (float)(int32_t)v;
    } else {
      keys[i] = (T)v;
    }
    positions[i] = (int)(i % length);
  }
}

/** Merges come last, as they take keys away. */
enum Op { SORT, ORDER, MERGE_SORT, SEGMENTS_16, SEGMENTS_SHORT, SEGMENTS_1000, SEGMENTS_1000000,
          SEGMENTS_UNEVEN, MERGE };
const char* const NAMES[] = {"sort", "order", "merge-sort", "segments-16", "segments-short",
                             "segments-1000", "segments-1000000", "segments-uneven", "merge"};
constexpr int64_t SEGMENTS[] = {0, 0, 0, 16, 16, 1000, 1000000, 10, 0};

struct Less {
  template <typename T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

/** Where segments begin, and the length. */
std::vector<int> offsetsOf(int op, int64_t length) {
  std::vector<int> offsets;
  int64_t end = op == SEGMENTS_UNEVEN ? length / 20 * 10 + 1 : length;
  for (int64_t at = 0; SEGMENTS[op] > 0 && at < end;) {
    offsets.push_back((int)at);
    at += op == SEGMENTS_SHORT ? 1 + 7 * (offsets.size() - 1) % SEGMENTS[op] : SEGMENTS[op];
  }
  offsets.push_back((int)length);
  return offsets;
}

/** The buffers of one type and length. */
template <typename T>
struct Buffers {
  T* keys;
  T* sorted;
  int* positions;
  int* order;
  int* offsets;
  int segments;
};

template <typename T>
cudaError_t cubSort(void* temporary, size_t& bytes, int op, const Buffers<T>& b, int64_t from,
                    int length, cudaStream_t stream) {
  constexpr int BITS = 8 * sizeof(T);
  const T* keys = b.keys + from;
  T* sorted = b.sorted + from;
  int half = length / 2;
  switch (op) {
    case SORT:
      return cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, sorted, length, 0, BITS,
                                            stream);
    case ORDER:
      return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted, b.positions + from,
                                             b.order + from, length, 0, BITS, stream);
    case MERGE_SORT:
      return cub::DeviceMergeSort::StableSortKeysCopy(temporary, bytes, keys, sorted, length,
                                                      Less{}, stream);
    case MERGE:
      return cub::DeviceMerge::MergeKeys(temporary, bytes, keys, half, keys + half,
                                         length - half, sorted, Less{}, stream);
    default:
      return cub::DeviceSegmentedSort::StableSortKeys(temporary, bytes, keys, sorted, length,
                                                      b.segments, b.offsets, b.offsets + 1,
                                                      stream);
  }
}

/** Sorts both halves of each buffer, through the buffers of what comes out. */
template <typename T>
void sortHalves(const Settings& settings, int64_t length, int64_t buffers, const Buffers<T>& b) {
  int64_t half = length / 2;
  void* temporary = nullptr;
  size_t bytes = 0;
  CHECK(cubSort<T>(temporary, bytes, SORT, b, 0, (int)(length - half), settings.stream));
  CHECK(cudaMalloc(&temporary, bytes + 1));
  for (int64_t k = 0; k < buffers; k++) {
    for (int64_t from : {k * length, k * length + half}) {
      int count = (int)(from == k * length ? half : length - half);
      CHECK(cubSort<T>(temporary, bytes, SORT, b, from, count, settings.stream));
    }
  }
  CHECK(cudaMemcpyAsync(b.keys, b.sorted, buffers * length * sizeof(T), cudaMemcpyDeviceToDevice,
                        settings.stream));
  CHECK(cudaStreamSynchronize(settings.stream));
  CHECK(cudaFree(temporary));
}

/** The sum of elements' bits as integers B with a sign, each by its place's odd number. */
template <typename B>
uint64_t hashOf(const void* device, int64_t length) {
  std::vector<B> bits(length);
  CHECK(cudaMemcpy(bits.data(), device, length * sizeof(B), cudaMemcpyDeviceToHost));
  uint64_t hash = 0;
  for (int64_t k = 0; k < length; k++) {
    hash += (uint64_t)(int64_t)bits[k] * (2 * (uint64_t)k + 1);
  }
  return hash;
}

/** One operation, warm or cold, and the line about it. */
template <typename T>
void measure(const Settings& settings, const char* type, int op, int data, int64_t length,
             const char* cache, int64_t buffers, const Buffers<T>& b, void* temporary,
             size_t temporaryBytes) {
  auto place = [&](int64_t k) { return k % buffers * length; };
  auto nth = [&](int64_t k) {
    CHECK(cubSort<T>(temporary, temporaryBytes, op, b, place(k), (int)length,
                     settings.stream));
  };
  CHECK(cudaMemsetAsync(b.sorted, 0xA5, buffers * length * sizeof(T), settings.stream));
  CHECK(cudaMemsetAsync(b.order, 0xA5, buffers * length * sizeof(int), settings.stream));
  std::vector<double> first = kernelTimes(settings, 0, WARM_UP, nth);
  int count = launches(settings, first.back(), LEAST_SAMPLES, MOST_SAMPLES);
  // sorts of segments wait for the host
  std::vector<double> kernel = SEGMENTS[op] > 0
                                   ? kernelTimes(settings, WARM_UP, count, nth)
                                   : timesOf(settings, length, WARM_UP, count, nth);
  std::vector<double> wall;
  int64_t last = 0;
  for (int k = 0; k < count; k++) {
    auto begin = std::chrono::steady_clock::now();
    last = WARM_UP + count + k;
    nth(last);
    CHECK(cudaStreamSynchronize(settings.stream));
    auto end = std::chrono::steady_clock::now();
    wall.push_back(std::chrono::duration<double, std::nano>(end - begin).count());
  }
  using Bits = std::conditional_t<sizeof(T) == 1, int8_t,
                                  std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;
  uint64_t hash = op == ORDER ? hashOf<int32_t>(b.order + place(last), length)
                              : hashOf<Bits>(b.sorted + place(last), length);
  std::printf("{\"record\":\"peer\",\"subject\":\"cub\",\"type\":\"%s\",\"op\":\"%s\","
              "\"data\":\"%s\",\"length\":%lld,\"cache\":\"%s\",\"buffers\":%lld,"
              "\"hash\":\"%016llx\"",
              type, NAMES[op], DATA[data], (long long)length, cache,
              (long long)buffers, (unsigned long long)hash);
  printTimes("kernel_ns", kernel);
  printTimes("wall_ns", wall);
  std::printf("}\n");
  std::fflush(stdout);
}

template <typename T>
void sort(const Settings& settings, const char* type, int op, int data, int64_t length,
          int64_t buffers, const Buffers<T>& b) {
  void* temporary = nullptr;
  size_t temporaryBytes = 0;
  CHECK(cubSort<T>(temporary, temporaryBytes, op, b, 0, (int)length, settings.stream));
  CHECK(cudaMalloc(&temporary, temporaryBytes + 1));
  if (buffers > 1) {
    measure<T>(settings, type, op, data, length, "warm", 1, b, temporary, temporaryBytes);
  }
  measure<T>(settings, type, op, data, length, "cold", buffers, b, temporary,
             temporaryBytes);
  CHECK(cudaFree(temporary));
}

template <typename T>
void type(const Settings& settings, const char* name, const std::vector<std::string>& ops,
          const std::vector<std::string>& distributions, const std::vector<int64_t>& lengths) {
  for (int64_t length : lengths) {
    int64_t total = 4 * settings.l2Bytes / (int64_t)sizeof(T) / length * length;
    total = total < length ? length : total;
    Buffers<T> b;
    CHECK(cudaMalloc(&b.keys, total * sizeof(T)));
    CHECK(cudaMalloc(&b.sorted, total * sizeof(T)));
    CHECK(cudaMalloc(&b.positions, total * sizeof(int)));
    CHECK(cudaMalloc(&b.order, total * sizeof(int)));
    for (int data = UNIFORM; data <= SORTED; data++) {
      if (contains(distributions, DATA[data])) {
        fill<T><<<settings.blocks, THREADS, 0, settings.stream>>>(b.keys, b.positions, total,
                                                                  length, data);
        CHECK(cudaGetLastError());
        for (int op = SORT; op <= MERGE; op++) {
          if (contains(ops, NAMES[op])) {
            std::vector<int> offsets = offsetsOf(op, length);
            b.segments = (int)offsets.size() - 1;
            CHECK(cudaMalloc(&b.offsets, offsets.size() * sizeof(int)));
            CHECK(cudaMemcpy(b.offsets, offsets.data(), offsets.size() * sizeof(int),
                             cudaMemcpyHostToDevice));
            if (op == MERGE) {
              sortHalves<T>(settings, length, total / length, b);
            }
            sort<T>(settings, name, op, data, length, total / length, b);
            CHECK(cudaFree(b.offsets));
          }
        }
      }
    }
    CHECK(cudaFree(b.order));
    CHECK(cudaFree(b.positions));
    CHECK(cudaFree(b.sorted));
    CHECK(cudaFree(b.keys));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr,
                 "usage: sort TYPES OPS DATA LENGTHS SECONDS, lists separated by commas\n");
    return 2;
  }
  std::vector<std::string> types = split(argv[1]);
  std::vector<std::string> ops = split(argv[2]);
  std::vector<std::string> distributions = split(argv[3]);
  std::vector<int64_t> lengths;
  if (!numbers(argv[4], INT32_MAX, lengths)) {
    return 2;
  }
  Settings settings = openDevice(argv[5]);
  if (contains(types, "int")) {
    type<int32_t>(settings, "int", ops, distributions, lengths);
  }
  if (contains(types, "long")) {
    type<long long>(settings, "long", ops, distributions, lengths);
  }
  if (contains(types, "float")) {
    type<float>(settings, "float", ops, distributions, lengths);
  }
  if (contains(types, "double")) {
    type<double>(settings, "double", ops, distributions, lengths);
  }
  if (contains(types, "byte")) {
    type<uint8_t>(settings, "byte", ops, distributions, lengths);
  }
  CHECK(cudaStreamDestroy(settings.stream));
  return 0;
}
