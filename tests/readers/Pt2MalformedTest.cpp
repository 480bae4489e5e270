//===- Pt2MalformedTest.cpp - Files that contradict their format -*- C++ -*-==//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pt2Files.h"
#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace condlint::test {
namespace {

using Json = nlohmann::ordered_json;

/// The issues of the program after \p edit; "failed" when it is refused.
std::vector<std::string> issuesAfter(const std::function<void(Json &)> &edit,
                                     FormatIssue::Kind kind = FormatIssue::Kind::Malformed) {
  const auto models = readEdited(edit);
  return models ? issuesOf(models->front(), kind) : std::vector<std::string>{"failed"};
}

using Issues = std::vector<std::string>;
const std::string graph = "graph_module.graph";
const std::string yes = graph + ".nodes[0].inputs[1].arg.as_graph.graph";

TEST(Pt2MalformedTest, TheProgramItself) {
  EXPECT_EQ(issuesAfter([](Json &) {}), Issues{});
  EXPECT_EQ(issuesAfter([](Json &p) { p = Json::array(); }),
            Issues{": expected an ExportedProgram, which is an object, found a list"});
  EXPECT_EQ(issuesAfter([](Json &p) { p.erase("graph_module"); }), Issues{": the program has no 'graph_module'"});
  EXPECT_EQ(issuesAfter([](Json &p) { p["graph_module"].erase("graph"); }),
            Issues{"graph_module: the graph module has no 'graph'"});
  EXPECT_EQ(issuesAfter([](Json &p) { p["graph_module"]["graph"] = 5; }),
            Issues{graph + ": expected a graph, which is an object, found a number"});
  for (const char *key : {"graph_module", "graph"}) {
    const auto models =
        readEdited([&](Json &p) { (std::string(key) == "graph" ? p["graph_module"] : p)[key] = nullptr; });
    ASSERT_TRUE(models);
    EXPECT_FALSE(models->front().main());
  }
}

TEST(Pt2MalformedTest, SchemaVersions) {
  const auto after = [](int major, int minor) {
    return issuesAfter([&](Json &p) { p["schema_version"] = {{"major", major}, {"minor", minor}}; });
  };
  for (const int major : {5, 6, 7, 8})
    EXPECT_EQ(after(major, 99), Issues{});
  EXPECT_EQ(after(0, 0), Issues{});
  EXPECT_EQ(after(99, 1), Issues{"schema_version: schema version 99.1, expected 5 to 8, which torch 2.3 to 2.15 write: "
                                 "export the model again"});
  EXPECT_EQ(after(4, 2), Issues{"schema_version: schema version 4.2, expected 5 to 8, which torch 2.3 to 2.15 write: "
                                "export the model again"});
  EXPECT_EQ(issuesAfter([](Json &p) { p.erase("schema_version"); }), Issues{": the program has no 'schema_version'"});
  // Of a number that is none nothing follows.
  EXPECT_EQ(issuesAfter([](Json &p) { p["schema_version"]["major"] = "8"; }),
            Issues{"schema_version.major: expected the schema's major version, found a string"});
  // What can be read is read all the same.
  const auto models = readEdited([](Json &p) { p["schema_version"]["major"] = 9; });
  ASSERT_TRUE(models);
  EXPECT_EQ(nodesOf(models->front(), models->front().main()).size(), 1u);
}

TEST(Pt2MalformedTest, UnknownFieldsAreFine) {
  EXPECT_EQ(issuesAfter([](Json &p) {
              p["new"] = {{"a", 1}};
              mainGraph(p)["new"] = {1, 2};
              condNode(p)["new"] = "x";
              condNode(p)["inputs"][0]["new"] = nullptr;
              mainGraph(p)["tensor_values"]["x"]["new"] = true;
            }),
            Issues{});
}

TEST(Pt2MalformedTest, UnionsHaveOneKey) {
  EXPECT_EQ(issuesAfter([](Json &p) { condNode(p)["inputs"][0]["arg"]["as_none"] = true; }),
            Issues{graph +
                   ".nodes[0].inputs[0].arg: expected an argument with exactly one key, found 2: 'as_tensor' and "
                   "'as_none'"});
  EXPECT_EQ(issuesAfter([](Json &p) { condNode(p)["inputs"][0]["arg"] = Json::object(); }),
            Issues{graph + ".nodes[0].inputs[0].arg: expected an argument, found an object without a key"});
  // Neither of two keys is believed: they have no order.
  const auto models = readEdited([](Json &p) { condNode(p)["inputs"][0]["arg"]["as_none"] = true; });
  ASSERT_TRUE(models);
  const Model &m = models->front();
  EXPECT_EQ(m.attributes(nodesOf(m, m.main())[0])[0].kind, AttributeKind::Opaque);
  EXPECT_EQ(m.issues[0].node, nodesOf(m, m.main())[0]);
  EXPECT_EQ(m.issues[0].graph, m.main());
}

/// The issues of the program after the first \p from in its text became \p to: what a JSON library cannot write.
Issues issuesOfText(const std::string &from, const std::string &to) {
  std::string text = condProgram().dump();
  const std::size_t at = text.find(from);
  if (at == std::string::npos)
    return {"'" + from + "' is not in the text"};
  const auto models = readJsonText(text.replace(at, from.size(), to));
  return models ? issuesOf(models->front(), FormatIssue::Kind::Malformed) : Issues{"failed"};
}

TEST(Pt2MalformedTest, KeysAreGivenOnce) {
  EXPECT_EQ(issuesOfText(R"("layout":7})", R"("layout":7,"dtype":5})"),
            Issues{yes + ".tensor_values.x.dtype: the key is given twice"});
  EXPECT_EQ(issuesOfText(R"("tensor_values":{)", R"("tensor_values":{},"tensor_values":{)")[0],
            yes + ".tensor_values: the key is given twice");
  EXPECT_EQ(issuesOfText(R"("target":"torch.ops.aten.cos)", R"("target":"a","target":"torch.ops.aten.cos)"),
            Issues{yes + ".nodes[0].target: the key is given twice"});
  EXPECT_EQ(issuesOfText(R"("range_constraints":{)", R"("range_constraints":{},"range_constraints":{)"),
            Issues{"range_constraints: the key is given twice"});
  EXPECT_EQ(issuesOfText(R"("range_constraints":{)",
                         R"("range_constraints":{"s9":{"min_val":1,"max_val":2},"s9":{"min_val":3,"max_val":4})"),
            Issues{"range_constraints.s9: the key is given twice"});
  // Each object has keys of its own, and what users write there is theirs.
  EXPECT_EQ(issuesOfText(R"("metadata":{)", R"("metadata":{"a":"","a":"",)"), Issues{});
}

TEST(Pt2MalformedTest, ValuesAreRecordedOnce) {
  const std::string x = R"("x":{"dtype":5,"sizes":[],"strides":[],"requires_grad":false,"device":{"type":"cpu"},)"
                        R"("storage_offset":{"as_int":0},"layout":7},)";
  EXPECT_EQ(issuesOfText(R"("tensor_values":{)", R"("tensor_values":{)" + x),
            Issues{yes + ".tensor_values.x: 'x' is recorded twice"});
  EXPECT_EQ(issuesOfText(R"("sym_int_values":{)", R"("sym_int_values":{"x":{"as_int":3})"),
            Issues{yes + ".sym_int_values.x: 'x' is recorded twice"});
}

TEST(Pt2MalformedTest, Nodes) {
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0)["nodes"] = Json::object(); }),
            Issues{yes + ".nodes: expected a list of nodes, found an object"});
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0).erase("nodes"); })[0], yes + ": the graph has no 'nodes'");
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0)["nodes"].push_back(7); }),
            Issues{yes + ".nodes[1]: expected a node, which is an object, found a number"});
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0)["nodes"][0].erase("target"); }),
            Issues{yes + ".nodes[0]: the node has no 'target'"});
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0)["nodes"][0]["inputs"][0].erase("arg"); }),
            Issues{yes + ".nodes[0].inputs[0]: the argument has no 'arg'"});
  EXPECT_EQ(
      issuesAfter([](Json &p) { branch(p, 0)["nodes"][0]["inputs"][0]["arg"] = {{"as_tensor", {{"nam", "x"}}}}; }),
      Issues{yes + ".nodes[0].inputs[0].arg.as_tensor: expected a tensor, found an object without a 'name'"});
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0)["nodes"][0]["inputs"] = "x"; }),
            Issues{yes + ".nodes[0].inputs: expected a list of inputs, found a string"});
  // torch's verifier asks each node of a higher-order operator for a value.
  EXPECT_EQ(issuesAfter([](Json &p) {
              condNode(p)["outputs"] = Json::array();
              condNode(p)["target"] = "torch.ops.higher_order.strict_mode";
            })[0],
            graph + ".nodes[0]: a higher-order operator without outputs, which torch.export.load refuses");
  // A broken argument keeps its place.
  const auto models = readEdited([](Json &p) { condNode(p)["inputs"][0].erase("arg"); });
  ASSERT_TRUE(models);
  const Model &m = models->front();
  const NodeId cond = nodesOf(m, m.main())[0];
  ASSERT_EQ(m.attributes(cond).size(), 4u);
  EXPECT_EQ(m.attributes(cond)[0].kind, AttributeKind::Opaque);
  EXPECT_EQ(m.attributes(cond)[1].kind, AttributeKind::Region);
}

