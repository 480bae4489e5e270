//===- Signature.cpp - What the inputs and outputs are for ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramReader.h"
#include <algorithm>
#include <array>
#include <span>

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

} // namespace

/// A kind of output, the key that names what it is written to, and what that is.
struct ProgramReader::OutputKind {
  std::string_view tag;
  std::string_view targetKey;
  ParameterRole writes = ParameterRole::Input;
  bool isTraining = false;
  bool writesBack() const { return !targetKey.empty() && !isTraining; }
};

std::span<const ProgramReader::OutputKind> ProgramReader::outputKinds() {
  static constexpr std::array<OutputKind, 8> kinds{{
      {"user_output", {}, {}, false},
      {"loss_output", {}, {}, true},
      {"buffer_mutation", "buffer_name", ParameterRole::Buffer, false},
      {"gradient_to_parameter", "parameter_name", ParameterRole::Parameter, true},
      {"gradient_to_user_input", "user_input_name", ParameterRole::Input, true},
      {"user_input_mutation", "user_input_name", ParameterRole::Input, false},
      {"token", {}, {}, false},
      {"parameter_mutation", "parameter_name", ParameterRole::Parameter, false},
  }};
  return kinds;
}

void ProgramReader::signature() {
  if (!c.is(JsonKind::Object))
    return unexpected("a signature, which is an object");
  SignatureSpecs specs;
  const std::size_t before = issueCount;
  fields([&](std::string_view key) {
    if (key == "input_specs" && c.is(JsonKind::Array)) {
      specs.hasInputs = true;
      c.array([&](std::uint32_t i) {
        const At at(*this, {}, i);
        specs.inputs.push_back(inputSpec(i));
      });
    } else if (key == "output_specs" && c.is(JsonKind::Array)) {
      specs.hasOutputs = true;
      c.array([&](std::uint32_t i) {
        const At at(*this, {}, i);
        specs.outputs.push_back(outputSpec());
      });
    } else if (key == "input_specs" || key == "output_specs") {
      (key == "input_specs" ? specs.hasInputs : specs.hasOutputs) = specs.isLost = true;
      unexpected("a list");
    } else {
      c.skip();
    }
  });
  // Of a graph that could not be read nothing more is said.
  if (!specs.hasInputs || !specs.hasOutputs)
    malformed(fmt::format("the signature has no '{}'", specs.hasInputs ? "output_specs" : "input_specs"));
  if (specs.hasInputs && !specs.isLost && !mainIsLost)
    checkInputSpecs(specs);
  if (specs.hasOutputs && !specs.isLost && !mainIsLost)
    checkOutputSpecs(specs);
  if (issueCount == before && specs.hasInputs && specs.hasOutputs && !specs.isLost && !mainIsLost)
    countValues(specs);
}

/// How many values the user passes and gets; of a program that trains torch counts what it returns otherwise.
void ProgramReader::countValues(const SignatureSpecs &specs) {
  const auto isKnown = [](const OutputSpec &spec) { return spec.kind && !spec.kind->isTraining; };
  userInputs = static_cast<std::size_t>(std::ranges::count_if(specs.inputs, [](const InputSpec &spec) {
    return spec.role == ParameterRole::Input || spec.role == ParameterRole::ScalarInput;
  }));
  if (std::ranges::all_of(specs.outputs, isKnown))
    userOutputs = static_cast<std::size_t>(
        std::ranges::count_if(specs.outputs, [](const OutputSpec &spec) { return spec.role.empty(); }));
}

