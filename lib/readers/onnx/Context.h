//===- Context.h - What all parts of the ONNX reader share ----*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_CONTEXT_H
#define CONDLINT_READERS_ONNX_CONTEXT_H

#include "Wire.h"
#include "condlint/Graph.h"
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint::onnx {

/// The model that is being read, the bytes it is read from, and what went wrong
/// so far.
class Context {
public:
  Context(Model &model, std::string_view bytes, std::string modelFolder)
      : m(model), file(bytes), folder(std::move(modelFolder)) {}

  Model &m;
  const std::string_view file;
  const std::string folder; ///< of the model's file; empty for the current one
  std::int64_t irVersion = 0;
  bool hasIrVersion = false;
  bool isTorch = false; ///< torch wrote it

  /// An initializer need not be an input, and an input with one has a default.
  bool freeInitializers() const { return !hasIrVersion || irVersion >= 4; }

  /// A message lies at \p depth, the file itself at 0.
  void reach(std::uint32_t depth) { deepest = std::max(deepest, depth); }
  std::uint32_t wireDepth() const { return deepest; }

  /// Notes that the file contradicts its format. A hostile file repeats itself:
  /// what comes after the first `issueLimit` is counted, not kept.
  FormatIssue *report(FormatIssue::Kind kind, const char *at, std::string message, GraphId g = GraphId(),
                      NodeId n = NodeId(), ValueId v = ValueId());
  /// Completes the issues since \p first that do not know their place yet.
  void locate(std::size_t first, GraphId g, NodeId n, ValueId v = ValueId());
  /// Says how many issues were not kept.
  void finish();

  /// A field that no switch took: a group, an unknown field, or a known one with
  /// another wire type than its own. Readers skip all of them, as protobuf does;
  /// the last is reported.
  void skip(const WireReader &r, std::uint32_t known, std::uint32_t depth, std::string_view message);

  /// \p parts one after the other, which live as long as the model does. Throws
  /// WireError where one of them is no run of whole fields, and where a file
  /// that is all parts of parts would have to be copied over and over.
  std::string_view join(const std::vector<std::string_view> &parts);
  /// Where in the file the byte at \p at stands, which `join` may have copied.
  const char *origin(const char *at) const;
  std::uint64_t offset(const char *at) const { return static_cast<std::uint64_t>(origin(at) - file.data()); }
  std::string place(const char *at) const;

private:
  static constexpr std::size_t issueLimit = 1000;
  /// Where copied parts begin, and where they stand in the file.
  std::map<const char *, const char *, std::less<>> copied;
  std::size_t copiedBytes = 0;
  std::uint32_t deepest = 0;
  std::size_t dropped = 0;
};

/// A message in a field that is not repeated. It may occur more than once all
/// the same: protobuf merges what it finds, which is to read the parts as one
/// run of bytes (encoding, "last one wins").
class Embedded {
public:
  void add(std::string_view part) {
    if (!std::exchange(given, true)) {
      first = part;
      return;
    }
    if (parts.empty())
      parts.push_back(first);
    parts.push_back(part);
  }
  void clear() { *this = Embedded(); }
  bool isGiven() const { return given; }
  std::string_view whole(Context &c) const { return parts.empty() ? first : c.join(parts); }

private:
  std::string_view first;
  std::vector<std::string_view> parts; ///< all of them, when there are several
  bool given = false;
};

/// One StringStringEntryProto.
struct Entry {
  std::string_view key;
  std::string_view value;
};
Entry readEntry(Context &c, std::string_view bytes, std::uint32_t depth);

/// \p text between quotes, cut when it is long: for messages.
std::string quoted(std::string_view text);

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_CONTEXT_H