TEST(Pt2MalformedTest, Metadata) {
  const std::string cos = yes + ".tensor_values.cos";
  const auto after = [](const std::function<void(Json &)> &edit, auto kind) {
    return issuesAfter([&](Json &p) { edit(branch(p, 0)["tensor_values"]["cos"]); }, kind);
  };
  constexpr auto bad = FormatIssue::Kind::Malformed;
  constexpr auto note = FormatIssue::Kind::MalformedNote;
  EXPECT_EQ(after([](Json &t) { t["dtype"] = 999; }, note),
            Issues{cos + ".dtype: unknown scalar type 999, the value is untyped"});
  EXPECT_EQ(after([](Json &t) { t["dtype"] = 999; }, bad), Issues{});
  EXPECT_EQ(after([](Json &t) { t["dtype"] = 0; }, bad), Issues{cos + ".dtype: 0 is the number of no scalar type"});
  EXPECT_EQ(after(
                [](Json &t) {
                  t["dtype"] = 5;
                  t["requires_grad"] = true;
                },
                bad),
            Issues{cos + ": a tensor of int64 cannot require gradients"});
  EXPECT_EQ(after([](Json &t) { t["requires_grad"] = true; }, bad), Issues{});
  EXPECT_EQ(after([](Json &t) { t["device"]["index"] = -1; }, bad),
            Issues{cos + ".device.index: device number -1 is out of range"});
  EXPECT_EQ(after([](Json &t) { t["layout"] = 42; }, note), Issues{cos + ".layout: unknown layout 42"});
  EXPECT_EQ(after([](Json &t) { t["dtype"] = "f"; }, bad),
            Issues{cos + ".dtype: expected a scalar type's number, found a string"});
  EXPECT_EQ(after([](Json &t) { t["sizes"] = "[3]"; }, bad),
            Issues{cos + ".sizes: expected a list of sizes, found a string"});
  EXPECT_EQ(after([](Json &t) { t["sizes"][0] = 3; }, bad), Issues{cos + ".sizes[0]: expected a size, found a number"});
  EXPECT_EQ(after([](Json &t) { t["sizes"][0]["as_int"] = -3; }, bad),
            Issues{cos + ".sizes[0].as_int: expected a size, found -3, which is negative"});
  EXPECT_EQ(after([](Json &t) { t["sizes"][0]["as_int"] = 18446744073709551615u; }, bad),
            Issues{cos + ".sizes[0].as_int: expected a size, found a number beyond 64 bits"});
  EXPECT_EQ(after([](Json &t) { t["sizes"][0]["as_int"] = 1.5; }, bad),
            Issues{cos + ".sizes[0].as_int: expected a size, found a fraction"});
  EXPECT_EQ(after([](Json &t) { t["strides"] = Json::array(); }, bad),
            Issues{cos + ": 1 sizes and 0 strides, expected one stride a dimension"});
  EXPECT_EQ(after([](Json &t) { t["sizes"][0] = {{"as_expr", {{"expr_str", "Symbol('s0'"}}}}; }, bad),
            Issues{cos + ".sizes[0].as_expr.expr_str: the expression 'Symbol('s0'' cannot be read: expected ')' at "
                         "character 11"});
  EXPECT_EQ(after([](Json &t) { t["device"] = "cpu"; }, bad),
            Issues{cos + ".device: expected a device, found a string"});
  EXPECT_EQ(after([](Json &t) { t = 5; }, bad), Issues{cos + ": expected a tensor's metadata, found a number"});
  // What is said beside it holds, but no shape follows from sizes that do not fit the strides.
  const auto models = readEdited([](Json &p) { branch(p, 0)["tensor_values"]["cos"]["strides"] = Json::array(); });
  ASSERT_TRUE(models);
  const Model &m = models->front();
  const ValueId cosine = m.results(m.regions(nodesOf(m, m.main())[0])[0])[0];
  EXPECT_EQ(typeText(m, cosine), "float32");
  EXPECT_FALSE(m.types[m[cosine].recorded].hasStrides);
}

