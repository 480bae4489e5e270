//===- ModuleCalls.cpp - How a program is called ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Source: torch/export/unflatten.py, torch/export/exported_program.py, torch/utils/_pytree.py; asked of torch 2.13,
// each part removed, garbled and made longer and shorter. What stands in the lists of inputs and outputs it does not
// look at.
#include "ProgramReader.h"
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace condlint::pt2 {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 3> specKeys{"type", "context", "children_spec"};

/// The type of a container, of torch's own serialization; empty of a leaf.
std::string_view typeOf(const Json &spec) {
  const Json &type = spec.at("type");
  return type.is_string() ? std::string_view(type.get_ref<const Json::string_t &>()) : std::string_view();
}

/// The keys of a dictionary, which stand in its context as JSON in a string; null where that is no list.
Json keysOf(const Json &spec) {
  const Json &context = spec.at("context");
  if (!context.is_string())
    return nullptr;
  Json keys = Json::parse(context.get_ref<const Json::string_t &>(), nullptr, false);
  return keys.is_array() ? keys : Json(nullptr);
}

/// Whether torch reads the context of the containers of \p type as JSON. Others have readers of their own.
bool hasPlainContext(std::string_view type) {
  constexpr std::array<std::string_view, 5> plain{"builtins.tuple", "builtins.list", "builtins.dict",
                                                  "collections.OrderedDict", "collections.deque"};
  return std::ranges::find(plain, type) != plain.end();
}

bool isDictionary(std::string_view type) { return type == "builtins.dict" || type == "collections.OrderedDict"; }

/// What torch refuses of one container, beside those in it.
std::string containerProblem(const Json &spec) {
  if (!spec.is_object())
    return fmt::format("a part is {}, not an object", spec.type_name());
  for (const std::string_view key : specKeys)
    if (!spec.contains(key))
      return fmt::format("a part has no '{}'", key);
  const Json &children = spec["children_spec"], &context = spec["context"];
  if (!children.is_array())
    return fmt::format("'children_spec' of a part is {}, not a list", children.type_name());
  if (spec["type"].is_null())
    return context.is_null() && children.empty() ? "" : "a part without a type holds something";
  const std::string_view type = typeOf(spec);
  if (type.empty())
    return fmt::format("the type of a part is {}, not a name", spec["type"].type_name());
  if (!hasPlainContext(type))
    return "";
  if (!context.is_string() || !Json::accept(context.get_ref<const Json::string_t &>()))
    return fmt::format("the context of a {} is no JSON in a string", type);
  if (!isDictionary(type))
    return "";
  const Json keys = keysOf(spec);
  if (!keys.is_array())
    return fmt::format("the context of a {} is no list of keys", type);
  return keys.size() == children.size()
             ? ""
             : fmt::format("a {} of {} keys holds {} values", type, keys.size(), children.size());
}

/// The parts of \p spec, itself included, in no promised order: how many are leaves, and what is wrong.
struct Parts {
  std::size_t leaves = 0;
  std::string problem;
};
Parts partsOf(const Json &spec) {
  Parts parts;
  std::vector<const Json *> open{&spec};
  while (!open.empty()) {
    const Json &part = *open.back();
    open.pop_back();
    parts.problem = containerProblem(part);
    if (!parts.problem.empty())
      return parts;
    parts.leaves += part["type"].is_null() ? 1U : 0U;
    for (const Json &child : part["children_spec"])
      open.push_back(&child);
  }
  return parts;
}

/// What Python takes for the name of a parameter, of the letters that all of its versions have; those beyond ASCII it
/// judges otherwise.
bool isPythonName(std::string_view name) {
  constexpr std::array<std::string_view, 35> words{
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto isPart = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || isDigit(c) ||
           static_cast<unsigned char>(c) > 127;
  };
  return !name.empty() && !isDigit(name.front()) && std::ranges::all_of(name, isPart) &&
         std::ranges::find(words, name) == words.end();
}

} // namespace

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
        callSignature(i == 0);
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

void ProgramReader::callSignature(bool isProgram) {
  constexpr std::array<std::string_view, 4> demanded{"inputs", "outputs", "in_spec", "out_spec"};
  std::array<bool, demanded.size()> isGiven{};
  Nesting inputs, outputs;
  CallNames names;
  fields([&](std::string_view key) {
    if (key == "forward_arg_names" && isProgram)
      return forwardNames(names);
    const auto *const asked = std::ranges::find(demanded, key);
    if (asked == demanded.end())
      return c.skip();
    isGiven[static_cast<std::size_t>(asked - demanded.begin())] = true;
    if (!key.ends_with("_spec"))
      return c.is(JsonKind::Array) ? c.skip() : unexpected("a list of values");
    (key == "in_spec" ? inputs : outputs) = nesting(isProgram && key == "in_spec");
  });
  for (std::size_t i = 0; i < demanded.size(); ++i)
    if (!isGiven[i])
      malformed(fmt::format("the signature of the call has no '{}'", demanded[i]));
  if (!isProgram)
    return;
  programCall = {std::move(inputs), std::move(outputs), std::move(names)};
}

