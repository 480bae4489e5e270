//===- Pt2ReaderTest.cpp - Exported programs as models ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pt2Files.h"

namespace condlint::test {
namespace {

Model fromFile(const std::string &name) {
  auto models = readModel(dataPath(name));
  EXPECT_TRUE(models) << models.error().str();
  return models ? std::move(models->front()) : Model();
}

/// The first node of \p g that is a conditional.
NodeId condOf(const Model &m, GraphId g) {
  for (const NodeId n : m.nodes(g))
    if (m.operatorName(m[n].op) == "higher_order.cond")
      return n;
  return {};
}

void expectCond(const Model &m, NodeId n, std::size_t operands) {
  ASSERT_TRUE(n);
  const auto args = m.attributes(n);
  ASSERT_EQ(args.size(), 4u);
  EXPECT_EQ(args[0].kind, AttributeKind::Operand);
  EXPECT_EQ(args[0].list.first, 0u);
  EXPECT_EQ(args[1].kind, AttributeKind::Region);
  EXPECT_EQ(args[1].list.first, 0u);
  EXPECT_EQ(args[2].kind, AttributeKind::Region);
  EXPECT_EQ(args[2].list.first, 1u);
  EXPECT_EQ(args[3].kind, AttributeKind::Operands);
  EXPECT_EQ(args[3].list.first, 1u);
  EXPECT_EQ(args[3].list.count, operands);
  EXPECT_EQ(m.operands(n).size(), operands + 1);
  for (const Attribute &a : args)
    EXPECT_EQ(m.text(a.name), "");
  ASSERT_EQ(m.regions(n).size(), 2u);
  for (const GraphId g : m.regions(n)) {
    EXPECT_EQ(m[g].owner, n);
    EXPECT_EQ(m[g].parent, m[n].graph);
    EXPECT_EQ(m[g].parameters.count, operands);
  }
}

TEST(Pt2ReaderTest, AConditional) {
  const Model m = fromFile("t213_cond1.pt2");
  ASSERT_TRUE(m.main());
  EXPECT_EQ(m.path(m.main()), "main");
  const NodeId cond = condOf(m, m.main());
  expectCond(m, cond, 4);
  EXPECT_EQ(m.path(cond), "main/cond");
  EXPECT_EQ(m.path(m.regions(cond)[0]), "main/cond/true_graph_0");
  EXPECT_EQ(m.path(m.regions(cond)[1]), "main/cond/false_graph_0");
  EXPECT_EQ(m.location(cond).str(), "models/gen.py:9");
  EXPECT_EQ(m.location(cond).function, "forward");
  ASSERT_EQ(m.resultCount(cond), 2u);
  EXPECT_EQ(m.name(m.result(cond, 0)), "getitem");
  EXPECT_EQ(typeText(m, m.result(cond, 0)), "float32[s17, 4]");
  const GraphId yes = m.regions(cond)[0];
  ASSERT_EQ(m.results(yes).size(), 2u);
  EXPECT_EQ(m.name(m.results(yes)[0]), "add");
  const NodeId linear = nodesOf(m, yes)[0];
  EXPECT_EQ(m.operatorName(m[linear].op), "aten.linear.default");
  EXPECT_EQ(m.path(linear), "main/cond/true_graph_0/linear");
  ASSERT_NE(m.attribute(linear, "weight"), nullptr);
  EXPECT_EQ(m.operands(linear)[m.attribute(linear, "weight")->list.first], parameter(m, yes, 3));
  EXPECT_TRUE(m.issues.empty());
}

TEST(Pt2ReaderTest, WhatStandsInsideOfWithEffectsIsANodeOfItsOwn) {
  const Model m = fromFile("../labelled/pt2-cases/effects_two.pt2");
  std::vector<NodeId> checks;
  ValueId token;
  for (const NodeId n : nodesOf(m, m.main())) {
    if (m.operatorName(m[n].op) == "aten._linalg_check_errors.default")
      checks.push_back(n);
    if (m.operatorName(m[n].op) != "higher_order.with_effects")
      continue;
    // The token goes from one to the next.
    ASSERT_EQ(m.operands(n).size(), 1u);
    ASSERT_EQ(m.resultCount(n), 1u);
    EXPECT_TRUE(!token || m.operands(n)[0] == token);
    token = m.result(n, 0);
    EXPECT_EQ(m.operatorName(m[m[n].next].op), "aten._linalg_check_errors.default");
  }
  ASSERT_EQ(checks.size(), 2u);
  const NodeId check = checks.front();
  EXPECT_EQ(m.resultCount(check), 0u); // it returns nothing
  ASSERT_EQ(m.operands(check).size(), 1u);
  const Attribute *info = m.attribute(check, "info"), *name = m.attribute(check, "api_name");
  ASSERT_TRUE(info && name && m.attribute(check, "is_matrix"));
  EXPECT_EQ(info->list.first, 0u);
  EXPECT_EQ(m.text(name->text), "linalg.inv");
  EXPECT_TRUE(m.issues.empty());
}

TEST(Pt2ReaderTest, RecordedTypes) {
  const Model m = fromFile("t213_cond1.pt2");
  const Type &t = m.types[m[parameter(m, m.main(), 2)].recorded];
  EXPECT_EQ(t.kind, ValueKind::Tensor);
  EXPECT_EQ(t.element, DType::Float32);
  EXPECT_EQ(t.layout, Layout::Strided);
  EXPECT_EQ(m.text(t.device), "cpu");
  EXPECT_EQ(t.deviceIndex, -1);
  EXPECT_EQ(t.requiresGrad, Tri::No);
  ASSERT_TRUE(t.hasStrides);
  EXPECT_EQ(m.dims.asConstant(t.strides[0]), 4);
  EXPECT_EQ(m.dims.asConstant(t.storageOffset), 0);
  // The range constraints of the file.
  const auto parts = m.dims.symbolsOf(t.dims[0]);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].name, "s17");
  EXPECT_EQ(parts[0].origin, SymbolOrigin::Declared);
  EXPECT_EQ(parts[0].bounds, (Interval{0, 64}));
}