TEST(Pt2MalformedTest, ANodeThatStandsTwiceIsOneIssue) {
  const auto twice = [](bool two) {
    return issuesAfter(
        [two](Json &p) {
          Json &nodes = branch(p, 0)["nodes"];
          if (two)
            nodes[0]["outputs"].push_back({{"as_tensor", {{"name", "x"}}}});
          nodes.push_back(nodes[0]);
        },
        FormatIssue::Kind::Redefined);
  };
  EXPECT_EQ(twice(false).size(), 1u);
  EXPECT_EQ(twice(true).size(), 2u); // that 'x' is the parameter's name is a break of its own
}

TEST(Pt2MalformedTest, AResultThatIsDeclaredAsNoneKeepsItsName) {
  const auto originOf = [](const std::function<void(Json &)> &edit) {
    const auto models = readEdited(edit);
    EXPECT_TRUE(models);
    const Model &m = models->front();
    return m[m.results(m.regions(nodesOf(m, m.main())[0])[0])[0]].origin;
  };
  const auto none = [](Json &p) { branch(p, 0)["nodes"][0]["outputs"][0] = {{"as_none", true}}; };
  EXPECT_EQ(originOf(none), ValueOrigin::Result);
  // A name that no metadata stands for is undefined, and so is one that two results may be.
  EXPECT_EQ(originOf([&](Json &p) {
              none(p);
              branch(p, 0)["tensor_values"].erase("cos");
            }),
            ValueOrigin::Undefined);
  EXPECT_EQ(originOf([&](Json &p) {
              none(p);
              Json &node = branch(p, 0)["nodes"][0];
              node["name"] = "other";
              node["outputs"].push_back({{"as_none", true}});
            }),
            ValueOrigin::Undefined);
}

TEST(Pt2MalformedTest, MissingMetadata) {
  const auto models = readEdited([](Json &p) { branch(p, 0)["tensor_values"].erase("cos"); });
  ASSERT_TRUE(models);
  const Model &m = models->front();
  EXPECT_EQ(issuesOf(m), Issues{yes + ".nodes[0].outputs[0]: 'cos' is not in 'tensor_values'"});
  const ValueId cosine = m.results(m.regions(nodesOf(m, m.main())[0])[0])[0];
  EXPECT_EQ(m.issues[0].value, cosine);
  EXPECT_EQ(m.types[m[cosine].recorded].kind, ValueKind::Tensor);
}

TEST(Pt2MalformedTest, TorchDemandsKeysThatNothingFollowsFrom) {
  EXPECT_EQ(issuesAfter([](Json &p) { p.erase("opset_version"); }), Issues{": the program has no 'opset_version'"});
  EXPECT_EQ(issuesAfter([](Json &p) { p.erase("range_constraints"); }),
            Issues{": the program has no 'range_constraints'"});
  EXPECT_EQ(issuesAfter([](Json &p) { p["graph_module"].erase("module_call_graph"); }),
            Issues{"graph_module: the graph module has no 'module_call_graph'"});
  EXPECT_EQ(issuesAfter([](Json &p) { p["graph_module"].erase("signature"); }),
            Issues{"graph_module: the graph module has no 'signature'"});
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0)["nodes"][0].erase("metadata"); }),
            Issues{yes + ".nodes[0]: the node has no 'metadata'"});
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0).erase("sym_bool_values"); }),
            Issues{yes + ": the graph has no 'sym_bool_values'"});
  // Of a section that is not there nothing is missing.
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0).erase("tensor_values"); }),
            Issues{yes + ": the graph has no 'tensor_values'"});
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0)["tensor_values"]["cos"].erase("layout"); }),
            Issues{yes + ".tensor_values.cos: a tensor's metadata has no 'layout'"});
  EXPECT_EQ(issuesAfter([](Json &p) { branch(p, 0)["tensor_values"]["cos"]["device"].erase("type"); }),
            Issues{yes + ".tensor_values.cos.device: the device has no 'type'"});
}

