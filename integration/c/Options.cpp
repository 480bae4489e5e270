//===- Options.cpp - Options in JSON to what a call is asked --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "config/UnknownWord.h"
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>

namespace condlint::c {

namespace {

using Json = nlohmann::json;

constexpr const char *where = "options";

/// One option: which calls take it, and how its value is understood; what is wrong with it, or nothing.
struct Option {
  std::string_view name;
  std::vector<Call> calls;
  std::function<std::string(const Json &, Options &)> read;
};

using Read = std::function<std::string(const Json &, Options &)>;

/// Finds the place of the value among the options.
template <class T> using Place = std::function<T &(Options &)>;

Read text(const Place<std::string> &place) {
  return [place](const Json &value, Options &o) -> std::string {
    if (!value.is_string())
      return "must be a string";
    place(o) = value.get<std::string>();
    return {};
  };
}

Read flag(const Place<bool> &place) {
  return [place](const Json &value, Options &o) -> std::string {
    if (!value.is_boolean())
      return "must be true or false";
    place(o) = value.get<bool>();
    return {};
  };
}

template <class T> Read number(const Place<T> &place) {
  return [place](const Json &value, Options &o) -> std::string {
    if (!value.is_number() || !(value.get<double>() >= 0))
      return "must be a number that is not negative";
    place(o) = value.get<double>();
    return {};
  };
}

template <class T> Read whole(const Place<T> &place, std::uint64_t least, std::uint64_t most) {
  return [=](const Json &value, Options &o) -> std::string {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most)
      return most == UINT64_MAX ? fmt::format("must be a whole number from {} on", least)
                                : fmt::format("must be a whole number from {} to {}", least, most);
    place(o) = static_cast<T>(value.get<std::uint64_t>());
    return {};
  };
}

std::string readConfig(const Json &value, Options &o) {
  if (value.is_string()) {
    o.which = Options::Which::File;
    o.configFile = value.get<std::string>();
    return {};
  }
  if (value.is_object()) {
    Expected<Config> own = parseConfig(value.dump(), where);
    if (!own)
      return own.error().place + ": " + own.error().message;
    o.which = Options::Which::Own;
    o.own = std::move(*own);
    return {};
  }
  if (!value.is_boolean())
    return "must be a path, an object as in .condlint.json, true (the nearest .condlint.json) or false (none)";
  o.which = value.get<bool>() ? Options::Which::Nearest : Options::Which::None;
  return {};
}

std::string readFlags(const Json &value, Options &o) {
  if (!value.is_array() || !std::ranges::all_of(value, [](const Json &flag) { return flag.is_string(); }))
    return "must be a list of strings";
  o.flags = value.get<std::vector<std::string>>();
  return {};
}

std::string readBranch(const Json &value, Options &o) {
  if (value != "taken" && value != "both")
    return "must be \"taken\" or \"both\"";
  o.run.bothBranches = value == "both";
  return {};
}

std::span<const Option> table() {
  constexpr std::uint64_t mostDraws = 10000;
  static const std::vector<Option> options{
      {"config", {Call::Check, Call::Run}, readConfig},
      {"flags", {Call::Check}, readFlags},
      {"compileCommands", {Call::Check}, text([](Options &o) -> auto & { return o.compileCommands; })},
      {"cache", {Call::Check}, text([](Options &o) -> auto & { return o.cache; })},
      {"model", {Call::Run, Call::Dump}, text([](Options &o) -> auto & { return o.run.name; })},
      {"infer", {Call::Dump}, flag([](Options &o) -> auto & { return o.infer; })},
      {"draw", {Call::Check, Call::Run}, flag([](Options &o) -> auto & { return o.run.draw; })},
      {"branch", {Call::Run}, readBranch},
      {"inputs", {Call::Run}, text([](Options &o) -> auto & { return o.run.inputs; })},
      {"expect", {Call::Run}, text([](Options &o) -> auto & { return o.run.expect; })},
      {"save", {Call::Run}, text([](Options &o) -> auto & { return o.run.save; })},
      {"keep", {Call::Run}, text([](Options &o) -> auto & { return o.run.keepIn; })},
      {"device", {Call::Run}, text([](Options &o) -> auto & { return o.run.device; })},
      {"rtol", {Call::Run}, number<std::optional<double>>([](Options &o) -> auto & { return o.run.rtol; })},
      {"atol", {Call::Run}, number<std::optional<double>>([](Options &o) -> auto & { return o.run.atol; })},
      {"timeLimit", {Call::Run}, number<double>([](Options &o) -> auto & { return o.run.timeLimit; })},
      {"memoryLimit",
       {Call::Run},
       whole<std::uint64_t>([](Options &o) -> auto & { return o.run.memoryLimit; }, 1, UINT64_MAX)},
      {"seed", {Call::Run}, whole<std::uint64_t>([](Options &o) -> auto & { return o.run.seed; }, 0, UINT64_MAX)},
      {"draws", {Call::Run}, whole<std::uint32_t>([](Options &o) -> auto & { return o.run.draws; }, 1, mostDraws)},
      {"allowPartial", {Call::Run}, flag([](Options &o) -> auto & { return o.run.allowPartial; })},
  };
  return options;
}

bool takes(const Option &option, Call call) { return std::ranges::find(option.calls, call) != option.calls.end(); }

/// What \p call knows of options, beside the keys of a configuration.
const Option *find(std::string_view name, Call call) {
  const auto at = std::ranges::find_if(table(), [&](const Option &o) { return o.name == name && takes(o, call); });
  return at == table().end() ? nullptr : &*at;
}

std::string unknownOption(const std::string &name, Call call) {
  std::vector<std::string_view> known;
  if (call != Call::Dump)
    known.assign(configKeys().begin(), configKeys().end());
  for (const Option &option : table())
    if (takes(option, call))
      known.push_back(option.name);
  return unknownWord("option", name, known);
}

} // namespace

Expected<Options> parseOptions(std::string_view json, Call call) {
  Options options;
  options.run.keepIn.clear(); // a library writes no file that nobody asked for
  if (json.empty())
    return options;
  Json object;
  try {
    object = Json::parse(json);
  } catch (const Json::parse_error &e) {
    std::string_view what = e.what(); // "[json.exception.…] parse error at line 1, column 2: …"
    return Error{where, "", "are not valid JSON: " + std::string(what.substr(what.find("] ") + 2)), ""};
  }
  if (!object.is_object())
    return Error{where, "", "must be one JSON object", ""};
  Json configuration = Json::object();
  for (auto &[name, value] : object.items()) {
    if (value.is_null())
      continue;
    if (const Option *option = find(name, call)) {
      if (const std::string problem = option->read(value, options); !problem.empty())
        return Error{where, name, problem, ""};
    } else if (call != Call::Dump && std::ranges::find(configKeys(), name) != configKeys().end()) {
      configuration[name] = std::move(value);
    } else {
      return Error{where, name, unknownOption(name, call), ""};
    }
  }
  if (configuration.empty())
    return options;
  Expected<Config> given = parseConfig(configuration.dump(), where);
  if (!given)
    return given.error();
  options.given = std::move(*given);
  return options;
}

Expected<Config> Options::configOf(const std::string &input, bool byDefault) const {
  if (which == Which::Own)
    return own.with(given);
  Expected<std::shared_ptr<const Config>> found = std::shared_ptr<const Config>();
  if (which == Which::File)
    found = ConfigFinder::load(configFile);
  else if (which == Which::Nearest || (which == Which::Default && byDefault))
    found = ConfigFinder().forInput(input);
  if (!found)
    return found.error();
  return *found ? (*found)->with(given) : given;
}

} // namespace condlint::c
