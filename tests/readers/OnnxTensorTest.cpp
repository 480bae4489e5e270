//===- OnnxTensorTest.cpp - Initializers, attributes, locations -------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OnnxBytes.h"
#include "readers/onnx/DimExpression.h"
#include "readers/onnx/Traceback.h"
#include <algorithm>
#include <cstring>

using namespace condlint;
using namespace condlint::testing;

namespace {

using Kind = FormatIssue::Kind;

std::string tensor(int type, std::initializer_list<std::int64_t> dims, const std::string &data) {
  std::string out;
  for (std::int64_t d : dims)
    out += field(1, d);
  return out + field(2, type) + field(8, "w") + data;
}
std::string raw(std::size_t bytes) { return field(9, std::string(bytes, 'a')); }
std::string external(std::string_view key, std::string_view value) {
  return field(13, field(1, key) + field(2, value));
}

/// A model with this initializer, and a node that reads it.
Model read(const std::string &t) { return readBytes(model(field(5, t) + node("Neg", {"w"}, {"negated"}))); }
/// The issues of it.
std::vector<Kind> judged(const std::string &t) { return kinds(read(t)); }
const std::vector<Kind> clean{};
const std::vector<Kind> malformed{Kind::Malformed};

TEST(OnnxTensor, RawDataHasTheSizeOfItsType) {
  EXPECT_EQ(judged(tensor(1, {2}, raw(8))), clean);
  EXPECT_EQ(judged(tensor(1, {2}, raw(7))), malformed);
  EXPECT_EQ(judged(tensor(1, {}, raw(4))), clean);
  EXPECT_EQ(judged(tensor(22, {3}, raw(2))), clean); // int4, two to a byte
  EXPECT_EQ(judged(tensor(26, {5}, raw(2))), clean); // int2, four to a byte
  EXPECT_EQ(judged(tensor(23, {3}, raw(3))), malformed);
  EXPECT_EQ(judged(tensor(17, {3}, raw(3))), clean);  // float8
  EXPECT_EQ(judged(tensor(15, {1}, raw(16))), clean); // complex128
  EXPECT_EQ(judged(tensor(1, {2, 0}, "")), clean);
  EXPECT_EQ(judged(tensor(1, {2, 0}, raw(4))), malformed);
  EXPECT_EQ(judged(tensor(1, {2}, "")), malformed);
  EXPECT_EQ(judged(tensor(8, {1}, raw(4))), malformed); // strings
}

TEST(OnnxTensor, TypedDataHasTheCountOfItsDimensions) {
  const std::string floats(8, '\0');
  EXPECT_EQ(judged(tensor(1, {2}, field(4, floats))), clean);
  EXPECT_EQ(judged(tensor(1, {3}, field(4, floats))), malformed);
  EXPECT_EQ(judged(tensor(14, {1}, field(4, floats))), clean); // complex64: two floats
  EXPECT_EQ(judged(tensor(7, {2}, field(4, floats))), malformed);
  EXPECT_EQ(judged(tensor(7, {2}, field(7, varint(300) + varint(1)))), clean);
  EXPECT_EQ(judged(tensor(7, {2}, field(7, varint(300)))), malformed);
  EXPECT_EQ(judged(tensor(7, {2}, field(7, 1) + field(7, 2))), clean); // not packed
  EXPECT_EQ(judged(tensor(10, {2}, field(5, varint(1) + varint(2)))), clean);
  EXPECT_EQ(judged(tensor(22, {3}, field(5, varint(1) + varint(2)))), clean);
  EXPECT_EQ(judged(tensor(12, {1}, field(11, varint(9)))), clean);
  EXPECT_EQ(judged(tensor(8, {2}, field(6, "a") + field(6, "b"))), clean);
  EXPECT_EQ(judged(tensor(8, {2}, field(6, "a"))), malformed);
  EXPECT_EQ(judged(tensor(1, {2}, field(4, floats) + raw(8))), malformed);
}

TEST(OnnxTensor, DimensionsAndTypes) {
  EXPECT_EQ(judged(tensor(1, {-2}, raw(8))), malformed);
  EXPECT_EQ(judged(tensor(1, {std::int64_t{1} << 40, std::int64_t{1} << 40}, raw(8))), malformed);
  EXPECT_EQ(judged(tensor(1, {std::int64_t{1} << 32, std::int64_t{1} << 32, 2}, raw(8))), malformed); // wraps to 0
  EXPECT_EQ(judged(tensor(99, {2}, raw(8))), malformed);
  EXPECT_EQ(judged(tensor(0, {2}, raw(8))), malformed);
}

TEST(OnnxTensor, SmallIntegersAreRead) {
  const Model m = readBytes(model(field(5, tensor(7, {2}, field(7, varint(300) + varint(~std::uint64_t{0})))) +
                                  field(5, tensor(7, {1}, raw(8)))));
  const auto ints = m.ints(m[ConstantId(0)].ints);
  ASSERT_EQ(ints.size(), 2u);
  EXPECT_EQ(ints[0], 300);
  EXPECT_EQ(ints[1], -1);
  EXPECT_EQ(m[ConstantId(1)].bytes, "aaaaaaaa");
}

TEST(OnnxTensor, LargeDataIsAPlaceInTheFile) {
  const std::string bytes = model(field(5, tensor(1, {2048}, raw(8192))));
  const Model m = readBytes(bytes);
  const Constant &c = m[ConstantId(0)];
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_TRUE(c.bytes.empty());
  EXPECT_EQ(c.size, 8192u);
  EXPECT_EQ(bytes.substr(c.offset, c.size), std::string(8192, 'a'));
}

TEST(OnnxTensor, ExternalDataStaysBesideTheModel) {
  const auto at = [](std::string_view location, const std::string &more = {}) {
    return kinds(readBytes(model(field(5, tensor(1, {2}, external("location", location) + more + field(14, 1)))),
                           dataPath("model.onnx")));
  };
  EXPECT_EQ(at("external_ok.bin"), clean);
  EXPECT_EQ(at("./external_ok.bin"), clean);
  EXPECT_EQ(at("not_there.bin"), clean); // weights are not needed
  EXPECT_EQ(at("/etc/passwd"), malformed);
  EXPECT_EQ(at("../../etc/passwd"), malformed);
  EXPECT_EQ(at("a/../../b"), malformed);
  EXPECT_EQ(at("C:\\weights"), malformed);
  EXPECT_EQ(at(""), malformed);
  EXPECT_EQ(at(std::string_view("a\0b", 3)), malformed);
  EXPECT_EQ(at("external_ok.bin", external("length", "8")), clean);
  EXPECT_EQ(at("external_ok.bin", external("length", "4")), malformed);
  EXPECT_EQ(at("external_ok.bin", external("length", "eight")), malformed);
  EXPECT_EQ(at("external_ok.bin", external("offset", "8")), clean);
  EXPECT_EQ(at("external_ok.bin", external("offset", "12")), malformed); // of 16 bytes
  EXPECT_EQ(at("external_ok.bin", external("offset", "18446744073709551615")), malformed);
  EXPECT_EQ(at("external_ok.bin", raw(8)), malformed);
  EXPECT_EQ(judged(tensor(1, {2}, field(14, 1))), malformed); // no location
}

TEST(OnnxTensor, InitializersAndInputs) {
  const std::string w = field(5, tensor(1, {2}, raw(8)));
  const std::string asInput = input("w", tensorType(1, {2}));
  // From IR version 4 on an initializer is a constant, or the default of an input.
  const Model constant = readBytes(model(w));
  EXPECT_TRUE(constant.issues.empty());
  EXPECT_EQ(constant[constant.main()].constants.count, 1u);
  const Model defaulted = readBytes(model(asInput + w));
  EXPECT_TRUE(defaulted.issues.empty()) << messages(defaulted);
  EXPECT_EQ(defaulted[defaulted.main()].constants.count, 0u);
  const Value &v = defaulted[ValueId(defaulted[defaulted.main()].parameters.first + 2)];
  EXPECT_EQ(v.origin, ValueOrigin::Parameter);
  EXPECT_TRUE(v.constant.valid());
  // Whether IR version 3, which demands an input, is kept is for a rule to say.
  EXPECT_EQ(kinds(readBytes(model(w, 3, 8))), clean);
  EXPECT_EQ(kinds(readBytes(model(input("w", tensorType(1, {3})) + w))), malformed);
}

std::string sparse(std::string_view indices, std::initializer_list<std::int64_t> dims) {
  std::string list;
  for (char c : indices)
    list += varint(static_cast<std::uint64_t>(c - '0'));
  const auto count = static_cast<std::int64_t>(indices.size());
  std::string out =
      field(1, tensor(1, {count}, raw(4 * indices.size()))) + field(2, field(1, count) + field(2, 7) + field(7, list));
  for (std::int64_t d : dims)
    out += field(3, d);
  return field(15, out);
}

TEST(OnnxTensor, SparseIndicesLieInside) {
  const auto at = [](const std::string &s) { return kinds(readBytes(model(s))); };
  EXPECT_EQ(at(sparse("02", {3})), clean);
  EXPECT_EQ(at(sparse("5", {2, 3})), clean); // linear
  EXPECT_EQ(at(sparse("6", {2, 3})), malformed);
  EXPECT_EQ(at(sparse("03", {3})), malformed);
  EXPECT_EQ(at(sparse("20", {3})), malformed); // not ascending
  EXPECT_EQ(at(sparse("11", {3})), malformed);
}

/// The one issue of \p m knows whose data it is: the name of its value.
std::string ownerOf(const Model &m) {
  EXPECT_EQ(kinds(m), malformed);
  return m.issues.empty() || !m.issues[0].value ? "nobody" : std::string(m.name(m.issues[0].value));
}
const std::string twoFloats(8, '\0');

TEST(OnnxTensor, DataInTwoFieldsIsOfItsInitializerWhereWhatIsReadFits) {
  const auto owner = [](const std::string &data) { return ownerOf(read(tensor(1, {2}, data))); };
  EXPECT_EQ(owner(field(4, twoFloats) + raw(8)), "w");
  EXPECT_EQ(owner(raw(8) + field(4, twoFloats)), "w");
  EXPECT_EQ(owner(raw(4) + field(4, twoFloats)), "nobody");
  EXPECT_EQ(owner(field(5, varint(1)) + field(4, twoFloats)), "w") << "the field of its type";
  EXPECT_EQ(owner(field(5, varint(1)) + field(4, twoFloats.substr(4))), "nobody");
  EXPECT_EQ(owner(field(5, varint(1)) + field(7, varint(1))), "nobody");
}

TEST(OnnxTensor, DataInTwoFieldsIsNobodysInsideOfNodes) {
  const std::string two = tensor(1, {2}, field(4, twoFloats) + raw(8));
  const auto holding = [&](std::string_view op) {
    return node(op, {}, {"k"}, field(5, field(1, "value") + field(20, 4) + field(5, two)));
  };
  const auto inBranch = [](const std::string &content) {
    return model(ifNode("y", graph("t", content + node("Abs", {"x"}, {"a"}) + output("a")),
                        graph("e", node("Neg", {"x"}, {"b"}) + output("b"))));
  };
  EXPECT_EQ(ownerOf(readBytes(model(holding("Constant")))), "k");
  EXPECT_EQ(ownerOf(readBytes(model(holding("ConstantOfShape")))), "nobody");
  EXPECT_EQ(ownerOf(readBytes(inBranch(holding("Constant")))), "nobody");
  EXPECT_EQ(ownerOf(readBytes(inBranch(field(5, two)))), "nobody");
}

TEST(OnnxTensor, WrongDataThatNothingReadsAreOfTheirInitializer) {
  const std::string three = field(5, tensor(1, {3}, raw(8)));
  const auto inBranch = [](const std::string &content) {
    return ifNode("y", graph("t", content + node("Abs", {"x"}, {"a"}) + output("a")),
                  graph("e", node("Neg", {"x"}, {"b"}) + output("b")));
  };
  EXPECT_EQ(ownerOf(readBytes(model(three))), "w");
  EXPECT_EQ(ownerOf(readBytes(model(three + node("Neg", {"w"}, {"z"})))), "nobody");
  EXPECT_EQ(ownerOf(readBytes(model(three + inBranch(node("Neg", {"w"}, {"z"}))))), "nobody");
  EXPECT_EQ(ownerOf(readBytes(model(three + output("w")))), "nobody");
  EXPECT_EQ(ownerOf(readBytes(model(inBranch(three)))), "nobody") << "of a branch ONNX Runtime reads all";
  EXPECT_EQ(kinds(readBytes(model(field(5, tensor(1, {2}, field(4, twoFloats) + raw(0)))))),
            std::vector{Kind::MalformedNote});
}

TEST(OnnxTensor, RawDataOfNoBytesIsReadByOnnxRuntime) {
  EXPECT_EQ(judged(tensor(1, {2}, field(4, twoFloats) + raw(0))), std::vector{Kind::MalformedOrt});
  EXPECT_EQ(judged(tensor(1, {2}, raw(0))), malformed);
  EXPECT_EQ(judged(tensor(1, {0}, raw(0))), clean);
}

TEST(OnnxTensor, ASparseDefaultIsADenseInput) {
  const auto inputOf = [](unsigned kind) {
    std::string named = field(1, field(1, std::int64_t{2}) + field(2, 1) + field(8, "s") + raw(8)) +
                        field(2, field(1, std::int64_t{2}) + field(2, 7) + field(7, varint(0) + varint(2))) +
                        field(3, std::int64_t{3});
    const std::string type = field(1, std::int64_t{1}) + field(2, field(1, field(1, std::int64_t{3})));
    const Model m = readBytes(model(input("s", field(kind, type)) + field(15, named)));
    EXPECT_TRUE(m.issues.empty()) << messages(m);
    const Value &v = m[ValueId(m[m.main()].parameters.first + 2)];
    EXPECT_EQ(m.text(v.name), "s");
    EXPECT_TRUE(v.constant && m[v.constant].sparse);
    return m.types[v.recorded].layout;
  };
  EXPECT_NE(inputOf(1), Layout::SparseCoo);
  EXPECT_EQ(inputOf(8), Layout::SparseCoo) << "which is of a sparse type";
}

std::string attribute(std::string_view name, int type, const std::string &data) {
  return field(5, field(1, name) + (type != 0 ? field(20, type) : std::string()) + data);
}
std::string fixed32(unsigned number, float value) {
  std::string out = varint(number << 3 | 5);
  char bytes[4];
  std::memcpy(bytes, &value, 4);
  return out.append(bytes, 4);
}
Model withAttributes(const std::string &attributes, std::int64_t ir = 8) {
  return readBytes(
      model(node("Op", {"x"}, {"y"}, field(7, "d") + attributes), ir, 17, field(8, field(1, "d") + field(2, 1))));
}

TEST(OnnxTensor, AReferenceBesideAValueIsNobodysBusinessOutsideOfNodes) {
  const std::string both = attribute("i", 2, field(3, -7) + field(21, "outer"));
  const Model m = withAttributes(both);
  EXPECT_EQ(kinds(m), std::vector{Kind::MalformedNote});
  EXPECT_EQ(m.attribute(NodeId(0), "i")->number, -7) << "there is nothing to refer to";
  EXPECT_EQ(kinds(withAttributes(attribute("f", 1, field(3, -7) + field(21, "outer")))), malformed) << "an integer";
  const std::string op = node("Op", {"x"}, {"a"}, field(7, "d") + both);
  EXPECT_EQ(kinds(readBytes(
                model(ifNode("y", graph("t", op + output("a")), graph("e", node("Neg", {"x"}, {"b"}) + output("b"))), 8,
                      17, field(8, field(1, "d") + field(2, 1))))),
            malformed)
      << "onnx's checker looks inside of nodes, and ONNX Runtime runs it there";
}

TEST(OnnxTensor, AttributesOfEveryKind) {
  const Model m = withAttributes(join({
      attribute("f", 1, fixed32(2, 1.5F)),
      attribute("i", 2, field(3, -7)),
      attribute("s", 3, field(4, "text")),
      attribute("t", 4, field(5, tensor(1, {2}, raw(8)))),
      attribute("g", 5, field(6, graph("inner", ""))),
      attribute("floats", 6, fixed32(7, 1) + fixed32(7, 2)),
      attribute("ints", 7, field(8, 1) + field(8, varint(2) + varint(3))),
      attribute("strings", 8, field(9, "a") + field(9, "b")),
      attribute("tensors", 9, field(10, tensor(1, {2}, raw(8))) + field(10, tensor(7, {1}, raw(8)))),
      attribute("graphs", 10, field(11, graph("a", "")) + field(11, graph("b", ""))),
      attribute("type", 13, field(14, tensorType(1, {2}))),
      attribute("types", 14, field(15, tensorType(1, {2}))),
      attribute("none", 6, ""),
  }));
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  const NodeId n(0);
  EXPECT_EQ(m.attribute(n, "f")->real, 1.5);
  EXPECT_EQ(m.attribute(n, "i")->number, -7);
  EXPECT_EQ(m.text(m.attribute(n, "s")->text), "text");
  EXPECT_EQ(m.attribute(n, "t")->kind, AttributeKind::Tensor);
  EXPECT_EQ(m.reals(m.attribute(n, "floats")->list).size(), 2u);
  EXPECT_EQ(m.ints(m.attribute(n, "ints")->list).size(), 3u);
  EXPECT_EQ(m.stringsIn(m.attribute(n, "strings")->list).size(), 2u);
  EXPECT_EQ(m.attribute(n, "tensors")->list.count, 2u);
  EXPECT_EQ(spelled(m, m[ConstantId(m.attribute(n, "tensors")->list.first + 1)].type), "int64[1]");
  ASSERT_EQ(m.regions(n).size(), 3u);
  EXPECT_EQ(m.text(m[m.regions(n)[m.attribute(n, "g")->list.first]].name), "inner");
  EXPECT_EQ(m.attribute(n, "graphs")->list.first, 1u);
  EXPECT_EQ(m.text(m[m.regions(n)[2]].role), "graphs[1]");
  EXPECT_EQ(spelled(m, TypeId(m.attribute(n, "type")->list.first)), "float32[2]");
  EXPECT_EQ(m.attribute(n, "none")->kind, AttributeKind::Floats);
}

TEST(OnnxTensor, AttributesThatContradictThemselves) {
  const auto issues = [](const std::string &a, std::int64_t ir = 8) { return kinds(withAttributes(a, ir)); };
  EXPECT_EQ(issues(attribute("a", 1, field(3, 1))), malformed);
  EXPECT_EQ(issues(attribute("a", 2, field(3, 1) + fixed32(2, 1))), malformed);
  EXPECT_EQ(issues(attribute("a", 0, field(3, 1))), malformed);
  EXPECT_EQ(issues(attribute("a", 0, field(3, 1)), 1), clean); // IR version 1 had no types
  EXPECT_EQ(issues(attribute("a", 77, field(3, 1))), malformed);
  EXPECT_EQ(issues(attribute("", 2, field(3, 1))), malformed);
  EXPECT_EQ(issues(attribute("a", 2, field(3, 1)) + attribute("a", 2, field(3, 2))), malformed);
}

// ONNX Runtime makes initializers of constants by their first attribute, and of a function's other nodes it takes what
// they refer to, and the last of what stands twice; inside of nodes it runs onnx's checker first.
TEST(OnnxTensor, WhatOnnxRuntimeDoesNotSee) {
  const std::vector<Kind> passed{Kind::MalformedWarning};
  const auto constant = [](const std::string &a) { return node("Constant", {}, {"k"}, a); };
  const auto inFunction = [](const std::string &n) {
    const std::string import = field(8, field(1, "my") + field(2, 1));
    return readBytes(model(node("F", {"x"}, {"y"}, field(7, "my")), 8, 17,
                           import + field(25, join({field(1, "F"), field(10, "my"), field(4, "x"), field(5, "k"),
                                                    field(6, "al"), field(9, field(2, 17)), // node is field 7
                                                    field(7, n)}))));
  };
  const auto bytesOf = [](const std::string &n) { return n.substr(n.size() < 130 ? 2 : 3); };
  const std::string value = attribute("value_int", 2, field(3, 1)),
                    odd = attribute("value_int", 2, field(3, 1) + fixed32(2, 1));
  EXPECT_EQ(kinds(readBytes(model(constant(odd)))), passed);
  EXPECT_EQ(kinds(readBytes(model(constant(value + value)))), passed);
  EXPECT_EQ(kinds(readBytes(model(constant(attribute("value_int", 0, field(3, 1)))))), malformed) << "the first";
  EXPECT_EQ(kinds(readBytes(model(node("Relu", {"x"}, {"y"}, odd)))), malformed) << "no Constant";
  const std::string nested = graph("t", constant(odd) + output("k"));
  const auto inner = kinds(readBytes(model(ifNode("y", nested, nested))));
  EXPECT_EQ(std::ranges::count(inner, Kind::Malformed), 2) << "inside of a node";

  EXPECT_EQ(kinds(inFunction(bytesOf(constant(odd)))), passed);
  const std::string one = attribute("a", 2, field(3, 1)), two = attribute("a", 2, field(3, 2));
  const Model m = inFunction(bytesOf(node("Relu", {"x"}, {"k"}, one + two)));
  EXPECT_EQ(kinds(m), passed);
  ASSERT_EQ(m.attributes(nodeAt(m, "my.F/Relu_0")).size(), 1u);
  EXPECT_EQ(m.attribute(nodeAt(m, "my.F/Relu_0"), "a")->number, 2);
  EXPECT_EQ(kinds(inFunction(bytesOf(node("Relu", {"x"}, {"k"}, attribute("a", 0, field(21, "al")))))), passed);

  EXPECT_EQ(kinds(readBytes(model(field(1, "")))), passed) << "an empty node";
  EXPECT_EQ(kinds(readBytes(model(field(1, field(1, "x"))))), malformed);
  EXPECT_EQ(kinds(readBytes(model("", 0))), passed);
  EXPECT_EQ(kinds(readBytes(model(field(5, tensor(1, {1}, raw(4))), 0))), malformed)
      << "an initializer that is no input";
}

// An initializer that nothing reads is dropped: inside of nodes after onnx's checker, which does not see data that is
// left over.
TEST(OnnxTensor, WrongDataThatNothingReads) {
  const auto in = [](const std::string &t, bool isRead) {
    const std::string g = graph("t", field(5, t) + node("Neg", {isRead ? "w" : "x"}, {"n"}) + output("n"));
    const Model m = readBytes(model(ifNode("y", g, graph("e", node("Abs", {"x"}, {"a"}) + output("a")))));
    return m.issues.size() == 1 && m.issues[0].value.valid(); // of what is located a runtime sees nothing
  };
  EXPECT_TRUE(in(tensor(1, {1}, raw(8)), false));
  EXPECT_FALSE(in(tensor(1, {1}, raw(8)), true));
  EXPECT_FALSE(in(tensor(1, {3}, raw(8)), false));
}

TEST(OnnxTensor, AnIfHasTwoAttributes) {
  const std::string g = graph("t", node("Relu", {"x"}, {"a"}) + output("a"));
  const std::string branches = branch("then_branch", g) + branch("else_branch", g);
  EXPECT_EQ(kinds(readBytes(model(node("If", {"c"}, {"y"}, branches)))), clean);
  EXPECT_EQ(kinds(readBytes(model(node("If", {"c"}, {"y"}, branches + attribute("lazy", 2, field(3, 1)))))), malformed);
}

TEST(OnnxTensor, TypesOfOtherKinds) {
  const auto recorded = [](const std::string &type) {
    const Model m = readBytes(model(node("Identity", {"x"}, {"y"}) + field(13, valueInfo("y", type))));
    return spelled(m, m[m.result(NodeId(0), 0)].recorded);
  };
  EXPECT_EQ(recorded(field(4, field(1, tensorType(7, {})))), "sequence(int64[])");
  EXPECT_EQ(recorded(field(9, field(1, field(4, field(1, tensorType(1, {2})))))), "optional(sequence(float32[2]))");
  EXPECT_EQ(recorded(field(5, field(1, 7) + field(2, tensorType(1, {})))), "map(float32[])");
  EXPECT_EQ(recorded(field(7, field(1, "d") + field(2, "T"))), "object");
  EXPECT_EQ(recorded(field(8, field(1, 1) + field(2, field(1, field(1, 4))))), "float32[4]");
  EXPECT_EQ(recorded(field(1, field(1, 16))), "bfloat16");
}

TEST(OnnxTensor, DimParamsThatExportersWriteAsExpressions) {
  DimTable d;
  const auto readDimParam = [&](std::string_view text) { return onnx::readDimParam(d, text, false); };
  const Dim n = readDimParam("N");
  EXPECT_EQ(n, d.symbol("N", SymbolOrigin::Named));
  EXPECT_EQ(readDimParam("2*N"), d.mul(d.constant(2), n));
  EXPECT_EQ(readDimParam("N + 1"), d.add(n, d.constant(1)));
  EXPECT_EQ(readDimParam("N - 1"), d.sub(n, d.constant(1)));
  EXPECT_EQ(readDimParam("(N + 1)*2"), d.mul(d.add(n, d.constant(1)), d.constant(2)));
  EXPECT_EQ(readDimParam("N//2"), d.floorDiv(n, d.constant(2)));
  EXPECT_EQ(readDimParam("floor(N/2)"), d.floorDiv(n, d.constant(2)));
  EXPECT_EQ(readDimParam("Max(1, N)"), d.max(d.constant(1), n));
  // Names, however they look.
  for (const char *name : {"batch-size", "a/b", "N*", "*", "2*(N", "unk__0", "seq len", "f(N)", "N**2", "5", "2*3"})
    EXPECT_EQ(readDimParam(name), d.symbol(name, SymbolOrigin::Named)) << name;
  EXPECT_EQ(readDimParam(std::string(200, '(')), d.symbol(std::string(200, '('), SymbolOrigin::Named));
  // Torch names what it has specialised by its number.
  EXPECT_EQ(onnx::readDimParam(d, "5", true), d.constant(5));
  EXPECT_EQ(onnx::readDimParam(d, "2*N", true), d.mul(d.constant(2), n));
  EXPECT_EQ(onnx::readDimParam(d, "99999999999999999999", true), d.symbol("99999999999999999999", SymbolOrigin::Named));
}

TEST(OnnxTensor, TracebacksNameTheInnermostLineOfTheUser) {
  const auto at = [](std::string_view text) {
    const SourceLocation l = onnx::decodeTraceback(text);
    return l.str() + " " + l.function;
  };
  EXPECT_EQ(at("File \"model.py\", line 12, in forward\n    return x"), "model.py:12 forward");
  EXPECT_EQ(
      at("File \"a.py\", line 1, in main\n    m(x)\n  File \"my/block.py\", line 24, in forward\n    h = self.l(x)\n"
         "  File \"torch/nn/modules/linear.py\", line 134, in forward\n    return F.linear(x)"),
      "my/block.py:24 forward");
  EXPECT_EQ(at("  File \"/usr/lib/python3/dist-packages/torch/nn/f.py\", line 3, in relu\n"),
            "/usr/lib/python3/dist-packages/torch/nn/f.py:3 relu");
  EXPECT_EQ(at("File \"<eval_with_key>.7\", line 13, in forward\n"), " ");
  // TorchScript: innermost first.
  EXPECT_EQ(at("/x/site-packages/torch/nn/functional.py(1118): relu\nmodel.py(12): forward\n"
               "/x/site-packages/torch/nn/modules/module.py(725): _call_impl\nmain.py(3): <module>\n"),
            "model.py:12 forward");
  EXPECT_EQ(at("# model.py:12:4"), "model.py:12:5 ");
  EXPECT_EQ(at("just words"), " ");
  EXPECT_EQ(at("File \"x.py\", line 99999999999, in f"), " ");
}

} // namespace
