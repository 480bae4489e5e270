//===- ModuleCalls.cpp - How a program is called ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Source: torch/export/unflatten.py, torch/export/exported_program.py; asked of torch 2.13, each part removed and
// garbled. What stands in the lists of inputs and outputs it does not look at.
#include "ProgramReader.h"
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace condlint::pt2 {

void ProgramReader::moduleCalls() {
  if (!c.is(JsonKind::Array))
    return unexpected("a list of calls");
  bool isEmpty = true;
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    isEmpty = false;
    if (!c.is(JsonKind::Object))
      return unexpected("a call of a module, which is an object");
    bool hasName = false, hasSignature = false;
    fields([&](std::string_view key) {
      if (key == "fqn") {
        hasName = true;
        const auto name = text("a module's name");
        if (i == 0 && name && !name->empty())
          malformed(fmt::format("the first call is that of the program, which has no name, not of '{}'", *name));
      } else if (key == "signature" && c.is(JsonKind::Object)) {
        hasSignature = true;
        callSignature();
      } else {
        c.skip();
      }
    });
    if (!hasName)
      malformed("the call has no 'fqn'");
    if (i == 0 && !hasSignature)
      malformed("the call of the program has no signature: nothing says how its inputs and outputs are nested");
  });
  if (isEmpty && !c.failed())
    malformed("the program itself is not among the calls of modules");
}

void ProgramReader::callSignature() {
  constexpr std::array<std::string_view, 4> demanded{"inputs", "outputs", "in_spec", "out_spec"};
  std::array<bool, demanded.size()> isGiven{};
  fields([&](std::string_view key) {
    const auto *const asked = std::ranges::find(demanded, key);
    if (asked == demanded.end())
      return c.skip();
    isGiven[static_cast<std::size_t>(asked - demanded.begin())] = true;
    if (!key.ends_with("_spec"))
      return c.is(JsonKind::Array) ? c.skip() : unexpected("a list of values");
    const auto spec = text("how values are nested, as JSON in a string");
    if (spec && !nlohmann::json::accept(*spec))
      malformed("expected how values are nested, as JSON in a string, found a string that is none");
  });
  for (std::size_t i = 0; i < demanded.size(); ++i)
    if (!isGiven[i])
      malformed(fmt::format("the signature of the call has no '{}'", demanded[i]));
}

} // namespace condlint::pt2
