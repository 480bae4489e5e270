//===- Protocol.cpp - Features in the words of the protocol ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Protocol.h"
#include "PlainText.h"
#include "config/Config.h"
#include "cxx/CompilationDatabase.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace condlint::lsp {

const Json &below(const Json &json, std::initializer_list<const char *> keys) {
  static const Json nothing;
  const Json *at = &json;
  for (const char *key : keys) {
    if (!at->is_object())
      return nothing;
    const auto next = at->find(key);
    if (next == at->end())
      return nothing;
    at = &*next;
  }
  return *at;
}

namespace {

bool isTrue(const Json &json, std::initializer_list<const char *> keys) {
  const Json &value = below(json, keys);
  return value.is_boolean() && value.get<bool>();
}

Encoding encodingOf(const Json &capabilities) {
  const Json &offered = below(capabilities, {"general", "positionEncodings"});
  if (offered.is_array())
    for (const auto &[name, encoding] :
         {std::pair("utf-8", Encoding::Utf8), {"utf-16", Encoding::Utf16}, {"utf-32", Encoding::Utf32}})
      if (std::ranges::find(offered, Json(name)) != offered.end())
        return encoding;
  return Encoding::Utf16;
}

std::string nameOf(Encoding e) { return e == Encoding::Utf8 ? "utf-8" : e == Encoding::Utf16 ? "utf-16" : "utf-32"; }

constexpr int kindOperator = 25, kindFunction = 12; ///< of symbols

} // namespace

