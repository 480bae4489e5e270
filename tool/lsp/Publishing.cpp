//===- Publishing.cpp - What the client is told of findings ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Server.h"
#include <algorithm>
#include <filesystem>

namespace condlint::lsp {

namespace fs = std::filesystem;

void Server::take(Document &d, Report report) {
  std::set<std::string> paths = spokenOfBy(d);
  d.report = std::move(report);
  d.diagnostics.clear();
  for (Diagnostic &each : diagnostics(*d.report, client.unknown, isOfUser())) {
    std::vector<Diagnostic> &there = d.diagnostics[each.at.path];
    there.push_back(std::move(each));
  }
  paths.merge(spokenOfBy(d));
  publish(paths);
}

/// It is there, in one of the client's folders.
bool Server::isOfWorkspace(const std::string &path) const {
  constexpr std::uintmax_t most = std::uintmax_t{64} << 20U; // of what a person has written
  std::error_code error;
  const std::string own = fs::path(path).parent_path().string();
  return (folderOf(path) != own || std::ranges::find(folders, own) != folders.end()) &&
         fs::is_regular_file(path, error) && fs::file_size(path, error) <= most;
}

/// Of a script that was made shorter since, what stood behind its end is not there.
IsOfUser Server::isOfUser() const {
  return [this, lines = std::make_shared<std::map<std::string, std::size_t>>()](const SourceLocation &at) {
    const auto [found, isNew] = lines->try_emplace(at.path, 0);
    if (isNew && isOfWorkspace(at.path))
      found->second = texts().textOf(at.path).lineCount();
    return at.line <= found->second;
  };
}

void Server::takeAgain(const std::string &path) {
  for (auto &[own, d] : documents)
    if (d.isModel && d.report &&
        std::ranges::any_of(d.report->findings, [&](const Finding &f) { return f.location.path == path; }))
      take(d, d.report);
  refresh();
}

/// Of the text as it is now: those of sources that were read with an older one come when they are read again.
std::vector<Diagnostic> Server::diagnosticsIn(const std::string &path) const {
  std::vector<Diagnostic> out;
  for (const auto &[own, d] : documents)
    if (const auto found = d.diagnostics.find(path); found != d.diagnostics.end() && !isOlder(d, path))
      for (const Diagnostic &each : found->second) // of a header several sources say the same
        if (std::ranges::none_of(out, [&](const Diagnostic &o) {
              return o.at == each.at && o.rule == each.rule && o.message == each.message;
            }))
          out.push_back(each);
  return out;
}

std::set<std::string> Server::spokenOfBy(const Document &d) const {
  std::set<std::string> paths{d.path};
  for (const auto &[path, all] : d.diagnostics)
    paths.insert(path);
  for (const auto &[path, uri] : pushed)
    if (isReadFrom(d, path))
      paths.insert(path);
  return paths;
}

void Server::publish(const std::set<std::string> &paths) {
  Texts all = texts();
  for (const std::string &path : paths) {
    const auto open = documents.find(path);
    if (path.empty() || (client.pull && open != documents.end()) || isHeldBack(path))
      continue;
    const std::string uri = open == documents.end() ? uriOfPath(path) : open->second.uri;
    if (const auto before = pushed.find(path); before != pushed.end() && before->second != uri)
      withdraw(path);
    Json list = Json::array();
    for (const Diagnostic &d : diagnosticsIn(path))
      list.push_back(diagnosticJson(d, all, client));
    if (list.empty())
      pushed.erase(path);
    else
      pushed[path] = uri;
    Json params = {{"uri", uri}, {"diagnostics", std::move(list)}};
    if (open != documents.end() && !open->second.isModel)
      params["version"] = open->second.version;
    transport.notify("textDocument/publishDiagnostics", params);
  }
}

/// All that could be said of \p path was read from an older text: it will be read again, and then be said.
bool Server::isHeldBack(const std::string &path) const {
  bool isSpokenOf = false;
  for (const auto &[own, d] : documents)
    if (own == path || isReadFrom(d, path) || d.diagnostics.contains(path)) {
      if (d.report && !isOlder(d, path))
        return false;
      isSpokenOf = true;
    }
  return isSpokenOf;
}

/// The client has nothing of ours on \p path any more.
void Server::withdraw(const std::string &path) {
  if (const auto at = pushed.find(path); at != pushed.end()) {
    transport.notify("textDocument/publishDiagnostics", {{"uri", at->second}, {"diagnostics", Json::array()}});
    pushed.erase(at);
  }
}

} // namespace condlint::lsp
