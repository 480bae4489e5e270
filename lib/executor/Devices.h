//===- Devices.h - The devices of this build ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_DEVICES_H
#define CONDLINT_LIB_EXECUTOR_DEVICES_H

#include "condlint/Executor.h"
#include "ops/Device.h"

namespace condlint {

/// The device called \p name, for one run; the error says why there is none.
Expected<std::unique_ptr<Device>> makeDevice(const std::string &name);

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_DEVICES_H