TEST(Pt2MalformedTest, TheFirstCallIsThatOfTheProgram) {
  const auto calls = [](const std::function<void(Json &)> &edit) {
    return issuesAfter([&](Json &p) {
      Json &list = p["graph_module"]["module_call_graph"];
      edit(list);
    });
  };
  const std::string at = "graph_module.module_call_graph";
  EXPECT_EQ(calls([](Json &) {}), Issues{});
  EXPECT_EQ(calls([](Json &list) { list.push_back({{"fqn", "layer"}, {"signature", nullptr}}); }), Issues{});
  EXPECT_EQ(calls([](Json &list) { list = nullptr; }), Issues{at + ": expected a list of calls, found null"});
  EXPECT_EQ(calls([](Json &list) { list = Json::array(); }),
            Issues{at + ": the program itself is not among the calls of modules"});
  EXPECT_EQ(calls([](Json &list) { list.push_back(nullptr); }),
            Issues{at + "[1]: expected a call of a module, which is an object, found null"});
  EXPECT_EQ(calls([](Json &list) { list[0].erase("fqn"); }), Issues{at + "[0]: the call has no 'fqn'"});
  EXPECT_EQ(calls([](Json &list) { list[0]["fqn"] = "sub"; }),
            Issues{at + "[0].fqn: the first call is that of the program, which has no name, not of 'sub'"});
  EXPECT_EQ(calls([](Json &list) { list[0]["signature"] = nullptr; }),
            Issues{at + "[0]: the call of the program has no signature: nothing says how its inputs and outputs are "
                        "nested"});
  EXPECT_EQ(calls([](Json &list) { list[0]["signature"].erase("inputs"); }),
            Issues{at + "[0].signature: the signature of the call has no 'inputs'"});
  EXPECT_EQ(calls([](Json &list) { list[0]["signature"]["out_spec"] = "[1,"; }),
            Issues{at + "[0].signature.out_spec: expected how values are nested, as JSON in a string, found a string "
                        "that is none"});
}

const std::string program = "graph_module.module_call_graph[0].signature.";

/// The issues after \p edit of what \p key of the program's call says of how values are nested.
Issues afterNesting(const char *key, const std::function<void(Json &)> &edit) {
  return issuesAfter([&](Json &p) {
    Json &signature = p["graph_module"]["module_call_graph"][0]["signature"];
    Json spec = Json::parse(signature[key].get<std::string>());
    edit(spec);
    signature[key] = spec.dump();
  });
}

const Json leaf = {{"type", nullptr}, {"context", nullptr}, {"children_spec", Json::array()}};

TEST(Pt2MalformedTest, HowACallIsNestedIsWhatTorchReads) {
  const std::string none = program + "in_spec: expected how values are nested, as JSON in a string, found ";
  const auto after = [](const std::function<void(Json &)> &edit) { return afterNesting("in_spec", edit); };
  EXPECT_EQ(after([](Json &) {}), Issues{});
  EXPECT_EQ(after([](Json &s) { s = 3; }), Issues{none + "number, not a protocol's number and the nesting"});
  EXPECT_EQ(after([](Json &s) { s.push_back(1); }), Issues{none + "array, not a protocol's number and the nesting"});
  EXPECT_EQ(after([](Json &s) { s[0] = 9; }),
            Issues{program + "in_spec: values are nested by the protocol 9, of which torch knows 1 alone"});
  for (const char *key : {"type", "context", "children_spec"})
    EXPECT_EQ(after([&](Json &s) { s[1]["children_spec"][0].erase(key); }),
              Issues{none + "one that torch cannot read: a part has no '" + key + "'"});
  EXPECT_EQ(after([](Json &s) { s[1]["children_spec"][0]["children_spec"][0]["context"] = "x"; }),
            Issues{none + "one that torch cannot read: a part without a type holds something"});
  EXPECT_EQ(after([](Json &s) { s[1]["children_spec"][1]["context"] = "x"; }),
            Issues{none + "one that torch cannot read: the context of a builtins.dict is no JSON in a string"});
  EXPECT_EQ(after([](Json &s) { s[1]["children_spec"][1]["context"] = "[\"k\"]"; }),
            Issues{none + "one that torch cannot read: a builtins.dict of 1 keys holds 0 values"});
  // A type that a library registers has a context of its own form.
  EXPECT_EQ(after([](Json &s) {
              Json &given = s[1]["children_spec"][0]["children_spec"][0];
              given = {{"type", "my.Pair"}, {"context", 7}, {"children_spec", Json::array({leaf})}};
            }),
            Issues{});
  EXPECT_EQ(after([](Json &s) { s[1]["children_spec"][0]["type"] = "builtins.list"; }),
            Issues{program + "in_spec: what a call passes is not a tuple of a tuple and a dict: no call of the program "
                             "fits it"});
  EXPECT_EQ(afterNesting("out_spec",
                         [](Json &s) {
                           s[1] = {
                               {"type", "builtins.list"}, {"context", "null"}, {"children_spec", Json::array({leaf})}};
                         }),
            Issues{});
}

TEST(Pt2MalformedTest, EveryValueOfACallHasALeaf) {
  const auto leaves = [](std::string_view list, int has, int wants, std::string_view what) {
    return Issues{fmt::format("{}{}: values are nested with {} leaves, but the signature has {} user {}: torch runs no "
                              "call of the program",
                              program, list, has, wants, what)};
  };
  EXPECT_EQ(afterNesting("in_spec", [](Json &s) { s[1]["children_spec"][0]["children_spec"].push_back(leaf); }),
            leaves("in_spec", 3, 2, "inputs"));
  EXPECT_EQ(afterNesting("in_spec", [](Json &s) { s[1]["children_spec"][0]["children_spec"].erase(0); }),
            leaves("in_spec", 1, 2, "inputs"));
  EXPECT_EQ(afterNesting("out_spec",
                         [](Json &s) {
                           s[1] = Json(leaf);
                           s[1]["type"] = "builtins.list";
                           s[1]["context"] = "null";
                         }),
            leaves("out_spec", 0, 1, "outputs"));
}

