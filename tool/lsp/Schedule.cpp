//===- Schedule.cpp - When what is analysed, and what comes of it ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "Server.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <thread>

namespace condlint::lsp {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr unsigned mostBreakdowns = 2; ///< one after the other, until a file is left alone
constexpr milliseconds untilProgress{500};
constexpr milliseconds untilParsed{1000}; ///< without another change
constexpr std::size_t mostKept = 3;       ///< parsed sources, each of which takes as much memory as clangd's

/// How many analyses run at a time: one of libtorch takes hundreds of megabytes.
std::size_t places() { return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 2, 4); }

bool isHeader(std::string_view path) {
  return path.ends_with(".h") || path.ends_with(".hh") || path.ends_with(".hpp") || path.ends_with(".hxx") ||
         path.ends_with(".cuh");
}

} // namespace

bool Server::isOnDisk(const Document &d) {
  const std::string &text = d.text.str();
  std::error_code error;
  if (fs::file_size(d.path, error) != text.size() || error)
    return false;
  std::ifstream stream(d.path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()) == text;
}

void Server::schedule(Document &d, milliseconds delay) {
  if (d.breakdowns >= mostBreakdowns) {
    d.read = lastChange; // that it is left alone stays what is known of it
    return;
  }
  d.isCurrent = false;
  d.isOutdated = d.job != 0;
  d.changes = ++lastChange;
  d.mustParse = false;
  d.parseDue.reset();
  d.due = Clock::now() + delay;
  events.at(*d.due, [this] { startDue(); });
  // What was analysed before is soon analysed again. A first analysis makes what the next ones begin with.
  if (d.job != 0 && d.report)
    workshop.cancel(d.job);
}

bool Server::isOlder(const Document &d, const std::string &path) const {
  const auto changed = textChanges.find(path);
  return changed != textChanges.end() && changed->second > d.read && (path == d.path || isReadFrom(d, path));
}

void Server::scheduleReadersOf(const std::string &path, milliseconds delay) {
  for (auto &[own, d] : documents)
    if (own == path || isReadFrom(d, path)) {
      if (own != path)
        forget(d);
      schedule(d, delay);
    }
}

void Server::scheduleAll() {
  for (auto &[path, d] : documents) {
    d.breakdowns = 0;
    forget(d);
    schedule(d, milliseconds(client.debounce));
  }
}

void Server::forget(Document &d) {
  d.kept.reset();
  d.isOtherwise = true;
}

void Server::keep(Document &d, std::shared_ptr<Kept> kept) {
  if (!kept || d.isOtherwise)
    return;
  d.kept = std::move(kept);
  for (;;) {
    std::size_t count = 0;
    Document *oldest = nullptr;
    for (auto &[path, other] : documents)
      if (other.kept) {
        ++count;
        if (oldest == nullptr || other.changes < oldest->changes)
          oldest = &other;
      }
    if (count <= mostKept)
      return;
    oldest->kept.reset();
  }
}

void Server::startDue() {
  const auto now = Clock::now();
  for (auto &[path, d] : documents)
    if (((d.due && *d.due <= now) || (d.parseDue && *d.parseDue <= now)) && d.job == 0 && running.size() < places())
      start(d);
}

/// What is analysed for \p d: a header by way of a source that includes it.
std::string Server::inputOf(const Document &d) const {
  if (!isHeader(d.path))
    return d.path;
  for (const auto &[path, other] : documents)
    if (!isHeader(path) && isReadFrom(other, d.path))
      return path;
  // The one that was open before, or one beside it that is called as it is.
  if (isReadFrom(d, d.path) && d.report->path != d.path)
    return d.report->path;
  std::error_code error;
  for (const char *suffix : {".cpp", ".cc", ".cxx", ".cu"})
    if (const std::string beside = fs::path(d.path).replace_extension(suffix).string(); fs::exists(beside, error))
      return beside;
  return d.path;
}

