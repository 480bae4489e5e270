//===- Functional.cpp - torch::nn::functional, and modules like it --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of torch::nn::functional is an operator of ATen whose arguments are
// in part those of the function and in part options; a module without parameters
// is the function with the options that it was made with.
//
//===----------------------------------------------------------------------===//

#include "TorchDomain.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

namespace {

/// An argument of an operator: the function's argument of that number ("0"), or an option.
struct OperatorArgument {
  std::string_view name; ///< in the schema
  char type = 0;         ///< as in AtenParameter; R: a reduction, P: sizes of a padding
  std::string_view from;
  std::string_view otherwise = {}; ///< what it is where it is not given, if the schema has no default for that
};

/// Functions by their names without underscores, in small letters, as modules are called too; #: 1, 2 or 3.
struct FunctionRow {
  std::string_view function, aten;
  std::string_view constructed; ///< the option that the options' constructor takes
  std::array<OperatorArgument, 9> arguments;
};

constexpr std::array functions{
    FunctionRow{"conv#d",
                "conv#d",
                "",
                {{{"input", 'T', "0"},
                  {"weight", 'T', "1"},
                  {"bias", 't', "bias"},
                  {"stride", 'I', "stride"},
                  {"padding", 'P', "padding"},
                  {"dilation", 'I', "dilation"},
                  {"groups", 'i', "groups"}}}},
    FunctionRow{"convtranspose#d",
                "conv_transpose#d",
                "",
                {{{"input", 'T', "0"},
                  {"weight", 'T', "1"},
                  {"bias", 't', "bias"},
                  {"stride", 'I', "stride"},
                  {"padding", 'P', "padding"},
                  {"output_padding", 'I', "output_padding"},
                  {"groups", 'i', "groups"},
                  {"dilation", 'I', "dilation"}}}},
    FunctionRow{"maxpool#d",
                "max_pool#d",
                "kernel_size",
                {{{"self", 'T', "0"},
                  {"kernel_size", 'I', "kernel_size", "?"},
                  {"stride", 'I', "stride"},
                  {"padding", 'I', "padding"},
                  {"dilation", 'I', "dilation"},
                  {"ceil_mode", 'b', "ceil_mode"}}}},
    FunctionRow{"avgpool#d",
                "avg_pool#d",
                "kernel_size",
                {{{"self", 'T', "0"},
                  {"kernel_size", 'I', "kernel_size", "?"},
                  {"stride", 'I', "stride"},
                  {"padding", 'I', "padding"},
                  {"ceil_mode", 'b', "ceil_mode"},
                  {"count_include_pad", 'b', "count_include_pad"}}}},
    FunctionRow{"adaptiveavgpool#d",
                "adaptive_avg_pool#d",
                "output_size",
                {{{"self", 'T', "0"}, {"output_size", 'I', "output_size", "?"}}}},
    FunctionRow{"adaptivemaxpool#d",
                "adaptive_max_pool#d",
                "output_size",
                {{{"self", 'T', "0"}, {"output_size", 'I', "output_size", "?"}}}},
    FunctionRow{"layernorm",
                "layer_norm",
                "normalized_shape",
                {{{"input", 'T', "0"},
                  {"normalized_shape", 'I', "normalized_shape", "?"},
                  {"weight", 't', "weight"},
                  {"bias", 't', "bias"},
                  {"eps", 'f', "eps"}}}},
    FunctionRow{"groupnorm",
                "group_norm",
                "num_groups",
                {{{"input", 'T', "0"},
                  {"num_groups", 'i', "num_groups", "?"},
                  {"weight", 't', "weight"},
                  {"bias", 't', "bias"},
                  {"eps", 'f', "eps"}}}},
    FunctionRow{"batchnorm",
                "batch_norm",
                "",
                {{{"input", 'T', "0"},
                  {"weight", 't', "weight"},
                  {"bias", 't', "bias"},
                  {"running_mean", 't', "1", "?"},
                  {"running_var", 't', "2", "?"},
                  {"training", 'b', "training", "0"},
                  {"momentum", 'f', "momentum", "0.1"},
                  {"eps", 'f', "eps", "1e-5"},
                  {"cudnn_enabled", 'b', "", "1"}}}},
    FunctionRow{"glu", "glu", "dim", {{{"self", 'T', "0"}, {"dim", 'i', "dim"}}}},
    FunctionRow{"softmax", "softmax", "dim", {{{"self", 'T', "0"}, {"dim", 'i', "dim", "?"}, {"dtype", 'd', "dtype"}}}},
    FunctionRow{
        "logsoftmax", "log_softmax", "dim", {{{"self", 'T', "0"}, {"dim", 'i', "dim", "?"}, {"dtype", 'd', "dtype"}}}},
    FunctionRow{"prelu", "prelu", "", {{{"self", 'T', "0"}, {"weight", 'T', "1"}}}},
    FunctionRow{"onehot", "one_hot", "", {{{"self", 'T', "0"}, {"num_classes", 'i', "1"}}}},
    FunctionRow{"pixelshuffle",
                "pixel_shuffle",
                "upscale_factor",
                {{{"self", 'T', "0"}, {"upscale_factor", 'i', "upscale_factor", "?"}}}},
    FunctionRow{"flatten",
                "flatten",
                "",
                {{{"self", 'T', "0"}, {"start_dim", 'i', "start_dim", "1"}, {"end_dim", 'i', "end_dim"}}}},
    FunctionRow{"mseloss",
                "mse_loss",
                "reduction",
                {{{"self", 'T', "0"}, {"target", 'T', "1"}, {"reduction", 'R', "reduction"}}}},
    FunctionRow{"l1loss",
                "l1_loss",
                "reduction",
                {{{"self", 'T', "0"}, {"target", 'T', "1"}, {"reduction", 'R', "reduction"}}}},
    FunctionRow{"smoothl1loss",
                "smooth_l1_loss",
                "reduction",
                {{{"self", 'T', "0"}, {"target", 'T', "1"}, {"reduction", 'R', "reduction"}, {"beta", 'f', "beta"}}}},
    FunctionRow{"huberloss",
                "huber_loss",
                "reduction",
                {{{"self", 'T', "0"}, {"target", 'T', "1"}, {"reduction", 'R', "reduction"}, {"delta", 'f', "delta"}}}},
    FunctionRow{"kldiv",
                "kl_div",
                "reduction",
                {{{"self", 'T', "0"},
                  {"target", 'T', "1"},
                  {"reduction", 'R', "reduction"},
                  {"log_target", 'b', "log_target"}}}},
    FunctionRow{
        "binarycrossentropy",
        "binary_cross_entropy",
        "",
        {{{"self", 'T', "0"}, {"target", 'T', "1"}, {"weight", 't', "weight"}, {"reduction", 'R', "reduction"}}}},
    FunctionRow{"binarycrossentropywithlogits",
                "binary_cross_entropy_with_logits",
                "",
                {{{"self", 'T', "0"},
                  {"target", 'T', "1"},
                  {"weight", 't', "weight"},
                  {"pos_weight", 't', "pos_weight"},
                  {"reduction", 'R', "reduction"}}}},
    FunctionRow{"crossentropy",
                "cross_entropy_loss",
                "",
                {{{"self", 'T', "0"},
                  {"target", 'T', "1"},
                  {"weight", 't', "weight"},
                  {"reduction", 'R', "reduction"},
                  {"ignore_index", 'i', "ignore_index"},
                  {"label_smoothing", 'f', "label_smoothing"}}}},
    FunctionRow{"nllloss",
                "nll_loss_nd",
                "",
                {{{"self", 'T', "0"},
                  {"target", 'T', "1"},
                  {"weight", 't', "weight"},
                  {"reduction", 'R', "reduction"},
                  {"ignore_index", 'i', "ignore_index"}}}},
};

/// Functions of one tensor that change no element type and no size.
struct Activation {
  std::string_view function, aten;
  bool mayWrite = false; ///< it has an option to work in place
};
constexpr std::array<Activation, 18> activations{{{"tanh", "tanh"},
                                                  {"sigmoid", "sigmoid"},
                                                  {"silu", "silu"},
                                                  {"gelu", "gelu"},
                                                  {"mish", "mish"},
                                                  {"softplus", "softplus"},
                                                  {"logsigmoid", "log_sigmoid"},
                                                  {"hardsigmoid", "hardsigmoid"},
                                                  {"hardswish", "hardswish"},
                                                  {"hardshrink", "hardshrink"},
                                                  {"softshrink", "softshrink"},
                                                  {"relu", "relu", true},
                                                  {"relu6", "relu6", true},
                                                  {"elu", "elu", true},
                                                  {"selu", "selu", true},
                                                  {"celu", "celu", true},
                                                  {"leakyrelu", "leaky_relu", true},
                                                  {"hardtanh", "hardtanh", true}}};

/// What drops elements: whole channels of them, in training alone where nothing else is said.
struct Dropout {
  std::string_view function, aten;
  bool trains = false; ///< by default
};
constexpr std::array<Dropout, 5> dropouts{{{"dropout", "dropout", true},
                                           {"dropout2d", "feature_dropout", true},
                                           {"dropout3d", "feature_dropout", true},
                                           {"alphadropout", "alpha_dropout"},
                                           {"featurealphadropout", "feature_alpha_dropout"}}};

bool startsWithAny(std::string_view name, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view b) { return name.starts_with(b); });
}

