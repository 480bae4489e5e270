//===- ReportReader.cpp - Reports, read back ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportReader.h"
#include "ReportParts.h"
#include "formats/Formats.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unordered_map>
#include <utility>

namespace condlint {

namespace {

constexpr std::string_view schemaVersion = "1.0";

std::string typeOf(const Json &record) {
  const Json &type = member(record, "type");
  return type.is_string() ? type.get<std::string>() : std::string();
}

/// Adds what a record says to the input that it stands behind.
bool addRecord(const ReportParts &parts, const std::string &type, const Json &record, InputReport &input) {
  if (type == "conditional")
    return parts.conditional(record, input.summaries.emplace_back());
  if (type == "loop")
    return parts.conditional(record, input.loops.emplace_back());
  if (type == "finding")
    return parts.finding(record, input.findings.emplace_back());
  return type == "suppressed" && parts.finding(record, input.suppressed.emplace_back());
}

} // namespace

struct ReportReader::State {
  std::string path;
  ReportParts parts;
  ReportHead head;
  // Of records that stand a line each.
  std::ifstream file;
  std::size_t line = 0;
  Json pending; ///< the next input's record
  // Of one object.
  std::vector<InputReport> inputs;
  std::size_t at = 0;

  State(std::string p, std::vector<std::string_view> ids) : path(std::move(p)), parts(std::move(ids)) {}

  Error broken(const std::string &what) const {
    return {path, line == 0 ? std::string() : fmt::format("line {}", line), what, {}};
  }
  Error unlike() const { return broken("is not as condlint writes it"); }

