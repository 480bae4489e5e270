//===- OperatorWords.cpp - Operators as users describe them ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OperatorWords.h"
#include "UnknownWord.h"
#include <charconv>
#include <nlohmann/json.hpp>

namespace condlint {

namespace {

using Json = nlohmann::json;
using Argument = OperatorDeclaration::Argument;

constexpr unsigned mostArguments = 255;

std::optional<Error> wrong(const std::string &place, const std::string &message) {
  return Error{"", place, message, ""};
}

bool isPosition(const Json &value) { return value.is_number_unsigned() && value.get<std::uint64_t>() <= mostArguments; }

std::optional<Argument> argumentIn(const Json &value) {
  if (isPosition(value))
    return value.get<std::uint32_t>();
  if (value.is_string() && !value.get_ref<const std::string &>().empty())
    return value.get<std::string>();
  return std::nullopt;
}

std::optional<Error> readWrites(const std::string &place, const Json &value, OperatorDeclaration &said) {
  if (!value.is_array())
    return wrong(place, "must be a list of arguments, by position from 0 or by name");
  for (const Json &item : value) {
    const std::optional<Argument> argument = argumentIn(item);
    if (!argument)
      return wrong(place, "must be a list of arguments, by position from 0 or by name");
    said.writes.push_back(*argument);
  }
  return std::nullopt;
}

std::optional<Error> readAliases(const std::string &place, const Json &value, OperatorDeclaration &said) {
  constexpr const char *wanted =
      "must be a list of pairs [result, argument]: the result by its position from 0, the argument so or by its name";
  if (!value.is_array())
    return wrong(place, wanted);
  for (const Json &item : value) {
    const std::optional<Argument> argument =
        item.is_array() && item.size() == 2 && isPosition(item[0]) ? argumentIn(item[1]) : std::nullopt;
    if (!argument)
      return wrong(place, wanted);
    said.aliases.push_back({item[0].get<std::uint32_t>(), *argument});
  }
  return std::nullopt;
}

/// "like 0", "like x"; or a list of such, one a result, null where nothing is known of one.
std::optional<Error> readResult(const std::string &place, const Json &value, OperatorDeclaration &said) {
  constexpr std::string_view like = "like ";
  const std::vector<Json> all = value.is_array() ? value.get<std::vector<Json>>() : std::vector<Json>{value};
  for (const Json &one : all) {
    if (one.is_null() && value.is_array()) {
      said.like.emplace_back();
      continue;
    }
    const std::string text = one.is_string() ? one.get<std::string>() : std::string();
    if (!text.starts_with(like) || text.size() == like.size())
      return wrong(place, "must be \"like ARGUMENT\", the argument by its position from 0 or by its name; or a list of "
                          "such, one for each result, null where its type is not known");
    const std::string argument = text.substr(like.size());
    std::uint32_t position = 0;
    const char *const last = argument.data() + argument.size();
    const auto [end, error] = std::from_chars(argument.data(), last, position);
    if (error == std::errc() && end == last && position <= mostArguments)
      said.like.emplace_back(position);
    else
      said.like.emplace_back(argument);
  }
  return std::nullopt;
}

std::optional<Error> readOperator(const std::string &at, const Json &value, OperatorDeclaration &said) {
  if (!value.is_object())
    return wrong(at, "must be an object such as {\"writes\": [0], \"aliases\": [[0, 0]], \"pure\": true, \"result\": "
                     "\"like 0\"}");
  for (const auto &[key, what] : value.items()) {
    const std::string place = at + '.' + key;
    std::optional<Error> found;
    if (key == "writes")
      found = readWrites(place, what, said);
    else if (key == "aliases")
      found = readAliases(place, what, said);
    else if (key == "result")
      found = readResult(place, what, said);
    else if (key != "pure")
      found = wrong(at, unknownWord("key", key, {"writes", "aliases", "pure", "result"}));
    else if (!what.is_boolean())
      found = wrong(place, "must be true or false");
    else
      said.pure = what.get<bool>();
    if (found)
      return found;
  }
  return std::nullopt;
}

} // namespace

std::optional<Error> readOperators(const Json &value, OperatorDeclarations &out) {
  if (!value.is_object())
    return wrong("operators", "must be an object of operators, such as {\"my::op\": {\"pure\": true}}");
  for (const auto &[name, said] : value.items()) {
    const std::string at = "operators." + name;
    if (const std::size_t colons = name.find("::"); colons == 0 || colons == name.npos || colons + 2 == name.size())
      return wrong(at, "must be named with its library: my::op, or my::op.overload");
    if (auto found = readOperator(at, said, out[name]))
      return found;
  }
  return std::nullopt;
}

} // namespace condlint
