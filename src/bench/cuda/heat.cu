// What Funnel's heat equation is measured against, in CUDA C++:
//
//   cuda-naive  method 1: every thread reads its five nodes from global memory, blocks of 32 x 16
//   copy        cudaMemcpyAsync of the field from device to device: the ceiling of a single step
//
//   nvcc -O3 -std=c++17 -arch=native -o heat heat.cu
//   ./heat float,double 14400x14400,1024x1024 100 5
//
// The last two arguments are the steps of a run and the number of runs. Each line of output is a
// JSON object. Times are in nanoseconds, one for each run.
//
// kernel_ns: between two events around all launches of a run, with the launches queued behind them.
// wall_ns: on the host, from the first launch to the last node of the field in host memory.
// cuda-naive is printed for whole runs, copy for one copy.
//
// The field of a run is that of the benchmark in Java: node (i, j) of row j of nx nodes begins with
// splitmix64(j * nx + i) as a number in [0, 1); the sides keep their values; cx = 0.2 and
// dx^2/dy^2 = 1. The expression is Funnel's, operation by operation:
//
//   h = left + right;  v = below + above;  z = fma(1, v, h);  z = fma(-4, u, z);  u' = fma(0.2, z, u)
//
// A run's result is compared bit for bit with a plain loop on the host, over a window of the field
// in its corner and one in its middle, and printed as "result": "right" or what is wrong. "hash" is
// of all bits of the field after a run, the sum of (bits of node k) * (2k + 1) modulo 2^64, to be
// compared with others'. Any CUDA error ends the program with exit code 3.

#include <chrono>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "timing.cuh"

namespace {

constexpr int BLOCK_X = 32;
constexpr int BLOCK_Y = 16;
constexpr int THREADS = 256;
constexpr int WINDOW = 32;
constexpr int COPIES = 20;
constexpr double CX = 0.2;

template <typename T>
__host__ __device__ T element(uint64_t i) {
  uint64_t bits = splitmix64(i);
  if constexpr (std::is_same_v<T, float>) {
    return (float)(bits >> 40) * 0x1p-24f;
  } else {
    return (double)(bits >> 11) * 0x1p-53;
  }
}

template <typename T>
__global__ void fill(T* field, int64_t nodes) {
  int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; k < nodes; k += step) {
    field[k] = element<T>(k);
  }
}

template <typename T>
__host__ __device__ T next(T u, T left, T right, T below, T above, T cx, T k, T minusM) {
  T h = left + right;
  T v = below + above;
  T z = fma(k, v, h);
  z = fma(minusM, u, z);
  return fma(cx, z, u);
}

template <typename T>
__global__ void step(const T* __restrict__ from, T* __restrict__ to, int nx, int ny, T cx, T k,
                     T minusM) {
  int i = blockIdx.x * BLOCK_X + threadIdx.x;
  int j = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (i < nx && j < ny) {
    int64_t at = (int64_t)j * nx + i;
    T u = from[at];
    bool inside = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
    to[at] = inside ? next(u, from[at - 1], from[at + 1], from[at - nx], from[at + nx], cx, k,
                           minusM)
                    : u;
  }
}

template <typename T>
__global__ void hash(const T* field, int64_t nodes, unsigned long long* sum) {
  unsigned long long part = 0;
  int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; k < nodes; k += step) {
    unsigned long long bits;
    if constexpr (std::is_same_v<T, float>) {
      bits = (unsigned int)__float_as_int(field[k]);
    } else {
      bits = (unsigned long long)__double_as_longlong(field[k]);
    }
    part += bits * (2ull * (unsigned long long)k + 1ull);
  }
  atomicAdd(sum, part);
}

struct Grid {
  int nx;
  int ny;
  int64_t nodes() const { return (int64_t)nx * ny; }
};

/**
 * What is wrong in a window of the field from (i0, j0) on, after a number of steps, or nothing. The
 * window's values depend on nodes up to so many away; those are computed along with it.
 */
template <typename T>
std::string wrong(const T* field, Grid grid, int i0, int j0, int steps, cudaStream_t stream) {
  int left = i0 < steps ? 0 : i0 - steps;
  int below = j0 < steps ? 0 : j0 - steps;
  int right = (int64_t)i0 + WINDOW + steps > grid.nx ? grid.nx : i0 + WINDOW + steps;
  int above = (int64_t)j0 + WINDOW + steps > grid.ny ? grid.ny : j0 + WINDOW + steps;
  int width = right - left;
  int height = above - below;
  std::vector<T> now((size_t)width * height);
  for (int j = 0; j < height; j++) {
    for (int i = 0; i < width; i++) {
      now[(size_t)j * width + i] = element<T>((int64_t)(below + j) * grid.nx + left + i);
    }
  }
  std::vector<T> after = now;
  for (int s = 0; s < steps; s++) {
    for (int j = 1; j < height - 1; j++) {
      for (int i = 1; i < width - 1; i++) {
        size_t at = (size_t)j * width + i;
        after[at] = next<T>(now[at], now[at - 1], now[at + 1], now[at - width], now[at + width],
                            (T)CX, (T)1, (T)-4);
      }
    }
    now.swap(after);
  }
  int columns = grid.nx - i0 < WINDOW ? grid.nx - i0 : WINDOW;
  int rows = grid.ny - j0 < WINDOW ? grid.ny - j0 : WINDOW;
  std::vector<T> row(columns);
  for (int j = j0; j < j0 + rows; j++) {
    CHECK(cudaMemcpyAsync(row.data(), field + (int64_t)j * grid.nx + i0, columns * sizeof(T),
                          cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < columns; i++) {
      T expected = now[(size_t)(j - below) * width + (i0 - left) + i];
      if (std::memcmp(&expected, &row[i], sizeof(T)) != 0) {
        char text[160];
        std::snprintf(text, sizeof text, "node (%d, %d) is %.17g, expected %.17g", i0 + i, j,
                      (double)row[i], (double)expected);
        return text;
      }
    }
  }
  return "";
}

double nanoseconds(cudaEvent_t from, cudaEvent_t to) {
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, from, to));
  return milliseconds * 1e6;
}

