//===- Target.h - The system that will run a model --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TARGET_H
#define CONDLINT_TARGET_H

#include "condlint/Expected.h"
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace condlint {

enum class System : std::uint8_t { Torch, Aoti, ExecuTorch, Onnx, OnnxRuntime, OpenVino, TensorRT, NnScaler };
std::string_view systemName(System s); ///< "torch", "aoti", "executorch", "onnx", ...

/// "2.13"; 0.0 means the newest that condlint knows.
struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  friend auto operator<=>(const Version &, const Version &) = default;
};

/// A system with its version: "torch@2.13", "onnx".
struct Target {
  System system = System::Torch;
  Version version;
  bool versionGiven = false; ///< false: the version is a default and is not printed for systems without versions

  std::string str() const; ///< "torch@2.13", "onnx", "tensorrt@10.13"
  friend bool operator==(const Target &a, const Target &b) { return a.system == b.system && a.version == b.version; }
};

/// Reads "NAME" or "NAME@VERSION" ("2.13", "2.13.0+cpu", "10"). An unknown name
/// is an error that lists the known ones and the nearest. A system whose rules are
/// those of every version has none.
Expected<Target> parseTarget(std::string_view text);

/// What somebody who named \p t should be told of its version: that its rules are not known, and whose are taken, or
/// that it makes no difference; empty where there is nothing to tell. Of a system that was measured version by version
/// (openvino, executorch) those of the next version measured are taken, for what comes after all those of the newest.
std::string versionCaution(const Target &t);

/// One row of `condlint targets`.
struct SystemInfo {
  System system;
  std::string_view name;
  std::string_view summary;
  Version oldest;            ///< the first whose rules are known
  Version newest;            ///< 0.0 for systems whose version is in the file
  std::string_view versions; ///< which versions make a difference, in words
};
std::span<const SystemInfo> systems();

} // namespace condlint

#endif // CONDLINT_TARGET_H
