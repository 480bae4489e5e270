//===- MalformedTest.cpp - Files that contradict themselves ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

TEST(Malformed, AFileThatContradictsItself) {
  TorchCond c = soundCond();
  c.before = aten("relu.default", "x", "r", "int64[4]") + ",";
  c.results = R"("y", "r")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error graph-malformed"});
}

TEST(Malformed, ARegionThatPassesOnAFalseDeclarationRepeatsIt) {
  TorchCond c = soundCond();
  c.outputs = value("y", "float32[4, 3]");
  EXPECT_EQ(found(c.withoutGradients("float32[4]", value("y", "float32[4, 3]")), "torch@2.13"),
            Rules{"error output-declared"});
  c.outputs = value("y", "float32[4]");
  EXPECT_EQ(found(c.withoutGradients("float32[4]", value("y", "float32[4, 3]")), "torch@2.13"),
            Rules{"error graph-malformed"});
}

TEST(Malformed, AFalseRecordOfAnIntIsFoundWhereItIsMade) {
  const auto recorded = [](const std::string &size, const std::string &twice) {
    TorchCond c = soundCond("float32[s0]");
    c.symbols = R"("s0": {"min": 2, "max": 50}, "s1": {"min": 2, "max": 50})";
    c.before = fmt::format(
        R"({{"op": "aten.sym_size.int", "attributes": [{{"name": "self", "operand": "x"}}, {{"name": "dim", "int": 0}}],
            "results": [{{"name": "n", "type": "sym_int", "content": ["{}"]}}]}}, {{"op": "_operator.mul", "attributes":
            [{{"operand": "n"}}, {{"int": 2}}], "results": [{{"name": "m", "type": "sym_int", "content": ["{}"]}}]}},)",
        size, twice);
    std::string json = c.json();
    json.insert(1, R"("format": "pt2", )");
    return json;
  };
  EXPECT_EQ(found(recorded("s0", "2*s0"), "torch@2.13"), Rules{});
  EXPECT_EQ(found(recorded("s1", "2*s0"), "torch@2.13"), Rules{"error graph-malformed"});
  EXPECT_EQ(found(recorded("s0 + 1", "2*s0"), "torch@2.13"), Rules{"error graph-malformed"});
  const Finding f = theFinding(recorded("s0", "2*s0 + 1"), "torch@2.13", "graph-malformed");
  EXPECT_NE(f.message.find("the number 2*s0 + 1 for 'm'"), std::string::npos) << f.message;
  // What the exporter knew of its symbols makes them one.
  EXPECT_EQ(found(recorded("s0", "s1"), "torch@2.13"), Rules{});
}

TEST(Malformed, AFalseRecordOfAComparisonIsFound) {
  // n > 8 and m > n, as the file records them.
  const auto recorded = [](const std::string &first, const std::string &second) {
    TorchCond c = soundCond("float32[s0, s1]");
    c.symbols = R"("s0": {"min": 2, "max": 50}, "s1": {"min": 2, "max": 50})";
    const auto size = [](const std::string &name, int axis) {
      return fmt::format(
          R"({{"op": "aten.sym_size.int", "attributes": [{{"name": "self", "operand": "x"}}, {{"name": "dim", "int": {}}}],
              "results": [{{"name": "{}", "type": "sym_int"}}]}},)",
          axis, name);
    };
    const auto greater = [](const std::string &a, const std::string &b, const std::string &name,
                            const std::string &as) {
      return fmt::format(R"({{"op": "_operator.gt", "attributes": [{}, {}], "results": [{{"name": "{}",
                             "type": "sym_bool", "content": ["{}"]}}]}},)",
                         a, b, name, as);
    };
    const std::string n = R"({"operand": "n"})", m = R"({"operand": "m"})";
    c.before = size("n", 0) + size("m", 1) + greater(n, R"({"int": 8})", "g", first) + greater(m, n, "h", second);
    std::string json = c.json();
    json.insert(1, R"("format": "pt2", )");
    return json;
  };
  const std::string above = "min(1, max(0, s0 - 8))", order = "min(1, max(0, s1 - s0))";
  EXPECT_EQ(found(recorded(above, order), "torch@2.13"), Rules{});
  EXPECT_EQ(found(recorded("1 - min(1, max(0, 9 - s0))", order), "torch@2.13"), Rules{}); // not (n <= 8)
  const Finding f = theFinding(recorded("min(1, max(0, s0 - 9))", order), "torch@2.13", "graph-malformed");
  EXPECT_NE(f.message.find("the value false where s0 = 9 for 'g', but _operator.gt yields true"), std::string::npos)
      << f.message;
  EXPECT_EQ(found(recorded("min(1, max(0, 8 - s0))", order), "torch@2.13"), Rules{"error graph-malformed"});
  // What is asserted elsewhere may decide a comparison, or make two of several symbols one.
  EXPECT_EQ(found(recorded("1", "0"), "torch@2.13"), Rules{});
  EXPECT_EQ(found(recorded(above, "min(1, max(0, s1 - s0 - 1))"), "torch@2.13"), Rules{});
}

