//===- TensorReader.h - TensorProto to constants --------------*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_TENSORREADER_H
#define CONDLINT_READERS_ONNX_TENSORREADER_H

#include "Context.h"
#include "ExternalData.h"
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace condlint::onnx {

/// Reads TensorProto and SparseTensorProto as references: what the tensor is and
/// where its bytes lie. Only small integers are read. One problem of a tensor is
/// reported, the first, as ONNX's checker does.
class TensorReader {
public:
  explicit TensorReader(Context &context) : c(context), m(context.m), external(context.folder) {}

  /// The tensor in \p bytes, a TensorProto at \p depth.
  ConstantId read(std::string_view bytes, std::uint32_t depth);
  /// The same for a SparseTensorProto; its name is that of its values.
  ConstantId readSparse(std::string_view bytes, std::uint32_t depth);
  /// The tensor read last has data in two fields, and what ONNX Runtime reads of it fits (raw data where there is some,
  /// else the field of its type): the place of what is said of it among the issues.
  std::optional<std::size_t> doubledData() const { return doubled; }
  /// The data of the tensor read last are not those of its type and dimensions: the place of what is said of it.
  std::optional<std::size_t> wrongData() const { return wrong; }
  /// They are all there, and more: what onnx's checker does not see, and ONNX Runtime where it reads them.
  bool hasTooMuchData() const { return tooMuch; }
  /// `TensorProto.name` or the name of a sparse tensor, without the rest.
  static std::string_view nameOf(std::string_view bytes, bool sparse);

private:
  /// The kinds of data a tensor can carry, as bits.
  enum Store : unsigned { Raw = 1, Floats = 2, Int32s = 4, Strings = 8, Int64s = 16, Doubles = 32, Uint64s = 64 };
  struct Fields {
    std::string_view message;
    std::string_view name;
    std::string_view payload; ///< raw or fixed-width data in one piece
    std::string_view raw;
    std::string_view location, offset, length;
    std::int32_t dataType = 0;
    bool hasType = false, wrongType = false, isExternal = false, hasLocation = false, inPieces = false;
    bool hasRaw = false; ///< raw data is given, if only of no bytes
    unsigned stores = 0;
    bool countKnown = true; ///< false: too many to count, the counts are the bytes they take
    std::array<std::uint64_t, 7> counts{};

    /// Elements in a typed field, as they stand there.
    std::uint64_t count(Store s) const { return counts[static_cast<std::size_t>(std::countr_zero(unsigned{s}))]; }
    /// The same of a field that has some.
    std::uint64_t &countIn(Store s) {
      stores |= s;
      return counts[static_cast<std::size_t>(std::countr_zero(unsigned{s}))];
    }
  };
  /// The typed field that holds elements of a type, and how many entries it has.
  struct Home {
    Store store;
    std::uint64_t entries;
  };
  static Home homeOf(DType t, std::uint64_t count, std::uint64_t bytes);
  static bool holdsAll(const Fields &f, const Home &home);
  Fields collect(std::string_view bytes, std::uint32_t depth);
  void collectNumbers(Fields &f, const WireReader &r, Store store);
  void collectFixed(Fields &f, const WireReader &r, Store store, std::size_t width);
  Constant build(const Fields &f);
  void check(const Fields &f, Constant &constant);
  void checkInside(const Fields &f, Constant &constant, DType t, std::uint64_t count);
  void checkRaw(const Fields &f, Constant &constant, DType t);
  void checkTyped(const Fields &f, Constant &constant, DType t, std::uint64_t count);
  void place(const Fields &f, Constant &constant);
  void checkExternal(const Fields &f, Constant &constant, std::uint64_t bytesNeeded);
  void checkIndices(std::string_view at, const Constant &values, const Constant &indices,
                    const std::vector<std::int64_t> &shape, bool sound);
  TypeId typeOf(const Fields &f, Layout layout);
  void problem(const Fields &f, std::string message);

  Context &c;
  Model &m;
  ExternalFolder external;
  std::vector<std::int64_t> shape;   ///< dims as written
  std::vector<std::int64_t> numbers; ///< of a typed integer field, while it is small
  std::vector<Dim> dims;
  bool sound = true; ///< the tensor last built has no problem
  bool tooMuch = false;
  std::optional<std::size_t> doubled, wrong;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_TENSORREADER_H
