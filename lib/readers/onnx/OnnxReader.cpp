//===- OnnxReader.cpp - ModelProto to a model -------------------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "FileKind.h"
#include "Functions.h"
#include "GraphReader.h"
#include "Operators.h"
#include "Proto.h"
#include "WireDepth.h"
#include "condlint/Reader.h"
#include <fmt/format.h>
#include <new>
#include <optional>
#include <stdexcept>
#include <unordered_set>

namespace condlint {

namespace {

using namespace onnx;

/// The fields of a ModelProto, before anything in them is read.
struct ModelFields {
  std::string_view producer, producerVersion;
  Embedded graph;
  bool hasAnything = false, wrongIrVersion = false;
  std::vector<std::string_view> functions;
  std::unordered_set<std::string_view> metadataKeys;
};

class ModelReader {
public:
  ModelReader(Model &model, std::string_view bytes, std::string folder)
      : c(model, bytes, std::move(folder)), m(model), operators(c), functions(c, operators), graphs(c, operators) {}

  /// False when the bytes hold nothing of a model.
  bool read() {
    try {
      return readModel();
    } catch (const WireError &e) {
      throw WireError{c.origin(e.at), e.message};
    }
  }

private:
  bool readModel() {
    ModelFields f = collect();
    if (!f.hasAnything)
      return false;
    describe(f);
    for (std::string_view function : f.functions)
      functions.declare(function, 1);
    if (f.graph.isGiven()) {
      m.setMain(m.addGraph(StringId(), m.strings.intern("main"), GraphId(), NodeId()));
      operators.enter(imports);
      graphs.readGraph(f.graph.whole(c), m.main(), 1);
    } else {
      c.report(FormatIssue::Kind::Malformed, nullptr, "the model has no graph");
    }
    functions.readBodies(graphs, 1);
    functions.cutCycles(graphs);
    graphs.finish();
    operators.finish();
    m.info.wireDepth = c.wireDepth();
    if (c.wireDepth() > protobufDepthLimit)
      c.report(FormatIssue::Kind::NestingLimit, nullptr,
               fmt::format("the file nests {} messages; readers built on protobuf (ONNX's checker, ONNX Runtime, "
                           "TensorRT) stop at {}",
                           c.wireDepth(), protobufDepthLimit),
               m.main());
    if (c.file.size() > 0x7fffffffu)
      c.report(FormatIssue::Kind::Malformed, nullptr,
               fmt::format("the file has {} bytes; protobuf reads no more than 2147483647", c.file.size()));
    settleIrVersion();
    c.finish();
    resolveUndefined(m);
    return true;
  }

  ModelFields collect() {
    ModelFields f;
    for (WireReader r(c.file); r.next();) {
      const bool isKnown = r.number() < 32 && ((modelProto::known >> r.number()) & 1u) != 0;
      f.hasAnything = f.hasAnything || isKnown;
      switch (r.key()) {
      case varintKey(modelProto::irVersion):
        c.irVersion = r.integer();
        c.hasIrVersion = true;
        break;
      case lengthKey(modelProto::producerName):
        f.producer = r.bytes();
        break;
      case lengthKey(modelProto::producerVersion):
        f.producerVersion = r.bytes();
        break;
      case lengthKey(modelProto::domain):
      case varintKey(modelProto::modelVersion):
      case lengthKey(modelProto::docString):
        break;
      case lengthKey(modelProto::graph):
        f.graph.add(r.bytes());
        break;
      case lengthKey(modelProto::opsetImport):
        operators.readImport(r.bytes(), 1, imports);
        break;
      case lengthKey(modelProto::metadata):
        readMetadata(f, r);
        break;
      case lengthKey(modelProto::trainingInfo):
        c.reach(deepestMessage(r.bytes(), Message::Training, 1));
        break;
      case lengthKey(modelProto::functions):
        f.functions.push_back(r.bytes());
        break;
      case lengthKey(modelProto::configuration):
        c.reach(deepestMessage(r.bytes(), Message::Leaf, 1));
        break;
      default:
        f.wrongIrVersion = f.wrongIrVersion || r.number() == modelProto::irVersion;
        c.skip(r, modelProto::known, 0, "ModelProto");
      }
    }
    return f;
  }

