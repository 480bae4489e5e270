//===- Standin.cpp - A host that plays the GPU ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "Streams.h"
#include "cuda_runtime.h"
#include "executor/TestDevice.h"
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace {

/// Memory in pages of its own: blocks of powers of two, each with its size before it. It
/// uses no other heap, and none of its state lies in it.
class Heap {
public:
  static constexpr std::size_t header = 64; ///< keeps what comes after it aligned
  static constexpr std::size_t classes = 40;

  void *take(std::size_t bytes) {
    while (lock.test_and_set(std::memory_order_acquire)) {
    }
    void *data = takeLocked(bytes);
    lock.clear(std::memory_order_release);
    return data;
  }
  void put(void *data) {
    if (data == nullptr)
      return;
    char *block = static_cast<char *>(data) - header;
    std::size_t which = 0;
    std::memcpy(&which, block, sizeof which);
    std::memset(data, 0xdb, (std::size_t{1} << which) - header);
    while (lock.test_and_set(std::memory_order_acquire)) {
    }
    std::memcpy(data, &free[which], sizeof(void *));
    free[which] = static_cast<char *>(data);
    taken -= std::size_t{1} << which;
    lock.clear(std::memory_order_release);
  }
  bool holds(const void *p) const { return p >= base && p < base + size; }
  void allow(bool yes) {
    if (base != nullptr)
      mprotect(base, top, yes ? PROT_READ | PROT_WRITE : PROT_NONE);
  }
  std::size_t bytesTaken() const { return taken; }

private:
  void *takeLocked(std::size_t bytes) {
    std::size_t which = 7;
    while (which < classes && (std::size_t{1} << which) < bytes + header)
      ++which;
    if (which == classes || (base == nullptr && !reserve()))
      return nullptr;
    taken += std::size_t{1} << which;
    if (char *data = free[which]) {
      std::memcpy(&free[which], data, sizeof(void *));
      std::memset(data, 0xcd, bytes < 64 ? bytes : 64); // over the list of free blocks
      return data;
    }
    const std::size_t length = std::size_t{1} << which;
    if (top + length > size)
      return nullptr;
    char *block = base + top;
    const std::size_t page = 4096, begin = top / page * page, end = (top + length + page - 1) / page * page;
    mprotect(base + begin, end - begin, PROT_READ | PROT_WRITE);
    top += length;
    std::memcpy(block, &which, sizeof which);
    return block + header;
  }
  bool reserve() {
    void *pages = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
      return false;
    base = static_cast<char *>(pages);
    return true;
  }

  static constexpr std::size_t size = std::size_t{16} << 30;
  char *base = nullptr;
  std::size_t top = 0, taken = 0;
  char *free[classes] = {};
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
};

constinit Heap host, device;
constinit int deviceDepth = 0;
constinit sigjmp_buf *wayBack = nullptr;
constinit const char *faultText = nullptr;

void onFault(int, siginfo_t *info, void *) {
  faultText = device.holds(info->si_addr)
                  ? "the host touched the device's memory"
                  : (host.holds(info->si_addr) ? "a kernel touched the host's memory" : "no memory was touched");
  if (wayBack != nullptr)
    siglongjmp(*wayBack, 1);
  std::fprintf(stderr, "fault: %s\n", faultText);
  void *frames[40];
  backtrace_symbols_fd(frames, backtrace(frames, 40), STDERR_FILENO);
  std::_Exit(70);
}

/// Arguments lie on the stack, which can be touched while a kernel runs.
void setBytes(void *to, int byte, std::size_t bytes) {
  const standin::OnDevice scope;
  std::memset(to, byte, bytes);
}

const bool handled = [] {
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
  return true;
}();

} // namespace

namespace standin {

OnDevice::OnDevice() {
  if (deviceDepth++ != 0)
    return;
  device.allow(true);
  host.allow(false);
}
OnDevice::~OnDevice() {
  if (--deviceDepth != 0)
    return;
  host.allow(true);
  device.allow(false);
}

std::size_t bytesTaken() { return device.bytesTaken(); }
bool onDevice() { return deviceDepth != 0; }

} // namespace standin

namespace condlint::test {

/// After a fault what \p f held is lost. Elsewhere a fault ends the program.
std::string faultOf(const std::function<void()> &f) {
  sigjmp_buf here;
  sigjmp_buf *const outer = wayBack;
  wayBack = &here;
  if (sigsetjmp(here, 1) == 0) {
    f();
    wayBack = outer;
    return {};
  }
  wayBack = outer;
  deviceDepth = 0;
  host.allow(true);
  device.allow(false);
  return faultText;
}

} // namespace condlint::test

// --- the host's heap ------------------------------------------------------------------

void *operator new(std::size_t bytes) {
  if (void *data = host.take(bytes))
    return data;
  throw std::bad_alloc();
}
void *operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void *data) noexcept { host.put(data); }
void operator delete[](void *data) noexcept { host.put(data); }
void operator delete(void *data, std::size_t) noexcept { host.put(data); }
void operator delete[](void *data, std::size_t) noexcept { host.put(data); }

// --- the runtime ------------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t status) { return status == cudaSuccess ? "no error" : "an error"; }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(std::size_t *available, std::size_t *total) {
  *available = *total = std::size_t{4} << 30;
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void **data, std::size_t bytes, cudaStream_t stream) {
  if (standin::isCapturing(stream))
    return cudaErrorStreamCaptureUnsupported;
  const standin::OnDevice scope;
  *data = device.take(bytes);
  return *data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFreeAsync(void *data, cudaStream_t stream) {
  if (standin::isCapturing(stream))
    return cudaErrorStreamCaptureUnsupported;
  const standin::OnDevice scope;
  device.put(data);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (bytes == 0)
    return cudaSuccess;
  if (device.holds(to) != (kind != cudaMemcpyDeviceToHost) || device.holds(from) != (kind != cudaMemcpyHostToDevice))
    return cudaErrorInvalidValue;
  // In a graph the host's memory would be copied when it is launched.
  if (standin::isCapturing(stream) && kind != cudaMemcpyDeviceToDevice)
    return cudaErrorStreamCaptureUnsupported;
  return standin::submitCopy(stream, [=] {
    device.allow(true);
    std::memmove(to, from, bytes);
    device.allow(false);
  });
}
cudaError_t cudaMemsetAsync(void *to, int byte, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0)
    return cudaSuccess;
  if (!device.holds(to))
    return cudaErrorInvalidValue;
  return standin::submitCopy(stream, [=] { setBytes(to, byte, bytes); });
}