  std::optional<Error> readHead(const Json &holder, const Json &summary);
  std::optional<Error> openLines();
  std::optional<Error> openObject();
  Json readLine();
  std::optional<std::string> lastLine();
  Expected<std::optional<InputReport>> nextOfLines();
};

/// Version, exit code and shard. \p holder has the versions.
std::optional<Error> ReportReader::State::readHead(const Json &holder, const Json &summary) {
  const Json &tool = member(holder, "tool"), &version = member(tool, "version"), &code = member(summary, "exitCode");
  if (member(holder, "schemaVersion") != schemaVersion || member(tool, "name") != "condlint")
    return broken(fmt::format("is no report of condlint with the schema's version {}", schemaVersion));
  if (!version.is_string() || !code.is_number_integer())
    return unlike();
  head.version = version.get<std::string>();
  head.exitCode = code.get<int>();
  if (const Json &shard = member(summary, "shard"); !shard.is_null())
    if (!parts.shard(shard, head.shard.emplace()))
      return unlike();
  return std::nullopt;
}

Json ReportReader::State::readLine() {
  std::string text;
  if (!std::getline(file, text))
    return nullptr;
  ++line;
  return Json::parse(text, nullptr, false);
}

/// Of a run that was killed it is no summary.
std::optional<std::string> ReportReader::State::lastLine() {
  file.clear();
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  std::string tail;
  for (std::streamoff step = 4096; size > 0; step *= 2) {
    const std::streamoff begin = std::max<std::streamoff>(0, size - step);
    file.seekg(begin);
    tail.resize(static_cast<std::size_t>(size - begin));
    file.read(tail.data(), size - begin);
    if (!file || !tail.ends_with('\n'))
      return std::nullopt;
    const std::size_t before = tail.find_last_of('\n', tail.size() - 2);
    if (before != std::string::npos && tail.size() > 1)
      return tail.substr(before + 1);
    if (begin == 0)
      return tail;
  }
  return std::nullopt;
}

std::optional<Error> ReportReader::State::openLines() {
  const std::optional<std::string> last = lastLine();
  const Json summary = last ? Json::parse(*last, nullptr, false) : Json();
  if (typeOf(summary) != "summary")
    return Error{path, {}, "ends before its summary: the run that wrote it did not come to its end", "run it again"};
  file.clear();
  file.seekg(0);
  if (std::optional<Error> error = readHead(readLine(), summary))
    return error;
  pending = readLine();
  return std::nullopt;
}

std::optional<Error> ReportReader::State::openObject() {
  file.seekg(0);
  const Json json = Json::parse(file, nullptr, false);
  file.close();
  if (!json.is_object())
    return broken("is neither a JSON nor an NDJSON report of condlint");
  if (std::optional<Error> error = readHead(json, member(json, "summary")))
    return error;
  std::unordered_map<std::string, std::size_t> places;
  for (const Json &item : member(json, "inputs")) {
    InputReport &input = inputs.emplace_back();
    if (!parts.input(item, input) || !places.emplace(input.path, inputs.size() - 1).second)
      return unlike();
  }
  for (const auto &[list, type] : {std::pair("conditionals", "conditional"), std::pair("loops", "loop"),
                                   std::pair("findings", "finding"), std::pair("suppressed", "suppressed")})
    for (const Json &item : member(json, list)) {
      const Json &name = member(item, "input");
      const auto place = name.is_string() ? places.find(name.get<std::string>()) : places.end();
      if (place == places.end() || !addRecord(parts, type, item, inputs[place->second]))
        return unlike();
    }
  return std::nullopt;
}

Expected<std::optional<InputReport>> ReportReader::State::nextOfLines() {
  if (typeOf(pending) == "summary")
    return std::optional<InputReport>();
  InputReport input;
  if (typeOf(pending) != "input" || !parts.input(pending, input))
    return unlike();
  for (;;) {
    pending = readLine();
    const std::string type = typeOf(pending);
    if (type == "input" || type == "summary")
      return std::optional<InputReport>(std::move(input));
    if (!addRecord(parts, type, pending, input))
      return unlike();
  }
}

ReportReader::ReportReader(std::unique_ptr<State> s) : state(std::move(s)) {}
ReportReader::~ReportReader() = default;

Expected<std::unique_ptr<ReportReader>> ReportReader::open(const std::string &path,
                                                           std::vector<std::string_view> ruleIds) {
  auto state = std::make_unique<State>(path, std::move(ruleIds));
  state->file.open(path, std::ios::binary);
  std::string first;
  if (!state->file || !std::getline(state->file, first))
    return Error{path,
                 {},
                 state->file.eof() ? "is empty, expected a report"
                                   : std::string("cannot be read: ") + std::strerror(errno),
                 {}};
  const bool isLines = typeOf(Json::parse(first, nullptr, false)) == "header";
  if (const std::optional<Error> error = isLines ? state->openLines() : state->openObject())
    return *error;
  return std::unique_ptr<ReportReader>(new ReportReader(std::move(state)));
}

const ReportHead &ReportReader::head() const { return state->head; }

Expected<std::optional<InputReport>> ReportReader::next() {
  if (state->file.is_open())
    return state->nextOfLines();
  if (state->at == state->inputs.size())
    return std::optional<InputReport>();
  return std::optional<InputReport>(std::move(state->inputs[state->at++]));
}

std::string inputText(const InputReport &input) {
  Json places = Json::array();
  for (const std::vector<Finding> *all : {&input.findings, &input.suppressed})
    for (const Finding &f : *all)
      places.push_back(f.places);
  const Json kept = {{"type", "kept"}, {"root", input.root}, {"leftOut", input.leftOut}, {"places", std::move(places)}};
  return formats::openNdjson({})->partOf(input) + textOf(kept) + '\n';
}

std::optional<InputReport> parseInput(std::string_view text, const std::vector<std::string_view> &ruleIds) {
  const ReportParts parts(ruleIds);
  InputReport input;
  bool isFirst = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return std::nullopt;
    const Json record = Json::parse(text.substr(0, end), nullptr, false);
    text.remove_prefix(end + 1);
    const std::string type = typeOf(record);
    if (std::exchange(isFirst, false)) {
      if (type != "input" || !parts.input(record, input))
        return std::nullopt;
    } else if (type != "kept") {
      if (!addRecord(parts, type, record, input))
        return std::nullopt;
    } else {
      const Json &root = member(record, "root"), &places = member(record, "places");
      const Json &leftOut = member(record, "leftOut");
      if (!root.is_string() || !places.is_array() || !leftOut.is_number_unsigned() || !text.empty() ||
          places.size() != input.findings.size() + input.suppressed.size())
        return std::nullopt;
      input.root = root.get<std::string>();
      input.leftOut = leftOut.get<std::size_t>();
      std::size_t at = 0;
      for (std::vector<Finding> *all : {&input.findings, &input.suppressed})
        for (Finding &f : *all) {
          if (!places[at].is_number_unsigned())
            return std::nullopt;
          f.places = places[at++].get<std::uint64_t>();
        }
      return input;
    }
  }
  return std::nullopt; // its end is not there
}

} // namespace condlint
