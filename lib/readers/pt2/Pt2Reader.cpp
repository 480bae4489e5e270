//===- Pt2Reader.cpp - Archives written by torch.export.save ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Archive.h"
#include "JsonCursor.h"
#include "ProgramReader.h"
#include "Records.h"
#include "Weights.h"
#include <algorithm>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace condlint {

namespace pt2 {

namespace {

constexpr std::string_view oldProgram = "serialized_exported_program.json";
constexpr std::string_view exportHint = "save the model with torch.export.save";

/// One ExportedProgram in the archive.
struct Program {
  const ArchiveEntry *entry = nullptr;
  std::string key; ///< "model"
};

/// How an archive is laid out: records under one root folder, or, up to torch
/// 2.7, at the top.
struct Contents {
  std::string root; ///< "model/", with the slash; empty in the old layout
  bool oldLayout = false;
  std::vector<Program> programs;
};

/// The name without its first component, when it has one.
std::string_view belowRoot(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
}

/// What an archive without a program is instead.
Error otherArchive(const Archive &archive, const std::string &path) {
  bool code = false;
  bool pickle = false;
  bool constants = false;
  bool aot = false;
  bool graphs = false;
  for (const ArchiveEntry &e : archive.entries()) {
    const std::string_view name = belowRoot(e.name);
    code |= name.starts_with("code/");
    pickle |= name == "data.pkl";
    constants |= name == "constants.pkl";
    aot |= name.starts_with("data/aotinductor/");
    graphs |= name.starts_with("models/") && name.ends_with(".json");
  }
  if (archive.find("archive_format") != nullptr)
    return {path,
            {},
            "is no archive of torch.export: 'archive_format' lies at the top, expected one folder around all records",
            std::string(exportHint)};
  if (graphs)
    return {path, {}, "is no archive of torch.export: its 'archive_format' is not there", std::string(exportHint)};
  if (code || constants)
    return {path,
            {},
            "is a TorchScript archive (torch.jit.save), expected one of torch.export.save",
            "export the model with torch.export.export"};
  if (aot)
    return {path, {}, "is an AOTInductor package: it holds compiled code and no graph", std::string(exportHint)};
  if (pickle)
    return {path, {}, "is a checkpoint (torch.save): it holds pickled data and no graph", std::string(exportHint)};
  return {path,
          {},
          "is a zip archive without a model: neither 'archive_format' nor '" + std::string(oldProgram) + "' is in it",
          std::string(exportHint)};
}

/// An archive of torch.export without a program.
Error withoutModel(const Archive &archive, const std::string &path, const std::string &root) {
  for (const ArchiveEntry &e : archive.entries())
    if (std::string_view(e.name).starts_with(root + "data/aotinductor/"))
      return {path, {}, "is an AOTInductor package: it holds compiled code and no graph", std::string(exportHint)};
  return {path,
          {},
          "holds no model: there is no " + root + "models/*.json; torch.export.save broke off before it was written",
          "save the model again, and look at the error that saving gives"};
}

Expected<Contents> contentsOf(Archive &archive, const std::string &path) {
  Contents contents;
  for (const ArchiveEntry &e : archive.entries()) {
    if (belowRoot(e.name) != "archive_format")
      continue;
    auto format = archive.read(e);
    if (!format)
      return format.error();
    std::string_view text = format->text;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
      text.remove_suffix(1);
    if (text != "pt2")
      return Error{path, e.name, "expected the archive format 'pt2', found something else", std::string(exportHint)};
    contents.root = e.name.substr(0, e.name.find('/') + 1);
    break;
  }
  if (contents.root.empty()) {
    const ArchiveEntry *program = archive.find(oldProgram);
    if (program == nullptr)
      return otherArchive(archive, path);
    contents.oldLayout = true;
    contents.programs.push_back({program, "model"});
    return contents;
  }
  const std::string folder = contents.root + "models/";
  constexpr std::string_view suffix = ".json";
  for (const ArchiveEntry &e : archive.entries()) {
    const std::string_view name = e.name;
    if (!name.starts_with(folder) || !name.ends_with(suffix) || name.size() <= folder.size() + suffix.size())
      continue;
    if (archive.find(name) != &e)
      continue; // the first of several of one name
    contents.programs.push_back(
        {&e, std::string(name.substr(folder.size(), name.size() - folder.size() - suffix.size()))});
  }
  if (contents.programs.empty())
    return withoutModel(archive, path, contents.root);
  return contents;
}

void checkArchive(Model &m, Archive &archive, const Contents &contents, const Program &program) {
  if (archive.isAmbiguous(program.entry->name)) {
    FormatIssue i;
    i.place = program.entry->name;
    i.message = "the archive holds several records of this name; the first is read";
    m.issues.push_back(std::move(i));
  }
  if (contents.oldLayout)
    checkOldRecords(m, archive);
  else
    checkRecords(m, archive, contents.root, program.key);
}

/// Where the weights and constants of the model \p key lie.
void readWeights(Model &m, Archive &archive, const std::string &root, const std::string &key, JsonCursor &cursor) {
  bool complete = m.main().valid();
  for (const std::string_view kind : {"weights", "constants"}) {
    const std::string folder = fmt::format("{}data/{}/{}", root, kind, key);
    const std::string name = fmt::format("{}_{}_config.json", folder, kind);
    const ArchiveEntry *config = archive.find(name);
    complete = (config != nullptr && attachWeights(m, archive, *config, cursor)) && complete;
    // Without a configuration they may lie in a checkpoint, as torch 2.7 wrote them.
    if (config == nullptr && archive.find(folder + ".pt") == nullptr)
      lackConfiguration(m, name, kind == "constants");
  }
  if (complete)
    checkWeightsAreNamed(m, root + "data");
}

Expected<Model> readProgram(Archive &archive, const Contents &contents, const Program &program, JsonCursor &cursor,
                            const std::string &path) {
  auto record = archive.read(*program.entry);
  if (!record)
    return record.error();
  Model m;
  m.info.format = Format::Pt2;
  m.info.dialect = Dialect::Torch;
  m.info.path = path;
  m.info.name = program.key;
  m.backing.push_back(record->keepAlive);
  if (!cursor.open(record->text))
    return Error{path, program.entry->name, cursor.problem(), {}};
  ProgramReader(m, cursor, contents.oldLayout).read();
  if (cursor.failed())
    return Error{path, program.entry->name, cursor.problem(), {}};
  checkArchive(m, archive, contents, program);
  if (!contents.oldLayout)
    readWeights(m, archive, contents.root, program.key, cursor);
  resolveUndefined(m);
  return m;
}

/// The program alone, as torch serializes one without its weights: a `models/*.json` that is in no archive. Nothing
/// is said of weights, which are elsewhere.
Expected<std::vector<Model>> readBareProgram(const std::shared_ptr<const FileBytes> &bytes, const std::string &path) {
  Model m;
  m.info.format = Format::Pt2;
  m.info.dialect = Dialect::Torch;
  m.info.path = path;
  m.info.name = "model";
  m.backing = {bytes, bytes};
  JsonCursor cursor;
  if (!cursor.open(bytes->view()))
    return Error{path, {}, cursor.problem(), {}};
  ProgramReader(m, cursor, /*old=*/false).read();
  if (cursor.failed())
    return Error{path, {}, cursor.problem(), {}};
  resolveUndefined(m);
  std::vector<Model> models;
  models.push_back(std::move(m));
  return models;
}

bool isBareProgram(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

} // namespace

} // namespace pt2

std::shared_ptr<const FileBytes> pt2::archiveBytes(const Model &m) {
  return std::static_pointer_cast<const FileBytes>(m.backing.front());
}

Expected<std::vector<Model>> readPt2(std::shared_ptr<const FileBytes> bytes, const std::string &path) {
  try {
    if (pt2::isBareProgram(bytes->view()))
      return pt2::readBareProgram(bytes, path);
    auto archive = pt2::Archive::open(bytes, path);
    if (!archive)
      return archive.error();
    const auto contents = pt2::contentsOf(**archive, path);
    if (!contents)
      return contents.error();
    JsonCursor cursor;
    std::vector<Model> models;
    for (const pt2::Program &program : contents->programs) {
      auto model = pt2::readProgram(**archive, *contents, program, cursor, path);
      if (!model)
        return model.error();
      model->backing.insert(model->backing.begin(), bytes);
      models.push_back(std::move(*model));
    }
    return models;
  } catch (const std::bad_alloc &) {
    return Error{path, {}, "not enough memory to read the model", {}};
  } catch (const std::exception &e) {
    return Error{path, {}, std::string("cannot be read: ") + e.what(), {}};
  }
}

} // namespace condlint
