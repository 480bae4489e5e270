//===- OneNode.h - A model of one node, for tests of definitions --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_OPS_ONENODE_H
#define CONDLINT_TESTS_OPS_ONENODE_H

#include "condlint/Op.h"
#include "graph/TypeWords.h"
#include "ops/InferState.h"
#include <string>
#include <utility>
#include <vector>

namespace condlint::test {

/// "float32[2, s0]", "unknown[...]", "sequence<int64[...]>".
inline std::string shortType(const Model &m, const Type &t) {
  switch (t.kind) {
  case ValueKind::Tensor:
    return std::string(dtypeName(t.element)) + (t.hasRank ? spellDims(m.dims, t.dims) : "[...]");
  case ValueKind::Sequence:
  case ValueKind::Optional:
    return std::string(kindName(t.kind)) + '<' + (t.item ? shortType(m, m.types[t.item]) : "?") + '>';
  default:
    return std::string(kindName(t.kind));
  }
}

/// A graph that consists of one operator, built argument by argument. Sizes are
/// written as numbers, -1 for an unknown one, or as names of symbols.
class OneNode {
public:
  struct Size {
    Size(int value) : number(value) {}
    Size(const char *symbol) : name(symbol) {}
    std::int64_t number = 0;
    std::string name;
  };

  /// ONNX: the operator \p name of \p domain at \p version.
  static OneNode onnx(std::string_view name, std::int32_t version, std::string_view domain = "") {
    OneNode n;
    n.m.info.dialect = Dialect::Onnx;
    n.m.info.format = Format::Onnx;
    Operator op;
    op.dialect = Dialect::Onnx;
    op.version = version;
    return n.begin(op, domain, name, "");
  }
  /// Torch: `torch.ops.DOMAIN.NAME.OVERLOAD`, of which a test gives what matters to it.
  static OneNode torch(std::string_view name, std::string_view overload = "default", std::string_view domain = "aten") {
    OneNode n;
    n.m.info.dialect = Dialect::Torch;
    n.m.info.format = Format::Json;
    return n.begin(Operator(), domain, name, overload);
  }
  /// The same in a `.pt2`, which holds all arguments.
  static OneNode exported(std::string_view name, std::string_view overload = "default") {
    OneNode n = torch(name, overload);
    n.m.info.format = Format::Pt2;
    return n;
  }
  /// The same as a C++ front end writes it.
  static OneNode source(std::string_view name, std::string_view overload = "default") {
    OneNode n = torch(name, overload);
    n.m.info.format = Format::Cxx;
    return n;
  }

  Type tensorType(DType element, std::vector<Size> sizes) {
    std::vector<Dim> dims;
    for (const Size &s : sizes)
      dims.push_back(!s.name.empty()  ? m.dims.symbol(s.name, SymbolOrigin::Named)
                     : s.number == -1 ? Dim()
                                      : m.dims.constant(s.number));
    Type t = rankless(element);
    t.hasRank = true;
    t.dims = dims;
    // The table's copy of the sizes lives on.
    return m.types[m.types.intern(t)];
  }
  Type rankless(DType element) {
    Type t;
    t.kind = ValueKind::Tensor;
    t.element = element;
    return t;
  }
  Type of(ValueKind kind, const Type &item) {
    Type t;
    t.kind = kind;
    t.item = m.types.intern(item);
    return t;
  }

  // Inputs by position (ONNX) or by name (torch).
  OneNode &in(const Type &t) {
    inputs.push_back({m.types.intern(t), {}});
    return *this;
  }
  OneNode &in(DType element, std::vector<Size> sizes) { return in(tensorType(element, std::move(sizes))); }
  OneNode &absent() {
    inputs.push_back({TypeId(), {}, true});
    return *this;
  }
  /// An int64 tensor whose numbers are known; a scalar when \p scalar is set.
  OneNode &numbers(std::vector<int> values, bool scalar = false) {
    inputs.push_back({m.types.intern(scalar ? tensorType(DType::Int64, {})
                                            : tensorType(DType::Int64, {static_cast<int>(values.size())})),
                      std::move(values)});
    return *this;
  }
  OneNode &arg(std::string_view name, const Type &t) {
    add(name, AttributeKind::Operand).list = {static_cast<std::uint32_t>(inputs.size()), 1};
    return in(t);
  }
  OneNode &arg(std::string_view name, DType element, std::vector<Size> sizes) {
    return arg(name, tensorType(element, std::move(sizes)));
  }
  OneNode &args(std::string_view name, std::vector<Type> types) {
    add(name, AttributeKind::Operands).list = {static_cast<std::uint32_t>(inputs.size()),
                                               static_cast<std::uint32_t>(types.size())};
    for (const Type &t : types)
      in(t);
    return *this;
  }

