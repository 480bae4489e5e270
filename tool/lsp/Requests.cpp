//===- Requests.cpp - What the client asks --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Inputs.h"
#include "PlainText.h"
#include "Server.h"
#include "condlint/Rule.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace condlint::lsp {

namespace {

/// The first of \p arguments as a text; empty where it is none.
std::string textOf(const Json &arguments, std::size_t index = 0) {
  return arguments.is_array() && arguments.size() > index && arguments[index].is_string()
             ? arguments[index].get<std::string>()
             : std::string();
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

/// What running both branches of each conditional of the model at \p path came to.
std::string ranBoth(const InputReport &report, const std::string &path) {
  const std::string_view how = report.status == InputStatus::Ok        ? "were run"
                               : report.status == InputStatus::Partial ? "were run in part"
                                                                       : "were not run";
  std::string text = fmt::format("{}: both branches of {} conditional{} {}: {} finding{}",
                                 std::filesystem::path(path).filename().string(), report.conditionals,
                                 report.conditionals == 1 ? "" : "s", how, report.findings.size(),
                                 report.findings.size() == 1 ? "" : "s");
  if (!report.reason.empty())
    text += "\n" + report.reason;
  for (const Finding &f : report.findings) {
    text += fmt::format("\n\n- **{}** [{}]({}): {}", severityName(f.severity), f.rule, pageOf(f.rule), f.message);
    for (const Related &r : f.related) // what execution showed is among them, and stands at no place
      text += fmt::format("\n  - {}", r.message);
  }
  for (const std::string &note : report.notes)
    text += "\n\n" + note;
  return text;
}

} // namespace

void Server::ask(const std::string &method, const Json &params, const std::string &id) {
  if (method == "workspace/symbol")
    return transport.reply(id, workspaceSymbols(params));
  if (method == "workspace/executeCommand")
    return command(params, id);
  if ((method == "textDocument/codeLens" && !client.lens) || (method == "textDocument/inlayHint" && !client.hints))
    return transport.reply(id, Json::array());
  whenAnalysed(method, params, id, [this, method, params](Document &d, const InputReport &report) -> Json {
    Texts all = texts();
    Json out = Json::array();
    if (method == "textDocument/hover")
      return hover(params, d, report);
    if (method == "textDocument/codeAction")
      return codeActions(params, d, report);
    if (method == "textDocument/diagnostic")
      return pulled(d);
    if (method == "textDocument/codeLens") {
      for (const Lens &l : lenses(report, d.path, isOfUser()))
        out.push_back(lensJson(l, all, uriFor(d, report), client));
    } else if (method == "textDocument/inlayHint") {
      const std::optional<Range> wanted = rangeOf(below(params, {"range"}));
      for (const Hint &h : hints(report, d.path))
        if (!wanted || (h.behind.line > wanted->start.line && h.behind.line <= wanted->end.line + 1))
          out.push_back(hintJson(h, all));
    } else if (method == "textDocument/implementation") {
      const std::optional<Position> position = positionOf(below(params, {"position"}));
      if (!position)
        return nullptr;
      SourceLocation cursor = d.text.placeOf(*position, client.encoding);
      cursor.path = d.path;
      const IsOfUser isThere = isOfUser();
      for (const SourceLocation &l : otherBranch(report, cursor))
        if (report.kind == "cxx" || isThere(l))
          out.push_back(all.location(l));
    } else if (method == "textDocument/documentSymbol") {
      for (const Symbol &s : symbols(report, d.path, isOfUser()))
        out.push_back(client.hierarchicalSymbols ? symbolJson(s, all) : plainSymbolJson(s, all, ""));
    } else if (method == "textDocument/foldingRange") {
      for (const SourceLocation &l : folds(report, d.path))
        out.push_back(foldJson(l, all));
    }
    return out;
  });
}

/// Of what commands about \p report are: a model is not the source that is looked at.
std::string Server::uriFor(const Document &d, const InputReport &report) const {
  if (report.kind == "cxx" || report.path == d.path)
    return d.uri;
  const auto open = documents.find(report.path);
  return open == documents.end() ? uriOfPath(report.path) : open->second.uri;
}

/// What the open models say of \p source, which they were exported from.
Json Server::ofModels(const std::string &method, Document source, const Answer &answer) const {
  if (method == "textDocument/diagnostic")
    return pulled(source);
  Json out = method == "textDocument/hover" ? Json() : Json::array();
  for (const auto &[path, d] : documents) {
    if (!d.isModel || !d.report || !isOfWorkspace(source.path))
      continue;
    Json each = answer(source, *d.report);
    if (!each.is_array() && !each.is_null())
      return each;
    for (Json &one : each)
      if (std::ranges::find(out, one) == out.end()) // several findings of a rule, in models that are alike
        out.push_back(std::move(one));
  }
  return out;
}

void Server::whenAnalysed(const std::string &method, const Json &params, const std::string &id, Answer answer) {
  Document *d = documentOf(params);
  const Json &uri = below(params, {"textDocument", "uri"});
  if (const std::string path = uri.is_string() ? pathOfUri(uri.get<std::string>()) : std::string();
      d == nullptr && path.ends_with(".py")) { // of which clients tell where they are told to
    Document source;
    source.uri = uri.get<std::string>();
    source.path = std::filesystem::path(path).lexically_normal().string();
    Texts all = texts();
    source.text = all.textOf(source.path);
    return transport.reply(id, ofModels(method, std::move(source), answer));
  }
  if (d == nullptr)
    return transport.refuse(id, ErrorCode::InvalidParams, "the file is not open");
  auto whole = [this, path = d->path, answer = std::move(answer)]() -> Json {
    const auto found = documents.find(path);
    if (found == documents.end())
      return nullptr;
    const Report report = reportOn(found->second);
    return report ? answer(found->second, *report) : Json();
  };
  if (d->isCurrent)
    return transport.reply(id, whole());
  d->waiting.push_back({id, std::move(whole)});
}

/// That of the file, or of a source that includes it, where that knows more.
Server::Report Server::reportOn(const Document &d) const {
  const auto mentions = [&](const InputReport &r) {
    return std::ranges::any_of(r.summaries, [&](const ConditionalSummary &s) { return s.location.path == d.path; });
  };
  if (d.report && mentions(*d.report))
    return d.report;
  for (const auto &[path, other] : documents)
    if (other.report && other.isCurrent && mentions(*other.report))
      return other.report;
  return d.report;
}

Json Server::hover(const Json &params, Document &d, const InputReport &report) const {
  const std::optional<Position> position = positionOf(below(params, {"position"}));
  if (!position)
    return nullptr;
  SourceLocation cursor = d.text.placeOf(*position, client.encoding);
  cursor.path = d.path;
  const std::optional<Hover> found =
      lsp::hover(report, cursor, [&](std::size_t line) { return d.text.line(line - 1); });
  Texts all = texts();
  return found ? hoverJson(*found, all, client) : Json();
}

Json Server::codeActions(const Json &params, Document &d, const InputReport &report) const {
  const std::optional<Range> range = rangeOf(below(params, {"range"}));
  if (!range)
    return nullptr;
  const Json &only = below(params, {"context", "only"});
  const auto isOurs = [](const Json &kind) {
    const auto *word = kind.get_ptr<const std::string *>();
    return word != nullptr && (word->empty() || *word == "quickfix"); // the empty kind stands for all
  };
  if (only.is_array() && std::ranges::none_of(only, isOurs))
    return Json::array();
  SourceLocation lines;
  lines.path = d.path;
  lines.line = static_cast<std::uint32_t>(range->start.line + 1);
  lines.endLine = static_cast<std::uint32_t>(range->end.line + 1);
  Texts all = texts();
  Json out = Json::array();
  const std::vector<Action> found =
      actions(report, lines, [&](std::size_t line) { return d.text.line(line - 1); }, isOfUser());
  for (const Action &a : found) {
    // An edit to a client that knows no actions but commands would be lost.
    if (!client.codeActionLiterals && (a.kind == Action::Kind::Fix || a.kind == Action::Kind::Suppress))
      continue;
    out.push_back(
        actionJson(a, all, uriFor(d, report), client, [&](const std::string &path) -> std::optional<std::int64_t> {
          const auto open = documents.find(path);
          return open == documents.end() ? std::nullopt : std::optional(open->second.version);
        }));
  }
  return out;
}

Json Server::pulled(Document &d) const {
  Texts all = texts();
  Json items = Json::array();
  for (const Diagnostic &each : diagnosticsIn(d.path))
    items.push_back(diagnosticJson(each, all, client));
  return {{"kind", "full"}, {"items", std::move(items)}};
}

Json Server::workspaceSymbols(const Json &params) const {
  const Json &query = below(params, {"query"});
  const std::string wanted = lower(query.is_string() ? query.get<std::string>() : std::string());
  Texts all = texts();
  Json out = Json::array();
  std::set<std::string> seen;
  for (const auto &[path, d] : documents)
    if (d.report)
      for (const Symbol &s : symbols(*d.report, {}, isOfUser()))
        if (lower(s.name + ' ' + s.detail).find(wanted) != std::string::npos &&
            seen.insert(s.at.path + '\n' + s.at.str() + '\n' + s.name).second)
          out.push_back(plainSymbolJson(s, all, std::filesystem::path(s.at.path).filename().string()));
  return out;
}

void Server::command(const Json &params, const std::string &id) {
  const Json &name = below(params, {"command"}), &arguments = below(params, {"arguments"});
  if (name == "condlint.explain")
    return explain(arguments, id);
  const std::string path = pathOfUri(textOf(arguments));
  if (name == "condlint.runBoth")
    return path.empty() ? transport.refuse(id, ErrorCode::InvalidParams, "expected the URI of a model")
                        : startRun(path, id, params);
  if (name == "condlint.analyse") {
    if (path.empty() || isCxxSource(path)) // the text of a source comes when it is opened
      return transport.refuse(id, ErrorCode::InvalidParams, "expected the URI of a model");
    open({{"textDocument", {{"uri", textOf(arguments)}, {"version", 0}, {"text", ""}}}});
    return transport.reply(id, nullptr);
  }
  if (name == "condlint.showBoth")
    return path.empty() || textOf(arguments, 1).empty()
               ? transport.refuse(id, ErrorCode::InvalidParams, "expected the URI of a file and a conditional in it")
               : startDrawing(path, textOf(arguments, 1), id, params);
  if (name == "condlint.writeReason") {
    const Json selection = arguments.is_array() && arguments.size() > 1 ? arguments[1] : Json();
    transport.request("window/showDocument",
                      {{"uri", textOf(arguments)}, {"takeFocus", true}, {"selection", selection}}, nextNumber());
    return transport.reply(id, nullptr);
  }
  if (name == "condlint.otherBranch") {
    const Json position = arguments.is_array() && arguments.size() > 1 ? arguments[1] : Json();
    return ask("textDocument/implementation", {{"textDocument", {{"uri", textOf(arguments)}}}, {"position", position}},
               id);
  }
  transport.refuse(id, ErrorCode::InvalidParams, "there is no such command");
}

void Server::explain(const Json &arguments, const std::string &id) {
  const std::string rule = textOf(arguments);
  if (findRule(rule) == nullptr)
    return transport.refuse(id, ErrorCode::InvalidParams, fmt::format("there is no rule '{}'", rule));
  if (!client.showsPages) {
    if (client.showDocument)
      transport.request("window/showDocument", {{"uri", pageOf(rule)}, {"external", true}}, nextNumber());
    else
      tell(typeInfo, fmt::format("{}: {}\n{}", rule, findRule(rule)->summary, pageOf(rule)));
  }
  transport.reply(id, {{"title", rule}, {"markdown", rulePage(rule)}});
}

void Server::startRun(const std::string &path, const std::string &id, const Json &params) {
  Job job;
  job.kind = Job::Kind::RunBoth;
  job.path = path;
  startCommand(std::move(job), id, params);
}

void Server::startDrawing(const std::string &path, const std::string &conditional, const std::string &id,
                          const Json &params) {
  Job job;
  job.kind = Job::Kind::Draw;
  job.path = path;
  job.at = conditional;
  job.unsaved = unsavedFiles();
  startCommand(std::move(job), id, params);
}

void Server::startCommand(Job job, const std::string &id, const Json &params) {
  job.folder = folderOf(job.path);
  const std::uint64_t number = startProcess(job);
  if (number == 0)
    return transport.refuse(id, ErrorCode::RequestFailed, "there is no process to be had");
  Running r{std::move(job), {}, id, {}};
  if (const Json &token = below(params, {"workDoneToken"}); token.is_string())
    r.progress = token.get<std::string>();
  running[number] = std::move(r);
  beginProgress(number);
  tellStatus();
}

/// The page where the client opens it, else what it would show in words.
void Server::drawn(Running &r, const Outcome &outcome) {
  const std::string uri = uriOfPath(outcome.page);
  std::string words;
  if (const auto open = documents.find(r.job.path); open != documents.end() && open->second.report)
    for (const ConditionalSummary &s : open->second.report->summaries)
      if (s.path == r.job.at && words.empty())
        if (const std::optional<Hover> said = lsp::hover(*open->second.report, s.location))
          words = said->markdown;
  if (!client.showsPages) {
    if (client.showDocument)
      transport.request("window/showDocument", {{"uri", uri}, {"external", true}}, nextNumber());
    else
      tell(typeInfo, fmt::format("{}\n{}", outcome.page, plainText(words)));
  }
  transport.reply(r.request, {{"title", r.job.at}, {"page", uri}, {"markdown", words}});
}

void Server::commandDone(Running &r, const Outcome &outcome) {
  if (outcome.problem == "cancelled")
    return transport.refuse(r.request, ErrorCode::RequestCancelled, "cancelled, or it broke down");
  if (!outcome.problem.empty())
    return transport.refuse(r.request, ErrorCode::RequestFailed, outcome.problem);
  if (r.job.kind == Job::Kind::Draw)
    return drawn(r, outcome);
  const std::string text = outcome.report ? ranBoth(*outcome.report, r.job.path) : std::string();
  if (!client.showsPages)
    tell(typeInfo, plainText(text));
  transport.reply(r.request, {{"title", "both branches"}, {"markdown", text}});
}

} // namespace condlint::lsp