TEST(Pt2ReaderTest, OldFilesHaveNoNamesAndOneListOfOutputs) {
  const Model m = fromFile("t26_cond2.pt2");
  const NodeId cond = condOf(m, m.main());
  expectCond(m, cond, 1);
  ASSERT_EQ(m.resultCount(cond), 1u);
  EXPECT_EQ(m.path(cond), "main/getitem");
  EXPECT_EQ(typeText(m, m.result(cond, 0)), "float32[3]");
  EXPECT_TRUE(m.issues.empty());
}

TEST(Pt2ReaderTest, R10OldFilesDoNotRecordOffsetsOfResults) {
  const Model m = fromFile("t26_cond2.pt2");
  const NodeId cond = condOf(m, m.main());
  EXPECT_FALSE(m.types[m[m.result(cond, 0)].recorded].storageOffset.known());
  EXPECT_TRUE(m.types[m[parameter(m, m.main(), 1)].recorded].storageOffset.known());
}

TEST(Pt2ReaderTest, SymbolicIntegersAmongTensors) {
  const Model m = fromFile("t213_clos_symint_nonstrict.pt2");
  const NodeId cond = condOf(m, m.main());
  expectCond(m, cond, 2);
  const ValueId size = m.operands(cond)[2];
  EXPECT_EQ(m.types[m[size].recorded].kind, ValueKind::SymInt);
  ASSERT_TRUE(m[size].content);
  EXPECT_EQ(m.dims.str(m.content(m[size].content)[0]), "s77");
  const ValueId inside = parameter(m, m.regions(cond)[0], 1);
  EXPECT_EQ(m.types[m[inside].recorded].kind, ValueKind::SymInt);
  EXPECT_TRUE(m.issues.empty());
}