  OneNode &attr(std::string_view name, std::int64_t value) {
    add(name, AttributeKind::Int).number = value;
    return *this;
  }
  OneNode &attr(std::string_view name, std::string_view value) {
    add(name, AttributeKind::String).text = m.strings.intern(value);
    return *this;
  }
  OneNode &real(std::string_view name, double value) {
    add(name, AttributeKind::Float).real = value;
    return *this;
  }
  OneNode &attr(std::string_view name, DType value) {
    add(name, AttributeKind::DType).number = static_cast<std::int64_t>(value);
    return *this;
  }
  OneNode &ints(std::string_view name, std::vector<std::int64_t> values) {
    const Range pooled = m.poolInts(values);
    add(name, AttributeKind::Ints).list = pooled;
    return *this;
  }
  OneNode &reals(std::string_view name, std::vector<double> values) {
    const Range pooled = m.poolReals(values);
    add(name, AttributeKind::Floats).list = pooled;
    return *this;
  }
  OneNode &strings(std::string_view name, std::vector<std::string> values) {
    std::vector<StringId> ids;
    for (const std::string &s : values)
      ids.push_back(m.strings.intern(s));
    const Range pooled = m.poolStrings(ids);
    add(name, AttributeKind::Strings).list = pooled;
    return *this;
  }
  /// An argument of which nothing is known.
  OneNode &opaque(std::string_view name) {
    add(name, AttributeKind::Opaque).text = m.strings.intern("unknown");
    return *this;
  }
  /// The first input once more.
  OneNode &again(std::string_view name) {
    add(name, AttributeKind::Operand).list = {static_cast<std::uint32_t>(inputs.size()), 1};
    inputs.push_back({TypeId(), {}, false, true});
    return *this;
  }
  OneNode &typeAttr(std::string_view name, const Type &t) {
    const TypeId id = m.types.intern(t);
    add(name, AttributeKind::Type).list = {id.index(), 1};
    return *this;
  }

  /// Types the node with \p outputs results.
  OneNode &run(std::size_t outputs = 1) {
    const GraphId g = m.addGraph(m.strings.intern("main"), StringId(), GraphId(), NodeId());
    m.setMain(g);
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].missing) {
        operands.push_back(ValueId());
        continue;
      }
      if (inputs[i].again) {
        operands.push_back(operands[0]);
        continue;
      }
      const ValueId v = m.addParameter(g, m.strings.intern("x" + std::to_string(i)), inputs[i].type);
      if (!inputs[i].content.empty()) {
        std::vector<Dim> content;
        for (int c : inputs[i].content)
          content.push_back(m.dims.constant(c));
        m[v].content = m.addContent(content);
      }
      operands.push_back(v);
    }
    std::vector<StringId> names;
    for (std::size_t i = 0; i < outputs; ++i)
      names.push_back(m.strings.intern("y" + std::to_string(i)));
    node = m.addNode(g, op, m.strings.intern("node"), operands, names, attributes);
    found = inferTypes(m);
    return *this;
  }

  /// "float32[2, s0]", "sequence<int64[...]>".
  const Type &resultType() const { return m.type(m.result(node, 0)); }
  std::string type(std::size_t result = 0) const { return shortType(m, m.type(m.result(node, result))); }
  bool typed() const { return found.untyped.empty(); }
  /// The messages of what was rejected, joined.
  std::string rejected() const {
    std::string text;
    for (const InvalidOperand &i : found.invalid)
      text += (text.empty() ? "" : "; ") + i.message;
    return text;
  }
  std::vector<std::int64_t> content(std::size_t result = 0) const {
    std::vector<std::int64_t> out;
    if (const ContentId c = m[m.result(node, result)].content)
      for (Dim d : m.content(c))
        out.push_back(m.dims.asConstant(d).value_or(-999));
    return out;
  }

  Model m;
  NodeId node;
  Inference found;

private:
  struct Input {
    TypeId type;
    std::vector<int> content;
    bool missing = false;
    bool again = false;
  };

  OneNode() = default;
  OneNode &&begin(Operator o, std::string_view domain, std::string_view name, std::string_view overload) {
    o.domain = m.strings.intern(domain);
    o.name = m.strings.intern(name);
    o.overload = m.strings.intern(overload);
    op = m.addOperator(o);
    return std::move(*this);
  }
  Attribute &add(std::string_view name, AttributeKind kind) {
    Attribute a;
    a.name = m.strings.intern(name);
    a.kind = kind;
    return attributes.emplace_back(a);
  }

  OperatorId op;
  std::vector<Input> inputs;
  std::vector<Attribute> attributes;
};

} // namespace condlint::test

#endif // CONDLINT_TESTS_OPS_ONENODE_H