  void readMetadata(ModelFields &f, const WireReader &r) {
    const Entry entry = readEntry(c, r.bytes(), 1);
    if (!f.metadataKeys.insert(entry.key).second)
      c.report(FormatIssue::Kind::MalformedNote, r.at(),
               fmt::format("the model's metadata_props say twice what {} is, which onnx's checker refuses",
                           quoted(entry.key)));
  }

  void describe(const ModelFields &f) {
    m.info.producer = f.producer;
    c.isTorch = f.producer == "pytorch";
    if (!f.producer.empty() && !f.producerVersion.empty())
      (m.info.producer += ' ') += f.producerVersion;
    m.info.irVersion = c.irVersion;
    imports.isOfModel = true;
    for (const auto &[domain, version] : imports.list)
      m.info.opsets.emplace_back(m.text(domain), version);
    if (!c.hasIrVersion && !f.wrongIrVersion)
      c.report(FormatIssue::Kind::Malformed, nullptr, "the model has no ir_version");
    else if (c.hasIrVersion && c.irVersion <= 0) {
      irVersionIssue = m.issues.size();
      c.report(FormatIssue::Kind::Malformed, nullptr, fmt::format("the model's ir_version is {}", c.irVersion));
    }
    if (!imports.list.empty())
      return;
    if (c.hasIrVersion && c.irVersion < 3) {
      // Before IR version 3 there was one set of operators.
      imports.versions[operators.domainId("")] = 1;
      return;
    }
    imports.missing = true;
    c.report(FormatIssue::Kind::Malformed, nullptr, "the model has no opset_import, so its operators have no version");
  }

  /// To ONNX Runtime an IR version of 0 or less is one of the first, in which initializers are inputs.
  void settleIrVersion() {
    if (!irVersionIssue)
      return;
    for (std::uint32_t g = 0; g < m.graphCount(); ++g)
      if (m[GraphId(g)].constants.count != 0)
        return;
    m.issues[*irVersionIssue].kind = FormatIssue::Kind::MalformedWarning;
  }

  Context c;
  Model &m;
  std::optional<std::size_t> irVersionIssue;
  Operators operators;
  Functions functions;
  GraphReader graphs;
  OpsetImports imports;
};

std::string folderOf(const std::string &path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return {};
  return slash == 0 ? "/" : path.substr(0, slash);
}

Error refusal(const std::string &path, std::string_view bytes, std::string place, std::string message) {
  Error e;
  e.file = path;
  if (const std::string_view kind = foreignKind(bytes); !kind.empty()) {
    e.message = fmt::format("is {}, expected an ONNX model", kind);
    return e;
  }
  e.place = std::move(place);
  e.message = std::move(message);
  return e;
}

} // namespace

Expected<std::vector<Model>> readOnnx(std::shared_ptr<const FileBytes> bytes, const std::string &path) {
  const std::string_view file = bytes->view();
  if (file.empty()) {
    Error e;
    e.file = path;
    e.message = "is empty, expected an ONNX model";
    return e;
  }
  std::vector<Model> models(1);
  Model &m = models.front();
  m.info.format = Format::Onnx;
  m.info.dialect = Dialect::Onnx;
  m.info.path = path;
  m.backing.push_back(bytes);
  try {
    if (!ModelReader(m, file, folderOf(path)).read())
      return refusal(path, file, "", "holds none of the fields of an ONNX model");
  } catch (const WireError &e) {
    return refusal(path, file, fmt::format("byte {}", e.at - file.data()),
                   fmt::format("{}; the file is cut off or damaged, or is no ONNX model", e.message));
  } catch (const std::bad_alloc &) {
    return refusal(path, file, "", "not enough memory to read the file");
  } catch (const std::length_error &) {
    return refusal(path, file, "", "not enough memory to read the file");
  }
  return models;
}

} // namespace condlint