TEST(Pt2MalformedTest, TheNamesOfACallFitIt) {
  const auto named = [](const Json &names) {
    return issuesAfter(
        [&](Json &p) { p["graph_module"]["module_call_graph"][0]["signature"]["forward_arg_names"] = names; });
  };
  const std::string at = program + "forward_arg_names";
  for (const Json &names : {Json(nullptr), Json::array(), Json{"a", "_b1"}, Json{"p", "match"}, Json{"p", "\u00e9"}})
    EXPECT_EQ(named(names), Issues{}) << names;
  EXPECT_EQ(named(Json{"p"}), Issues{at + ": 1 names for the 2 values that a call passes"});
  EXPECT_EQ(named(Json{"p", "x", "y"}), Issues{at + ": 3 names for the 2 values that a call passes"});
  EXPECT_EQ(named(Json{"p", "p"}), Issues{at + ": two parameters are named 'p'"});
  EXPECT_EQ(named(Json{1, 2}), Issues{at + "[0]: expected a name, found a number"});
  for (const std::string name : {"", "1x", "a b", "*x", "class", "None"})
    EXPECT_EQ(named(Json{"p", name}), Issues{at + "[1]: '" + name + "' is no name that Python takes for a parameter"});
  EXPECT_EQ(named(Json::object({{"p", 1}})),
            Issues{at + ": expected the names of what a call passes, a list, found an object"});
}

TEST(Pt2MalformedTest, WhatIsPassedByNameIsAmongTheLastNames) {
  const auto named = [](const Json &names) {
    return issuesAfter([&](Json &p) {
      Json &signature = p["graph_module"]["module_call_graph"][0]["signature"];
      Json spec = Json::parse(signature["in_spec"].get<std::string>());
      Json &both = spec[1]["children_spec"];
      both[0]["children_spec"].erase(1);
      both[1]["children_spec"].push_back(leaf);
      both[1]["context"] = "[\"x\"]";
      signature["in_spec"] = spec.dump();
      signature["forward_arg_names"] = names;
    });
  };
  EXPECT_EQ(named(Json{"p", "x"}), Issues{});
  EXPECT_EQ(named(nullptr), Issues{});
  const Issues amiss{program + "forward_arg_names: 'x' is passed by name, and is not among the names behind those of "
                               "the 1 values that come by position"};
  EXPECT_EQ(named(Json{"x", "p"}), amiss);
  EXPECT_EQ(named(Json{"p", "y"}), amiss);
}

TEST(Pt2MalformedTest, AnOffsetThatIsNoneIsReadByNobody) {
  const auto after = [](const Json &offset, FormatIssue::Kind kind) {
    return issuesAfter([&](Json &p) { branch(p, 0)["tensor_values"]["cos"]["storage_offset"]["as_int"] = offset; },
                       kind);
  };
  for (const Json &offset : {Json(-1), Json(1.5), Json(nullptr), Json(true), Json(18446744073709551615U)}) {
    EXPECT_EQ(after(offset, FormatIssue::Kind::Malformed), Issues{}) << offset;
    EXPECT_EQ(after(offset, FormatIssue::Kind::MalformedWarning).size(), 1u) << offset;
  }
  EXPECT_EQ(after(std::int64_t{1} << 62, FormatIssue::Kind::MalformedWarning), Issues{});
}

TEST(Pt2MalformedTest, ABranchReturnsATuple) {
  const auto single = [](const Json &value) {
    return issuesAfter([&](Json &p) { branch(p, 0)["is_single_tensor_return"] = value; });
  };
  EXPECT_EQ(single(false), Issues{});
  EXPECT_EQ(single(nullptr), Issues{});
  // Python asks whether it is true.
  for (const Json &value : {Json(true), Json("no")}) {
    const Issues got = single(value);
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].find("of which the conditional takes the first element"), std::string::npos) << got[0];
  }
}

TEST(Pt2MalformedTest, AnOffsetIsAPlainNumberInOldSchemasAlone) {
  const auto after = [](int major) {
    return issuesAfter([&](Json &p) {
      p["schema_version"]["major"] = major;
      branch(p, 0)["tensor_values"]["cos"]["storage_offset"] = 0;
    });
  };
  EXPECT_EQ(after(8), Issues{yes + ".tensor_values.cos.storage_offset: expected a storage offset, found a number"});
  EXPECT_EQ(after(4).size(), 1u); // its version is what is said of it
  // Nothing follows from it: what reads the value is not told that it lies elsewhere.
  const auto models = readEdited([](Json &p) { branch(p, 0)["tensor_values"]["cos"]["storage_offset"] = 3; });
  ASSERT_TRUE(models);
  const Model &m = models->front();
  const ValueId cosine = m.results(m.regions(nodesOf(m, m.main())[0])[0])[0];
  EXPECT_FALSE(m.types[m[cosine].recorded].storageOffset.known());
}

TEST(Pt2MalformedTest, ASpecNamesItsData) {
  const auto spec = [](Json given) {
    return issuesAfter([&](Json &p) { p["graph_module"]["signature"]["input_specs"][0] = std::move(given); });
  };
  const Issues none = spec({{"buffer", {{"arg", {{"name", "p"}}}, {"buffer_name", "b"}, {"persistent", true}}}});
  const std::string at = "graph_module.signature.input_specs[0].";
  Issues got = spec({{"buffer", {{"arg", {{"name", "p"}}}, {"buffer_name", "b"}}}});
  std::erase_if(got, [&](const std::string &i) { return std::ranges::find(none, i) != none.end(); });
  EXPECT_EQ(got, Issues{at + "buffer: the input spec has no 'persistent'"});
  got = spec({{"parameter", {{"arg", {{"name", "p"}}}}}});
  std::erase_if(got, [&](const std::string &i) { return std::ranges::find(none, i) != none.end(); });
  EXPECT_EQ(got, Issues{at + "parameter: the input spec has no 'parameter_name'"});
}