TEST(Pt2ReaderTest, R4ConstantOutputs) {
  const Model m = fromFile("t213_out_int_diff_nonstrict.pt2");
  const NodeId cond = condOf(m, m.main());
  for (const std::size_t side : {0u, 1u}) {
    const auto results = m.results(m.regions(cond)[side]);
    ASSERT_EQ(results.size(), 2u);
    const Value &v = m[results[1]];
    EXPECT_EQ(v.origin, ValueOrigin::Constant);
    EXPECT_EQ(m.types[v.recorded].kind, ValueKind::SymInt);
    ASSERT_TRUE(v.content);
    EXPECT_EQ(m.dims.asConstant(m.content(v.content)[0]), side == 0 ? 1 : 5);
  }
  const ValueId merged = m.result(cond, 1);
  const auto parts = m.dims.symbolsOf(m.content(m[merged].content)[0]);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].origin, SymbolOrigin::Unbacked);
  EXPECT_EQ(parts[0].bounds, (Interval{1, 5}));
}

TEST(Pt2ReaderTest, R12UnbackedSizes) {
  const Model m = fromFile("t213_out_shape_static_diff_nonstrict.pt2");
  const NodeId cond = condOf(m, m.main());
  EXPECT_EQ(typeText(m, m.result(cond, 0)), "float32[u0, 4]");
  EXPECT_EQ(typeText(m, m.results(m.regions(cond)[0])[0]), "float32[2, 4]");
  EXPECT_EQ(typeText(m, m.results(m.regions(cond)[1])[0]), "float32[3, 4]");
}

TEST(Pt2ReaderTest, SymbolicPredicate) {
  const Model m = fromFile("t213_pred_symbool_nonstrict.pt2");
  const NodeId cond = condOf(m, m.main());
  ASSERT_TRUE(cond);
  EXPECT_EQ(m.types[m[m.operands(cond)[0]].recorded].kind, ValueKind::SymBool);
}

TEST(Pt2ReaderTest, NestedAndOtherHigherOrderOperators) {
  const Model nested = fromFile("t213_nested_ok_strict.pt2");
  const NodeId outer = condOf(nested, nested.main());
  NodeId inner;
  for (const GraphId g : nested.regions(outer))
    if (const NodeId n = condOf(nested, g))
      inner = n;
  ASSERT_TRUE(inner);
  EXPECT_EQ(nested.path(nested.regions(inner)[0]), "main/cond/true_graph_0/cond/true_graph_0");
  const Model loop = fromFile("t213_hop_wl_n.pt2");
  bool found = false;
  for (const NodeId n : loop.nodes(loop.main()))
    if (loop.operatorName(loop[n].op) == "higher_order.while_loop") {
      found = true;
      EXPECT_EQ(loop.regions(n).size(), 2u);
    }
  EXPECT_TRUE(found);
}

TEST(Pt2ReaderTest, BuffersOfTheSignature) {
  const Model m = fromFile("t213_hop_cond_buf_n.pt2");
  const ValueId buffer = parameter(m, m.main(), 0);
  EXPECT_EQ(m[buffer].role, ParameterRole::Buffer);
  ASSERT_TRUE(m[buffer].constant);
  EXPECT_EQ(m.text(m[m[buffer].constant].name), "b");
}

TEST(Pt2ReaderTest, RolesOfOutputs) {
  const auto models = readEdited([](auto &p) {
    auto &outputs = p["graph_module"]["signature"]["output_specs"];
    outputs[0] = {{"buffer_mutation", {{"arg", {{"name", "getitem"}}}, {"buffer_name", "running_mean"}}}};
  });
  ASSERT_TRUE(models) << models.error().str();
  const Model &m = models->front();
  const auto roles = m.stringsIn(m[m.main()].resultRoles);
  ASSERT_EQ(roles.size(), 1u);
  EXPECT_EQ(m.text(roles[0]), "buffer_mutation:running_mean");
  EXPECT_TRUE(fromFile("t213_cond2.pt2").stringsIn(Range()).empty());
}