/// What the result of \p function has of its input, whose element type it keeps: its
/// sizes, or as many dimensions. \p dims holds the sizes of the answer.
Type keptBy(std::string_view function, const Type &input, std::vector<Dim> &dims) {
  static constexpr std::array<std::string_view, 9> resizing{"conv", "maxpool",     "avgpool",  "adaptive", "lppool",
                                                            "pad",  "interpolate", "upsample", "maxunpool"};
  static constexpr std::array<std::string_view, 9> keeping{"layernorm",    "batchnorm",         "groupnorm",
                                                           "instancenorm", "localresponsenorm", "dropout",
                                                           "alphadropout", "hardtanh",          "featurealphadropout"};
  Type out;
  out.kind = ValueKind::Tensor;
  const bool keeps = startsWithAny(function, keeping) ||
                     std::ranges::find(activations, function, &Activation::function) != activations.end();
  if ((!keeps && !startsWithAny(function, resizing)) || function.ends_with("withindices") || !input.isTensor())
    return out;
  out.element = input.element;
  if (input.element == DType::Unknown)
    out.restrict(input.possible());
  if (input.hasRank) {
    dims.assign(input.dims.begin(), input.dims.end());
    if (!keeps)
      std::ranges::fill(dims, Dim());
    out.hasRank = true;
    out.dims = dims;
  }
  return out;
}