TEST(Pt2MalformedTest, WhatCouldNotBeReadIsSaidOnce) {
  for (const auto &edit : std::vector<std::function<void(Json &)>>{
           [](Json &p) { branch(p, 0)["inputs"][0] = nullptr; }, [](Json &p) { branch(p, 0).erase("inputs"); },
           [](Json &p) { branch(p, 0)["inputs"] = 3; }, [](Json &p) { branch(p, 0)["nodes"][0].erase("outputs"); },
           [](Json &p) { mainGraph(p)["inputs"] = nullptr; }, [](Json &p) { p["range_constraints"] = nullptr; }}) {
    const auto models = readEdited(edit);
    ASSERT_TRUE(models);
    const Model &m = models->front();
    EXPECT_EQ(issuesOf(m).size(), 1U) << issuesOf(m).back();
    // A name that may be the lost one is not called undefined.
    for (std::uint32_t i = 0; i < m.valueCount(); ++i)
      EXPECT_TRUE(m[ValueId(i)].origin != ValueOrigin::Undefined || !m[ValueId(i)].name) << m.name(ValueId(i));
  }
}

TEST(Pt2MalformedTest, GraphArguments) {
  const auto region = [](const std::function<void(Json &)> &edit) {
    const auto models = readEdited([&](Json &p) { edit(condNode(p)["inputs"][1]["arg"]); });
    EXPECT_TRUE(models);
    const Model &m = models->front();
    const NodeId cond = nodesOf(m, m.main())[0];
    EXPECT_EQ(m.attributes(cond)[1].kind, AttributeKind::Region);
    EXPECT_EQ(issuesOf(m).size(), 1u);
    EXPECT_TRUE(m.regions(cond)[1].valid());
    return m.regions(cond)[0].valid();
  };
  EXPECT_FALSE(region([](Json &a) { a["as_graph"] = "x"; }));
  EXPECT_FALSE(region([](Json &a) { a["as_graph"] = Json::object(); }));
  EXPECT_FALSE(region([](Json &a) { a["as_graph"]["graph"] = 3; }));
  EXPECT_FALSE(region([](Json &a) { a["as_graph"]["graph"] = Json::object(); }));
  EXPECT_TRUE(region([](Json &a) { a["as_graph"]["graph"]["nodes"] = 3; }));
}

TEST(Pt2MalformedTest, ValueUndefined) {
  const auto undefined = [](const std::function<void(Json &)> &edit) {
    const auto models = readEdited(edit);
    EXPECT_TRUE(models);
    const Model &m = models->front();
    EXPECT_EQ(issuesOf(m), Issues{});
    std::size_t uses = 0;
    for (std::uint32_t n = 0; n < m.nodeCount(); ++n)
      for (const ValueId v : m.operands(NodeId(n)))
        uses += v && m[v].origin == ValueOrigin::Undefined;
    return uses;
  };
  const auto operand = [](Json &p, const char *name) {
    branch(p, 0)["nodes"][0]["inputs"][0]["arg"]["as_tensor"]["name"] = name;
  };
  EXPECT_EQ(undefined([&](Json &p) { operand(p, "nowhere"); }), 1u);
  EXPECT_EQ(undefined([&](Json &p) { operand(p, "x"); }), 0u);
  // A name of the graph around is no name of the branch, but one can say whose it is.
  const auto models = readEdited([&](Json &p) { operand(p, "p"); });
  ASSERT_TRUE(models);
  const Model &m = models->front();
  const NodeId cos = nodesOf(m, m.regions(nodesOf(m, m.main())[0])[0])[0];
  EXPECT_EQ(m.operands(cos)[0], parameter(m, m.main(), 0));
}

TEST(Pt2MalformedTest, ValueUndefinedTwiceAndBeforeItsDefinition) {
  const auto twice = issuesAfter([](Json &p) { branch(p, 0)["nodes"].push_back(branch(p, 0)["nodes"][0]); },
                                 FormatIssue::Kind::Redefined);
  EXPECT_EQ(twice, Issues{yes + ".nodes[1]: 'cos' is defined twice in its graph"});
  const auto models = readEdited([](Json &p) {
    auto &nodes = branch(p, 0)["nodes"];
    auto first = nodes[0];
    first["inputs"][0]["arg"]["as_tensor"]["name"] = "cos";
    first["outputs"][0]["as_tensor"]["name"] = "early";
    branch(p, 0)["tensor_values"]["early"] = branch(p, 0)["tensor_values"]["cos"];
    nodes.insert(nodes.begin(), first);
  });
  ASSERT_TRUE(models);
  const Model &m = models->front();
  const auto nodes = nodesOf(m, m.regions(nodesOf(m, m.main())[0])[0]);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(m.operands(nodes[0])[0], m.result(nodes[1], 0));
}

TEST(Pt2MalformedTest, Signature) {
  EXPECT_EQ(issuesAfter([](Json &p) { p["graph_module"]["signature"]["input_specs"].erase(0); }),
            Issues{"graph_module.signature: 1 input specs, but the graph has 2 inputs"});
  EXPECT_EQ(issuesAfter([](Json &p) {
              p["graph_module"]["signature"]["input_specs"][0] = {
                  {"parameter", {{"arg", {{"name", "w"}}}, {"parameter_name", "w"}}}};
            }),
            Issues{"graph_module.signature.input_specs[0].parameter: 'w' is no input of the graph"});
}

