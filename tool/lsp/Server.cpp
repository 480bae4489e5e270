//===- Server.cpp - The language server -----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Server.h"
#include "Inputs.h"
#include "cxx/CompilationDatabase.h"
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace condlint::lsp {

namespace {

namespace fs = std::filesystem;

std::string textAt(const Json &json, const char *key) {
  const Json &value = below(json, {key});
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool isModel(std::string_view path) { return path.ends_with(".pt2") || path.ends_with(".onnx"); }

/// \p text with \p changes, in turn; nothing where one of them is none: half of what was meant is not what stands in
/// the editor either.
std::optional<Text> changed(Text text, const Json &changes, Encoding encoding) {
  if (!changes.is_array())
    return std::nullopt;
  for (const Json &each : changes) {
    const Json &instead = below(each, {"text"}), &range = below(each, {"range"});
    if (!instead.is_string())
      return std::nullopt;
    if (range.is_null()) {
      text = Text(instead.get<std::string>());
      continue;
    }
    const std::optional<Range> place = rangeOf(range);
    if (!place || place->end < place->start)
      return std::nullopt;
    text.replace(*place, instead.get<std::string>(), encoding);
  }
  return text;
}

} // namespace

std::string Server::pathAt(const Json &json) {
  const std::string path = pathOfUri(textAt(json, "uri"));
  return path.empty() ? path : fs::path(path).lexically_normal().string();
}

bool Server::isScript(std::string_view path) { return path.ends_with(".py"); }

Server::Server(Workshop &w, const CheckArguments &arguments, int in, int out)
    : workshop(w),
      transport(in, out,
                {[this](const std::string &method, Json params, const std::string &id) {
                   events.post([this, method, params = std::move(params), id] { onRequest(method, params, id); });
                 },
                 [this](const std::string &method, Json params) {
                   events.post([this, method, params = std::move(params)] { onNotification(method, params); });
                 },
                 [](int /*id*/, const Json & /*result*/) {}}),
      watch([this](const std::string &path) { events.post([this, path] { fileChanged(path); }); }),
      configFile(arguments.configFile),
      commandsFile(arguments.compileCommands.empty()
                       ? std::string()
                       : (fs::path(arguments.compileCommands) / compileCommandsName).string()) {}

int Server::run() {
  std::signal(SIGPIPE, SIG_IGN); // NOLINT(cert-err33-c): a client that is gone shows where we read
  std::thread([this] {
    transport.run();
    events.post([this] { events.stop(); });
  }).detach();
  events.run();
  return isShutDown ? 0 : exitCode;
}

void Server::onRequest(const std::string &method, const Json &params, const std::string &id) {
  if (method == "initialize" && !isInitialized)
    return initialize(params, id);
  if (!isInitialized)
    return transport.refuse(id, ErrorCode::ServerNotInitialized, "expected 'initialize' first");
  if (isShutDown || method == "initialize")
    return transport.refuse(id, ErrorCode::InvalidRequest, "not expected now");
  if (method == "shutdown") {
    isShutDown = true;
    return transport.reply(id, nullptr);
  }
  ask(method, params, id);
}

void Server::onNotification(const std::string &method, const Json &params) {
  if (!isInitialized || isShutDown)
    return;
  if (method == "initialized")
    initialized();
  else if (method == "textDocument/didOpen")
    open(params);
  else if (method == "textDocument/didChange")
    change(params);
  else if (method == "textDocument/didSave")
    save(params);
  else if (method == "textDocument/didClose")
    close(params);
  else if (method == "workspace/didChangeWatchedFiles")
    filesChanged(params);
  else if (method == "workspace/didChangeWorkspaceFolders")
    foldersChanged(params);
  else if (method == "$/cancelRequest" || method == "window/workDoneProgress/cancel")
    cancel(params);
  else if (method == "workspace/didChangeConfiguration") {
    const bool pull = client.pull; // was agreed upon at the beginning
    choose(client, below(params, {"settings", "condlint"}));
    client.pull = pull;
    for (auto &[path, d] : documents)
      if (d.report)
        take(d, d.report);
    refresh();
  }
}

void Server::initialize(const Json &params, const std::string &id) {
  client = clientOf(params);
  if (const Json &given = below(params, {"workspaceFolders"}); given.is_array()) {
    for (const Json &folder : given)
      if (std::string path = pathAt(folder); !path.empty())
        folders.push_back(std::move(path));
  } else if (std::string root = pathOfUri(textAt(params, "rootUri")); !root.empty()) {
    folders.push_back(std::move(root));
  }
  isInitialized = true;
  watchClient();
  transport.reply(id, {{"capabilities", capabilities(client)},
                       {"serverInfo", {{"name", "condlint"}, {"version", CONDLINT_VERSION}}}});
}

void Server::initialized() {
  if (client.watchesFiles)
    transport.request("client/registerCapability", watchedFiles(), nextNumber());
  tellStatus();
}

/// A client can die and leave its pipes to others.
void Server::watchClient() const {
  const int descriptor = client.processId > 0 ? static_cast<int>(syscall(SYS_pidfd_open, client.processId, 0)) : -1;
  if (descriptor < 0)
    return;
  std::thread([descriptor] {
    pollfd wanted{descriptor, POLLIN, 0};
    while (poll(&wanted, 1, -1) < 0) {
    }
    _exit(1);
  }).detach();
}

void Server::open(const Json &params) {
  const Json &item = below(params, {"textDocument"});
  const std::string path = pathAt(item);
  if (isScript(path))
    return takeAgain(path);
  if (path.empty() || (!isCxxSource(path) && !isModel(path)))
    return;
  if (!isModel(path) && !below(item, {"text"}).is_string())
    return log(typeError, fmt::format("{} was opened without a text", fs::path(path).filename().string()));
  if (client.pull)
    withdraw(path); // from now on the client asks
  Document &d = documents[path];
  d.uri = textAt(item, "uri");
  d.path = path;
  d.isModel = isModel(path);
  d.text = Text(d.isModel ? std::string() : textAt(item, "text"));
  if (const Json &version = below(item, {"version"}); version.is_number_integer())
    d.version = version.get<std::int64_t>();
  d.breakdowns = 0;
  if (!isOnDisk(d)) // else it was read so
    noteChange(path);
  scheduleReadersOf(path, std::chrono::milliseconds(0));
  watchFiles();
}

void Server::change(const Json &params) {
  Document *d = documentOf(params);
  if (d == nullptr)
    return;
  std::optional<Text> text;
  if (!d->isModel) { // of which the editor shows what it makes of the bytes
    text = changed(d->text, below(params, {"contentChanges"}), client.encoding);
    if (!text)
      return log(typeError, fmt::format("a change of {} is not understood and left out: its text stays as it was",
                                        fs::path(d->path).filename().string()));
  }
  if (const Json &version = below(params, {"textDocument", "version"}); version.is_number_integer())
    d->version = version.get<std::int64_t>();
  if (!text)
    return;
  d->text = *std::move(text);
  noteChange(d->path);
  scheduleReadersOf(d->path, std::chrono::milliseconds(client.debounce));
}

void Server::save(const Json &params) {
  if (const std::string path = pathAt(below(params, {"textDocument"})); isScript(path))
    return takeAgain(path);
  Document *d = documentOf(params);
  if (d == nullptr)
    return;
  const bool wasLeftAlone = d->breakdowns > 1, misses = d->report && d->report->status != InputStatus::Ok;
  d->breakdowns = 0;
  if (misses) // which may be there by now
    forget(*d);
  if (d->isModel || wasLeftAlone || misses)
    scheduleReadersOf(d->path, std::chrono::milliseconds(0));
}

void Server::close(const Json &params) {
  Document *d = documentOf(params);
  if (d == nullptr)
    return;
  for (const Waiting &w : d->waiting)
    transport.refuse(w.id, ErrorCode::ContentModified, "the file was closed");
  if (d->job != 0)
    workshop.cancel(d->job);
  const std::set<std::string> paths = spokenOfBy(*d);
  const std::string path = d->path;
  if (!isOnDisk(*d))
    noteChange(path);
  documents.erase(path);
  // What was read from it reads the disk again.
  scheduleReadersOf(path, std::chrono::milliseconds(client.debounce));
  publish(paths);
  tellStatus();
  watchFiles();
}

/// A request is told by its id, a progress by its token, which is that of a request.
void Server::cancel(const Json &params) {
  const Json &id = below(params, {"id"});
  const std::string name = id.is_null() ? textAt(params, "token") : id.dump();
  for (auto &[path, d] : documents)
    std::erase_if(d.waiting, [&](const Waiting &w) {
      if (w.id != name)
        return false;
      transport.refuse(w.id, ErrorCode::RequestCancelled, "cancelled");
      return true;
    });
  for (const auto &[job, r] : running)
    if (r.document.empty() && (r.request == name || r.progress == name))
      workshop.cancel(job);
}

void Server::tell(int type, const std::string &message) {
  transport.notify("window/showMessage", {{"type", type}, {"message", message}});
}

void Server::log(int type, const std::string &message) {
  transport.notify("window/logMessage", {{"type", type}, {"message", message}});
}

Server::Document *Server::documentOf(const Json &params) {
  const auto found = documents.find(pathAt(below(params, {"textDocument"})));
  return found == documents.end() ? nullptr : &found->second;
}

bool Server::isReadFrom(const Document &d, const std::string &path) {
  return d.report && std::ranges::find(d.report->sources, path) != d.report->sources.end();
}

Texts Server::texts() const {
  return {[this](const std::string &path) {
            const auto found = documents.find(path);
            return found == documents.end() || found->second.isModel ? nullptr : &found->second.text;
          },
          client.encoding};
}

} // namespace condlint::lsp
