//===- Target.cpp - The system that will run a model ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Target.h"
#include "Spelling.h"
#include <charconv>
#include <vector>

namespace condlint {

namespace {

constexpr SystemInfo table[] = {
    {System::Torch,
     "torch",
     "torch.cond of PyTorch: export, load and run",
     {2, 0},
     {2, 14},
     "2.6 and older demand equal shapes and compare neither device nor layout; from 2.7 sizes that differ become a "
     "symbol"},
    {System::Aoti, "aoti", "torch.cond compiled ahead of time by AOTInductor", {2, 2}, {2, 14}, "as torch"},
    {System::ExecuTorch,
     "executorch",
     "torch.cond lowered to ExecuTorch and run by its portable kernels",
     {1, 0},
     {1, 5},
     "1.1 lowers scan, and has a kernel of grid_sampler_2d; 1.3 of adaptive_avg_pool2d"},
    {System::Onnx,
     "onnx",
     "the If of the ONNX standard; the opset is in the file",
     {},
     {},
     "If-1 (opset 1 to 10) demands equal shapes"},
    {System::OnnxRuntime, "onnxruntime", "ONNX Runtime, where it differs from the standard", {}, {}, "none"},
    {System::OpenVino,
     "openvino",
     "the If of OpenVINO's ONNX front end, compiled for a CPU",
     {2023, 3},
     {2026, 4},
     "until 2026.1 results of open sizes are read from the wrong memory; until 2026.2 sequences are refused, in 2026.4 "
     "some are computed wrongly"},
    {System::TensorRT,
     "tensorrt",
     "IIfConditional of TensorRT, and its ONNX parser",
     {8, 2},
     {11, 1},
     "before 10.11 both branches need equal shapes, from 10.11 equal ranks"},
    {System::NnScaler, "nnscaler", "models traced for nnscaler", {}, {}, "none"},
};

/// "2.13", "2.13.0+cpu", "10": the first two numbers. Nothing for anything else.
bool parseVersion(std::string_view text, Version &out) {
  const char *end = text.data() + text.size();
  auto [afterMajor, error] = std::from_chars(text.data(), end, out.major);
  if (error != std::errc())
    return false;
  if (afterMajor == end)
    return true;
  if (*afterMajor != '.')
    return false;
  auto [afterMinor, minorError] = std::from_chars(afterMajor + 1, end, out.minor);
  if (minorError != std::errc())
    return false;
  // A patch level or a local suffix changes no rule.
  return afterMinor == end || *afterMinor == '.' || *afterMinor == '+' || *afterMinor == 'a' || *afterMinor == 'b' ||
         *afterMinor == 'r' || *afterMinor == '-';
}

std::string textOf(Version v) { return std::to_string(v.major) + '.' + std::to_string(v.minor); }

} // namespace

std::string_view systemName(System s) { return table[static_cast<std::size_t>(s)].name; }

std::span<const SystemInfo> systems() { return table; }

std::string Target::str() const {
  std::string out(systemName(system));
  if (version != Version{})
    out += '@' + textOf(version);
  return out;
}

Expected<Target> parseTarget(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  for (const SystemInfo &s : table) {
    if (s.name != name)
      continue;
    Target target;
    target.system = s.system;
    target.version = s.newest;
    if (at == std::string_view::npos)
      return target;
    target.version = {};
    target.versionGiven = true;
    if (!parseVersion(text.substr(at + 1), target.version))
      return Error{"", "", "'" + std::string(text.substr(at + 1)) + "' is no version",
                   "write it as " + std::string(name) + "@MAJOR.MINOR"};
    if (s.newest == Version{})
      target.version = {};
    return target;
  }
  std::vector<std::string_view> names;
  std::string list;
  for (const SystemInfo &s : table) {
    names.push_back(s.name);
    list += (list.empty() ? "" : ", ") + std::string(s.name);
  }
  const std::string_view nearest = nearestName(name, names);
  return Error{"", "",
               "there is no target '" + std::string(name) + "'" +
                   (nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?"),
               "the targets are " + list};
}

std::string versionCaution(const Target &t) {
  if (!t.versionGiven)
    return {};
  const SystemInfo &s = table[static_cast<std::size_t>(t.system)];
  const std::string name(s.name);
  if (s.newest == Version{})
    return "the rules of " + name + " are the same in all versions" +
           (t.system == System::Onnx ? "; the opset is in the file" : "") + ": the version given is not looked at";
  // A major version alone may stand for any of its minor ones.
  const bool tooOld = t.version < Version{s.oldest.major, t.version.minor == 0 ? 0 : s.oldest.minor};
  if (!tooOld && t.version <= s.newest)
    return {};
  return "the rules of " + t.str() + " are not known, only those of " + textOf(s.oldest) + " to " + textOf(s.newest) +
         ": those of " + textOf(tooOld ? s.oldest : s.newest) + " are taken";
}

} // namespace condlint
