// What Funnel's groups, reductions of segments and joins are measured against, in CUDA C++:
//
//   cub      cub::DeviceSegmentedReduce::Sum, cub::DeviceReduce::ReduceByKey, and of groups
//            cub::DeviceRadixSort::SortPairs of keys and values, with the reductions by key behind it
//   thrust   an inner join: sort_by_key of the right keys, bounds of the left ones, an exclusive
//            scan of how many match, and what puts the pairs down
//
//   nvcc -O3 -std=c++17 -arch=native -o group group.cu
//   ./group 28 0.2
//
// The arguments: the binary logarithm of the number of elements, and the time in seconds to spend
// on each measurement. Each line of output is a JSON object. Times are in nanoseconds, one for each
// launch, between two events around it, with further launches queued behind it. A join, which asks
// the device how many pairs there are, is on the host's clock, from the call to the last pair.
//
// Elements are splitmix64(i), as ints or within a range; floats are multiples of 2^-24 below 1, of
// which sums in doubles are exact, so that all are compared with plain loops on the host: "right".
// Groups have count, sum (double), least, largest and mean, by five reductions of what is sorted
// ("five"), and by a single one of all in a struct ("fused"). The sort compares as many bits as the
// keys have. Any CUDA error ends the program with exit code 3.

#include <algorithm>
#include <chrono>
#include <cmath>

#include <cuda/std/functional>

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "cub.cuh"

