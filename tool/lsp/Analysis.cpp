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
#include "ShowCommand.h"
#include "condlint/Rule.h"
#include "report/ReportJson.h"
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

// --- To JSON ----------------------------------------------------------------------

Json placeJson(const SourceLocation &l) {
  return Json::array({l.path, l.line, l.column, l.endLine, l.endColumn, l.function});
}

Json placesJson(const std::vector<SourceLocation> &places) {
  Json out = Json::array();
  for (const SourceLocation &l : places)
    out.push_back(placeJson(l));
  return out;
}

Json detailsJson(const ConditionalDetails &d) {
  Json branches = Json::array();
  for (const ConditionalDetails::Branch &b : d.branches) {
    Json outputs = Json::array();
    for (const ConditionalDetails::Output &o : b.outputs)
      outputs.push_back({{"type", o.type},
                         {"storage", o.storage},
                         {"maker", o.maker},
                         {"made", placeJson(o.made)},
                         {"graphPath", o.graphPath}});
    branches.push_back({{"name", b.name},
                        {"location", placeJson(b.location)},
                        {"outputs", std::move(outputs)},
                        {"captures", b.captures},
                        {"effects", b.effects}});
  }
  return {{"branches", std::move(branches)}, {"operands", d.operands}};
}

Json summaryJson(const InputReport &input, const ConditionalSummary &c) {
  Json out = Json::parse(conditionalJson(input, c));
  out["at"] = placeJson(c.location);
  out["function"] = placeJson(c.function);
  out["boundary"] = placesJson(c.boundary);
  out["predicateType"] = c.predicateType;
  if (c.details)
    out["details"] = detailsJson(*c.details);
  return out;
}

Json reportJson(const InputReport &input) {
  Json findings = Json::array(), suppressed = Json::array(), conditionals = Json::array();
  for (const Finding &f : input.findings)
    findings.push_back(Json::parse(findingJson(input, f)));
  for (const Finding &f : input.suppressed)
    suppressed.push_back(Json::parse(findingJson(input, f)));
  for (const ConditionalSummary &c : input.summaries)
    conditionals.push_back(summaryJson(input, c));
  Json out = Json::parse(inputJson(input));
  out["root"] = input.root;
  out["sources"] = input.sources;
  out["findings"] = std::move(findings);
  out["suppressed"] = std::move(suppressed);
  out["summaries"] = std::move(conditionals);
  return out;
}

// --- From JSON --------------------------------------------------------------------