TEST(Pt2MalformedTest, SpecsAreOfTheValuesInTheirPlace) {
  const auto specs = [](Json &p, const char *list) -> Json & { return p["graph_module"]["signature"][list]; };
  EXPECT_EQ(issuesAfter([&](Json &p) { std::swap(specs(p, "input_specs")[0], specs(p, "input_specs")[1]); }).size(),
            1u);
  EXPECT_EQ(issuesAfter([&](Json &p) {
              specs(p, "output_specs")[0]["user_output"]["arg"]["as_tensor"]["name"] = "other";
            }).size(),
            1u);
  // There is no record of the buffer, and a call passes and returns what it did before.
  const auto specIssues = [](const std::function<void(Json &)> &edit) {
    Issues all = issuesAfter(edit);
    std::erase_if(all, [](const std::string &issue) {
      return issue.starts_with(": the record") || issue.starts_with("m/data: no record is named for") ||
             issue.starts_with(program + "in_spec") || issue.starts_with(program + "out_spec");
    });
    return all;
  };
  const auto writesBack = [&](Json &p, const char *target) {
    Json back;
    back["buffer_mutation"] = {{"arg", specs(p, "output_specs")[0]["user_output"]["arg"]["as_tensor"]},
                               {"buffer_name", target}};
    specs(p, "output_specs")[0] = back;
    const Json arg = specs(p, "input_specs")[0]["user_input"]["arg"]["as_tensor"];
    specs(p, "input_specs")[0] = {{"buffer", {{"arg", arg}, {"buffer_name", "b"}, {"persistent", true}}}};
  };
  EXPECT_EQ(specIssues([&](Json &p) {
              writesBack(p, "b");
              specs(p, "output_specs")[0]["buffer_mutation"]["arg"]["name"] = "other";
            }),
            Issues{"graph_module.signature.output_specs[0]: the spec is for 'other', which is not among what the graph "
                   "returns to be written back"});
  EXPECT_EQ(specIssues([&](Json &p) { writesBack(p, "b"); }), Issues{});
  EXPECT_EQ(
      specIssues([&](Json &p) { writesBack(p, "nope"); }),
      Issues{
          "graph_module.signature.output_specs[0]: buffer_mutation is written back to 'nope', which no input is for"});
  EXPECT_EQ(
      specIssues([&](Json &p) {
        writesBack(p, "b");
        specs(p, "input_specs")[0]["buffer"]["persistent"] = nullptr;
      }),
      Issues{"graph_module.signature.input_specs[0].buffer.persistent: expected whether the buffer is persistent, "
             "true or false, found null"});
}

TEST(Pt2MalformedTest, KindsThatNoSchemaHas) {
  const auto widget = [](Json &p) {
    Json &spec = p["graph_module"]["signature"]["input_specs"][0];
    spec = {{"widget_input", spec["user_input"]}};
  };
  EXPECT_EQ(issuesAfter(widget),
            Issues{"graph_module.signature.input_specs[0].widget_input: 'widget_input' is no kind of input"});
  EXPECT_EQ(issuesAfter([](Json &p) { condNode(p)["inputs"][0]["arg"] = {{"as_quaternion", 1}}; }).size(), 1u);
  for (const Json &value : {Json{{"as_scalar_type", 0}}, Json{{"as_scalar_type", 99}}, Json{{"as_layout", 0}},
                            Json{{"as_layout", 9}}, Json{{"as_memory_format", 0}}, Json{{"as_memory_format", 5}}})
    EXPECT_EQ(issuesAfter([&](Json &p) { condNode(p)["inputs"][0]["arg"] = value; }).size(), 1u) << value;
  for (const Json &value : {Json{{"as_scalar_type", 35}}, Json{{"as_layout", 7}}, Json{{"as_memory_format", 4}}})
    EXPECT_EQ(issuesAfter([&](Json &p) { condNode(p)["inputs"][0]["arg"] = value; }), Issues{}) << value;
  // A later minor version may have it.
  EXPECT_EQ(issuesAfter([&](Json &p) {
              widget(p);
              branch(p, 0)["tensor_values"]["cos"]["dtype"] = 0;
              p["schema_version"]["minor"] = 99;
            }),
            Issues{});
}

TEST(Pt2MalformedTest, RangeConstraints) {
  const auto bounds = [](const Json &range) {
    const auto models = readEdited([&](Json &p) {
      const Json size = {{"as_expr", {{"expr_str", "Symbol('s0', integer=True)"}, {"hint", nullptr}}}};
      mainGraph(p)["tensor_values"]["x"]["sizes"][0] = size;
      p["range_constraints"] = {{"s0", range}, {"unused", {{"min_val", 1}, {"max_val", nullptr}}}};
    });
    EXPECT_TRUE(models);
    const Model &m = models->front();
    const auto parts = m.dims.symbolsOf(m.types[m[parameter(m, m.main(), 1)].recorded].dims[0]);
    EXPECT_EQ(parts.size(), 1u);
    return parts.empty() ? Interval{1, 0} : parts[0].bounds;
  };
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(bounds({{"min_val", 2}, {"max_val", 9}}), (Interval{0, 9}));
  EXPECT_EQ(bounds({{"min_val", 2}, {"max_val", nullptr}}), (Interval{0, most}));
  EXPECT_EQ(bounds({{"min_val", nullptr}, {"max_val", 9}}), (Interval{0, 9}));
  EXPECT_EQ(bounds(Json::object()), (Interval{0, most}));
  EXPECT_EQ(issuesAfter([](Json &p) { p["range_constraints"]["s0"] = {{"min_val", 3}, {"max_val", 2}}; }),
            Issues{"range_constraints.s0: the range of 's0' is empty: from 3 to 2"});
}

TEST(Pt2MalformedTest, TheSizeOfTheExportIsInItsRange) {
  const auto exported = [](const char *symbol, int size, int other) {
    return issuesAfter([&](Json &p) {
      const auto meta = [&](int hint) -> Json {
        const std::string text = fmt::format("Symbol('{}', integer=True)", symbol);
        return {{"as_expr", {{"expr_str", text}, {"hint", {{"as_int", hint}}}}}};
      };
      Json &values = mainGraph(p)["tensor_values"];
      values["x"]["sizes"] = {meta(size), meta(other)};
      values["x"]["strides"] = {values["x"]["strides"][0], values["x"]["strides"][0]};
      p["range_constraints"][symbol] = {{"min_val", 20}, {"max_val", 30}};
    });
  };
  EXPECT_EQ(exported("s0", 20, 30), Issues{});
  EXPECT_EQ(exported("s0", 3, 3),
            Issues{"range_constraints.s0: 's0' was 3 when the model was exported, but its range begins at 20"});
  EXPECT_EQ(exported("s0", 31, 40),
            Issues{"range_constraints.s0: 's0' was 31 when the model was exported, but its range ends at 30"});
  // Which of two is held against the range nobody knows here; what data decides had no size.
  EXPECT_EQ(exported("s0", 3, 25), Issues{});
  EXPECT_EQ(exported("u0", 3, 3), Issues{});
}