/// These make a new tensor and write nothing, whatever their options are.
bool makesNew(std::string_view function) {
  static constexpr std::array<std::string_view, 32> beginnings{"conv",
                                                               "maxpool",
                                                               "avgpool",
                                                               "adaptive",
                                                               "lppool",
                                                               "layernorm",
                                                               "groupnorm",
                                                               "local",
                                                               "crossentropy",
                                                               "nllloss",
                                                               "mseloss",
                                                               "l1loss",
                                                               "smoothl1",
                                                               "huberloss",
                                                               "kldiv",
                                                               "binary",
                                                               "cosinesimilarity",
                                                               "pairwisedistance",
                                                               "embeddingbag",
                                                               "bilinear",
                                                               "onehot",
                                                               "interpolate",
                                                               "gridsample",
                                                               "affinegrid",
                                                               "unfold",
                                                               "fold",
                                                               "pdist",
                                                               "gumbelsoftmax",
                                                               "glu",
                                                               "softmin",
                                                               "upsample",
                                                               "maxunpool"};
  return startsWithAny(function, beginnings);
}

/// The dimension in a name: conv2d is conv#d, with '2'.
std::pair<std::string, char> withoutDimension(std::string name) {
  const std::size_t last = name.size();
  if (last > 2 && name[last - 1] == 'd' && name[last - 2] >= '1' && name[last - 2] <= '3') {
    const char digit = name[last - 2];
    name[last - 2] = '#';
    return {std::move(name), digit};
  }
  return {std::move(name), 0};
}

} // namespace

