//===- Signature.cpp - What the inputs and outputs are for ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramReader.h"

namespace condlint::pt2 {

namespace {

/// A kind of input, and the key that holds its fully qualified name.
struct InputKind {
  std::string_view tag;
  std::string_view nameKey;
  ParameterRole role;
};

constexpr std::array<InputKind, 7> inputKinds{{
    {"user_input", {}, ParameterRole::Input},
    {"parameter", "parameter_name", ParameterRole::Parameter},
    {"buffer", "buffer_name", ParameterRole::Buffer},
    {"tensor_constant", "tensor_constant_name", ParameterRole::Constant},
    {"custom_obj", "custom_obj_name", ParameterRole::CustomObject},
    {"token", {}, ParameterRole::Token},
    {"constant_input", {}, ParameterRole::ScalarInput},
}};

/// A kind of output, and the key that names what it is written to.
struct OutputKind {
  std::string_view tag;
  std::string_view targetKey;
};

constexpr std::array<OutputKind, 8> outputKinds{{
    {"user_output", {}},
    {"loss_output", {}},
    {"buffer_mutation", "buffer_name"},
    {"gradient_to_parameter", "parameter_name"},
    {"gradient_to_user_input", "user_input_name"},
    {"user_input_mutation", "user_input_name"},
    {"token", {}},
    {"parameter_mutation", "parameter_name"},
}};

} // namespace

void ProgramReader::signature() {
  const GraphId main = m.main();
  if (!c.is(JsonKind::Object))
    return unexpected("a signature, which is an object");
  c.object([&](std::string_view key) {
    if (key == "input_specs" && c.is(JsonKind::Array)) {
      std::uint32_t count = 0;
      c.array([&](std::uint32_t i) {
        const At at(*this, key, i);
        inputSpec(i);
        ++count;
      });
      if (count != m[main].parameters.count)
        malformed(fmt::format("{} input specs, but the graph has {} inputs", count, m[main].parameters.count));
    } else if (key == "output_specs" && c.is(JsonKind::Array)) {
      std::vector<StringId> roles;
      bool plain = true;
      c.array([&](std::uint32_t i) {
        const At at(*this, key, i);
        const std::string role = outputSpec();
        plain &= role.empty();
        roles.push_back(m.strings.intern(role));
      });
      if (roles.size() != m.results(main).size())
        malformed(fmt::format("{} output specs, but the graph has {} outputs", roles.size(), m.results(main).size()));
      else if (!plain)
        m.setResultRoles(main, roles);
    } else if (key == "input_specs" || key == "output_specs") {
      const At at(*this, key);
      unexpected("a list");
    } else {
      c.skip();
    }
  });
}

void ProgramReader::inputSpec(std::uint32_t i) {
  const Range parameters = m[m.main()].parameters;
  oneOf("an input spec", [&](std::string_view tag) {
    const At at(*this, tag);
    const InputKind *kind = nullptr;
    for (const InputKind &k : inputKinds)
      if (k.tag == tag)
        kind = &k;
    // A kind that a later minor version adds says nothing that is needed.
    if (kind == nullptr || kind->role == ParameterRole::Input)
      return c.skip();
    if (!c.is(JsonKind::Object))
      return unexpected("an input spec");
    std::optional<std::string_view> name;
    std::string_view qualified;
    c.object([&](std::string_view key) {
      const At here(*this, key);
      if (key == "arg")
        name = namedArgument("an argument");
      else if (key == "name" && kind->role == ParameterRole::ScalarInput)
        name = text("a name");
      else if (!kind->nameKey.empty() && key == kind->nameKey)
        qualified = text("a name").value_or(std::string_view());
      else
        c.skip();
    });
    if (!name)
      return;
    const StringId id = intern(*name);
    ValueId v = lookup(id);
    if (!v && kind->role == ParameterRole::ScalarInput && i < parameters.count) {
      // The graph's input is the number itself; only the signature names it.
      v = ValueId(parameters.first + i);
      if (!m[v].name)
        m[v].name = id;
    }
    if (!v || m[v].origin != ValueOrigin::Parameter)
      return malformed(fmt::format("'{}' is no input of the graph", *name));
    m[v].role = kind->role;
    if (!qualified.empty() && !m[v].constant) {
      Constant data;
      data.name = intern(qualified);
      data.type = m[v].recorded;
      m[v].constant = m.addConstantData(data);
    }
  });
}

std::string ProgramReader::outputSpec() {
  std::string role;
  oneOf("an output spec", [&](std::string_view tag) {
    const At at(*this, tag);
    if (tag == "user_output")
      return c.skip();
    role = tag;
    const OutputKind *kind = nullptr;
    for (const OutputKind &k : outputKinds)
      if (k.tag == tag)
        kind = &k;
    if (kind == nullptr || kind->targetKey.empty())
      return c.skip();
    if (!c.is(JsonKind::Object))
      return unexpected("an output spec");
    c.object([&](std::string_view key) {
      const At here(*this, key);
      if (key != kind->targetKey)
        return c.skip();
      if (const auto target = text("a name"))
        role += fmt::format(":{}", *target);
    });
  });
  return role;
}

} // namespace condlint::pt2
