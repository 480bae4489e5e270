//===- Target.cpp - The system that will run a model ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Target.h"
#include "MeasuredVersions.h"
#include "Spelling.h"
#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <vector>

namespace condlint {

namespace {

constexpr SystemInfo table[] = {
    {System::Torch,
     "torch",
     "torch.cond of PyTorch: export, load and run",
     {2, 0},
     {2, 15},
     "2.6 and older demand equal shapes and compare neither device nor layout; from 2.7 sizes that differ become a "
     "symbol"},
    {System::Aoti, "aoti", "torch.cond compiled ahead of time by AOTInductor", {2, 2}, {2, 15}, "as torch"},
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

/// A major version alone, of a system of which single versions were measured, is any of its minor ones.
constexpr std::uint32_t anyMinor = std::numeric_limits<std::uint32_t>::max();

std::string textOf(Version v) {
  return std::to_string(v.major) + (v.minor == anyMinor ? std::string() : '.' + std::to_string(v.minor));
}

/// The versions that were measured, from old to new, of a system of which not each one has rules of its own.
constexpr Version ofExecuTorch[] = {{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}};
constexpr Version ofOpenVino[] = {{2023, 3}, {2024, 6}, {2025, 4}, {2026, 0},
                                  {2026, 1}, {2026, 2}, {2026, 3}, {2026, 4}};
static_assert(std::ranges::is_sorted(ofExecuTorch) && std::ranges::is_sorted(ofOpenVino));

std::span<const Version> measuredVersions(System s) {
  return s == System::ExecuTorch ? std::span<const Version>(ofExecuTorch)
         : s == System::OpenVino ? std::span<const Version>(ofOpenVino)
                                 : std::span<const Version>();
}

} // namespace

std::string_view systemName(System s) { return table[static_cast<std::size_t>(s)].name; }

std::span<const SystemInfo> systems() { return table; }

std::string Target::str() const {
  std::string out(systemName(system));
  if (version != Version{})
    out += '@' + textOf(version);
  return out;
}

Version measuredVersion(const Target &t) {
  const std::span<const Version> measured = measuredVersions(t.system);
  if (measured.empty() || t.version == Version{})
    return t.version;
  // Of a major version alone the newest, if there is one; else the next, and of what comes after all the last.
  const auto next = std::ranges::lower_bound(measured, t.version);
  const bool isBehindItsOwn =
      t.version.minor == anyMinor && next != measured.begin() && std::prev(next)->major == t.version.major;
  return isBehindItsOwn || next == measured.end() ? *std::prev(next) : *next;
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
    if (!measuredVersions(s.system).empty() && text.find('.', at) == std::string_view::npos)
      target.version.minor = anyMinor;
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
  if (const Version taken = measuredVersion(t); taken != t.version) {
    if (t.version.minor == anyMinor && t.version.major == taken.major)
      return t.str() + " names no minor version: the rules of " + textOf(taken) + " are taken";
    if (t.version.major >= s.oldest.major && t.version < s.newest)
      return t.str() + " was not measured: the rules of " + textOf(taken) + " are taken";
  }
  // A major version alone may stand for any of its minor ones.
  const bool tooOld = t.version < Version{s.oldest.major, t.version.minor == 0 ? 0 : s.oldest.minor};
  if (!tooOld && t.version <= s.newest)
    return {};
  const bool isShortYear = t.system == System::OpenVino && t.version.major < 100;
  return "the rules of " + t.str() + " are not known, only those of " + textOf(s.oldest) + " to " + textOf(s.newest) +
         ": those of " + textOf(tooOld ? s.oldest : s.newest) + " are taken" +
         (isShortYear ? "; its versions begin with the whole year" : "");
}

} // namespace condlint