/// The texts that are open and not what lies on the disk.
std::vector<UnsavedFile> Server::unsavedFiles() const {
  std::vector<UnsavedFile> out;
  for (const auto &[path, d] : documents)
    if (!d.isModel && !isOnDisk(d))
      out.push_back({path, d.text.str()});
  return out;
}

void Server::start(Document &d) {
  Job job;
  job.path = inputOf(d);
  job.folder = folderOf(d.path);
  if (!d.isModel)
    job.unsaved = unsavedFiles();
  const bool isReread = d.kept && !d.mustParse && !d.parseDue && job.path == d.path;
  job.keeps = !d.isModel && job.path == d.path;
  d.due.reset();
  d.parseDue.reset();
  d.isOutdated = false;
  d.isOtherwise = false;
  d.isReread = isReread;
  d.jobBegan = lastChange;
  d.began = std::chrono::system_clock::now();
  d.job = isReread ? workshop.startAgain(*d.kept, d.text.str(), whenDone()) : 0;
  if (d.job == 0) { // or the process that kept it is gone
    d.isReread = false;
    d.job = startProcess(job);
  }
  if (d.job == 0) {
    d.breakdowns = mostBreakdowns;
    leaveAlone(d, "no process could be started for its analysis; it is left alone until it is saved or opened again");
    return tell(typeError, "condlint cannot start an analysis: there is no process to be had");
  }
  const std::uint64_t id = d.job;
  running[id] = {std::move(job), d.path, {}, {}};
  events.at(Clock::now() + untilProgress, [this, id] { beginProgress(id); });
  tellStatus();
}

/// As `Workshop::start`; the user is told, once, that the system ended what belongs to condlint.
std::uint64_t Server::startProcess(const Job &job) {
  const std::uint64_t id = workshop.start(toJson(job), whenDone());
  if (workshop.isRenewed() && !toldOfRenewal) {
    toldOfRenewal = true;
    tell(typeWarning,
         "the process from which condlint starts its analyses was ended, as a system does that is short of "
         "memory; another one does its work");
  }
  return id;
}

Workshop::Done Server::whenDone() {
  return [this](std::uint64_t id, const Json &result, std::shared_ptr<Kept> kept) {
    events.post([this, id, result, kept = std::move(kept)] { finished(id, result, kept); });
  };
}

void Server::finished(std::uint64_t id, const Json &result, std::shared_ptr<Kept> kept) {
  const auto at = running.find(id);
  if (at == running.end())
    return;
  Running r = std::move(at->second);
  running.erase(at);
  endProgress(r);
  const auto found = documents.find(r.document);
  if (r.document.empty()) {
    commandDone(r, result.is_null() ? Outcome{{}, "cancelled", {}} : outcomeOf(result, r.job));
  } else if (found != documents.end() && found->second.job == id) {
    Document &d = found->second;
    d.job = 0;
    keep(d, std::move(kept));
    if (d.isOutdated)
      d.isOutdated = false; // it is due again
    else if (d.isReread)
      reread(d, outcomeOf(result, r.job));
    else if (result.is_null())
      brokeDown(d);
    else
      analysed(d, outcomeOf(result, r.job));
  }
  startDue();
  tellStatus();
}

void Server::analysed(Document &d, const Outcome &outcome) {
  d.breakdowns = 0;
  if (!outcome.problem.empty() && outcome.problem != d.told)
    tell(typeError, outcome.problem);
  d.told = outcome.problem;
  // Silence would look like proof; the reasons are the same for each file of the kind.
  if (outcome.report && outcome.report->status == InputStatus::Skipped &&
      skipsTold.insert(outcome.report->reason).second)
    tell(typeInfo,
         fmt::format("condlint leaves {} out: {}", fs::path(d.path).filename().string(), outcome.report->reason));
  // A file was changed of which nobody knew that it is read here.
  if (outcome.report)
    for (const std::string &path : outcome.report->sources)
      if (const auto changed = textChanges.find(path); changed != textChanges.end() && changed->second > d.jobBegan) {
        forget(d);
        return schedule(d, milliseconds(client.debounce));
      }
  d.isCurrent = true;
  d.read = d.jobBegan;
  auto empty = std::make_shared<InputReport>();
  empty->path = d.path;
  take(d, outcome.report ? std::make_shared<const InputReport>(*outcome.report) : std::move(empty));
  if (d.report->status == InputStatus::Ok)
    d.whole = {d.report->sources.begin(), d.report->sources.end()};
  answerWaiting(d);
  refresh();
  watchFiles();
  noteChangesUnseen(d);
}