ProgramReader::Nesting ProgramReader::nesting(bool isCall) {
  constexpr std::string_view wanted = "expected how values are nested, as JSON in a string, found ";
  // Those of real programs have some hundred bytes; what is longer by far is not held in memory as a tree.
  constexpr std::size_t longest = std::size_t{1} << 20;
  Nesting found;
  const auto given = text("how values are nested, as JSON in a string");
  if (!given)
    return found;
  if (given->size() > longest) {
    if (!Json::accept(*given))
      malformed(fmt::format("{}a string that is none", wanted));
    return found;
  }
  const Json document = Json::parse(*given, nullptr, false);
  if (document.is_discarded()) {
    malformed(fmt::format("{}a string that is none", wanted));
    return found;
  }
  if (!document.is_array() || document.size() != 2) {
    malformed(fmt::format("{}{}, not a protocol's number and the nesting", wanted, document.type_name()));
    return found;
  }
  if (document[0] != 1) {
    malformed(fmt::format("values are nested by the protocol {}, of which torch knows 1 alone",
                          document[0].is_number() ? document[0].dump() : document[0].type_name()));
    return found;
  }
  const Json &spec = document[1];
  const Parts parts = partsOf(spec);
  if (!parts.problem.empty()) {
    malformed(fmt::format("{}one that torch cannot read: {}", wanted, parts.problem));
    return found;
  }
  found.leaves = parts.leaves;
  if (!isCall)
    return found;
  const Json &both = spec["children_spec"];
  if (typeOf(spec) != "builtins.tuple" || both.size() != 2 || typeOf(both[0]) != "builtins.tuple" ||
      typeOf(both[1]) != "builtins.dict") {
    malformed("what a call passes is not a tuple of a tuple and a dict: no call of the program fits it");
    found.leaves.reset();
    return found;
  }
  found.positional = both[0]["children_spec"].size();
  for (const Json &key : keysOf(both[1]))
    found.keywords.push_back(key.is_string() ? key.get<std::string>() : std::string());
  return found;
}

void ProgramReader::forwardNames(CallNames &names) {
  // Python takes what is false for none.
  if (c.is(JsonKind::Null))
    return c.skip();
  if (!c.is(JsonKind::Array))
    return unexpected("the names of what a call passes, a list");
  names.areKnown = true;
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    if (!names.areKnown)
      return c.skip(); // one is told
    if (const auto name = text("a name")) {
      if (!isPythonName(*name)) {
        malformed(fmt::format("'{}' is no name that Python takes for a parameter", name->substr(0, 80)));
        names.areKnown = false;
      }
      names.list.emplace_back(*name);
    } else {
      names.areKnown = false;
    }
  });
}

/// torch makes a function of these parameters, and passes what comes by position and what comes by name as it came.
void ProgramReader::checkNames(const CallNames &names, const Nesting &inputs) {
  if (!names.areKnown || names.list.empty() || !inputs.positional)
    return;
  std::vector<std::string_view> sorted(names.list.begin(), names.list.end());
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    return malformed(fmt::format("two parameters are named '{}'", *twice));
  const std::size_t all = *inputs.positional + inputs.keywords.size();
  if (names.list.size() != all)
    return malformed(fmt::format("{} names for the {} values that a call passes", names.list.size(), all));
  const auto byName = std::span(names.list).subspan(*inputs.positional);
  for (const std::string &keyword : inputs.keywords)
    if (std::ranges::find(byName, keyword) == byName.end())
      return malformed(fmt::format("'{}' is passed by name, and is not among the names behind those of the {} values "
                                   "that come by position",
                                   keyword, *inputs.positional));
}

void ProgramReader::checkCall() {
  const At at(*this, "module_call_graph", 0), signature(*this, "signature");
  const auto check = [&](std::string_view list, const Nesting &nesting, std::optional<std::size_t> values,
                         std::string_view what) {
    if (!nesting.leaves || !values || *nesting.leaves == *values)
      return true;
    const At here(*this, list);
    malformed(fmt::format("values are nested with {} leaves, but the signature has {} {}: torch runs no call of the "
                          "program",
                          *nesting.leaves, *values, what));
    return false;
  };
  check("out_spec", programCall.outputs, userOutputs, "user outputs");
  if (!check("in_spec", programCall.inputs, userInputs, "user inputs"))
    return;
  const At here(*this, "forward_arg_names");
  checkNames(programCall.names, programCall.inputs);
}

} // namespace condlint::pt2