std::string functionName(std::string_view called) {
  std::string out;
  for (const char c : called)
    if (c != '_')
      out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

bool NamedOptions::same(const NamedOptions &o) const {
  return std::ranges::equal(values, o.values,
                            [](const auto &a, const auto &b) { return a.first == b.first && a.second.same(b.second); });
}

Value NamedOptions::make(const std::vector<Value> &arguments) {
  auto o = std::make_shared<NamedOptions>();
  for (std::size_t i = 0; i < arguments.size(); ++i)
    o->values.emplace_back("#" + std::to_string(i), arguments[i]);
  return Value(std::shared_ptr<const NamedOptions>(std::move(o)));
}

const Value *NamedOptions::find(std::string_view name) const {
  for (std::size_t i = values.size(); i-- > 0;) // what was set last
    if (values[i].first == name)
      return &values[i].second;
  return nullptr;
}

/// The enumerator that an option of libtorch's enumerations of types is: "kMean".
static llvm::StringRef enumeratorOf(Machine &m, const Value &v) {
  const clang::CXXRecordDecl *type = nullptr;
  if (v.record())
    type = v.record()->type;
  else if (v.symbol())
    type = Machine::classOf(m.symbol(v.symbol()->id).type);
  return type ? type->getName() : llvm::StringRef();
}

std::optional<Value> TorchDomain::operatorRow(std::string_view function, const std::vector<Value> &inputs,
                                              const NamedOptions *with, Call &c) {
  const auto [name, digit] = withoutDimension(std::string(function));
  const auto row = std::ranges::find(functions, name, &FunctionRow::function);
  if (row == functions.end())
    return std::nullopt;
  std::string aten(row->aten);
  std::ranges::replace(aten, '#', digit);
  NodeDraft d(graphs, "aten", aten);
  if (aten.starts_with("conv_transpose") && digit != '1')
    d.overload = "input";
  if (aten.ends_with("softmax"))
    d.overload = "int";
  if (aten == "flatten")
    d.overload = "using_ints";
  for (const OperatorArgument &a : row->arguments) {
    if (a.name.empty())
      break;
    Value v;
    if (!a.from.empty() && a.from[0] >= '0' && a.from[0] <= '9') {
      const auto i = static_cast<std::size_t>(a.from[0] - '0');
      if (i < inputs.size())
        v = inputs[i];
      else if (a.type == 'T' || a.otherwise == "?")
        return std::nullopt;
    } else if (with) {
      const Value *given = with->find(a.from);
      if (!given && a.from == row->constructed)
        given = with->find("#0");
      if (given)
        v = *given;
    }
    if (v.isAbsent()) {
      if (a.otherwise == "?")
        return std::nullopt;
      if (a.otherwise.empty())
        continue;
      const double otherwise = std::stod(std::string(a.otherwise));
      v = a.type == 'b'   ? Number::boolean(otherwise != 0)
          : a.type == 'f' ? Number::ofReal(otherwise)
                          : Number::ofInteger(static_cast<std::int64_t>(otherwise));
    }
    if (a.type == 'R') {
      const llvm::StringRef reduction = enumeratorOf(*machine, v);
      if (reduction != "kNone" && reduction != "kMean" && reduction != "kSum")
        return std::nullopt;
      d.integer(a.name, reduction == "kNone" ? 0 : reduction == "kMean" ? 1 : 2);
      continue;
    }
    if (a.type == 'P') {
      if (const llvm::StringRef padding = enumeratorOf(*machine, v); padding == "kSame" || padding == "kValid") {
        d.overload = "padding";
        d.text(a.name, padding.drop_front().lower());
        continue;
      }
      if (!v.list() && !v.number())
        return std::nullopt;
    }
    addArgument(d, {std::string(a.name), a.type == 'P' ? 'I' : a.type}, v, c, false);
  }
  if (!aten.starts_with("adaptive_max") || full())
    return newTensor(emitOne(std::move(d), c.expr));
  // The function leaves out the positions.
  const NodeId n = emit(d, 2, c.expr);
  inferNode(graphs, n);
  return newTensor(graphs.result(n, 0));
}

std::optional<Value> TorchDomain::applyFunction(std::string_view function, const std::vector<Value> &inputs,
                                                const Value &given, bool known, Call &c) {
  Machine &m = *machine;
  if (inputs.empty())
    return std::nullopt;
  const Value &input = inputs.front();
  const auto *with = given.as<NamedOptions>();
  const auto option = [&](std::string_view key) -> const Value * { return with ? with->find(key) : nullptr; };
  // Whether it works in place; nothing where that is not known.
  const auto writes = [&]() -> std::optional<bool> {
    if (!known)
      return std::nullopt;
    const Value *v = option("inplace");
    if (!v && (function.starts_with("relu") || function == "selu"))
      v = option("#0");
    if (!v)
      return false;
    const Number *n = v->number();
    return n ? n->truth() : std::nullopt;
  };
  const auto unary = [&](std::string name, bool inPlace, const std::function<void(NodeDraft &)> &rest) {
    NodeDraft d(graphs, "aten", inPlace ? name + "_" : name);
    d.value("self", valueOf(input, c.expr));
    if (rest)
      rest(d);
    const ValueId made = emitOne(std::move(d), c.expr);
    return inPlace ? input : newTensor(made);
  };

  if (function == "identity")
    return input;
  if (function == "linear" && inputs.size() >= 2) {
    NodeDraft d(graphs, "aten", "linear");
    d.value("input", valueOf(input, c.expr));
    d.value("weight", valueOf(inputs[1], c.expr));
    if (inputs.size() > 2)
      addArgument(d, {"bias", 't'}, inputs[2], c, false);
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if (function == "embedding" && inputs.size() >= 2 && known && !option("max_norm")) {
    NodeDraft d(graphs, "aten", "embedding");
    d.value("weight", valueOf(inputs[1], c.expr));
    d.value("indices", valueOf(input, c.expr));
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if (function == "pad" && with) {
    const Value *pads = option("pad") ? option("pad") : option("#0");
    const Value *mode = option("mode");
    const llvm::StringRef called = mode ? enumeratorOf(m, *mode) : llvm::StringRef();
    NodeDraft d(graphs, "aten", "pad");
    d.value("self", valueOf(input, c.expr));
    addArgument(d, {"pad", 'J'}, pads ? *pads : m.unknown("paddings that are not known"), c, false);
    if (!mode || called == "kConstant")
      d.text("mode", "constant");
    else if (called == "kReflect" || called == "kReplicate" || called == "kCircular")
      d.text("mode", called.drop_front().lower());
    else
      d.opaque("mode", "a mode that is not known");
    if (const Value *value = option("value"))
      addArgument(d, {"value", 'f'}, *value, c, false);
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if (const auto dropout = std::ranges::find(dropouts, function, &Dropout::function);
      dropout != dropouts.end() && writes())
    return unary(std::string(dropout->aten), *writes(), [&](NodeDraft &d) {
      // As their options begin.
      const Value *p = option("p") ? option("p") : option("#0");
      const Value *training = option("training");
      addArgument(d, {"p", 'f'}, p ? *p : Value(Number::ofReal(0.5)), c, false);
      addArgument(d, {"train", 'b'}, training ? *training : Value(Number::boolean(dropout->trains)), c, false);
    });
  if (function == "normalize" && known && !option("out")) {
    // input / input.norm(p, dim, true).clamp_min(eps).expand_as(input)
    const Value *dim = option("dim");
    NodeDraft norm(graphs, "aten", "norm", "ScalarOpt_dim");
    const ValueId x = valueOf(input, c.expr);
    norm.value("self", x);
    norm.real("p", 2);
    addArgument(norm, {"dim", 'I'}, dim ? *dim : Value(Number::ofInteger(1)), c, false);
    norm.boolean("keepdim", true);
    NodeDraft clamp(graphs, "aten", "clamp_min");
    clamp.value("self", emitOne(std::move(norm), c.expr));
    clamp.real("min", 1e-12);
    NodeDraft d(graphs, "aten", "div", "Tensor");
    d.value("self", x);
    d.value("other", emitOne(std::move(clamp), c.expr));
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if (const auto a = std::ranges::find(activations, function, &Activation::function); a != activations.end())
    if (const auto inPlace = a->mayWrite ? writes() : std::optional(false))
      return unary(std::string(a->aten), *inPlace, nullptr);
  if (known)
    if (auto v = operatorRow(function, inputs, with, c))
      return v;
  if (m.className(c.type) != "at::Tensor")
    return std::nullopt;
  std::vector<Dim> dims;
  const Type facts = keptBy(function, typeOf(input), dims);
  if (makesNew(function))
    return newTensor(madeTensor(c.name, c.expr, facts));
  return opaqueTensors(c, c.name, facts);
}

std::optional<Value> TorchDomain::functional(Call &c, std::string_view name) {
  std::vector<Value> inputs;
  Value with;
  bool known = true;
  for (Argument &a : c.arguments) {
    const bool isOptions = machine->className(a.type).ends_with("Options");
    if (a.isDefault)
      continue;
    const Value v = machine->load(a);
    if (!isOptions)
      inputs.push_back(v);
    else if (v.as<NamedOptions>())
      with = v;
    else
      known = false;
  }
  if (auto v = applyFunction(functionName(name), inputs, with, known, c))
    return v;
  return opaqueTensors(c, c.name);
}

} // namespace condlint::cxx