TEST(Malformed, WhatReadsAFalseIntIsNoSecondFinding) {
  const auto recorded = [](const std::string &size) {
    TorchCond c = soundCond("float32[s0]");
    c.symbols = R"("s0": {"min": 2, "max": 50}, "s1": {"min": 2, "max": 50})";
    c.before = fmt::format(
        R"({{"op": "aten.sym_size.int", "attributes": [{{"name": "self", "operand": "x"}}, {{"name": "dim", "int": 0}}],
            "results": [{{"name": "n", "type": "sym_int", "content": ["{}"]}}]}}, {{"op": "aten.zeros.default", "attributes":
            [{{"name": "size", "operands": ["n"]}}], "results": [{}]}},)",
        size, value("z", "float32[" + size + "]"));
    std::string json = c.json();
    json.insert(1, R"("format": "pt2", )");
    return json;
  };
  EXPECT_EQ(found(recorded("s0"), "torch@2.13"), Rules{});
  EXPECT_EQ(checkJson(recorded("s1"), "torch@2.13").findings.size(), 1u);
}

TEST(Malformed, ASizeHasOneName) {
  const auto recorded = [](const std::string &size, const std::string &range = R"({"min": 2, "max": 50})") {
    TorchCond c = soundCond("float32[s0]");
    c.symbols = R"("s0": )" + range + R"(, "s1": {"min": 2, "max": 50}, "u0": {"origin": "unbacked", "min": 0})";
    c.before = aten("abs.default", "x", "a", "float32[" + size + "]") + ",";
    std::string json = c.json();
    json.insert(1, R"("format": "pt2", )");
    return found(json, "torch@2.13");
  };
  EXPECT_EQ(recorded("s0"), Rules{});
  EXPECT_EQ(recorded("s1"), Rules{"error graph-malformed"});
  EXPECT_EQ(recorded("8"), Rules{"error graph-malformed"});
  // What is an expression, or what data decides, may be the same.
  EXPECT_EQ(recorded("s1*2"), Rules{});
  EXPECT_EQ(recorded("u0"), Rules{});
  EXPECT_EQ(recorded("8", R"({"min": 8, "max": 8})"), Rules{});
  // Nor has a sum that grows with its symbol one number for a size.
  const auto sum = [](const std::string &size, const std::string &of) {
    TorchCond c = soundCond("float32[s0]");
    c.symbols = R"("s0": {"min": 2, "max": 50})";
    c.parameters += ", " + value("z", "float32[" + of + "]");
    c.before = aten("abs.default", "z", "a", "float32[" + size + "]") + ",";
    std::string json = c.json();
    json.insert(1, R"("format": "pt2", )");
    return found(json, "torch@2.13");
  };
  EXPECT_EQ(sum("8", "s0 + 3"), Rules{"error graph-malformed"});
  EXPECT_EQ(sum("s0 + 3", "s0 + 3"), Rules{});
  EXPECT_EQ(sum("8", "s0//2"), Rules{}) << "which a guard may have made it";
}

TEST(Malformed, ALieInABranchIsNotReportedAgainAtItsBoundary) {
  TorchCond c = soundCond();
  c.yes.nodes = aten("gt.Scalar", "x", "sin", "float32[4]", R"(, {"name": "other", "int": 0})");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error graph-malformed"});
  // ONNX declares what a branch returns: that is the declaration that lies.
  OnnxIf i;
  i.yes = {"", onnx("Relu", R"("x")", "a", "int64[4]"), R"("a")"};
  i.no = {"", onnx("Cast", R"("x")", "b", "int64[4]", R"({"name": "to", "int": 7})"), R"("b")"};
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error output-declared"});
  // The branches agree in what they yield, whatever one of them declares.
  i = {};
  i.yes = {"", onnx("Relu", R"("x")", "a", "float64[4]"), R"("a")"};
  for (const char *target : {"onnx", "onnxruntime", "tensorrt@10.6"})
    EXPECT_EQ(found(i.json(), target), Rules{"error output-declared"}) << target;
  for (const char *type : {"float32[4, 1]", "float32[5]"}) {
    i.yes = {"", onnx("Relu", R"("x")", "a", type), R"("a")"};
    EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"warning output-declared"}) << "its parser reads no shape";
  }
  // So with the predicate.
  i = {};
  i.before = onnx("Not", R"("c")", "d", "float32[]") + ",";
  i.inputs = R"("d")";
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error graph-malformed"});
}