/// Nearly all that can be said of the text is said at once; the whole of it is parsed when nobody types.
void Server::reread(Document &d, const Outcome &outcome) {
  const auto now = Clock::now();
  if (!outcome.report || outcome.report->status == InputStatus::Failed) {
    d.mustParse = true;
    d.due = now;
    return;
  }
  analysed(d, outcome);
  if (d.due)
    return;
  d.parseDue = now + untilParsed;
  events.at(*d.parseDue, [this] { startDue(); });
}

void Server::brokeDown(Document &d) {
  if (++d.breakdowns < mostBreakdowns)
    return schedule(d, milliseconds(client.debounce));
  leaveAlone(d, "the analysis broke down on it twice, and leaves it alone until it is saved or opened again");
  tell(typeWarning, fmt::format("condlint's analysis of {} broke down twice; it is left alone until it is saved or "
                                "opened again",
                                fs::path(d.path).filename().string()));
}

void Server::leaveAlone(Document &d, const std::string &reason) {
  auto broken = std::make_shared<InputReport>();
  broken->path = d.path;
  broken->status = InputStatus::Failed;
  broken->reason = reason;
  d.isCurrent = true;
  d.read = d.jobBegan;
  take(d, broken);
  answerWaiting(d);
}

void Server::answerWaiting(Document &d) {
  for (const Waiting &w : std::exchange(d.waiting, {}))
    transport.reply(w.id, w.answer());
}

void Server::beginProgress(std::uint64_t job) {
  const auto at = running.find(job);
  if (at == running.end() || (at->second.progress.empty() && !client.progress))
    return;
  Running &r = at->second;
  if (r.progress.empty()) {
    r.progress = fmt::format("condlint/{}", job);
    transport.request("window/workDoneProgress/create", {{"token", r.progress}}, nextNumber());
  }
  const bool first =
      !r.document.empty() && documents.contains(r.document) && !documents[r.document].report && isCxxSource(r.job.path);
  transport.notify("$/progress", {{"token", r.progress},
                                  {"value",
                                   {{"kind", "begin"},
                                    {"title", "condlint"},
                                    {"cancellable", r.document.empty()},
                                    {"message", (r.job.kind == Job::Kind::Draw ? "drawing both branches in "
                                                 : r.document.empty()          ? "running both branches of "
                                                 : first                       ? "reading the headers of "
                                                                               : "analysing ") +
                                                    fs::path(r.job.path).filename().string()}}}});
}

void Server::endProgress(Running &r) {
  if (!r.progress.empty())
    transport.notify("$/progress", {{"token", r.progress}, {"value", {{"kind", "end"}}}});
}

void Server::tellStatus() {
  if (!client.wantsStatus)
    return;
  Json files = Json::array();
  for (const auto &[id, r] : running)
    files.push_back(r.job.path);
  transport.notify("condlint/status", {{"state", files.empty() ? "idle" : "busy"}, {"files", std::move(files)}});
}

/// Editors ask for lenses and hints when a text changes: what came of its analysis they do not know.
void Server::refresh() {
  for (const auto &[wanted, method] : {std::pair(client.lensRefresh && client.lens, "workspace/codeLens/refresh"),
                                       {client.hintRefresh && client.hints, "workspace/inlayHint/refresh"},
                                       {client.diagnosticRefresh && client.pull, "workspace/diagnostic/refresh"}})
    if (wanted)
      transport.request(method, nullptr, nextNumber());
}

} // namespace condlint::lsp