void ProgramReader::checkInputSpecs(const SignatureSpecs &specs) {
  const Range parameters = m[m.main()].parameters;
  if (specs.inputs.size() != parameters.count && std::ranges::any_of(specs.inputs, &InputSpec::isAbsent))
    return; // said of the spec whose input is not there
  if (specs.inputs.size() != parameters.count)
    return malformed(fmt::format("{} input specs, but the graph has {} inputs", specs.inputs.size(), parameters.count));
  // Specs in another order are all in a wrong place; the first says so.
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const InputSpec &spec = specs.inputs[i];
    const StringId name = m[ValueId(parameters.first + i)].name;
    const At at(*this, "input_specs", i);
    if (spec.name && name && spec.name != name && spec.isOrdered)
      return malformed(
          fmt::format("the spec is for '{}', but the graph's input there is '{}'", m.text(spec.name), m.text(name)));
  }
}

/// torch counts: tokens come first, then what is written back, then what the user gets.
void ProgramReader::checkOutputSpecs(const SignatureSpecs &specs) {
  const GraphId main = m.main();
  const auto returned = m.results(main);
  if (specs.outputs.size() != returned.size())
    return malformed(
        fmt::format("{} output specs, but the graph has {} outputs", specs.outputs.size(), returned.size()));
  std::vector<StringId> roles;
  std::size_t users = 0;
  bool isPlain = true, isInference = true;
  for (const OutputSpec &spec : specs.outputs) {
    roles.push_back(
        m.strings.intern(spec.role + (spec.target ? fmt::format(":{}", m.text(spec.target)) : std::string())));
    isPlain &= spec.role.empty();
    isInference &= spec.kind != nullptr && !spec.kind->isTraining;
    users += spec.role.empty() ? 1U : 0U;
  }
  if (!isPlain)
    m.setResultRoles(main, roles);
  if (!isInference)
    return;
  std::size_t user = returned.size() - users;
  for (std::uint32_t i = 0; i < specs.outputs.size(); ++i) {
    const OutputSpec &spec = specs.outputs[i];
    const At at(*this, "output_specs", i);
    if (!spec.role.empty() && spec.target && !hasTarget(specs, spec))
      malformed(fmt::format("{} is written back to '{}', which no input is for", spec.role, m.text(spec.target)));
    const auto writes = returned.first(returned.size() - users);
    if (spec.name && spec.kind->writesBack() &&
        std::ranges::none_of(writes, [&](ValueId v) { return v && m[v].name == spec.name; }))
      return malformed(fmt::format("the spec is for '{}', which is not among what the graph returns to be written back",
                                   m.text(spec.name)));
    if (!spec.role.empty())
      continue;
    const ValueId v = returned[user++];
    if (spec.name && v && m[v].name && spec.name != m[v].name)
      return malformed(
          fmt::format("the spec is for '{}', but the graph returns '{}' there", m.text(spec.name), m.name(v)));
  }
}

/// What is written back has an input of its name that it belongs to.
bool ProgramReader::hasTarget(const SignatureSpecs &specs, const OutputSpec &spec) {
  const OutputKind &kind = *spec.kind;
  return std::ranges::any_of(specs.inputs, [&](const InputSpec &input) {
    return input.role == kind.writes &&
           (kind.writes == ParameterRole::Input ? input.name : input.target) == spec.target;
  });
}

/// The name in an argument that is a tensor or a symbolic number; none in a constant.
std::optional<std::string_view> ProgramReader::specName() {
  std::optional<std::string_view> name;
  oneOf("an argument", [&](std::string_view tag) {
    const At at(*this, tag);
    if (same(tag, "as_tensor")) {
      name = namedArgument("an argument");
    } else if (same(tag, "as_sym_int") || same(tag, "as_sym_float") || same(tag, "as_sym_bool")) {
      oneOf("a symbolic value", [&](std::string_view t) {
        const At here(*this, t);
        if (same(t, "as_name"))
          name = text("a name");
        else
          c.skip();
      });
    } else {
      c.skip();
    }
  });
  return name;
}