TEST(Malformed, AFalseRecordOfWhereATensorLies) {
  const auto lying = [](const std::string &more) {
    TorchCond c = soundCond("float32[4, 5]");
    const std::string where =
        R"({"kind": "tensor", "dtype": "float32", "layout": "strided", "shape": [4, 5], )" + more + "}";
    const std::string honest =
        R"({"kind": "tensor", "dtype": "float32", "layout": "strided", "shape": [4, 5], "strides": [5, 1], "device": "cpu", "storageOffset": 0})";
    c.parameters = value("p", "bool[]") + ", " + value("x", honest);
    c.yes = {value("x", honest), aten("sin.default", "x", "s", where) + ", " + aten("neg.default", "s", "n", honest),
             R"("n")"};
    c.no = {value("x", honest), aten("cos.default", "x", "cos", honest), R"("cos")"};
    c.outputs = value("y", honest);
    return found(c.json(), "torch@2.13");
  };
  EXPECT_EQ(lying(R"("strides": [5, 1], "device": "cpu", "storageOffset": 0)"), Rules{});
  EXPECT_EQ(lying(R"("requiresGrad": false)"), Rules{}); // nothing is recorded of it
  EXPECT_EQ(lying(R"("strides": [1, 4])"), Rules{"error graph-malformed"});
  EXPECT_EQ(lying(R"("device": "cuda")"), Rules{"error graph-malformed"});
  EXPECT_EQ(lying(R"("storageOffset": 5)"), Rules{"warning graph-malformed"}) << "torch reads none";
  EXPECT_EQ(lying(R"("strides": [1, 4], "storageOffset": 5)"), Rules{"error graph-malformed"});
}

TEST(Malformed, TheStridesOfACopyFollowFromItsArguments) {
  const auto at = [](const std::string &strides, const std::string &offset = "0") {
    return R"({"kind": "tensor", "dtype": "float32", "layout": "strided", "shape": [4, 5], "device": "cpu", "strides": )" +
           strides + R"(, "storageOffset": )" + offset + "}";
  };
  // Of the operand's columns, that lie together, a copy is made before anything else.
  const auto copied = [&](const std::string &op, const std::string &operand, const std::string &result,
                          const std::string &more = {}) {
    TorchCond c = soundCond("float32[4, 5]");
    c.parameters = value("p", "bool[]") + ", " + value("x", operand);
    c.before = aten(op, "x", "b", result, more) + ",";
    c.yes.parameters = c.no.parameters = value("x", operand);
    c.yes.nodes = aten("abs.default", "x", "sin", "float32[4, 5]");
    c.no.nodes = aten("neg.default", "x", "cos", "float32[4, 5]");
    return found(c.json(), "torch@2.13");
  };
  const std::string columns = at("[1, 4]"), rows = at("[5, 1]"), gaps = at("[10, 1]", "3");
  const Rules lie{"error graph-malformed"};
  EXPECT_EQ(copied("clone.default", columns, columns), Rules{});
  EXPECT_EQ(copied("clone.default", columns, rows), lie);
  EXPECT_EQ(copied("zeros_like.default", columns, rows), lie);
  const std::string format = R"(, {"name": "memory_format", "memoryFormat": 1})";
  EXPECT_EQ(copied("clone.default", columns, rows, format), Rules{});
  EXPECT_EQ(copied("clone.default", columns, columns, format), lie);
  EXPECT_EQ(copied("clone.default", gaps, rows), Rules{});
  // Row-major is what they are taken for, so that it is the operand itself.
  EXPECT_EQ(copied("to.dtype", columns, columns, R"(, {"name": "dtype", "dtype": "float32"})" + format), Rules{});
  EXPECT_EQ(copied("to.dtype", columns, rows, R"(, {"name": "dtype", "dtype": "float32"})" + format), lie);
  // What is copied into it leaves a tensor where it is.
  const std::string source = R"(, {"name": "src", "operand": "x"})";
  EXPECT_EQ(copied("copy.default", gaps, gaps, source), Rules{});
  EXPECT_EQ(copied("copy.default", gaps, at("[10, 1]"), source), Rules{}) << "as decomposed programs record it";
  EXPECT_EQ(copied("copy.default", gaps, rows, source), lie);
  EXPECT_EQ(copied("sin.default", columns, rows), Rules{}) << "which a kernel may lay out as it likes";
}

TEST(Malformed, AFalseStrideOfAnAxisOfOneMeansNothing) {
  const auto at = [](const std::string &shape, const std::string &strides) {
    return R"({"kind": "tensor", "dtype": "float32", "layout": "strided", "shape": )" + shape + R"(, "strides": )" +
           strides + "}";
  };
  for (const char *shape : {"[4, 1]", "[0, 1]"}) {
    TorchCond c = soundCond(at(shape, "[1, 1]"));
    c.yes.nodes = aten("sin.default", "x", "sin", at(shape, "[1, 7]"));
    EXPECT_EQ(found(c.json(), "torch@2.13", {"output-layout", "output-declared"}), Rules{}) << shape;
  }
}