namespace {

constexpr int WARM_UP = 3;
constexpr int LEAST_SAMPLES = 10;
constexpr int MOST_SAMPLES = 200;

__host__ __device__ float valueAt(int64_t i) {
  return (float)(splitmix64((uint64_t)i + (uint64_t{1} << 40)) >> 40) * 0x1p-24f;
}

template <typename T>
struct Memory {
  T* at = nullptr;
  explicit Memory(int64_t length) { CHECK(cudaMalloc(&at, (length + 1) * sizeof(T))); }
  ~Memory() { cudaFree(at); }
  Memory(const Memory&) = delete;
  std::vector<T> read(int64_t length) const {
    std::vector<T> host(length);
    CHECK(cudaMemcpy(host.data(), at, length * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  void write(const std::vector<T>& host) {
    CHECK(cudaMemcpy(at, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
};

template <typename F>
__global__ void fillKernel(int64_t length, F set) {
  int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += step) {
    set(i);
  }
}

struct SetInt {
  int* at;
  uint64_t range;  // 0: all ints
  int factor;
  __device__ void operator()(int64_t i) const {
    uint64_t random = splitmix64((uint64_t)i);
    at[i] = (int)((range == 0 ? random : random % range) * (uint64_t)(unsigned)factor);
  }
};

struct SetRun {
  int* at;
  int run;
  __device__ void operator()(int64_t i) const { at[i] = (int)(i / run); }
};

struct SetFloat {
  float* at;
  __device__ void operator()(int64_t i) const { at[i] = valueAt(i); }
};

struct SetReverse {
  int* at;
  int64_t length;
  __device__ void operator()(int64_t i) const { at[i] = (int)(length - 1 - i); }
};

template <typename F>
void fill(const Settings& settings, int64_t length, F set) {
  fillKernel<<<settings.blocks, 256, 0, settings.stream>>>(length, set);
  CHECK(cudaGetLastError());
  CHECK(cudaStreamSynchronize(settings.stream));
}

void print(const char* subject, const char* name, const char* clock, bool isRight,
           const std::vector<double>& times) {
  std::vector<double> sorted = times;
  std::sort(sorted.begin(), sorted.end());
  std::printf("{\"record\":\"peer\",\"subject\":\"%s\",\"op\":\"%s\",\"right\":%s,\"median_us\":%.1f",
              subject, name, isRight ? "true" : "false", sorted[sorted.size() / 2] / 1e3);
  printTimes(clock, times);
  std::printf("}\n");
  std::fflush(stdout);
}

/** Times of a call of CUB's, launch(temporary, bytes). */
template <typename Launch>
std::vector<double> measure(const Settings& settings, Launch launch) {
  size_t bytes = 0;
  CHECK(launch(nullptr, bytes));
  Memory<char> temporary((int64_t)bytes);
  auto nth = [&](int) { CHECK(launch(temporary.at, bytes)); };
  std::vector<double> first = kernelTimes(settings, 0, WARM_UP, nth);
  return kernelTimes(settings, 0, launches(settings, first.back(), LEAST_SAMPLES, MOST_SAMPLES),
                     nth);
}

void segments(const Settings& settings, const char* name, int64_t length, const int* values,
              const std::vector<int>& offsets) {
  int count = (int)offsets.size() - 1;
  Memory<int> device(count + 1);
  device.write(offsets);
  Memory<int> sums(count);
  std::vector<double> times = measure(settings, [&](void* temporary, size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(temporary, bytes, values, sums.at, count, device.at,
                                           device.at + 1, settings.stream);
  });
  std::vector<int> found = sums.read(count);
  bool isRight = true;
  for (int s = 0; s < count; s++) {
    unsigned sum = 0;
    for (int i = offsets[s]; i < offsets[s + 1]; i++) {
      sum += (unsigned)splitmix64((uint64_t)i);
    }
    isRight &= (int)sum == found[s];
  }
  print("cub", name, "kernel_ns", isRight, times);
}

std::vector<int> even(int64_t length, int64_t each) {
  std::vector<int> offsets;
  for (int64_t at = 0; at < length; at += each) {
    offsets.push_back((int)at);
  }
  offsets.push_back((int)length);
  return offsets;
}

void runs(const Settings& settings, int64_t length, const int* values, int run) {
  Memory<int> keys(length);
  fill(settings, length, SetRun{keys.at, run});
  Memory<int> unique(length);
  Memory<int> sums(length);
  Memory<int> count(1);
  std::vector<double> times = measure(settings, [&](void* temporary, size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(temporary, bytes, keys.at, unique.at, values, sums.at,
                                          count.at, cuda::std::plus<>(), (int)length, settings.stream);
  });
  int64_t groups = (length + run - 1) / run;
  bool isRight = count.read(1)[0] == groups;
  std::vector<int> found = sums.read(groups);
  std::vector<int> distinct = unique.read(groups);
  for (int64_t g = 0; g < groups; g++) {
    unsigned sum = 0;
    for (int64_t i = g * run; i < std::min((g + 1) * run, length); i++) {
      sum += (unsigned)splitmix64((uint64_t)i);
    }
    isRight &= (int)sum == found[g] && distinct[g] == g;
  }
  std::string name = "reduce by key, runs of " + std::to_string(run);
  print("cub", name.c_str(), "kernel_ns", isRight, times);
}

struct Statistics {
  double sum;
  float least;
  float largest;
  int count;
};

struct ToStatistics {
  __host__ __device__ Statistics operator()(float x) const { return {(double)x, x, x, 1}; }
};

struct Together {
  __host__ __device__ Statistics operator()(const Statistics& a, const Statistics& b) const {
    return {a.sum + b.sum, a.least < b.least ? a.least : b.least,
            a.largest > b.largest ? a.largest : b.largest, a.count + b.count};
  }
};

struct ToDouble {
  __host__ __device__ double operator()(float x) const { return x; }
};

struct Quotient {
  __host__ __device__ double operator()(double sum, int count) const { return sum / count; }
};

struct Least {
  __host__ __device__ float operator()(float a, float b) const { return a < b ? a : b; }
};

struct Largest {
  __host__ __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

/** Five aggregates of the groups of keys below a range, each times an odd factor. */
void groups(const Settings& settings, const char* name, int64_t length, int range, int factor,
            int bits) {
  Memory<int> keys(length);
  Memory<float> values(length);
  fill(settings, length, SetInt{keys.at, (uint64_t)range, factor});
  fill(settings, length, SetFloat{values.at});
  Memory<int> sortedKeys(length);
  Memory<float> sorted(length);
  Memory<int> unique(range);
  Memory<int> count(1);
  Memory<int> counts(range);
  Memory<double> sums(range);
  Memory<float> least(range);
  Memory<float> largest(range);
  Memory<double> means(range);
  Memory<Statistics> all(range);
  int n = (int)length;
  auto sort = [&](void* temporary, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys.at, sortedKeys.at, values.at,
                                           sorted.at, n, 0, bits, settings.stream);
  };
  auto byKey = [&](void* temporary, size_t& bytes, auto of, auto into, auto op) {
    return cub::DeviceReduce::ReduceByKey(temporary, bytes, sortedKeys.at, unique.at, of, into,
                                          count.at, op, n, settings.stream);
  };
  auto doubles = thrust::make_transform_iterator(sorted.at, ToDouble());
  auto statistics = thrust::make_transform_iterator(sorted.at, ToStatistics());
  auto countEach = [&](void* temporary, size_t& bytes) {
    return byKey(temporary, bytes, thrust::make_constant_iterator(1), counts.at, cuda::std::plus<>());
  };
  auto sumEach = [&](void* temporary, size_t& bytes) {
    return byKey(temporary, bytes, doubles, sums.at, cuda::std::plus<>());
  };
  auto leastOfEach = [&](void* temporary, size_t& bytes) {
    return byKey(temporary, bytes, sorted.at, least.at, Least());
  };
  auto largestOfEach = [&](void* temporary, size_t& bytes) {
    return byKey(temporary, bytes, sorted.at, largest.at, Largest());
  };
  auto allOfEach = [&](void* temporary, size_t& bytes) {
    return byKey(temporary, bytes, statistics, all.at, Together());
  };
  size_t most = 0;
  auto asks = [&](auto call) {
    size_t bytes = 0;
    CHECK(call(nullptr, bytes));
    most = std::max(most, bytes);
  };
  asks(sort);
  asks(countEach);
  asks(sumEach);
  asks(leastOfEach);
  asks(largestOfEach);
  asks(allOfEach);
  Memory<char> temporary((int64_t)most);
  auto time = [&](auto call) {
    auto nth = [&](int) { call(); };
    std::vector<double> first = kernelTimes(settings, 0, WARM_UP, nth);
    return kernelTimes(settings, 0,
                       launches(settings, first.back(), LEAST_SAMPLES, MOST_SAMPLES), nth);
  };
  auto fused = [&] {
    CHECK(sort(temporary.at, most));
    CHECK(allOfEach(temporary.at, most));
  };
  auto five = [&] {
    CHECK(sort(temporary.at, most));
    CHECK(countEach(temporary.at, most));
    CHECK(sumEach(temporary.at, most));
    CHECK(leastOfEach(temporary.at, most));
    CHECK(largestOfEach(temporary.at, most));
    CHECK(sumEach(temporary.at, most));  // as the fifth, for the mean
    thrust::transform(thrust::cuda::par_nosync.on(settings.stream), sums.at, sums.at + range,
                      counts.at, means.at, Quotient());
  };
  std::vector<double> timesOfSort = time([&] { CHECK(sort(temporary.at, most)); });
  std::vector<double> timesOfFused = time(fused);
  std::vector<double> timesOfFive = time(five);

  std::vector<Statistics> wanted(range, Statistics{0, INFINITY, -INFINITY, 0});
  for (int64_t i = 0; i < length; i++) {
    int k = (int)(splitmix64((uint64_t)i) % (uint64_t)range);
    wanted[k] = Together()(wanted[k], ToStatistics()(valueAt(i)));
  }
  std::vector<std::pair<int, int>> order;
  for (int k = 0; k < range; k++) {
    if (wanted[k].count > 0) {
      order.push_back({(int)((unsigned)k * (unsigned)factor), k});
    }
  }
  std::sort(order.begin(), order.end());
  int found = count.read(1)[0];
  bool isRight = found == (int)order.size();
  std::vector<int> distinct = unique.read(range);
  std::vector<int> c = counts.read(range);
  std::vector<double> s = sums.read(range);
  std::vector<float> lo = least.read(range);
  std::vector<float> hi = largest.read(range);
  std::vector<double> mean = means.read(range);
  std::vector<Statistics> together = all.read(range);
  bool isFusedRight = isRight;
  for (int g = 0; g < found && isRight; g++) {
    const Statistics& w = wanted[order[g].second];
    isRight &= distinct[g] == order[g].first && c[g] == w.count && s[g] == w.sum &&
               lo[g] == w.least && hi[g] == w.largest && mean[g] == w.sum / w.count;
    const Statistics& t = together[g];
    isFusedRight &= t.count == w.count && t.sum == w.sum && t.least == w.least &&
                    t.largest == w.largest;
  }
  std::string base = name;
  print("cub", (base + ", the sort").c_str(), "kernel_ns", isRight, timesOfSort);
  print("cub", (base + ", fused").c_str(), "kernel_ns", isFusedRight, timesOfFused);
  print("cub", (base + ", five").c_str(), "kernel_ns", isRight, timesOfFive);
}

struct Difference {
  __host__ __device__ int operator()(int to, int from) const { return to - from; }
};

struct IsPositive {
  __host__ __device__ bool operator()(int x) const { return x > 0; }
};

/** The right row of a pair: behind the first match as far as the pair is behind its row's first. */
struct RightRow {
  const int* left;
  const int* lower;
  const int* starts;
  const int* rows;
  __device__ int operator()(int pair) const {
    int row = left[pair];
    return rows[lower[row] + pair - starts[row]];
  }
};

void join(const Settings& settings, int64_t lefts, int64_t rights) {
  Memory<int> leftKeys(lefts);
  Memory<int> rightKeys(rights);
  fill(settings, lefts, SetInt{leftKeys.at, (uint64_t)rights, 1});
  fill(settings, rights, SetReverse{rightKeys.at, rights});
  Memory<int> sorted(rights);
  Memory<int> rows(rights);
  Memory<int> lower(lefts);
  Memory<int> counts(lefts);
  Memory<int> starts(lefts);
  Memory<int> left(lefts);
  Memory<int> right(lefts);
  int pairs = 0;
  auto policy = thrust::cuda::par.on(settings.stream);
  auto once = [&] {
    thrust::copy(policy, rightKeys.at, rightKeys.at + rights, sorted.at);
    thrust::sequence(policy, rows.at, rows.at + rights);
    thrust::sort_by_key(policy, sorted.at, sorted.at + rights, rows.at);
    thrust::lower_bound(policy, sorted.at, sorted.at + rights, leftKeys.at, leftKeys.at + lefts,
                        lower.at);
    thrust::upper_bound(policy, sorted.at, sorted.at + rights, leftKeys.at, leftKeys.at + lefts,
                        counts.at);
    thrust::transform(policy, counts.at, counts.at + lefts, lower.at, counts.at, Difference());
    thrust::exclusive_scan(policy, counts.at, counts.at + lefts, starts.at);
    int last[2];
    CHECK(cudaMemcpyAsync(last, starts.at + lefts - 1, sizeof(int), cudaMemcpyDeviceToHost,
                          settings.stream));
    CHECK(cudaMemcpyAsync(last + 1, counts.at + lefts - 1, sizeof(int), cudaMemcpyDeviceToHost,
                          settings.stream));
    CHECK(cudaStreamSynchronize(settings.stream));
    pairs = last[0] + last[1];
    thrust::fill(policy, left.at, left.at + pairs, 0);
    thrust::scatter_if(policy, thrust::make_counting_iterator(0),
                       thrust::make_counting_iterator((int)lefts), starts.at, counts.at, left.at,
                       IsPositive());
    thrust::inclusive_scan(policy, left.at, left.at + pairs, left.at, thrust::maximum<int>());
    thrust::transform(policy, thrust::make_counting_iterator(0),
                      thrust::make_counting_iterator(pairs), right.at,
                      RightRow{left.at, lower.at, starts.at, rows.at});
    CHECK(cudaStreamSynchronize(settings.stream));
  };
  for (int k = 0; k < WARM_UP; k++) {
    once();
  }
  std::vector<double> times;
  for (int k = 0; k < LEAST_SAMPLES; k++) {
    auto begin = std::chrono::steady_clock::now();
    once();
    auto end = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double, std::nano>(end - begin).count());
  }
  std::vector<int> foundLeft = left.read(pairs);
  std::vector<int> foundRight = right.read(pairs);
  bool isRight = pairs == lefts;
  for (int64_t i = 0; i < pairs && isRight; i++) {
    int key = (int)(splitmix64((uint64_t)i) % (uint64_t)rights);
    isRight &= foundLeft[i] == i && foundRight[i] == rights - 1 - key;
  }
  print("thrust", "inner join, 2^-2 with 2^-6", "wall_ns", isRight, times);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || std::atoi(argv[1]) < 8 || std::atoi(argv[1]) > 30) {
    std::fprintf(stderr, "usage: group LOG2 SECONDS, LOG2 from 8 to 30\n");
    return 2;
  }
  int64_t length = int64_t{1} << std::atoi(argv[1]);
  Settings settings = openDevice(argv[2]);
  {
    Memory<int> values(length);
    fill(settings, length, SetInt{values.at, 0, 1});
    segments(settings, "sums of segments of 16", length, values.at, even(length, 16));
    segments(settings, "sums of segments of 1000", length, values.at, even(length, 1000));
    segments(settings, "sums of segments of 1000000", length, values.at, even(length, 1000000));
    std::vector<int> skewed = {0};
    for (int64_t at = length / 2; at <= length; at += 8) {
      skewed.push_back((int)at);
    }
    segments(settings, "sums of a half and segments of 8", length, values.at, skewed);
    runs(settings, length, values.at, 2);
    runs(settings, length, values.at, 128);
  }
  groups(settings, "groups, keys below 1000", length, 1000, 1, 10);
  groups(settings, "groups, 1000 sparse keys", length, 1000, (int)0x9E3779B1u, 32);
  groups(settings, "groups, keys below 16777216", length, 1 << 24, 1, 24);
  join(settings, length / 4, length / 64);
  CHECK(cudaStreamDestroy(settings.stream));
  return 0;
}
