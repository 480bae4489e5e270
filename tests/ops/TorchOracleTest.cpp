//===- TorchOracleTest.cpp - Inference against torch's own answers --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tests/data/ops/torch.txt holds what torch answers (torch_oracle.py writes it).
// Whatever condlint claims of those results must be so, and it must claim the
// element type and the shape of nearly all of them.
//
//===----------------------------------------------------------------------===//
#include "condlint/Op.h"
#include "ops/InferState.h"
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace condlint;

namespace {

std::vector<std::string> split(const std::string &text, char by) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, by);)
    parts.push_back(part);
  return parts;
}

std::vector<std::int64_t> integers(const std::string &text) {
  std::vector<std::int64_t> out;
  for (const std::string &part : split(text, ','))
    out.push_back(std::stoll(part));
  return out;
}

/// One line of the file: the overload, its arguments, what torch answered.
class Case {
public:
  explicit Case(const std::string &line) {
    m.info.dialect = Dialect::Torch;
    m.info.format = Format::Pt2;
    const std::size_t arrow = line.find(" -> ");
    const std::vector<std::string> words = split(line.substr(0, arrow), ' ');
    const std::vector<std::string> name = split(words[0], '.');
    Operator op;
    op.domain = m.strings.intern(name[0]);
    op.name = m.strings.intern(name[1]);
    op.overload = m.strings.intern(name[2]);
    for (std::size_t i = 1; i < words.size(); ++i)
      addArgument(words[i]);
    for (const std::string &word : split(line.substr(arrow + 4), ' '))
      answers.push_back(tensor(word));

    const GraphId g = m.addGraph(m.strings.intern("main"), StringId(), GraphId(), NodeId());
    m.setMain(g);
    std::vector<ValueId> operands;
    for (TypeId type : inputs)
      operands.push_back(type ? m.addParameter(g, m.strings.intern("x" + std::to_string(operands.size())), type)
                              : ValueId());
    std::vector<StringId> results;
    for (std::size_t i = 0; i < answers.size(); ++i)
      results.push_back(m.strings.intern("y" + std::to_string(i)));
    node = m.addNode(g, m.addOperator(op), m.strings.intern("node"), operands, results, attributes);
    inference = inferTypes(m);
  }

  /// What condlint claims that is not so; empty when all is right.
  std::string wrong() const {
    std::string out;
    if (!inference.invalid.empty())
      out += "rejected: " + inference.invalid[0].message + "; ";
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const Type &is = m.types[m[m.result(node, i)].type];
      const Type &should = m.types[answers[i]];
      if (is.kind != ValueKind::Unknown && is.kind != should.kind)
        out += "kind; ";
      if (is.element != DType::Unknown && is.element != should.element)
        out += "dtype " + std::string(dtypeName(is.element)) + "; ";
      if (is.hasRank && is.dims.size() != should.dims.size())
        out += "rank " + std::to_string(is.dims.size()) + "; ";
      else if (is.hasRank)
        out += compare("size", is.dims, should.dims);
      if (is.hasStrides && is.strides.size() == should.strides.size() && !empty(should))
        out += compare("stride", is.strides, should.strides);
      if (is.storageOffset.known() && is.storageOffset != should.storageOffset)
        out += "offset " + m.dims.str(is.storageOffset) + "; ";
    }
    return out;
  }

  /// Facets: element types, shapes, strides, and how many of each are known.
  void count(std::map<std::string, int> &counts) const {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const Type &t = m.types[m[m.result(node, i)].type];
      bool shape = t.hasRank;
      for (Dim d : t.dims)
        shape = shape && d.known();
      ++counts["results"];
      counts["dtype"] += t.element != DType::Unknown;
      counts["shape"] += shape;
      counts["strides"] += t.hasStrides;
      counts["device"] += t.device.valid();
    }
  }
  bool dtypeKnown() const { return m.types[m[m.result(node, 0)].type].element != DType::Unknown; }
  bool stridesKnown() const { return m.types[m[m.result(node, 0)].type].hasStrides; }