TEST(Malformed, WhatEntersAndLeavesAModelHasAShape) {
  const auto with = [](const std::string &in, const std::string &out, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", in);
    i.outputs = value("y", out);
    auto models = readJson(FileBytes::copy(i.json()), "test.json");
    if (!models)
      return Rules{"not read"};
    models->front().info.format = Format::Onnx;
    const Analysis analysis(models->front());
    Rules rules;
    for (const Finding &f : check(analysis, *parseTarget(target), {}).findings)
      rules.push_back(std::string(severityName(f.severity)) + ' ' + f.rule);
    return rules;
  };
  EXPECT_EQ(with("float32[?]", "float32[?]", "onnx"), Rules{});
  EXPECT_EQ(with("float32[...]", "float32[?]", "onnx"), Rules{"error graph-malformed"});
  EXPECT_EQ(with("float32[?]", "float32[...]", "onnx"), Rules{"error graph-malformed"});
  EXPECT_EQ(with("float32[?]", "", "onnx"), Rules{"error graph-malformed"});
  for (const char *target : {"onnxruntime", "tensorrt@10.13"}) // both take it
    EXPECT_EQ(with("float32[...]", "", target), Rules{}) << target;
}

TEST(Malformed, WhatVersionsSayOfAModel) {
  const auto with = [](int opset, std::int64_t irVersion, const std::string &target, int also = 0,
                       std::string_view domain = "ai.onnx") {
    OnnxIf i;
    i.opset = opset;
    i.outputs = value("y", "float32[4]");
    auto models = readJson(FileBytes::copy(i.json()), "test.json");
    if (!models)
      return Rules{"not read"};
    models->front().info.format = Format::Onnx;
    models->front().info.irVersion = irVersion;
    if (also != 0)
      models->front().info.opsets.emplace_back(domain, also);
    const Analysis analysis(models->front());
    Rules rules;
    for (const Finding &f : check(analysis, *parseTarget(target), {}).findings)
      rules.push_back(std::string(severityName(f.severity)) + ' ' + f.rule);
    return rules;
  };
  EXPECT_EQ(with(20, 9, "onnx"), Rules{});
  EXPECT_EQ(with(99, 13, "onnx"), Rules{"note graph-malformed"}) << "nobody knows its operators";
  EXPECT_EQ(with(28, 13, "onnx"), Rules{});
  EXPECT_EQ(with(28, 13, "onnxruntime"), Rules{});
  EXPECT_EQ(with(29, 13, "onnxruntime"), Rules{"error graph-malformed"});
  EXPECT_EQ(with(1, 3, "onnx"), Rules{});
  EXPECT_EQ(with(1, 2, "onnx"), Rules{"error graph-malformed"}) << "it imports before there were imports";
  EXPECT_EQ(with(7, 2, "onnxruntime"), Rules{});
  EXPECT_EQ(with(1, 2, "onnxruntime"), Rules{"error operator-type"}) << "it has no kernels of that age";
  EXPECT_EQ(with(20, 9, "onnx", 19), Rules{"note graph-malformed"}) << "it imports two versions";
  EXPECT_EQ(with(20, 9, "onnx", 20), Rules{});
  EXPECT_EQ(with(20, 9, "onnxruntime", 1, "com.microsoft"), Rules{});
  EXPECT_EQ(with(20, 9, "onnxruntime", 2, "com.microsoft"), Rules{"error graph-malformed"});
  EXPECT_EQ(with(20, 9, "onnxruntime", 5, "ai.onnx.ml"), Rules{});
  EXPECT_EQ(with(20, 9, "onnxruntime", 6, "ai.onnx.ml"), Rules{"error graph-malformed"});
  EXPECT_EQ(with(20, 9, "onnx", 6, "ai.onnx.ml"), Rules{});
  EXPECT_EQ(with(20, 9, "onnxruntime", 7, "my"), Rules{});
  EXPECT_EQ(with(20, 13, "onnx"), Rules{});
  EXPECT_EQ(with(20, 14, "onnx"), Rules{});
  EXPECT_EQ(with(20, 14, "onnxruntime"), Rules{});
  EXPECT_EQ(with(20, 15, "onnx"), Rules{"error graph-malformed"}) << "nobody knows its format";
  EXPECT_EQ(with(20, 15, "onnxruntime"), Rules{"error graph-malformed"});
  // Its parser does not ask.
  EXPECT_EQ(with(20, 99, "tensorrt@10.3"), (Rules{"note branch-eager", "note graph-malformed"}));
}