TEST(Pt2ReaderTest, NamesOfOperators) {
  const auto models = readEdited([](auto &p) {
    auto node = branch(p, 0)["nodes"][0];
    auto &nodes = mainGraph(p)["nodes"];
    for (const char *target : {"_operator.ge", "torch.sym_max", "math.trunc", "#ns:op", "torch.ops.a.b", "plain"}) {
      node["target"] = target;
      node["outputs"] = nlohmann::ordered_json::array();
      node["name"] = nullptr;
      nodes.push_back(node);
    }
  });
  ASSERT_TRUE(models) << models.error().str();
  const Model &m = models->front();
  std::vector<std::string> names;
  for (const NodeId n : m.nodes(m.main()))
    names.push_back(std::string(m.text(m[m[n].op].domain)) + "|" + std::string(m.text(m[m[n].op].name)) + "|" +
                    std::string(m.text(m[m[n].op].overload)) + "|" + std::string(m.text(m[n].name)));
  EXPECT_EQ(names,
            (std::vector<std::string>{"higher_order|cond||cond", "_operator|ge||ge_1", "torch|sym_max||sym_max_2",
                                      "math|trunc||trunc_3", "#ns|op||op_4", "a|b||b_5", "|plain||plain_6"}));
}

TEST(Pt2ReaderTest, EveryKindOfArgument) {
  const auto models = readEdited([](auto &p) {
    const auto x = nlohmann::ordered_json{{"name", "x"}};
    const auto tensor = nlohmann::ordered_json{{"as_tensor", x}};
    const auto none = nlohmann::ordered_json{{"as_none", true}};
    const auto name = nlohmann::ordered_json{{"as_name", "x"}};
    const std::vector<std::pair<std::string, nlohmann::ordered_json>> kinds{
        {"as_none", nlohmann::ordered_json::array()},
        {"as_tensor", x},
        {"as_tensors", {x, x}},
        {"as_int", -3},
        {"as_ints", {1, 2}},
        {"as_float", 0.5},
        {"as_floats", {0.5, "Infinity", "-Infinity", "NaN"}},
        {"as_string", "s"},
        {"as_strings", {"a", "b"}},
        {"as_sym_int", name},
        {"as_sym_ints", {{{"as_int", 4}}, name}},
        {"as_scalar_type", 7},
        {"as_memory_format", 2},
        {"as_layout", 7},
        {"as_device", {{"type", "cuda"}, {"index", 1}}},
        {"as_bool", true},
        {"as_bools", {true, false}},
        {"as_sym_bool", {{"as_bool", true}}},
        {"as_sym_bools", {{{"as_bool", true}}, name}},
        {"as_optional_tensors", {tensor, none, tensor}},
        {"as_custom_obj", {{"name", "x"}, {"class_fqn", "c"}}},
        {"as_operator", "torch.ops.higher_order.cond"},
        {"as_sym_float", {{"as_float", 1.5}}},
        {"as_sym_floats", {{{"as_float", 1.5}}}},
        {"as_optional_tensor", none},
        {"as_complex", {{"real", 1.0}, {"imag", -2}}},
        {"as_nested_tensors", {{x}, {x, x}}},
        {"as_int_lists", {{1}, {2, 3}}},
        {"as_string_to_argument", {{"k", tensor}}},
        {"as_float_lists", {{1.5}}},
        {"as_something_new", {{"a", 1}}},
    };
    auto &node = branch(p, 0)["nodes"][0];
    node["inputs"] = nlohmann::ordered_json::array();
    for (const auto &[tag, value] : kinds)
      node["inputs"].push_back({{"name", tag}, {"arg", {{tag, value}}}, {"kind", 1}});
  });
  ASSERT_TRUE(models) << models.error().str();
  const Model &m = models->front();
  ASSERT_EQ(issuesOf(m).size(), 2u);
  EXPECT_TRUE(issuesOf(m)[0].ends_with("no 'as_optional_tensor', which torch refuses")) << issuesOf(m)[0];
  EXPECT_TRUE(issuesOf(m)[1].ends_with("'as_something_new' is no kind of argument")) << issuesOf(m)[1];
  const GraphId g = m.regions(nodesOf(m, m.main())[0])[0];
  const NodeId n = nodesOf(m, g)[0];
  using K = AttributeKind;
  const std::vector<std::pair<std::string, K>> expected{{"as_none", K::None},
                                                        {"as_tensor", K::Operand},
                                                        {"as_tensors", K::Operands},
                                                        {"as_int", K::Int},
                                                        {"as_ints", K::Ints},
                                                        {"as_float", K::Float},
                                                        {"as_floats", K::Floats},
                                                        {"as_string", K::String},
                                                        {"as_strings", K::Strings},
                                                        {"as_sym_int", K::Operand},
                                                        {"as_sym_ints", K::Dims},
                                                        {"as_scalar_type", K::DType},
                                                        {"as_memory_format", K::MemoryFormat},
                                                        {"as_layout", K::Layout},
                                                        {"as_device", K::Device},
                                                        {"as_bool", K::Bool},
                                                        {"as_bools", K::Bools},
                                                        {"as_sym_bool", K::Bool},
                                                        {"as_sym_bools", K::Operands},
                                                        {"as_optional_tensors", K::Operands},
                                                        {"as_custom_obj", K::Operand},
                                                        {"as_operator", K::String},
                                                        {"as_sym_float", K::Float},
                                                        {"as_sym_floats", K::Operands},
                                                        {"as_optional_tensor", K::Opaque},
                                                        {"as_complex", K::Complex},
                                                        {"as_nested_tensors", K::Opaque},
                                                        {"as_int_lists", K::Opaque},
                                                        {"as_string_to_argument", K::Opaque},
                                                        {"as_float_lists", K::Opaque},
                                                        {"as_something_new", K::Opaque}};
  const auto args = m.attributes(n);
  ASSERT_EQ(args.size(), expected.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    EXPECT_EQ(m.text(args[i].name), expected[i].first);
    EXPECT_EQ(args[i].kind, expected[i].second) << expected[i].first;
    if (args[i].kind == K::Operand || args[i].kind == K::Operands) {
      ASSERT_LE(args[i].list.first + args[i].list.count, m.operands(n).size());
    }
  }
  const auto of = [&](const char *name) { return *m.attribute(n, name); };
  EXPECT_EQ(of("as_int").number, -3);
  EXPECT_EQ(of("as_float").real, 0.5);
  EXPECT_EQ(m.reals(of("as_floats").list)[2], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(of("as_scalar_type").number, static_cast<std::int64_t>(DType::Float32));
  EXPECT_EQ(of("as_layout").number, static_cast<std::int64_t>(Layout::Strided));
  EXPECT_EQ(m.text(of("as_device").text), "cuda");
  EXPECT_EQ(of("as_device").number, 1);
  EXPECT_EQ(m.ints(of("as_ints").list)[1], 2);
  EXPECT_EQ(m.reals(of("as_complex").list)[1], -2);
  EXPECT_EQ(m.text(m.stringsIn(of("as_strings").list)[1]), "b");
  EXPECT_EQ(of("as_optional_tensors").list.count, 3u);
  EXPECT_FALSE(m.operands(n)[of("as_optional_tensors").list.first + 1].valid());
  EXPECT_EQ(m.dims.asConstant(m.dimsIn(of("as_sym_ints").list)[0]), 4);
  EXPECT_EQ(of("as_nested_tensors").list.count, 3u);
  EXPECT_EQ(of("as_string_to_argument").list.count, 1u);
}

TEST(Pt2ReaderTest, SymbolicListsKnowTheirSymbols) {
  const auto models = readEdited([](auto &p) {
    auto &g = branch(p, 0);
    const nlohmann::ordered_json size = {
        {"as_expr", {{"expr_str", "Symbol('s9', positive=True, integer=True)"}, {"hint", nullptr}}}};
    g["sym_int_values"]["n"] = size;
    g["nodes"][0]["outputs"] = {{{"as_sym_int", {{"as_name", "n"}}}}};
    auto view = g["nodes"][0];
    view["target"] = "torch.ops.aten.view.default";
    view["inputs"] = {
        {{"name", "size"}, {"arg", {{"as_sym_ints", {{{"as_name", "n"}}, {{"as_int", 2}}}}}}, {"kind", 1}}};
    view["outputs"] = {{{"as_tensor", {{"name", "cos"}}}}};
    g["nodes"].push_back(view);
  });
  ASSERT_TRUE(models) << models.error().str();
  const Model &m = models->front();
  const GraphId g = m.regions(nodesOf(m, m.main())[0])[0];
  const NodeId view = nodesOf(m, g)[1];
  const auto dims = m.dimsIn(m.attribute(view, "size")->list);
  ASSERT_EQ(dims.size(), 2u);
  EXPECT_EQ(m.dims.str(dims[0]), "s9");
  EXPECT_EQ(m.dims.str(dims[1]), "2");
  // The same list given to a conditional is a list of operands.
  const auto conditional = readEdited(
      [](auto &p) { condNode(p)["inputs"][3]["arg"] = {{"as_sym_ints", {{{"as_name", "x"}}, {{"as_int", 2}}}}}; });
  ASSERT_TRUE(conditional);
  const Model &c = conditional->front();
  const NodeId cond = nodesOf(c, c.main())[0];
  EXPECT_EQ(c.attributes(cond)[3].kind, AttributeKind::Operands);
  EXPECT_EQ(c.operands(cond).size(), 3u);
}

TEST(Pt2ReaderTest, FieldsInAnyOrder) {
  // Sorted keys: nodes before tensor_values, inputs of a node before its target.
  const std::string sorted = nlohmann::json::parse(condProgram().dump()).dump();
  // The worst order: what refers to names stands before what defines them.
  nlohmann::ordered_json p = condProgram();
  const auto reverse = [](nlohmann::ordered_json &object) {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    std::vector<std::string> keys;
    for (const auto &[key, value] : object.items())
      keys.push_back(key);
    for (auto key = keys.rbegin(); key != keys.rend(); ++key)
      out[*key] = object[*key];
    object = out;
  };
  for (std::size_t i = 0; i < 2; ++i) {
    reverse(branch(p, i));
    reverse(condNode(p)["inputs"][1 + i]["arg"]["as_graph"]);
  }
  reverse(condNode(p));
  reverse(mainGraph(p));
  reverse(p["graph_module"]);
  reverse(p);
  for (const std::string &text : {sorted, p.dump(), condProgram().dump(2)}) {
    const auto models = readJsonText(text);
    ASSERT_TRUE(models) << models.error().str();
    const Model &m = models->front();
    EXPECT_EQ(issuesOf(m), std::vector<std::string>{});
    const NodeId cond = condOf(m, m.main());
    expectCond(m, cond, 1);
    EXPECT_EQ(typeText(m, m.result(cond, 0)), "float32[3]");
    EXPECT_EQ(m.path(m.regions(cond)[0]), "main/cond/true_graph_0");
    EXPECT_EQ(m.operands(cond)[1], parameter(m, m.main(), 1));
    EXPECT_EQ(m.results(m.main())[0], m.result(cond, 0));
    for (std::uint32_t v = 0; v < m.valueCount(); ++v)
      EXPECT_NE(m[ValueId(v)].origin, ValueOrigin::Undefined);
  }
}

TEST(Pt2ReaderTest, VersionsOfTorch) {
  const auto version = [](const char *text) {
    const auto models = readEdited([&](auto &p) { p["torch_version"] = text; });
    return models ? models->front().info.version : "?";
  };
  EXPECT_EQ(version("2.14.1"), "2.14");
  EXPECT_EQ(version("2.8.0a0+git1234"), "2.8");
  EXPECT_EQ(version("<=2.4"), "2.4");
  EXPECT_EQ(version("unknown"), "");
  const auto models = readEdited([](auto &p) { p.erase("torch_version"); });
  ASSERT_TRUE(models);
  EXPECT_EQ(models->front().info.version, "2.4");
}

} // namespace
} // namespace condlint::test