template <typename T>
void measure(const char* type, Grid grid, int steps, int runs, int blocks, cudaStream_t stream) {
  size_t bytes = grid.nodes() * sizeof(T);
  T* a;
  T* b;
  T* last;
  unsigned long long* sum;
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  CHECK(cudaMallocHost(&last, sizeof(T)));
  cudaEvent_t begin;
  cudaEvent_t end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  dim3 threads(BLOCK_X, BLOCK_Y);
  dim3 tiles((grid.nx + BLOCK_X - 1) / BLOCK_X, (grid.ny + BLOCK_Y - 1) / BLOCK_Y);

  std::vector<double> kernel;
  std::vector<double> wall;
  T* result = a;
  for (int run = -1; run < runs; run++) {  // the first is a warm-up
    fill<T><<<blocks, THREADS, 0, stream>>>(a, grid.nodes());
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(stream));
    T* from = a;
    T* to = b;
    auto started = std::chrono::steady_clock::now();
    CHECK(cudaEventRecord(begin, stream));
    for (int s = 0; s < steps; s++) {
      step<T><<<tiles, threads, 0, stream>>>(from, to, grid.nx, grid.ny, (T)CX, (T)1, (T)-4);
      T* swapped = from;
      from = to;
      to = swapped;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaMemcpyAsync(last, from + grid.nodes() - 1, sizeof(T), cudaMemcpyDeviceToHost,
                          stream));
    CHECK(cudaStreamSynchronize(stream));
    auto ended = std::chrono::steady_clock::now();
    result = from;
    if (run >= 0) {
      kernel.push_back(nanoseconds(begin, end));
      wall.push_back(std::chrono::duration<double, std::nano>(ended - started).count());
    }
  }

  std::string corner = wrong<T>(result, grid, 0, 0, steps, stream);
  std::string middle = wrong<T>(result, grid, grid.nx / 2, grid.ny / 2, steps, stream);
  unsigned long long hashed = 0;
  CHECK(cudaMemsetAsync(sum, 0, sizeof *sum, stream));
  hash<T><<<blocks, THREADS, 0, stream>>>(result, grid.nodes(), sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(&hashed, sum, sizeof hashed, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::string state = !corner.empty() ? corner : !middle.empty() ? middle : "right";
  std::printf("{\"record\":\"peer\",\"subject\":\"cuda-naive\",\"type\":\"%s\",\"nx\":%d,"
              "\"ny\":%d,\"steps\":%d,\"hash\":\"%016llx\",\"result\":\"%s\"",
              type, grid.nx, grid.ny, steps, hashed, state.c_str());
  printTimes("kernel_ns", kernel);
  printTimes("wall_ns", wall);
  std::printf("}\n");
  std::fflush(stdout);

  std::vector<double> copies;
  for (int run = -2; run < COPIES; run++) {
    CHECK(cudaEventRecord(begin, stream));
    CHECK(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (run >= 0) {
      copies.push_back(nanoseconds(begin, end));
    }
  }
  std::printf("{\"record\":\"peer\",\"subject\":\"copy\",\"type\":\"%s\",\"nx\":%d,\"ny\":%d,"
              "\"steps\":1,\"hash\":\"\",\"result\":\"right\"",
              type, grid.nx, grid.ny);
  printTimes("kernel_ns", copies);
  std::printf("}\n");
  std::fflush(stdout);

  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFreeHost(last));
  CHECK(cudaFree(sum));
  CHECK(cudaFree(b));
  CHECK(cudaFree(a));
}

}  // namespace

int main(int argc, char** argv) {
  int steps = argc == 5 ? std::atoi(argv[3]) : 0;
  int runs = argc == 5 ? std::atoi(argv[4]) : 0;
  if (steps < 1 || runs < 1) {
    std::fprintf(stderr, "usage: heat TYPES SIZES STEPS RUNS, lists separated by commas\n");
    return 2;
  }
  std::vector<Grid> grids;
  for (const std::string& size : split(argv[2])) {
    Grid grid{0, 0};
    if (std::sscanf(size.c_str(), "%dx%d", &grid.nx, &grid.ny) != 2 || grid.nx < 1 ||
        grid.ny < 1) {
      std::fprintf(stderr, "heat: size '%s' is not of the form 1024x1024\n", size.c_str());
      return 2;
    }
    grids.push_back(grid);
  }
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int driver = 0;
  int runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("{\"record\":\"device\",\"name\":\"%s\",\"multiprocessors\":%d,\"l2_bytes\":%d,"
              "\"cuda_driver\":%d,\"cuda_runtime\":%d}\n",
              properties.name, properties.multiProcessorCount, properties.l2CacheSize, driver,
              runtime);
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int blocks = properties.multiProcessorCount * 8;
  for (const std::string& type : split(argv[1])) {
    for (Grid grid : grids) {
      if (type == "float") {
        measure<float>("float", grid, steps, runs, blocks, stream);
      } else if (type == "double") {
        measure<double>("double", grid, steps, runs, blocks, stream);
      } else {
        std::fprintf(stderr, "heat: type '%s' is none of float, double\n", type.c_str());
        return 2;
      }
    }
  }
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
