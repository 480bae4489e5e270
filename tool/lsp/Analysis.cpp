//===- Analysis.cpp - What is done in a process of its own ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis.h"
#include "ExitCode.h"
#include "Inputs.h"
#include "RunCommand.h"
#include "RunModel.h"
#include "SentReport.h"
#include "ShowCommand.h"
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <sys/mman.h>
#include <unistd.h>

namespace condlint::lsp {

namespace {

namespace fs = std::filesystem;

/// What is said on standard error while it lives: the language server's client would not see it.
class Overheard {
public:
  Overheard() : file(memfd_create("messages", MFD_CLOEXEC)), before(dup(STDERR_FILENO)) {
    if (file >= 0)
      dup2(file, STDERR_FILENO);
  }
  ~Overheard() {
    if (before >= 0) {
      dup2(before, STDERR_FILENO);
      close(before);
    }
    if (file >= 0)
      close(file);
  }
  Overheard(const Overheard &) = delete;
  Overheard &operator=(const Overheard &) = delete;

  std::string text() const {
    std::string out;
    std::array<char, 4096> some;
    for (off_t at = 0;;) {
      const ssize_t got = file < 0 ? 0 : pread(file, some.data(), some.size(), at);
      if (got <= 0)
        return out;
      out.append(some.data(), static_cast<std::size_t>(got));
      at += got;
    }
  }

private:
  int file, before;
};

/// The files that are open, with other texts of \p path.
class OpenFiles {
public:
  OpenFiles(std::vector<UnsavedFile> files, std::string p)
      : all(std::make_shared<std::vector<UnsavedFile>>(std::move(files))), path(std::move(p)) {}

  std::shared_ptr<const std::vector<UnsavedFile>> shared() const { return all; }

  void put(const std::string &text) {
    const auto at = std::ranges::find(*all, path, &UnsavedFile::path);
    if (at == all->end()) {
      all->push_back({path, text});
      return;
    }
    before.push_back(std::move(at->text)); // the parser may look at it still
    at->text = text;
  }

private:
  std::shared_ptr<std::vector<UnsavedFile>> all;
  std::string path;
  std::vector<std::string> before;
};

Json check(CheckArguments arguments, const Job &job, std::shared_ptr<const CxxRereading> rereading) {
  // As someone in that folder would name it: so it is called in messages.
  const fs::path below = fs::path(job.path).lexically_relative(job.folder);
  arguments.inputs = {below.empty() || *below.begin() == ".." ? job.path : below.string()};
  arguments.quiet = true;
  arguments.jobs = 1;
  arguments.details = true;
  arguments.keepsHeaders = true;
  arguments.leavesOutProved = false; // what is proved is shown as well
  OpenFiles open(job.unsaved, job.path);
  if (!job.unsaved.empty() || rereading)
    arguments.unsaved = open.shared();
  if (rereading) {
    auto own = std::make_shared<CxxRereading>(*rereading);
    own->next = [&open, rereading](const std::function<void()> &afterFirst) {
      std::optional<std::string> text = rereading->next(afterFirst);
      if (text)
        open.put(*text);
      return text;
    };
    arguments.rereading = std::move(own);
  }
  Report report;
  if (analyseInputs(arguments, report) || report.inputs.size() != 1)
    return {{"failed", true}};
  return {{"report", sentReport(report.inputs.front())}};
}

Json runBoth(const CheckArguments &arguments, const Job &job) {
  RunArguments run;
  run.model = job.path;
  run.targets = arguments.targets;
  run.bothBranches = true;
  run.quiet = true;
  run.keepIn = "";
  Expected<std::vector<Model>> models = readInput(job.path);
  RunOutcome outcome = runOne(models, run);
  if (outcome.error && outcome.error->message.empty())
    return {{"failed", true}};
  if (outcome.error)
    return {{"problem", outcome.error->str()}};
  finishReport(outcome.report);
  return {{"report", sentReport(outcome.report.inputs.front())}};
}

/// The page lies in the cache, where the next one of the same conditional takes its place.
Json draw(const CheckArguments &arguments, const Job &job) {
  ShowArguments show;
  show.model = job.path;
  show.at = job.at;
  show.check = arguments;
  if (!job.unsaved.empty())
    show.check.unsaved = std::make_shared<const std::vector<UnsavedFile>>(job.unsaved);
  if (arguments.cacheFolder.empty())
    return {{"problem", "there is no cache, in which the picture would be put"}};
  const fs::path folder = fs::path(arguments.cacheFolder) / "pages";
  std::error_code error;
  fs::create_directories(folder, error);
  show.save = (folder / fmt::format("{:016x}.html", std::hash<std::string>()(job.path + '\n' + job.at))).string();
  if (runShow(show) != Clean)
    return {{"failed", true}};
  return {{"page", show.save}};
}

} // namespace

Json perform(const CheckArguments &arguments, const Job &job, std::shared_ptr<const CxxRereading> rereading) {
  std::error_code error;
  fs::current_path(job.folder, error);
  const Overheard messages;
  Json out = job.kind == Job::Kind::RunBoth ? runBoth(arguments, job)
             : job.kind == Job::Kind::Draw  ? draw(arguments, job)
                                            : check(arguments, job, std::move(rereading));
  if (out.contains("failed"))
    out["problem"] = messages.text();
  return out;
}

Outcome outcomeOf(const Json &result, const Job &job) {
  Outcome out;
  out.problem = textAt(result, "problem");
  out.page = textAt(result, "page");
  try {
    if (const auto report = result.find("report"); report != result.end())
      out.report = receivedReport(*report, job.folder);
  } catch (const Json::exception &e) {
    out.problem = std::string("internal error: ") + e.what();
  }
  return out;
}

Json toJson(const Job &job) {
  Json unsaved = Json::array();
  for (const UnsavedFile &file : job.unsaved)
    unsaved.push_back({file.path, file.text});
  return {{"kind", static_cast<int>(job.kind)}, {"path", job.path},  {"at", job.at}, {"folder", job.folder},
          {"unsaved", std::move(unsaved)},      {"keeps", job.keeps}};
}

Job jobOf(const Json &json) {
  Job job;
  job.kind = static_cast<Job::Kind>(json.at("kind").get<int>());
  job.path = json.at("path").get<std::string>();
  job.at = json.at("at").get<std::string>();
  job.folder = json.at("folder").get<std::string>();
  job.keeps = json.at("keeps").get<bool>();
  for (const Json &file : json.at("unsaved"))
    job.unsaved.push_back({file[0].get<std::string>(), file[1].get<std::string>()});
  return job;
}

} // namespace condlint::lsp
