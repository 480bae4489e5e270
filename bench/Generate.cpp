//===- Generate.cpp - Models for benchmarks -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Generate.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>
#include <string_view>
#include <vector>
#include <zip.h>

namespace condlint::bench {

namespace {

using Writer = protozero::pbf_writer;

// Field numbers of onnx.proto.
enum ModelField : unsigned { IrVersion = 1, Producer = 2, MainGraph = 7, OpsetImport = 8 };
enum GraphField : unsigned { GraphNode = 1, GraphName = 2, Initializer = 5, GraphInput = 11, GraphOutput = 12 };
enum NodeField : unsigned { NodeInput = 1, NodeOutput = 2, NodeName = 3, OpType = 4, NodeAttribute = 5 };
enum AttributeField : unsigned { AttrName = 1, AttrInt = 3, AttrGraph = 6, AttrInts = 8, AttrType = 20 };

constexpr std::int64_t width = 64;

void addNode(Writer &graph, std::string_view type, std::string_view name,
             std::initializer_list<std::string_view> inputs, std::string_view output) {
  Writer node(graph, GraphNode);
  for (std::string_view input : inputs)
    node.add_string(NodeInput, input.data(), input.size());
  node.add_string(NodeOutput, output.data(), output.size());
  node.add_string(NodeName, name.data(), name.size());
  node.add_string(OpType, type.data(), type.size());
}

void addValue(Writer &graph, unsigned field, std::string_view name, std::int32_t elementType,
              std::initializer_list<std::int64_t> dims, std::string_view firstDim = {}) {
  Writer value(graph, field);
  value.add_string(1, name.data(), name.size());
  Writer type(value, 2);
  Writer tensor(type, 1);
  tensor.add_int32(1, elementType);
  Writer shape(tensor, 2);
  bool first = true;
  for (std::int64_t d : dims) {
    Writer dim(shape, 1);
    if (first && !firstDim.empty())
      dim.add_string(2, firstDim.data(), firstDim.size());
    else
      dim.add_int64(1, d);
    first = false;
  }
}

void addFloatTensor(Writer &graph, std::string_view name, std::initializer_list<std::int64_t> dims,
                    std::string_view raw) {
  Writer tensor(graph, Initializer);
  for (std::int64_t d : dims)
    tensor.add_int64(1, d);
  tensor.add_int32(2, 1);
  tensor.add_string(8, name.data(), name.size());
  tensor.add_bytes(9, raw.data(), raw.size());
}

constexpr std::string_view unary[] = {"Relu", "Sigmoid", "Neg", "Tanh", "Abs"};

std::string branch(std::string_view name, std::string_view captured, std::size_t id, bool then) {
  std::string bytes;
  Writer graph(bytes);
  std::string previous(captured);
  for (std::size_t i = 0; i < 10; ++i) {
    const std::string out = fmt::format("b{}_{}{}", id, then ? 't' : 'e', i);
    const bool add = i % 3 == 2;
    if (add)
      addNode(graph, "Add", fmt::format("n_{}", out), {previous, captured}, out);
    else
      addNode(graph, unary[(i + (then ? 0 : 2)) % std::size(unary)], fmt::format("n_{}", out), {previous}, out);
    previous = out;
  }
  graph.add_string(GraphName, name.data(), name.size());
  addValue(graph, GraphOutput, previous, 1, {0, width}, "N");
  return bytes;
}

void addBranch(Writer &node, std::string_view attribute, const std::string &graph) {
  Writer attr(node, NodeAttribute);
  attr.add_string(AttrName, attribute.data(), attribute.size());
  attr.add_message(AttrGraph, graph);
  attr.add_int32(AttrType, 5);
}

void addPredicate(Writer &graph, std::size_t id, std::string_view input, std::string_view output) {
  const std::string sum = fmt::format("s{}", id);
  {
    Writer node(graph, GraphNode);
    node.add_string(NodeInput, input.data(), input.size());
    node.add_string(NodeOutput, sum);
    node.add_string(NodeName, fmt::format("sum{}", id));
    node.add_string(OpType, "ReduceSum");
    Writer attr(node, NodeAttribute);
    attr.add_string(AttrName, "keepdims");
    attr.add_int64(AttrInt, 0);
    attr.add_int32(AttrType, 2);
  }
  addNode(graph, "Greater", fmt::format("gt{}", id), {sum, "zero"}, output);
}

} // namespace

std::string generateOnnx(const OnnxShape &shape) {
  std::string bytes;
  Writer model(bytes);
  model.add_int64(IrVersion, 8);
  model.add_string(Producer, "condlint-bench");
  {
    Writer graph(model, MainGraph);
    constexpr std::size_t nodesOfIf = 23; // the If, its predicate, two branches
    const std::size_t plain = shape.nodes > shape.ifs * nodesOfIf ? shape.nodes - shape.ifs * nodesOfIf : 0;
    const std::size_t between = shape.ifs == 0 ? plain : plain / shape.ifs;
    std::string previous = "x";
    std::size_t next = 0;
    const auto chain = [&](std::size_t count) {
      for (std::size_t i = 0; i < count; ++i, ++next) {
        const std::string out = fmt::format("v{}", next);
        const std::string name = fmt::format("node_{}", next);
        if (next % 20 == 19)
          addNode(graph, "MatMul", name, {previous, "w"}, out);
        else if (next % 4 == 3)
          addNode(graph, "Add", name, {previous, "bias"}, out);
        else
          addNode(graph, unary[next % std::size(unary)], name, {previous}, out);
        previous = out;
      }
    };
    for (std::size_t i = 0; i < shape.ifs; ++i) {
      chain(between);
      const std::string predicate = fmt::format("p{}", i);
      addPredicate(graph, i, previous, predicate);
      const std::string out = fmt::format("if_out{}", i);
      {
        Writer node(graph, GraphNode);
        node.add_string(NodeInput, predicate);
        node.add_string(NodeOutput, out);
        node.add_string(NodeName, fmt::format("if_{}", i));
        node.add_string(OpType, "If");
        addBranch(node, "then_branch", branch("then", previous, i, true));
        addBranch(node, "else_branch", branch("else", previous, i, false));
      }
      previous = out;
    }
    if (shape.ifs == 0)
      chain(between);
    graph.add_string(GraphName, "main");
    addFloatTensor(graph, "w", {width, width}, std::string(static_cast<std::size_t>(width * width) * 4, '\0'));
    addFloatTensor(graph, "bias", {width}, std::string(static_cast<std::size_t>(width) * 4, '\0'));
    addFloatTensor(graph, "zero", {}, std::string(4, '\0'));
    addValue(graph, GraphInput, "x", 1, {0, width}, "N");
    addValue(graph, GraphOutput, previous, 1, {0, width}, "N");
    if (shape.weightBytes != 0) {
      const std::uint64_t rows = shape.weightBytes / (4 * static_cast<std::uint64_t>(width));
      addFloatTensor(graph, "unused_weights", {static_cast<std::int64_t>(rows), width},
                     std::string(static_cast<std::size_t>(rows) * width * 4, '\0'));
    }
  }
  Writer opset(model, OpsetImport);
  opset.add_string(1, "");
  opset.add_int64(2, 17);
  return bytes;
}

namespace {

using Json = nlohmann::ordered_json;

Json tensorMeta() {
  const Json rows = {
      {"as_expr", {{"expr_str", "Symbol('s77', positive=True, integer=True)"}, {"hint", {{"as_int", 4}}}}}};
  return {{"dtype", 7},
          {"sizes", Json::array({rows, {{"as_int", width}}})},
          {"requires_grad", false},
          {"device", {{"type", "cpu"}, {"index", nullptr}}},
          {"strides", Json::array({{{"as_int", width}}, {{"as_int", 1}}})},
          {"storage_offset", {{"as_int", 0}}},
          {"layout", 7}};
}

Json predicateMeta() {
  Json meta = tensorMeta();
  meta["dtype"] = 12;
  meta["sizes"] = Json::array();
  meta["strides"] = Json::array();
  return meta;
}

Json tensorArgument(const std::string &name) { return {{"as_tensor", {{"name", name}}}}; }
Json positional(const std::string &name, Json argument) {
  return {{"name", name}, {"arg", std::move(argument)}, {"kind", 1}};
}

/// What an exporter records of a node: most of a real file's bytes.
Json nodeMetadata(std::size_t id) {
  return {
      {"stack_trace",
       fmt::format("File \"models/generated.py\", line {0}, in forward\n    x = torch.relu(self.layers[{0}](x))\n"
                   "  File \"/usr/lib/python3/dist-packages/torch/nn/modules/module.py\", line 1776, in _call_impl\n"
                   "    return forward_call(*args, **kwargs)\n"
                   "  File \"/usr/lib/python3/dist-packages/torch/nn/modules/activation.py\", line 133, in forward\n"
                   "    return F.relu(input, inplace=self.inplace)",
                   id)},
      {"nn_module_stack", fmt::format("L__self__,,__main__.Model;L__self__layers.{0},layers.{0},"
                                      "torch.nn.modules.activation.ReLU",
                                      id)},
      {"torch_fn", fmt::format("relu_{};builtin_function_or_method.relu", id)}};
}

Json torchNode(std::size_t id, std::string_view op, const std::string &in, const std::string &out) {
  return {{"target", fmt::format("torch.ops.aten.{}.default", op)},
          {"inputs", Json::array({positional("self", tensorArgument(in))})},
          {"outputs", Json::array({tensorArgument(out)})},
          {"metadata", nodeMetadata(id)},
          {"is_hop_single_tensor_return", nullptr},
          {"name", out}};
}

Json torchGraph(Json inputs, Json outputs, Json nodes, Json values) {
  return {{"inputs", std::move(inputs)},       {"outputs", std::move(outputs)},
          {"nodes", std::move(nodes)},         {"tensor_values", std::move(values)},
          {"sym_int_values", Json::object()},  {"sym_bool_values", Json::object()},
          {"is_single_tensor_return", false},  {"custom_obj_values", Json::object()},
          {"sym_float_values", Json::object()}};
}

Json torchBranch(std::size_t id, std::string_view op, std::string_view side) {
  const std::string name = fmt::format("h{}", id);
  return {{"as_graph",
           {{"name", fmt::format("{}_graph_{}", side, id)},
            {"graph",
             torchGraph(Json::array({tensorArgument("a")}), Json::array({tensorArgument(name)}),
                        Json::array({torchNode(id, op, "a", name)}), {{"a", tensorMeta()}, {name, tensorMeta()}})}}}};
}

Json torchCond(std::size_t id, const std::string &in, const std::string &out) {
  return {{"target", "torch.ops.higher_order.cond"},
          {"inputs", Json::array({positional("", tensorArgument("p")), positional("", torchBranch(id, "cos", "true")),
                                  positional("", torchBranch(id, "sin", "false")),
                                  positional("", {{"as_tensors", Json::array({{{"name", in}}})}})})},
          {"outputs", Json::array({tensorArgument(out)})},
          {"metadata", nodeMetadata(id)},
          {"is_hop_single_tensor_return", false},
          {"name", fmt::format("cond_{}", id)}};
}

} // namespace

std::string generatePt2Json(std::size_t jsonBytes) {
  constexpr std::string_view ops[] = {"relu", "cos", "sigmoid", "neg", "tanh"};
  Json nodes = Json::array();
  // A plain object sorts its keys, which an ordered one of this size cannot afford.
  nlohmann::json values = {{"x", tensorMeta()}, {"p", predicateMeta()}};
  std::string previous = "x";
  const std::size_t perNode = torchNode(1000, "relu", "n1000", "n1000").dump().size() + tensorMeta().dump().size();
  for (std::size_t id = 0; id * perNode < jsonBytes; ++id) {
    const std::string out = fmt::format("n{}", id);
    nodes.push_back(id % 100 == 99 ? torchCond(id, previous, out)
                                   : torchNode(id, ops[id % std::size(ops)], previous, out));
    values[out] = tensorMeta();
    previous = out;
  }
  const auto userInput = [](const char *name) { return Json{{"user_input", {{"arg", tensorArgument(name)}}}}; };
  // How its inputs and its result are nested, as torch writes trees: ((x, p), {}) and one tensor.
  const auto tree = [](const char *type, const char *context, Json children) {
    return Json{{"type", type}, {"context", context}, {"children_spec", std::move(children)}};
  };
  const Json leaf = {{"type", nullptr}, {"context", nullptr}, {"children_spec", Json::array()}};
  const Json inputs = tree("builtins.tuple", "null",
                           Json::array({tree("builtins.tuple", "null", Json::array({leaf, leaf})),
                                        tree("builtins.dict", "[]", Json::array())}));
  const Json call = {{"fqn", ""},
                     {"signature",
                      {{"inputs", Json::array()},
                       {"outputs", Json::array()},
                       {"in_spec", Json::array({1, inputs}).dump()},
                       {"out_spec", Json::array({1, leaf}).dump()},
                       {"forward_arg_names", Json::array({"x", "p"})}}}};
  Json model = {{"graph_module",
                 {{"graph", torchGraph(Json::array({tensorArgument("x"), tensorArgument("p")}),
                                       Json::array({tensorArgument(previous)}), std::move(nodes), std::move(values))},
                  {"signature",
                   {{"input_specs", Json::array({userInput("x"), userInput("p")})},
                    {"output_specs", Json::array({{{"user_output", {{"arg", tensorArgument(previous)}}}}})}}},
                  {"module_call_graph", Json::array({call})},
                  {"metadata", Json::object()},
                  {"treespec_namedtuple_fields", Json::object()}}},
                {"opset_version", {{"aten", 10}}},
                {"range_constraints", {{"s77", {{"min_val", 2}, {"max_val", 1024}}}}},
                {"schema_version", {{"major", 8}, {"minor", 20}}},
                {"verifiers", Json::array({"TRAINING"})},
                {"torch_version", "2.13.0+cpu"},
                {"guards_code", Json::array()}};
  return model.dump();
}

std::string generatePt2(std::size_t jsonBytes) {
  const std::string json = generatePt2Json(jsonBytes);
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(buffer);
  zip_t *archive = zip_open_from_source(buffer, ZIP_TRUNCATE, &error);
  const auto add = [&](const char *name, std::string_view text) {
    zip_source_t *data = zip_source_buffer(archive, text.data(), text.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name, data, ZIP_FL_ENC_UTF_8);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
  };
  add("generated/archive_format", "pt2");
  add("generated/archive_version", "0");
  add("generated/byteorder", "little");
  add("generated/version", "6\n");
  add("generated/.data/version", "6\n");
  add("generated/data/weights/model_weights_config.json", R"({"config": {}})");
  add("generated/data/constants/model_constants_config.json", R"({"config": {}})");
  add("generated/data/sample_inputs/model.pt", {});
  add("generated/models/model.json", json);
  zip_close(archive);
  std::string out;
  if (zip_source_open(buffer) == 0) {
    zip_source_seek(buffer, 0, SEEK_END);
    out.resize(static_cast<std::size_t>(zip_source_tell(buffer)));
    zip_source_seek(buffer, 0, SEEK_SET);
    zip_source_read(buffer, out.data(), out.size());
    zip_source_close(buffer);
  }
  zip_source_free(buffer);
  return out;
}

std::string generateNetwork(std::size_t calls) {
  std::string out = "#include <NvInfer.h>\n\nusing namespace nvinfer1;\n\n"
                    "void build(INetworkDefinition &network) {\n"
                    "  ITensor *p = network.addInput(\"p\", DataType::kBOOL, Dims{0, {}});\n"
                    "  ITensor *x = network.addInput(\"x\", DataType::kFLOAT, Dims2{-1, 64});\n";
  constexpr std::size_t period = 100;
  constexpr std::size_t inConditional = 9; // addIfConditional, addInput, addOutput, three layers a branch
  for (std::size_t made = 2; made < calls; made += period) {
    for (std::size_t i = inConditional; i < period; i += 2)
      out += "  x = network.addUnary(*x, UnaryOperation::kABS)->getOutput(0);\n"
             "  x = network.addElementWise(*x, *x, ElementWiseOperation::kSUM)->getOutput(0);\n";
    out += "  {\n"
           "    IIfConditional *choice = network.addIfConditional();\n"
           "    choice->setCondition(*p);\n"
           "    ITensor *in = choice->addInput(*x)->getOutput(0);\n";
    for (const char *side : {"a", "b"})
      out += fmt::format("    ITensor *{0} = network.addActivation(*in, ActivationType::kTANH)->getOutput(0);\n"
                         "    {0} = network.addUnary(*{0}, UnaryOperation::kEXP)->getOutput(0);\n"
                         "    {0} = network.addElementWise(*{0}, *in, ElementWiseOperation::kPROD)->getOutput(0);\n",
                         side);
    out += "    x = choice->addOutput(*a, *b)->getOutput(0);\n  }\n";
  }
  return out + "  network.markOutput(*x);\n}\n";
}

} // namespace condlint::bench
