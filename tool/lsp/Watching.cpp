//===- Watching.cpp - What changes on the disk ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Server.h"
#include "config/Config.h"
#include "cxx/CompilationDatabase.h"
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>

namespace condlint::lsp {

namespace {

namespace fs = std::filesystem;

bool isWithin(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (folder.ends_with('/') || path.substr(folder.size()).starts_with('/'));
}

} // namespace

void Server::filesChanged(const Json &params) {
  const Json &changes = below(params, {"changes"});
  if (!changes.is_array())
    return;
  for (const Json &change : changes)
    fileChanged(pathAt(change));
}

void Server::fileChanged(const std::string &path) {
  if (isCalledSettings(path) || settings.contains(path))
    return scheduleAll();
  if (isScript(path))
    return takeAgain(path);
  const auto own = documents.find(path);
  if (own != documents.end() && !own->second.isModel)
    return; // what is in the editor counts
  // Where not all could be read, it may have been this file that was missing.
  const auto waitsFor = [&](const Document &d) {
    return !d.isModel && d.report && d.report->status != InputStatus::Ok && (isWatched(path) || d.whole.contains(path));
  };
  if (!isWatched(path) && std::ranges::none_of(documents, [&](const auto &each) {
        return isReadFrom(each.second, path) || waitsFor(each.second);
      }))
    return; // it lies beside what is read
  noteChange(path);
  scheduleReadersOf(path, std::chrono::milliseconds(client.debounce));
  for (auto &[name, d] : documents)
    if (name != path && waitsFor(d) && !isReadFrom(d, path)) {
      forget(d);
      schedule(d, std::chrono::milliseconds(client.debounce));
    }
}

void Server::foldersChanged(const Json &params) {
  std::map<std::string, std::string> before; // of each document
  for (const auto &[path, d] : documents)
    before[path] = folderOf(path);
  const Json &event = below(params, {"event"});
  for (const Json &folder : below(event, {"removed"}))
    std::erase(folders, pathAt(folder));
  for (const Json &folder : below(event, {"added"}))
    if (std::string path = pathAt(folder); !path.empty())
      folders.push_back(std::move(path));
  for (auto &[path, d] : documents)
    if (folderOf(path) != before[path]) {
      forget(d);
      schedule(d, std::chrono::milliseconds(0));
    } else if (d.isModel && d.report) { // its script may be of the workspace now
      take(d, d.report);
    }
  watchFiles();
}

/// The innermost folder of the workspace around \p path, or its own.
std::string Server::folderOf(const std::string &path) const {
  std::string best;
  for (const std::string &folder : folders)
    if (folder.size() > best.size() && isWithin(path, folder))
      best = folder;
  return best.empty() ? fs::path(path).parent_path().string() : best;
}

/// The files that say how \p d is read, there or not.
std::set<std::string> Server::settingsOf(const Document &d) const {
  std::set<std::string> out;
  fs::path at = d.path;
  do {
    at = at.parent_path();
    out.insert((at / Config::fileName).string());
    for (const std::string_view name : compilationDatabases)
      out.insert((at / name).string());
  } while (at.has_relative_path());
  for (const std::string &each : {configFile, commandsFile})
    if (!each.empty())
      out.insert((fs::path(folderOf(d.path)) / each).lexically_normal().string());
  // Compile commands are often a link to those of one of several builds.
  std::set<std::string> behindLinks;
  std::error_code error;
  for (const std::string &each : out)
    if (fs::is_symlink(each, error))
      behindLinks.insert(fs::weakly_canonical(each, error).string());
  out.merge(behindLinks);
  return out;
}

bool Server::isInFolders(const std::string &path) const {
  return std::ranges::any_of(folders, [&](const std::string &folder) { return isWithin(path, folder); });
}

/// Of what the client does not tell the server finds out by itself.
void Server::watchFiles() {
  settings.clear();
  std::set<std::string> files;
  for (const auto &[path, d] : documents) {
    settings.merge(settingsOf(d));
    files.insert(path); // and with it what lies beside it
    if (!d.report)
      continue;
    files.insert(d.report->sources.begin(), d.report->sources.end());
    files.insert(d.whole.begin(), d.whole.end());
    for (const Finding &f : d.report->findings)
      if (isScript(f.location.path) && isInFolders(f.location.path))
        files.insert(f.location.path);
  }
  files.insert(settings.begin(), settings.end());
  if (client.watchesFiles)
    std::erase_if(files, [this](const std::string &path) { return isWatched(path) && isInFolders(path); });
  watch.set(std::move(files));
}

/// Of the files that \p d was read from, and of those that say how, those that changed before anybody watched them.
void Server::noteChangesUnseen(const Document &d) {
  const auto isNewer = [&](const std::string &path) {
    struct stat about{};
    return stat(path.c_str(), &about) == 0 &&
           std::chrono::seconds(about.st_ctim.tv_sec) + std::chrono::nanoseconds(about.st_ctim.tv_nsec) >
               d.began.time_since_epoch();
  };
  std::set<std::string> files = settingsOf(d); // those behind links are known, and watched, since they were read
  files.insert(d.report->sources.begin(), d.report->sources.end());
  for (const std::string &path : files)
    if (path != d.path && isNewer(path))
      events.post([this, path] { fileChanged(path); });
}

} // namespace condlint::lsp