TEST(Pt2MalformedTest, AGraphYieldsValuesOneByOne) {
  const auto yields = [](const Json &output) {
    return issuesAfter([&](Json &p) { branch(p, 0)["outputs"][0] = output; });
  };
  const std::string name = "cos";
  EXPECT_EQ(yields({{"as_tensor", {{"name", name}}}}), Issues{});
  EXPECT_EQ(yields({{"as_tensors", Json::array({Json{{"name", name}}})}}),
            Issues{yes + ".outputs[0].as_tensors: a graph yields values, one by one, not 'as_tensors'"});
  EXPECT_EQ(
      yields({{"as_optional_tensor", Json{{"as_tensor", {{"name", name}}}}}}),
      Issues{yes + ".outputs[0].as_optional_tensor: a graph yields values, one by one, not 'as_optional_tensor'"});
  EXPECT_EQ(yields({{"as_int", 5}}), Issues{});
}

TEST(Pt2MalformedTest, AnOpenSizeHasARange) {
  const auto sized = [](const std::string &symbol, bool declared) {
    return issuesAfter([&](Json &p) {
      const Json size = {{"as_expr", {{"expr_str", "Symbol('" + symbol + "', integer=True)"}, {"hint", nullptr}}}};
      mainGraph(p)["tensor_values"]["x"]["sizes"][0] = size;
      if (declared)
        p["range_constraints"][symbol] = {{"min_val", 0}, {"max_val", nullptr}};
    });
  };
  EXPECT_EQ(sized("u7", true), Issues{});
  EXPECT_EQ(sized("s7", false), Issues{}); // a size of an input is at least 0
  EXPECT_EQ(sized("u7", false), Issues{"range_constraints: no range is given for 'u7', which is the size of a tensor"});
  // A number that no tensor is made of is loaded without a range.
  EXPECT_EQ(issuesAfter([](Json &p) {
              mainGraph(p)["sym_int_values"]["n"] = {
                  {"as_expr", {{"expr_str", "Symbol('u7', integer=True)"}, {"hint", nullptr}}}};
            }),
            Issues{});
}

/// A program whose branches nest \p depth deep.
std::string nested(std::size_t depth) {
  const std::string whole = condProgram().dump();
  const std::string inner = condProgram()["graph_module"]["graph"].dump();
  Json p = condProgram();
  branch(p, 0) = "HERE";
  const std::string shell = p["graph_module"]["graph"].dump();
  const std::size_t at = shell.find("\"HERE\"");
  std::string text = whole.substr(0, whole.find(inner));
  for (std::size_t i = 0; i < depth; ++i)
    text += shell.substr(0, at);
  text += inner;
  for (std::size_t i = 0; i < depth; ++i)
    text += shell.substr(at + 6);
  return text + whole.substr(whole.find(inner) + inner.size());
}

TEST(Pt2MalformedTest, NestingIsBounded) {
  const auto some = readJsonText(nested(100));
  ASSERT_TRUE(some) << some.error().str();
  EXPECT_TRUE(some->front().issues.empty());
  EXPECT_EQ(some->front().graphCount(), 2 * 101u + 1);
  const auto many = readJsonText(nested(3000));
  ASSERT_TRUE(many) << many.error().str();
  const Model &m = many->front();
  std::size_t tooDeep = 0;
  for (const FormatIssue &i : m.issues)
    tooDeep += i.kind == FormatIssue::Kind::TooDeep;
  EXPECT_EQ(tooDeep, 2u);
  std::uint32_t deepest = 0;
  for (std::uint32_t g = 0; g < m.graphCount(); ++g) {
    deepest = std::max(deepest, m[GraphId(g)].depth);
    EXPECT_EQ(m[GraphId(g)].tooDeep, m[GraphId(g)].depth > 256);
  }
  EXPECT_EQ(deepest, 257u);
}

TEST(Pt2MalformedTest, ArgumentsInArgumentsAreBounded) {
  const auto models = readEdited([](Json &p) {
    Json a = {{"as_int", 1}};
    for (int i = 0; i < 500; ++i)
      a = {{"as_string_to_argument", {{"k", a}}}};
    branch(p, 0)["nodes"][0]["inputs"][0]["arg"] = a;
  });
  ASSERT_TRUE(models) << models.error().str();
  EXPECT_EQ(issuesOf(models->front()).size(), 1u);
}

TEST(Pt2MalformedTest, IssuesAreBounded) {
  const auto models = readEdited([](Json &p) {
    for (int i = 0; i < 5000; ++i)
      branch(p, 0)["nodes"].push_back(i);
  });
  ASSERT_TRUE(models) << models.error().str();
  EXPECT_EQ(models->front().issues.size(), 1001u);
  EXPECT_NE(models->front().issues.back().message.find("not listed"), std::string::npos);
}

TEST(Pt2MalformedTest, EveryValueReplacedByEveryOther) {
  // Structure-aware: whatever stands anywhere, the rest is read or refused.
  const Json original = condProgram();
  const Json flat = original.flatten();
  const std::vector<Json> others{nullptr,
                                 true,
                                 -1,
                                 1.5,
                                 "s",
                                 Json::array(),
                                 Json::object(),
                                 Json::array({1}),
                                 Json{{"as_graph", Json{{"graph", Json::object()}}}}};
  std::size_t count = 0;
  for (const auto &[pointer, value] : flat.items()) {
    std::string path = pointer;
    // The value itself and what holds it.
    for (int up = 0; up < 3 && !path.empty(); ++up) {
      for (const Json &other : others) {
        if (++count % 7 != 0)
          continue;
        Json p = original;
        p[Json::json_pointer(path)] = other;
        const auto models = readJsonText(p.dump());
        EXPECT_TRUE(models) << path;
      }
      path.resize(path.rfind('/'));
    }
  }
}

} // namespace
} // namespace condlint::test
