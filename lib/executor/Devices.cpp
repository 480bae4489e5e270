//===- Devices.cpp - The devices of this build ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices.h"
#include "cpu/CpuDevice.h"
#ifdef CONDLINT_CUDA
#include "cuda/CudaDevice.h"
#endif

namespace condlint {

std::vector<std::string> executorDevices() {
#ifdef CONDLINT_CUDA
  return {"cpu", "cuda"};
#else
  return {"cpu"};
#endif
}

std::optional<std::string> deviceProblem(const std::string &device) {
  if (device == "cpu")
    return std::nullopt;
  if (device != "cuda")
    return "there is no device '" + device + "'; known are cpu and cuda";
#ifdef CONDLINT_CUDA
  return cudaProblem();
#else
  return "there is no device 'cuda': this condlint is built without CUDA (build it with cmake --preset gpu, which "
         "needs "
         "nvcc)";
#endif
}

Expected<std::unique_ptr<Device>> makeDevice(const std::string &name) {
  if (auto problem = deviceProblem(name))
    return Error{{}, {}, std::move(*problem), {}};
#ifdef CONDLINT_CUDA
  if (name == "cuda")
    return makeCudaDevice();
#endif
  return std::unique_ptr<Device>(std::make_unique<CpuDevice>());
}

} // namespace condlint