private:
  static bool empty(const Type &t) { return t.dims.size() == 0; }

  std::string compare(const char *what, std::span<const Dim> is, std::span<const Dim> should) const {
    std::string out;
    for (std::size_t i = 0; i < is.size(); ++i)
      if (is[i].known() && m.dims.asConstant(is[i]) && is[i] != should[i])
        out += std::string(what) + " " + std::to_string(i) + " is " + m.dims.str(is[i]) + "; ";
    return out;
  }

  std::vector<Dim> dims(const std::string &text) {
    std::vector<Dim> out;
    for (std::int64_t v : integers(text))
      out.push_back(m.dims.constant(v));
    return out;
  }

  TypeId tensor(const std::string &word) {
    const std::vector<std::string> parts = split(word, ':');
    Type t;
    t.kind = ValueKind::Tensor;
    t.element = dtypeByName(parts.at(1)).value_or(DType::Unknown);
    t.layout = Layout::Strided;
    t.device = m.strings.intern("cpu");
    t.hasRank = t.hasStrides = true;
    const std::vector<Dim> sizes = dims(parts.at(2)), strides = dims(parts.at(3));
    t.dims = sizes;
    t.strides = strides;
    t.storageOffset = m.dims.constant(std::stoll(parts.at(4)));
    return m.types.intern(t);
  }

  void addArgument(const std::string &word) {
    const std::size_t equals = word.find('=');
    const std::string value = word.substr(equals + 1);
    const std::string payload = value.size() > 2 ? value.substr(2) : "";
    Attribute a;
    a.name = m.strings.intern(word.substr(0, equals));
    switch (value[0]) {
    case 'T':
      a.kind = AttributeKind::Operand;
      a.list = {static_cast<std::uint32_t>(inputs.size()), 1};
      inputs.push_back(tensor(value));
      break;
    case 'i':
      a.kind = AttributeKind::Int;
      a.number = std::stoll(payload);
      break;
    case 'b':
      a.kind = AttributeKind::Bool;
      a.number = std::stoll(payload);
      break;
    case 'f':
      a.kind = AttributeKind::Float;
      a.real = std::strtod(payload.c_str(), nullptr);
      break;
    case 'c': {
      const double parts[] = {0, 1};
      a.kind = AttributeKind::Complex;
      a.list = m.poolReals(parts);
      break;
    }
    case 's':
      a.kind = AttributeKind::String;
      a.text = m.strings.intern(payload);
      break;
    case 'd':
      a.kind = AttributeKind::DType;
      a.number = static_cast<std::int64_t>(dtypeByName(payload).value_or(DType::Unknown));
      break;
    case 'm':
      a.kind = AttributeKind::MemoryFormat;
      a.number = std::stoll(payload);
      break;
    case 'v':
      a.kind = AttributeKind::Device;
      a.text = m.strings.intern(payload);
      a.number = -1;
      break;
    case 'L': {
      a.kind = AttributeKind::Operands;
      const std::vector<std::string> entries = split(payload, '|');
      a.list = {static_cast<std::uint32_t>(inputs.size()), static_cast<std::uint32_t>(entries.size())};
      for (const std::string &entry : entries)
        inputs.push_back(entry == "n" ? TypeId() : tensor(entry));
      break;
    }
    case 'F': {
      std::vector<double> values;
      for (const std::string &part : split(payload, ','))
        values.push_back(std::strtod(part.c_str(), nullptr));
      a.kind = AttributeKind::Floats;
      a.list = m.poolReals(values);
      break;
    }
    case 'l':
      a.kind = AttributeKind::Ints;
      a.list = m.poolInts(integers(payload));
      break;
    default:
      a.kind = AttributeKind::None;
    }
    attributes.push_back(a);
  }

  Model m;
  NodeId node;
  std::vector<TypeId> inputs;
  std::vector<TypeId> answers;
  std::vector<Attribute> attributes;
  Inference inference;
};

/// torch.txt: elementwise operators, reductions, factories; torch_shapes.txt: views,
/// indexing, products, windows, normalisation (torch_oracle_shapes.py).
class TorchOracle : public testing::TestWithParam<const char *> {};

TEST_P(TorchOracle, EveryClaimIsSo) {
  const char *other = std::getenv("CONDLINT_TORCH_ORACLE");
  const std::string path = std::string(CONDLINT_TEST_DATA "/ops/") + GetParam() + ".txt";
  std::ifstream file(other ? other : path);
  ASSERT_TRUE(file) << path << " is missing";
  std::map<std::string, int> counts;
  std::map<std::string, std::pair<int, std::string>> silent; // overload -> results of unknown type, an example
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    const Case c(line);
    EXPECT_EQ(c.wrong(), "") << line;
    c.count(counts);
    const std::string overload = line.substr(0, line.find(' '));
    if (!c.dtypeKnown()) {
      auto &[number, example] = silent[overload];
      ++number;
      example = line;
    } else if (other && !c.stridesKnown()) {
      auto &[number, example] = silent["strides " + overload];
      ++number;
      example = line;
    }
  }
  if (other)
    for (const auto &[overload, s] : silent)
      std::printf("untyped %s: %d, such as %s\n", overload.c_str(), s.first, s.second.c_str());
  std::printf("%d results: dtype %d, shape %d, strides %d, device %d known\n", counts["results"], counts["dtype"],
              counts["shape"], counts["strides"], counts["device"]);
  EXPECT_GT(counts["results"], 1000);
  EXPECT_GE(counts["dtype"] * 100, counts["results"] * 88);
  EXPECT_GE(counts["shape"] * 100, counts["results"] * 97);
  EXPECT_GE(counts["strides"] * 100, counts["results"] * 90);
}

INSTANTIATE_TEST_SUITE_P(Recorded, TorchOracle, testing::Values("torch", "torch_shapes"),
                         [](const auto &which) { return std::string(which.param); });

} // namespace