TEST(Malformed, TheMainGraphHasAName) {
  const auto with = [](const std::string &name, const std::string &target) {
    OnnxIf i;
    i.outputs = value("y", "float32[4]");
    auto models = readJson(FileBytes::copy(i.json()), "test.json");
    if (!models)
      return Rules{"not read"};
    Model &m = models->front();
    m.info.format = Format::Onnx;
    m[m.main()].name = m.strings.intern(name);
    const Analysis analysis(m);
    Rules rules;
    for (const Finding &f : check(analysis, *parseTarget(target), {}).findings)
      rules.push_back(std::string(severityName(f.severity)) + ' ' + f.rule);
    return rules;
  };
  EXPECT_EQ(with("", "onnx"), Rules{"error graph-malformed"});
  EXPECT_EQ(with("", "onnxruntime"), Rules{});
  EXPECT_EQ(with("g", "onnx"), Rules{});
}

// ONNX Runtime does not look into a function that no node calls.
TEST(Malformed, AFunctionThatNobodyCalls) {
  const auto with = [](const std::string &op, const std::string &read) {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 18, "my": 1}}, "graph": {{"parameters": [{0}],
        "nodes": [{{"op": "{1}", "operands": ["x"], "results": ["y"]}}], "results": ["y"]}}, "functions": [
        {{"domain": "my", "name": "F", "opsets": {{"": 18}}, "graph": {{"parameters": [{0}], "nodes": [{2}], "results": ["w"]}}}}]}})",
        value("x", "float32[4]"), op, onnx("Neg", '"' + read + '"', "w"));
  };
  const std::string nothing = R"({"undefined": "nope"})";
  const auto undefined = [&](const std::string &op) {
    std::string json = with(op, "nope");
    json.replace(json.find(R"("nope")"), 6, nothing);
    return json;
  };
  EXPECT_EQ(found(undefined("my::F"), "onnxruntime"), Rules{"error value-undefined"});
  EXPECT_EQ(found(undefined("Abs"), "onnxruntime"), Rules{});
  EXPECT_EQ(found(undefined("Abs"), "onnx"), Rules{"error value-undefined"});
  EXPECT_EQ(found(with("my::F", "x"), "onnxruntime"), Rules{});
}

TEST(Malformed, InitializersOfOldModelsAreInputs) {
  const auto with = [](std::int64_t irVersion, const std::string &target, const std::string &data, bool inside,
                       bool isRead = true) {
    OnnxIf i;
    i.opset = 8;
    i.outputs = value("y", "float32[4]");
    const std::string constant = R"({"name": "w", "type": "float32[4]", "data": {)" + data + "}}";
    (inside ? i.yes.constants : i.constants) = constant;
    const std::string add = onnx("Add", R"("x", "w")", inside ? "a" : "z");
    if (inside)
      i.yes.nodes = add;
    else if (isRead)
      i.before = add + ",";
    auto models = readJson(FileBytes::copy(i.json()), "test.json");
    if (!models)
      return Rules{models.error().str()};
    models->front().info.format = Format::Onnx;
    models->front().info.irVersion = irVersion;
    const Analysis analysis(models->front());
    Rules rules;
    for (const Finding &f : check(analysis, *parseTarget(target), {}).findings)
      if (f.rule == "graph-malformed")
        rules.push_back(std::string(severityName(f.severity)) + ' ' + f.rule);
    return rules;
  };
  const std::string dense = R"("size": 16)", sparse = R"("size": 16, "sparse": true)";
  const Rules error{"error graph-malformed"};
  EXPECT_EQ(with(3, "onnx", dense, false), error);
  EXPECT_EQ(with(3, "onnxruntime", dense, false), Rules{}) << "which loads and runs it";
  EXPECT_EQ(with(3, "onnx", dense, true), error);
  EXPECT_EQ(with(3, "onnxruntime", dense, false, false), error) << "whose name it does not know there";
  EXPECT_EQ(with(3, "onnxruntime", dense, true), error);
  EXPECT_EQ(with(4, "onnx", dense, false), Rules{});
  EXPECT_EQ(with(4, "onnxruntime", dense, true), Rules{});
  for (const bool inside : {false, true})
    for (const char *target : {"onnx", "onnxruntime"})
      EXPECT_EQ(with(3, target, sparse, inside), Rules{}) << "which cannot be an input";
}

TEST(Malformed, ASparseDefaultOfADenseInput) {
  const auto with = [](const std::string &more, const std::string &target) {
    OnnxIf i;
    i.parameters += R"(, {"name": "w", "type": "float32[4]", "data": {"type": "float32[4]", "size": 16)" + more + "}}";
    i.yes.nodes = onnx("Add", R"("x", "w")", "a");
    i.outputs = value("y", "float32[4]");
    std::string json = i.json();
    json.insert(1, R"("format": "onnx", )");
    return found(json, target);
  };
  const std::string sparse = R"(, "sparse": true)";
  EXPECT_EQ(with(sparse, "onnx"), Rules{"error graph-malformed"});
  EXPECT_EQ(with(sparse, "onnxruntime"), Rules{}) << "which loads and runs it";
  EXPECT_EQ(with("", "onnx"), Rules{});
}