ProgramReader::InputSpec ProgramReader::inputSpec(std::uint32_t i) {
  InputSpec spec;
  oneOf("an input spec", [&](std::string_view tag) {
    const At at(*this, tag);
    const auto kind = std::ranges::find(inputKinds, tag, &InputKind::tag);
    if (kind == inputKinds.end()) {
      unknownKind(fmt::format("'{}' is no kind of input", tag));
      return c.skip();
    }
    spec.role = kind->role;
    // torch compares the names of tensors and symbolic numbers alone.
    spec.isOrdered = kind->role != ParameterRole::CustomObject && kind->role != ParameterRole::Token &&
                     kind->role != ParameterRole::ScalarInput;
    if (!c.is(JsonKind::Object))
      return unexpected("an input spec");
    const bool isUser = kind->role == ParameterRole::Input;
    std::optional<std::string_view> name;
    bool hasName = kind->nameKey.empty(), hasPersistent = kind->role != ParameterRole::Buffer;
    fields([&](std::string_view key) {
      hasName = hasName || key == kind->nameKey;
      hasPersistent = hasPersistent || key == "persistent";
      if (key == "arg")
        name = isUser ? specName() : namedArgument("an argument");
      else if (key == "name" && kind->role == ParameterRole::ScalarInput)
        name = text("a name");
      else if (!kind->nameKey.empty() && key == kind->nameKey)
        spec.target = intern(text("a name").value_or(std::string_view()));
      else if (key == "persistent" && kind->role == ParameterRole::Buffer && !c.is(JsonKind::Bool))
        unexpected("whether the buffer is persistent, true or false");
      else
        c.skip();
    });
    if (!hasName || !hasPersistent)
      malformed(fmt::format("the input spec has no '{}'", hasName ? "persistent" : kind->nameKey));
    if (!name)
      return;
    spec.name = intern(*name);
    if (!isUser)
      attachSpec(spec, i);
  });
  return spec;
}

/// Gives the input that \p spec, the \p i-th, names its role, and the name of its data.
void ProgramReader::attachSpec(InputSpec &spec, std::uint32_t i) {
  const Range parameters = m[m.main()].parameters;
  ValueId v = lookup(spec.name);
  if (!v && spec.role == ParameterRole::ScalarInput && i < parameters.count) {
    // The graph's input is the number itself; only the signature names it.
    v = ValueId(parameters.first + i);
    if (!m[v].name)
      m[v].name = spec.name;
  }
  if (!v || m[v].origin != ValueOrigin::Parameter) {
    spec.isOrdered = false; // said here
    spec.isAbsent = true;
    if (!mainIsLost)
      malformed(fmt::format("'{}' is no input of the graph", m.text(spec.name)));
    return;
  }
  m[v].role = spec.role;
  if (spec.target && !m.text(spec.target).empty() && !m[v].constant) {
    Constant data;
    data.name = spec.target;
    data.type = m[v].recorded;
    m[v].constant = m.addConstantData(data);
  }
}

ProgramReader::OutputSpec ProgramReader::outputSpec() {
  OutputSpec spec;
  oneOf("an output spec", [&](std::string_view tag) {
    const At at(*this, tag);
    const auto kinds = outputKinds();
    const auto kind = std::ranges::find(kinds, tag, &OutputKind::tag);
    if (tag != "user_output")
      spec.role = tag;
    if (kind == kinds.end()) {
      unknownKind(fmt::format("'{}' is no kind of output", tag));
      return c.skip();
    }
    spec.kind = &*kind;
    if (!c.is(JsonKind::Object))
      return unexpected("an output spec");
    fields([&](std::string_view key) {
      if (key == "arg" && (spec.role.empty() || spec.kind->writesBack())) {
        if (const auto name = spec.role.empty() ? specName() : namedArgument("a tensor"))
          spec.name = intern(*name);
      } else if (!kind->targetKey.empty() && key == kind->targetKey) {
        if (const auto target = text("a name"))
          spec.target = intern(*target);
      } else {
        c.skip();
      }
    });
  });
  return spec;
}

} // namespace condlint::pt2