Client clientOf(const Json &params) {
  Client c;
  const Json &all = below(params, {"capabilities"});
  c.encoding = encodingOf(all);
  const Json &published = below(all, {"textDocument", "publishDiagnostics"});
  c.relatedInformation = isTrue(published, {"relatedInformation"});
  c.diagnosticData = isTrue(published, {"dataSupport"});
  c.codeDescription = isTrue(published, {"codeDescriptionSupport"});
  c.tags = below(published, {"tagSupport"}).is_object();
  c.hierarchicalSymbols = isTrue(all, {"textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"});
  c.codeActionLiterals = below(all, {"textDocument", "codeAction", "codeActionLiteralSupport"}).is_object();
  c.documentChanges = isTrue(all, {"workspace", "workspaceEdit", "documentChanges"});
  c.snippets = isTrue(all, {"workspace", "workspaceEdit", "snippetEditSupport"});
  c.progress = isTrue(all, {"window", "workDoneProgress"});
  c.showDocument = isTrue(all, {"window", "showDocument", "support"});
  c.watchesFiles = isTrue(all, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
  c.lensRefresh = isTrue(all, {"workspace", "codeLens", "refreshSupport"});
  c.hintRefresh = isTrue(all, {"workspace", "inlayHint", "refreshSupport"});
  c.diagnosticRefresh = isTrue(all, {"workspace", "diagnostics", "refreshSupport"});
  const Json &formats = below(all, {"textDocument", "hover", "contentFormat"});
  c.markdown = !formats.is_array() || std::ranges::find(formats, Json("markdown")) != formats.end();
  if (const Json &process = below(params, {"processId"}); process.is_number_integer())
    c.processId = process.get<int>();
  choose(c, below(params, {"initializationOptions"}));
  return c;
}

void choose(Client &c, const Json &options) {
  const auto take = [&](const char *name, bool &into) {
    if (const Json &value = below(options, {name}); value.is_boolean())
      into = value.get<bool>();
  };
  take("lens", c.lens);
  take("hints", c.hints);
  take("unknown", c.unknown);
  take("showsPages", c.showsPages);
  take("status", c.wantsStatus);
  if (const Json &value = below(options, {"lensCommand"}); value.is_string())
    c.lensCommand = value.get<std::string>();
  if (const Json &value = below(options, {"diagnostics"}); value.is_string())
    c.pull = value == "pull";
  constexpr int longest = 10000;
  if (const Json &value = below(options, {"debounce"}); value.is_number_integer())
    c.debounce = std::clamp(value.get<int>(), 0, longest);
}

const Text &Texts::textOf(const std::string &path) {
  if (const Text *text = open(path))
    return *text;
  const auto [at, isNew] = read.try_emplace(path);
  if (isNew && !path.empty()) {
    std::ifstream stream(path, std::ios::binary);
    at->second = Text({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
  }
  return at->second;
}

Json rangeJson(const Range &r) {
  const auto position = [](const Position &p) { return Json{{"line", p.line}, {"character", p.character}}; };
  return {{"start", position(r.start)}, {"end", position(r.end)}};
}

Json Texts::range(const SourceLocation &place) {
  return place.line == 0 ? rangeJson({}) : rangeJson(textOf(place.path).rangeOf(place, encoding));
}

Json Texts::location(const SourceLocation &place) { return {{"uri", uriOfPath(place.path)}, {"range", range(place)}}; }

Json Texts::position(const SourceLocation &place) { return range(place)["start"]; }

std::optional<Position> positionOf(const Json &json) {
  const Json &line = below(json, {"line"}), &character = below(json, {"character"});
  if (!line.is_number_integer() || !character.is_number_integer() || line < 0 || character < 0)
    return std::nullopt;
  return Position{line.get<std::size_t>(), character.get<std::size_t>()};
}

std::optional<Range> rangeOf(const Json &json) {
  const auto start = positionOf(below(json, {"start"})), end = positionOf(below(json, {"end"}));
  return start && end ? std::optional(Range{*start, *end}) : std::nullopt;
}

Json diagnosticJson(const Diagnostic &d, Texts &texts, const Client &client) {
  Json out = {{"range", texts.range(d.at)},
              {"severity", static_cast<int>(d.level)},
              {"source", "condlint"},
              {"message", d.message}};
  if (!d.rule.empty()) {
    out["code"] = d.rule;
    if (client.codeDescription)
      out["codeDescription"] = {{"href", pageOf(d.rule)}};
    if (client.diagnosticData)
      out["data"] = {{"fingerprint", d.fingerprint}};
  }
  if (client.tags && d.isUnnecessary)
    out["tags"] = Json::array({1});
  if (client.relatedInformation && !d.related.empty()) {
    Json related = Json::array();
    for (const Note &n : d.related)
      related.push_back({{"location", texts.location(n.at)}, {"message", n.message}});
    out["relatedInformation"] = std::move(related);
  }
  return out;
}

Json hoverJson(const Hover &h, Texts &texts, const Client &client) {
  return {{"contents",
           {{"kind", client.markdown ? "markdown" : "plaintext"},
            {"value", client.markdown ? h.markdown : plainText(h.markdown)}}},
          {"range", texts.range(h.at)}};
}

/// An action that is nothing but \p command.
static Json commandAction(const std::string &title, Json command, const Client &client) {
  return client.codeActionLiterals ? Json{{"title", title}, {"kind", "quickfix"}, {"command", std::move(command)}}
                                   : command;
}

/// By the client's own command, which draws into a window of its own, or by the server's.
static Json showBoth(const std::string &title, const std::string &uri, const std::string &conditional,
                     const Client &client) {
  return {{"title", title},
          {"command", client.lensCommand.empty() ? "condlint.showBoth" : client.lensCommand},
          {"arguments", Json::array({uri, conditional})}};
}

Json lensJson(const Lens &l, Texts &texts, const std::string &uri, const Client &client) {
  return {{"range", texts.range(l.at)}, {"command", showBoth(l.title, uri, l.conditional, client)}};
}

Json hintJson(const Hint &h, Texts &texts) {
  constexpr int kindType = 1;
  return {{"position", texts.position(h.behind)},
          {"label", h.label},
          {"kind", kindType},
          {"tooltip", h.tooltip},
          {"paddingLeft", false}};
}

Json symbolJson(const Symbol &s, Texts &texts) {
  const Json range = texts.range(s.at);
  Json out = {{"name", s.name},
              {"detail", s.detail},
              {"kind", s.below.empty() ? kindFunction : kindOperator},
              {"range", range},
              {"selectionRange", {{"start", range["start"]}, {"end", range["start"]}}}};
  if (!s.below.empty()) {
    out["children"] = Json::array();
    for (const Symbol &each : s.below)
      out["children"].push_back(symbolJson(each, texts));
  }
  return out;
}

Json plainSymbolJson(const Symbol &s, Texts &texts, const std::string &inside) {
  return {{"name", s.name}, {"kind", kindOperator}, {"location", texts.location(s.at)}, {"containerName", inside}};
}

Json foldJson(const SourceLocation &place, Texts &texts) {
  const Json range = texts.range(place);
  return {{"startLine", range["start"]["line"]}, {"endLine", range["end"]["line"]}};
}

/// With a place in it at which the cursor waits.
static Json snippetOf(const std::string &text) {
  std::string out;
  for (const char c : text) {
    if (c == '$' || c == '}' || c == '\\')
      out += '\\';
    out += c;
  }
  if (const std::size_t at = out.find(reasonToWrite); at != std::string::npos)
    out.replace(at, reasonToWrite.size(), fmt::format("${{1:{}}}", reasonToWrite));
  return {{"kind", "snippet"}, {"value", out}};
}

Json actionJson(const Action &a, Texts &texts, const std::string &uri, const Client &client,
                const std::function<std::optional<std::int64_t>(const std::string &)> &versionOf) {
  if (a.kind == Action::Kind::ShowBoth)
    return commandAction(a.title, showBoth(a.title, uri, a.conditional, client), client);
  if (a.kind == Action::Kind::RunBoth)
    return commandAction(
        a.title, {{"title", a.title}, {"command", "condlint.runBoth"}, {"arguments", Json::array({uri})}}, client);
  Json out = {{"title", a.title}, {"kind", "quickfix"}};
  if (!a.isElsewhere)
    out["diagnostics"] = Json::array({diagnosticJson(a.about, texts, client)});
  if (a.kind == Action::Kind::Explain) {
    Json command = {{"title", a.title}, {"command", "condlint.explain"}, {"arguments", Json::array({a.about.rule})}};
    if (!client.codeActionLiterals)
      return command;
    out["command"] = std::move(command);
    return out;
  }
  if (a.isPreferred)
    out["isPreferred"] = true;
  std::map<std::string, Json> byFile;
  const bool asks = a.kind == Action::Kind::Suppress;
  for (const Edit &e : a.edits) {
    Json range = texts.range(e.at);
    if (asks && !client.snippets && client.showDocument) { // which the client does after the edit
      const std::size_t at = e.text.find(reasonToWrite);
      Json selected = range["start"];
      selected["character"] = at;
      Json end = selected;
      end["character"] = at + reasonToWrite.size();
      out["command"] = {{"title", "Say why"},
                        {"command", "condlint.writeReason"},
                        {"arguments", Json::array({uri, {{"start", selected}, {"end", end}}})}};
    }
    Json edit = {{"range", std::move(range)}};
    if (asks && client.snippets && client.documentChanges)
      edit["snippet"] = snippetOf(e.text);
    else
      edit["newText"] = e.text;
    byFile.try_emplace(e.at.path, Json::array()).first->second.push_back(std::move(edit));
  }
  Json edit = Json::object();
  if (client.documentChanges) {
    edit["documentChanges"] = Json::array();
    for (auto &[path, edits] : byFile) {
      const std::optional<std::int64_t> version = versionOf(path);
      edit["documentChanges"].push_back(
          {{"textDocument", {{"uri", uriOfPath(path)}, {"version", version ? Json(*version) : Json()}}},
           {"edits", std::move(edits)}});
    }
  } else {
    edit["changes"] = Json::object();
    for (auto &[path, edits] : byFile)
      edit["changes"][uriOfPath(path)] = std::move(edits);
  }
  out["edit"] = std::move(edit);
  return out;
}

Json capabilities(const Client &client) {
  constexpr int incremental = 2;
  Json out = {
      {"positionEncoding", nameOf(client.encoding)},
      {"textDocumentSync", {{"openClose", true}, {"change", incremental}, {"save", {{"includeText", false}}}}},
      {"hoverProvider", true},
      {"codeLensProvider", {{"resolveProvider", false}}},
      {"inlayHintProvider", true},
      {"implementationProvider", true},
      {"documentSymbolProvider", {{"label", "condlint"}}},
      {"foldingRangeProvider", true},
      {"workspaceSymbolProvider", true},
      {"codeActionProvider",
       client.codeActionLiterals ? Json{{"codeActionKinds", Json::array({"quickfix"})}} : Json(true)},
      {"executeCommandProvider",
       {{"commands", Json::array({"condlint.explain", "condlint.runBoth", "condlint.otherBranch", "condlint.analyse",
                                  "condlint.showBoth", "condlint.writeReason"})},
        {"workDoneProgress", true}}},
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
  };
  if (client.pull)
    out["diagnosticProvider"] = {
        {"identifier", "condlint"}, {"interFileDependencies", true}, {"workspaceDiagnostics", false}};
  return out;
}

namespace {

constexpr std::array<std::string_view, 3> settingsNames{compileCommandsName, compileFlagsName, Config::fileName};
constexpr std::array<std::string_view, 22> watchedSuffixes{"h",   "hh",  "hpp", "hxx", "h++", "cuh", "inc", "inl",
                                                           "ipp", "tpp", "tcc", "def", "c",   "cc",  "cpp", "cxx",
                                                           "c++", "C",   "cu",  "py",  "pt2", "onnx"};

} // namespace

bool isCalledSettings(std::string_view path) {
  return std::ranges::find(settingsNames, path.substr(path.rfind('/') + 1)) != settingsNames.end();
}

bool isWatched(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1), suffix = name.substr(name.rfind('.') + 1);
  return isCalledSettings(path) ||
         (suffix.size() < name.size() && std::ranges::find(watchedSuffixes, suffix) != watchedSuffixes.end());
}

Json watchedFiles() {
  Json watchers = Json::array();
  for (const std::string_view name : settingsNames)
    watchers.push_back({{"globPattern", fmt::format("**/{}", name)}});
  watchers.push_back({{"globPattern", fmt::format("**/*.{{{}}}", fmt::join(watchedSuffixes, ","))}});
  const Json registration = {{"id", "condlint.files"},
                             {"method", "workspace/didChangeWatchedFiles"},
                             {"registerOptions", {{"watchers", std::move(watchers)}}}};
  return {{"registrations", Json::array({registration})}};
}

} // namespace condlint::lsp