TEST(Malformed, AFalseShapeInsideIsOnlyLoggedByOnnxRuntime) {
  for (const char *type : {"float32[3]", "float32[2, 1]"}) {
    OnnxIf i;
    i.before = onnx("Abs", R"("x")", "z", type) + ",";
    EXPECT_EQ(found(i.json(), "onnx"), Rules{"error graph-malformed"}) << type;
    EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{"warning graph-malformed"}) << type;
    i.results = R"("y", "z")"; // a session loads and runs with what leaves the model as well
    EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{"warning graph-malformed"}) << type;
    OnnxIf branch;
    branch.yes.nodes = onnx("Relu", R"("x")", "a", type);
    EXPECT_EQ(found(branch.json(), "onnxruntime"), Rules{"warning output-declared"}) << type;
  }
}

/// It goes by what the operator yields, and so fails where that does not fit what reads it, as honest as it looks.
TEST(Malformed, AFalseShapeInsideThatHidesWhatDoesNotFit) {
  const auto with = [](const char *type, const std::string &between) {
    OnnxIf i;
    i.constants = fmt::format(R"({{"name": "w", "type": "{}"}})", type);
    i.before = onnx("Abs", R"("x")", "z", "float32[3]") + ", " + between + onnx("Add", R"("h", "w")", "s") + ", ";
    return found(i.json(), "onnxruntime");
  };
  const std::string directly = onnx("Identity", R"("z")", "h") + ", ",
                    repeated = onnx("Relu", R"("z")", "h", "float32[3]") + ", ";
  for (const std::string &between : {directly, repeated}) {
    EXPECT_EQ(with("float32[1]", between), Rules{"warning graph-malformed"});
    EXPECT_EQ(with("float32[4]", between), Rules{"warning graph-malformed"}) << "which is not what is declared";
  }
  EXPECT_EQ(with("float32[3]", repeated), Rules{"error graph-malformed"});
  EXPECT_EQ(with("float32[3]", directly), (Rules{"error operator-type", "warning graph-malformed"}));
}

TEST(Malformed, IssuesOfTheReader) {
  const auto with = [](const std::string &kind) {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20}}, "graph": {{"parameters": [{{"name": "x",
      "type": "float32[2]"}}], "results": ["x"]}}, "issues": [{{"kind": "{}", "message": "so it is"}}]}})",
        kind);
  };
  EXPECT_EQ(found(with("malformed"), "onnx"), Rules{"error graph-malformed"});
  EXPECT_EQ(found(with("malformed_note"), "onnx"), Rules{"note graph-malformed"});
  EXPECT_EQ(found(with("malformed_ort"), "onnx"), Rules{"note graph-malformed"});
  EXPECT_EQ(found(with("malformed_ort"), "onnxruntime"), Rules{"error graph-malformed"});
  EXPECT_EQ(found(with("malformed_ort"), "tensorrt@10.3"), Rules{});
  EXPECT_EQ(found(with("malformed_checker"), "onnx"), Rules{"error graph-malformed"});
  EXPECT_EQ(found(with("malformed_checker"), "onnxruntime"), Rules{});
  for (const char *target : {"onnx", "onnxruntime"})
    EXPECT_EQ(found(with("malformed_onnx"), target), Rules{"error graph-malformed"});
  for (const char *target : {"tensorrt@10.3", "openvino"})
    EXPECT_EQ(found(with("malformed_onnx"), target), Rules{}) << target;
  EXPECT_EQ(found(with("redefined"), "onnx"), Rules{"error value-undefined"});
  EXPECT_EQ(found(with("shadowed"), "onnxruntime"), Rules{"error value-undefined"});
  EXPECT_EQ(found(with("shadowed_constant"), "onnxruntime"), Rules{"error value-undefined"});
  EXPECT_EQ(found(with("shadowed_unread"), "onnxruntime"), Rules{});
  EXPECT_EQ(found(with("shadowed_unread"), "onnx"), Rules{"error value-undefined"});
  EXPECT_EQ(found(with("shadowed_by_input"), "onnxruntime"), Rules{});
  EXPECT_EQ(found(with("redefined_constant"), "onnxruntime"), Rules{"warning value-undefined"});
  EXPECT_EQ(found(with("too_deep"), "onnx"), Rules{"error nesting"});
  EXPECT_EQ(found(with("nesting_limit"), "tensorrt@10.3"), Rules{"error nesting"});
}