std::string textAt(const Json &json, const char *key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::vector<std::string> textsAt(const Json &json, const char *key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_array() ? at->get<std::vector<std::string>>() : std::vector<std::string>();
}

/// Reads what the functions above wrote, with the paths in full.
class Reader {
public:
  explicit Reader(fs::path f) : folder(std::move(f)) {}

  InputReport report(const Json &json) const {
    InputReport out;
    out.path = absolute(textAt(json, "path"));
    out.kind = textAt(json, "kind");
    const std::string status = textAt(json, "status");
    for (const InputStatus s : {InputStatus::Ok, InputStatus::Partial, InputStatus::Failed, InputStatus::Skipped})
      if (status == statusName(s))
        out.status = s;
    out.reason = textAt(json, "reason");
    out.notes = textsAt(json, "notes");
    out.targets = textsAt(json, "targets");
    if (const auto count = json.find("conditionals"); count != json.end() && count->is_number_unsigned())
      out.conditionals = count->get<std::size_t>();
    out.root = textAt(json, "root");
    out.sources = textsAt(json, "sources");
    for (const Json &f : json.at("findings"))
      out.findings.push_back(finding(f));
    for (const Json &f : json.at("suppressed"))
      out.suppressed.push_back(finding(f));
    for (const Json &c : json.at("summaries"))
      out.summaries.push_back(summary(c));
    return out;
  }

private:
  std::string absolute(const std::string &path) const {
    return path.empty() ? path : (folder / path).lexically_normal().string();
  }

  SourceLocation place(const Json &json) const {
    SourceLocation out;
    if (!json.is_array())
      return out;
    out.path = absolute(json[0].get<std::string>());
    out.line = json[1].get<std::uint32_t>();
    out.column = json[2].get<std::uint32_t>();
    out.endLine = json[3].get<std::uint32_t>();
    out.endColumn = json[4].get<std::uint32_t>();
    out.function = json[5].get<std::string>();
    return out;
  }

  /// The same as the report spells it.
  SourceLocation reported(const Json &parent, const char *key) const {
    SourceLocation out;
    const auto at = parent.find(key);
    if (at == parent.end() || !at->is_object())
      return out;
    out.path = absolute(textAt(*at, "path"));
    out.line = at->value("line", 0U);
    out.column = at->value("column", 0U);
    out.endLine = at->value("endLine", 0U);
    out.endColumn = at->value("endColumn", 0U);
    out.function = textAt(*at, "function");
    return out;
  }

  static Verdict verdict(const std::string &name) {
    for (const Verdict v : {Verdict::Proved, Verdict::Unknown, Verdict::Possible, Verdict::Violated})
      if (name == verdictName(v))
        return v;
    return Verdict::Unknown;
  }

  Finding finding(const Json &json) const {
    Finding f;
    f.rule = textAt(json, "rule");
    f.severity = severityByName(textAt(json, "severity")).value_or(Severity::Error);
    f.verdict = verdict(textAt(json, "verdict"));
    f.target = textAt(json, "target");
    f.message = textAt(json, "message");
    f.help = textAt(json, "help");
    f.conditional = textAt(json, "conditional");
    f.location = reported(json, "location");
    f.graphPath = textAt(json, "graphPath");
    f.fingerprint = textAt(json, "fingerprint");
    f.executed = textAt(json, "evidence") == "dynamic";
    for (const Json &r : json.at("related"))
      f.related.push_back({textAt(r, "message"), reported(r, "location"), textAt(r, "graphPath")});
    for (const Json &x : json.at("fixes")) {
      Fix fix{textAt(x, "description"), {}};
      for (const Json &e : x.at("edits"))
        fix.edits.push_back({reported(e, "location"), textAt(e, "text")});
      f.fixes.push_back(std::move(fix));
    }
    return f;
  }

  static ConditionalSummary::Signature signature(const Json &json) {
    ConditionalSummary::Signature s;
    s.kind = textAt(json, "kind");
    s.dtype = textAt(json, "dtype");
    if (const auto shape = json.find("shape"); shape != json.end() && shape->is_array()) {
      s.hasShape = true;
      for (const Json &d : *shape)
        s.shape.push_back(d.is_string() ? d.get<std::string>() : d.is_null() ? "?" : d.dump());
    }
    return s;
  }

  ConditionalSummary summary(const Json &json) const {
    ConditionalSummary s;
    s.path = textAt(json, "path");
    s.target = textAt(json, "target");
    s.location = place(json.at("at"));
    s.function = place(json.at("function"));
    for (const Json &l : json.at("boundary"))
      s.boundary.push_back(place(l));
    s.predicateType = textAt(json, "predicateType");
    s.predicate = signature(json.at("predicate"));
    s.predicateKind = s.predicate.kind;
    for (const Json &o : json.at("operands"))
      s.operands.push_back(signature(o));
    for (const Json &b : json.at("branches")) {
      ConditionalSummary::BranchSummary branch{textAt(b, "name"), {}};
      for (const Json &o : b.at("outputs"))
        branch.outputs.push_back(signature(o));
      s.branches.push_back(std::move(branch));
    }
    for (const RuleInfo &rule : rules())
      if (const auto at = json.at("rules").find(std::string(rule.id)); at != json.at("rules").end())
        s.verdicts[rule.id] = verdict(at->get<std::string>());
    for (const auto &[rule, reason] : json.at("reasons").items())
      s.reasons[rule] = reason.get<std::string>();
    if (const auto layers = json.find("layers"); layers != json.end())
      for (const Json &l : *layers) {
        const std::string when = textAt(l, "evaluated");
        s.layers.push_back({textAt(l, "name"), reported(l, "location"),
                            when == "lazy"    ? ConditionalSummary::When::Lazy
                            : when == "eager" ? ConditionalSummary::When::Eager
                                              : ConditionalSummary::When::Shared,
                            textAt(l, "branch"), textAt(l, "via")});
      }
    if (const auto inside = json.find("inside"); inside != json.end()) {
      s.inside = textAt(*inside, "conditional");
      s.insideBranch = textAt(*inside, "branch");
    }
    if (const auto details = json.find("details"); details != json.end())
      s.details = this->details(*details);
    return s;
  }

  std::shared_ptr<const ConditionalDetails> details(const Json &json) const {
    auto out = std::make_shared<ConditionalDetails>();
    out->operands = textsAt(json, "operands");
    for (const Json &b : json.at("branches")) {
      ConditionalDetails::Branch branch{
          textAt(b, "name"), place(b.at("location")), {}, textsAt(b, "captures"), textsAt(b, "effects")};
      for (const Json &o : b.at("outputs"))
        branch.outputs.push_back(
            {textAt(o, "type"), textAt(o, "storage"), textAt(o, "maker"), place(o.at("made")), textAt(o, "graphPath")});
      out->branches.push_back(std::move(branch));
    }
    return out;
  }

  fs::path folder;
};

// --- The work ---------------------------------------------------------------------

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
  return {{"report", reportJson(report.inputs.front())}};
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
  return {{"report", reportJson(outcome.report.inputs.front())}};
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
      out.report = Reader(job.folder).report(*report);
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
