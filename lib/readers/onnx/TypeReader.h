//===- TypeReader.h - TypeProto to types ----------------------*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_TYPEREADER_H
#define CONDLINT_READERS_ONNX_TYPEREADER_H

#include "Context.h"
#include "condlint/StringTable.h"
#include "condlint/TensorType.h"
#include <string>
#include <string_view>
#include <vector>

namespace condlint::onnx {

/// Reads TypeProto messages. Models repeat few types many times, so each
/// distinct encoding is read once.
class TypeReader {
public:
  explicit TypeReader(Context &context) : c(context), m(context.m) {}

  /// The type in \p bytes, a TypeProto at \p depth; none when it says nothing.
  TypeId read(std::string_view bytes, std::uint32_t depth);
  /// The same for an input of the main graph: a size that has neither a value
  /// nor a name is one unknown number, called after the input.
  TypeId readInput(std::string_view bytes, std::uint32_t depth, std::string_view input);
  /// The type that was read last lacks an element type (it is missing, or 0), itself or where it holds others.
  bool lacksElement() const { return isIncomplete; }

  /// What \p a and \p b say together, \p a first where both speak. What they
  /// disagree in is put into words in \p conflict: "float32 and int64".
  TypeId merge(TypeId a, TypeId b, std::string &conflict);

private:
  struct Known {
    TypeId type;
    std::uint32_t depth = 0; ///< of its deepest message, relative to the type's own
    bool isIncomplete = false;
  };
  TypeId parse(std::string_view bytes, unsigned level);
  TypeId parseTensor(std::string_view bytes, Layout layout);
  TypeId parseHolder(std::string_view bytes, ValueKind kind, unsigned level);
  void parseShape(std::string_view bytes);
  Dim parseDim(std::string_view bytes);
  DType element(const WireReader &r);
  TypeId mergeAt(TypeId a, TypeId b, std::string &conflict, unsigned level);

  Context &c;
  Model &m;
  std::string_view input; ///< whose type is read by `readInput`
  bool isIncomplete = false;
  StringTable encodings;
  std::vector<Known> known;
  std::vector<Dim> dims;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_TYPEREADER_H