TEST(Malformed, OnnxRuntimeHasOperatorsOfItsOwnInOnnxsDomain) {
  const auto with = [](const char *op, int opset) {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": {1}}}, "graph": {{
      "parameters": [{{"name": "x", "type": "float32[2]"}}, {{"name": "s", "type": "float32[2]"}}], "nodes": [
        {{"op": "{0}", "id": 7, "operands": ["x", "s"], "results": [{{"name": "y", "type": "float32[2]"}}]}}],
      "results": ["y"]}}, "issues": [{{"kind": "malformed", "node": 7, "message": "there is no such operator"}}]}})",
        op, opset);
  };
  const Rules malformed{"error graph-malformed"};
  for (const char *target : {"onnx", "onnxruntime"}) {
    const Rules own = target == std::string("onnx") ? malformed : Rules{};
    EXPECT_EQ(found(with("SimplifiedLayerNormalization", 17), target), own);
    EXPECT_EQ(found(with("LayerNormalization", 13), target), own);
    EXPECT_EQ(found(with("LayerNormalization", 17), target), malformed);
    EXPECT_EQ(found(with("NoSuchOperator", 17), target), malformed);
  }
}

// ONNX's checker wants what a function imports to be the same operators that the model imports.
TEST(Malformed, AFunctionImportsTheModelsOperators) {
  const auto functionOf = [](int opset, const std::string &op) {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 18, "my": 1}}, "graph": {{"parameters": [{}, {}],
        "nodes": [{{"op": "my::F", "operands": ["c", "x"], "results": ["y"]}}], "results": ["y"]}}, "functions": [
        {{"domain": "my", "name": "F", "opsets": {{"": {}}}, "graph": {{"parameters": [{}, {}], "nodes": [{}], "results": ["w"]}}}}]}})",
        value("c", "bool[]"), value("x", "float32[4]"), opset, value("p", "bool[]"), value("v", "float32[4]"),
        onnx(op, R"("v")", "w"));
  };
  EXPECT_EQ(found(functionOf(18, "ReduceMax"), "onnx"), Rules{});
  EXPECT_EQ(found(functionOf(17, "ReduceMax"), "onnx"), Rules{"error graph-malformed"});
  EXPECT_EQ(found(functionOf(17, "ReduceMax"), "onnxruntime"), Rules{});
  EXPECT_EQ(found(functionOf(17, "Relu"), "onnx"), Rules{}); // Relu-14 in both
}

TEST(Malformed, OnnxRuntimeReadsTheGraphsOfAFunctionByTheModelsVersion) {
  const auto functionOf = [](int opset, const std::string &attributes) {
    OnnxIf i;
    i.opset = opset;
    i.yes = {"", onnx("ReduceMax", R"("x")", "a", "", attributes), R"("a")"};
    const std::string whole = i.json();
    const std::size_t graph = whole.find(R"("graph": )") + 9;
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 18, "my": 1}}, "graph": {{"parameters": [{}, {}],
        "nodes": [{{"op": "my::F", "operands": ["c", "x"], "results": ["y"]}}], "results": ["y"]}}, "functions": [
        {{"domain": "my", "name": "F", "opsets": {{"": {}}}, "graph": {}}}]}})",
        value("c", "bool[]"), value("x", "float32[4]"), opset, whole.substr(graph, whole.size() - graph - 1));
  };
  const std::string axes = R"({"name": "axes", "ints": [0]}, {"name": "keepdims", "int": 1})";
  const std::vector<std::string> besides = {"output-shape", "branch-identical"};
  EXPECT_EQ(found(functionOf(17, axes), "onnxruntime", besides), Rules{"error graph-malformed"});
  EXPECT_EQ(found(functionOf(17, axes), "onnx", besides), Rules{"note graph-malformed"});
  // What reads the same in both versions.
  EXPECT_EQ(found(functionOf(17, ""), "onnxruntime", besides), Rules{});
  EXPECT_EQ(found(functionOf(18, ""), "onnxruntime", besides), Rules{});
}

// It puts them in the place of the call.
TEST(Malformed, OnnxRuntimeReadsAFunctionByTheModelsVersion) {
  const auto functionOf = [](int opset, const std::string &attributes) {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 18, "my": 1}}, "graph": {{"parameters": [{0}],
        "nodes": [{{"op": "my::F", "operands": ["x"], "results": ["y"]}}], "results": ["y"]}}, "functions": [
        {{"domain": "my", "name": "F", "opsets": {{"": {1}}}, "graph": {{"parameters": [{0}], "nodes": [{2}], "results": ["w"]}}}}]}})",
        value("x", "float32[4]"), opset, onnx("ReduceMax", R"("x")", "w", "", attributes));
  };
  const std::string axes = R"({"name": "axes", "ints": [0]}, {"name": "keepdims", "int": 1})";
  EXPECT_EQ(found(functionOf(17, axes), "onnxruntime"), Rules{"error graph-malformed"});
  EXPECT_EQ(found(functionOf(17, ""), "onnxruntime"), Rules{});
}

