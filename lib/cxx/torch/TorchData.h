//===- TorchData.h - libtorch's small values --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libtorch passes around besides tensors, as data of the interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_TORCHDATA_H
#define CONDLINT_CXX_TORCH_TORCHDATA_H

#include "../interp/values/Value.h"
#include "condlint/TensorType.h"
#include <clang/AST/OperationKinds.h>
#include <optional>
#include <string>

namespace condlint::cxx {

/// What the numbers of handles and tokens say.
enum TorchTag : std::uint32_t {
  TensorTag = 1,   ///< Handle: a tensor; its object holds one of the following
  ValueTag = 2,    ///< Token: the number of a value of the model
  UndefinedTag = 3 ///< Token: no tensor at all
};

template <class T> class TorchDatum : public Datum {
public:
  bool equals(const Datum &other) const override {
    const auto *o = dynamic_cast<const T *>(&other);
    return o && static_cast<const T &>(*this).same(*o);
  }
};

/// c10::Device, or a device's type.
class DeviceDatum : public TorchDatum<DeviceDatum> {
public:
  DeviceDatum(std::string deviceType, int deviceIndex) : type(std::move(deviceType)), index(deviceIndex) {}
  bool same(const DeviceDatum &o) const { return type == o.type && index == o.index && (!type.empty() || of == o.of); }
  std::string type; ///< "cpu"; empty: not known
  int index = -1;
  ObjectId of; ///< the tensor whose device it is, if it is one's
};

/// c10::TensorOptions.
class OptionsDatum : public TorchDatum<OptionsDatum> {
public:
  bool same(const OptionsDatum &o) const {
    return dtype.same(o.dtype) && device.same(o.device) && layout.same(o.layout) && requiresGrad.same(o.requiresGrad) &&
           memoryFormat.same(o.memoryFormat) && like == o.like;
  }
  // Absent: the default, or what the tensor has whose options these are.
  Value dtype, device, layout, requiresGrad, memoryFormat;
  ObjectId like; ///< the tensor that they come from
};

/// at::indexing::Slice, and what an index may be besides.
class IndexDatum : public TorchDatum<IndexDatum> {
public:
  enum class Kind : std::uint8_t { None, Ellipsis, Integer, Boolean, Slice, Tensor };
  explicit IndexDatum(Kind k, Value first = {}, Value second = {}, Value third = {})
      : kind(k), a(std::move(first)), b(std::move(second)), c(std::move(third)) {}
  bool same(const IndexDatum &o) const { return kind == o.kind && a.same(o.a) && b.same(o.b) && c.same(o.c); }
  Kind kind;
  Value a, b, c; ///< the number or tensor; start, stop and step of a slice (absent: none)
};

/// A pointer into a tensor's elements, or an accessor of them.
class ElementsDatum : public TorchDatum<ElementsDatum> {
public:
  explicit ElementsDatum(Value t) : tensor(std::move(t)) {}
  bool same(const ElementsDatum &o) const { return tensor.same(o.tensor) && areAll == o.areAll; }
  Value tensor;        ///< the handle
  bool areAll = false; ///< from the first one on
};

/// A number's source: a value of the model, a facet of a tensor that a check may fix, or what is given from outside.
class SourceDatum : public TorchDatum<SourceDatum> {
public:
  enum class Facet : std::uint8_t {
    Value,
    Rank,
    Size,
    DType,
    IsOfClass,
    IsDevice,
    IsContiguous,
    Sizes,
    IsDefined,
    Count,
    Other,
    Given
  };
  SourceDatum(Facet f, ObjectId o, std::int64_t i = 0, ValueId v = {}) : facet(f), tensor(o), index(i), value(v) {}
  bool same(const SourceDatum &o) const {
    return facet == o.facet && tensor == o.tensor && of == o.of && index == o.index && value == o.value &&
           text == o.text;
  }
  Facet facet;
  ObjectId tensor;
  ValueId of;             ///< what the tensor was when it was asked; see `TorchDomain::metadataOf`
  std::int64_t index = 0; ///< Size: the dimension; Given: which one
  ValueId value;          ///< Value, and where a node made the number
  std::string text;       ///< IsDevice, IsOfClass: which; Other: how it is asked
};

/// "the number \c what \c opcode \c constant".
struct NumberComparison {
  Dim what;
  clang::BinaryOperatorKind opcode = clang::BO_EQ;
  std::int64_t constant = 0;

  NumberComparison negated() const;
  friend bool operator==(const NumberComparison &, const NumberComparison &) = default;
};

/// A complex number; not a number where that is not known.
class ComplexDatum : public TorchDatum<ComplexDatum> {
public:
  ComplexDatum(double re, double im) : real(re), imaginary(im) {}
  bool same(const ComplexDatum &o) const { return real == o.real && imaginary == o.imaginary; }
  double real, imaginary;
};

/// Options of torch::nn, by the names of their setters ("#0" for what a constructor is given).
class NamedOptions : public TorchDatum<NamedOptions> {
public:
  bool same(const NamedOptions &o) const;
  static Value make(const std::vector<Value> &arguments);
  const Value *find(std::string_view name) const;
  std::vector<std::pair<std::string, Value>> values;
};

/// How a module or function of torch::nn is called, without underscores and in small letters.
std::string functionName(std::string_view called);

/// The type that a tensor has at some point, without the tensor.
class OutlineDatum : public TorchDatum<OutlineDatum> {
public:
  explicit OutlineDatum(TypeId t) : type(t) {}
  bool same(const OutlineDatum &o) const { return type == o.type; }
  TypeId type;
};

/// The list of operands that a branch is given: asked for an element that is not
/// among them, the branch has a parameter more (B2).
class OperandListDatum : public TorchDatum<OperandListDatum> {
public:
  static constexpr std::uint32_t spare = 4; ///< parameters that are kept ready for it
  OperandListDatum(GraphId g, std::uint32_t n, std::uint32_t all) : graph(g), count(n), parameters(all) {}
  bool same(const OperandListDatum &o) const { return graph == o.graph && count == o.count; }
  GraphId graph;
  std::uint32_t count;      ///< elements of the list
  std::uint32_t parameters; ///< of the branch, all together
};

/// The element types that are "floating", "complex", "integral", "integral or bool".
DTypeSet elementClass(std::string_view name);

/// torch's numbers of element types in C++ (c10::ScalarType).
DType dtypeOfScalarType(std::int64_t number);
std::optional<std::int64_t> scalarTypeOf(DType t);
Layout layoutOfNumber(std::int64_t number);
/// c10::DeviceType by number: "cpu", "cuda"; empty for others.
std::string deviceOfNumber(std::int64_t number);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_TORCHDATA_H