/// A Loop in a branch whose body is passed float32[3] for v, which it declares as \p parameter, and declares \p result
/// of what Neg makes of it.
OnnxIf looping(const std::string &parameter, const std::string &result) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("m", "int64[]") + ", " + value("x", "float32[3]");
  const Region body{value("i", "int64[]") + ", " + value("go", "bool[]") + ", " + value("v", parameter),
                    onnx("Neg", R"("v")", "w", result), R"("go", "w")"};
  i.yes = {"",
           fmt::format(R"({{"op": "Loop", "operands": ["m", "c", "x"], "attributes": [{{"name": "body", "region": {}}}],
               "results": [{}]}})",
                       body.json("body"), value("a")),
           R"("a")"};
  i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
  return i;
}

TEST(Malformed, WhatABodyDeclaresOfShapesIsHeldAgainstWhatTheCheckerKnows) {
  const auto worst = [](const OnnxIf &i, const char *target) {
    return firstFound(i.json(), target, "graph-malformed");
  };
  // To the checker a Loop passes no shapes; of what is declared of the parameter it computes the result's.
  EXPECT_EQ(worst(looping("float32[...]", "float32[7]"), "onnx"), "warning graph-malformed");
  EXPECT_EQ(worst(looping("float32[...]", "float32[3, 1]"), "onnx"), "warning graph-malformed");
  EXPECT_EQ(worst(looping("float32[3]", "float32[7]"), "onnx"), "error graph-malformed");
  EXPECT_EQ(worst(looping("float32[3]", "float32[3, 1]"), "onnx"), "error graph-malformed");
  EXPECT_EQ(worst(looping("float32[3]", "float32[7]"), "onnxruntime"), "warning graph-malformed");
  EXPECT_EQ(worst(looping("float32[3]", "float32[3]"), "onnx"), "");
  EXPECT_EQ(worst(looping("float32[...]", "float32[3]"), "onnx"), "");
  EXPECT_EQ(worst(looping("float32[...]", "int64[3]"), "onnx"), "error graph-malformed") << "an element type is known";
}

TEST(Malformed, WhatTheCheckerCannotKnowOfARecordIsNoError) {
  // Squeeze by axes that stand around the branch, in it, and Neg behind each.
  const auto squeezed = [](const char *recorded, bool isInside, const char *target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[3, 1]") + ", " + value("z", "float32[3]");
    const std::string axes = R"({"name": "axes", "type": "int64[1]", "data": {"ints": [1]}})";
    (isInside ? i.yes.constants : i.constants) = axes;
    i.yes.nodes = onnx("Squeeze", R"("x", "axes")", "s") + ", " +
                  fmt::format(R"({{"op": "Neg", "operands": ["s"], "results": [{}]}})", value("w", recorded)) + ", " +
                  onnx("Abs", R"("w")", "a");
    i.yes.results = R"("a")";
    i.no = {"", onnx("Neg", R"("z")", "b"), R"("b")"};
    return firstFound(i.json(), target, "graph-malformed");
  };
  EXPECT_EQ(squeezed("float32[7]", true, "onnx"), "error graph-malformed");
  EXPECT_EQ(squeezed("float32[7]", false, "onnx"), "warning graph-malformed");
  EXPECT_EQ(squeezed("float32[3, 1]", true, "onnx"), "error graph-malformed");
  EXPECT_EQ(squeezed("float32[3, 1]", false, "onnx"), "warning graph-malformed");
  EXPECT_EQ(squeezed("int64[3]", false, "onnx"), "error graph-malformed") << "an element type is known";
  EXPECT_EQ(squeezed("float32[7]", false, "onnxruntime"), "warning graph-malformed");
  for (const char *right : {"float32[3]", "float32[n]", "float32[...]"})
    EXPECT_EQ(squeezed(right, false, "onnx"), "") << right;
}

TEST(Malformed, WhatALoopPutsTogetherHasNoRankOfADeclarationThatLies) {
  OnnxIf i = looping("float32[3, 1]", "float32[...]");
  Region body{value("i", "int64[]") + ", " + value("go", "bool[]") + ", " + value("v", "float32[3, 1]"),
              onnx("Neg", R"("v")", "w"), R"("go", "w", "w")"};
  i.yes.nodes = fmt::format(
      R"({{"op": "Loop", "operands": ["m", "c", "x"], "attributes": [{{"name": "body", "region": {}}}],
               "results": [{}, {}]}})",
      body.json("body"), value("last"), value("a"));
  i.no.nodes = onnx("Expand", R"("x", "two")", "b");
  i.constants = R"({"name": "two", "type": "int64[2]", "data": {"ints": [2, 3]}})";
  i.outputs = value("y", "float32[s, t]");
  EXPECT_EQ(verdictOf(i.json(), "onnx", "output-rank"), "unknown");
  EXPECT_EQ(verdictOf(i.json(), "onnxruntime", "output-declared"), "unknown");
}

} // namespace
