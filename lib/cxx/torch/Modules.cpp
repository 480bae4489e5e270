//===- Modules.cpp - torch::nn --------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/Types.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

namespace {

/// Modules and functions of one tensor that have an operator of the same meaning.
struct Activation {
  std::string_view module, function, aten;
};
constexpr std::array<Activation, 24> activations{{{"Tanh", "tanh", "tanh"},
                                                  {"Sigmoid", "sigmoid", "sigmoid"},
                                                  {"SiLU", "silu", "silu"},
                                                  {"GELU", "gelu", "gelu"},
                                                  {"Mish", "mish", "mish"},
                                                  {"Softplus", "softplus", "softplus"},
                                                  {"LogSigmoid", "logsigmoid", "log_sigmoid"},
                                                  {"ReLU", "relu", "relu"},
                                                  {"ReLU6", "relu6", "relu6"},
                                                  {"ELU", "elu", "elu"},
                                                  {"SELU", "selu", "selu"},
                                                  {"CELU", "celu", "celu"},
                                                  {"LeakyReLU", "leaky_relu", "leaky_relu"},
                                                  {"Hardtanh", "hardtanh", "hardtanh"},
                                                  {"", "hardsigmoid", "hardsigmoid"},
                                                  {"", "hardswish", "hardswish"},
                                                  {"Hardshrink", "hardshrink", "hardshrink"},
                                                  {"Softshrink", "softshrink", "softshrink"},
                                                  {"Softmax", "softmax", "softmax"},
                                                  {"LogSoftmax", "log_softmax", "log_softmax"},
                                                  {"Identity", "", ""},
                                                  {"", "softsign", ""},
                                                  {"", "tanhshrink", ""},
                                                  {"", "", ""}}};

/// What the result of convolution, pooling, normalisation and their like has of
/// their input, whose element type they keep: as many dimensions.
Type keptBy(std::string_view name, const Type &input, std::vector<Dim> &dims) {
  constexpr std::array<std::string_view, 9> beginnings{"conv", "max_pool",   "avg_pool",   "adaptive_", "lp_pool",
                                                       "pad",  "layer_norm", "batch_norm", "dropout"};
  constexpr std::array<std::string_view, 6> names{"group_norm",  "instance_norm",         "local_response_norm",
                                                  "interpolate", "feature_alpha_dropout", "alpha_dropout"};
  Type out;
  out.kind = ValueKind::Tensor;
  const bool keeps = std::ranges::any_of(beginnings, [&](std::string_view b) { return name.starts_with(b); }) ||
                     std::ranges::find(names, name) != names.end();
  if (!keeps || name.ends_with("_with_indices") || !input.isTensor())
    return out;
  out.element = input.element;
  if (input.element == DType::Unknown)
    out.restrict(input.possible());
  if (input.hasRank) {
    dims.resize(input.dims.size());
    out.hasRank = true;
    out.dims = dims;
  }
  return out;
}

/// These make a new tensor and write nothing, whatever their options are.
bool makesNew(std::string_view name) {
  constexpr std::array<std::string_view, 62> names{"conv1d",
                                                   "conv2d",
                                                   "conv3d",
                                                   "conv_transpose1d",
                                                   "conv_transpose2d",
                                                   "conv_transpose3d",
                                                   "max_pool1d",
                                                   "max_pool2d",
                                                   "max_pool3d",
                                                   "avg_pool1d",
                                                   "avg_pool2d",
                                                   "avg_pool3d",
                                                   "adaptive_avg_pool1d",
                                                   "adaptive_avg_pool2d",
                                                   "adaptive_avg_pool3d",
                                                   "adaptive_max_pool1d",
                                                   "adaptive_max_pool2d",
                                                   "adaptive_max_pool3d",
                                                   "lp_pool1d",
                                                   "lp_pool2d",
                                                   "layer_norm",
                                                   "group_norm",
                                                   "local_response_norm",
                                                   "cross_entropy",
                                                   "nll_loss",
                                                   "mse_loss",
                                                   "l1_loss",
                                                   "smooth_l1_loss",
                                                   "huber_loss",
                                                   "kl_div",
                                                   "binary_cross_entropy",
                                                   "binary_cross_entropy_with_logits",
                                                   "cosine_similarity",
                                                   "pairwise_distance",
                                                   "embedding_bag",
                                                   "bilinear",
                                                   "one_hot",
                                                   "interpolate",
                                                   "grid_sample",
                                                   "affine_grid",
                                                   "unfold",
                                                   "fold",
                                                   "pdist",
                                                   "gumbel_softmax",
                                                   "glu",
                                                   "softmin",
                                                   "Conv1dImpl",
                                                   "Conv2dImpl",
                                                   "Conv3dImpl",
                                                   "ConvTranspose1dImpl",
                                                   "ConvTranspose2dImpl",
                                                   "ConvTranspose3dImpl",
                                                   "LayerNormImpl",
                                                   "GroupNormImpl",
                                                   "MaxPool1dImpl",
                                                   "MaxPool2dImpl",
                                                   "AvgPool1dImpl",
                                                   "AvgPool2dImpl",
                                                   "AdaptiveAvgPool2dImpl",
                                                   "EmbeddingBagImpl",
                                                   "UpsampleImpl",
                                                   "BilinearImpl"};
  return std::ranges::find(names, name) != names.end();
}

const clang::FieldDecl *fieldNamed(const clang::CXXRecordDecl *c, llvm::StringRef name, unsigned depth = 0) {
  if (!c || !c->hasDefinition() || depth > 8)
    return nullptr;
  for (const clang::FieldDecl *f : c->fields())
    if (f->getName() == name)
      return f;
  for (const clang::CXXBaseSpecifier &base : c->bases())
    if (const clang::FieldDecl *f = fieldNamed(base.getType()->getAsCXXRecordDecl(), name, depth + 1))
      return f;
  return nullptr;
}

const clang::CXXMethodDecl *methodNamed(const clang::CXXRecordDecl *c, llvm::StringRef name, std::size_t arguments,
                                        unsigned depth = 0) {
  if (!c || !c->hasDefinition() || depth > 8)
    return nullptr;
  for (const clang::CXXMethodDecl *method : c->methods())
    if (method->getDeclName().isIdentifier() && method->getName() == name &&
        method->getMinRequiredArguments() <= arguments && arguments <= method->getNumParams())
      return method;
  for (const clang::CXXBaseSpecifier &base : c->bases())
    if (const auto *method = methodNamed(base.getType()->getAsCXXRecordDecl(), name, arguments, depth + 1))
      return method;
  return nullptr;
}

} // namespace

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

std::optional<Value> TorchDomain::moduleCall(Call &c, std::string_view cls, std::string_view name) {
  Machine &m = *machine;
  const auto load = [&](std::size_t i) {
    return i < c.arguments.size() && !c.arguments[i].isDefault ? m.load(c.arguments[i]) : Value();
  };
  if (cls.ends_with("Options")) {
    const Value self = m.load(*c.self);
    const auto *known = self.as<NamedOptions>();
    if (c.arguments.empty()) {
      const Value *v = known ? known->find(name) : nullptr;
      return v ? *v : m.unknown(c.type, "an option that is not known");
    }
    auto o = std::make_shared<NamedOptions>();
    if (known)
      o->values = known->values;
    o->values.emplace_back(std::string(name), load(0));
    const Pointer where = m.placeOf(*c.self);
    m.store(where, Value(std::shared_ptr<const NamedOptions>(std::move(o))), c.expr);
    return where;
  }
  if (name == "register_parameter" || name == "register_buffer" || name == "register_module" ||
      name == "replace_module") {
    load(0);
    return c.arguments.size() > 1 ? std::optional(load(1)) : std::nullopt;
  }
  if (name == "is_training")
    return Number::unknown(Number::Kind::Bool);
  if (name == "parameters" || name == "buffers" || name == "named_parameters" || name == "named_buffers")
    if (auto all = parametersOf(c))
      return all;
  const bool runs = name == "forward" || name == "operator()";
  if (cls == "torch::nn::ModuleHolder") {
    if (!runs)
      return std::nullopt; // it is a pointer
    // The module in it, by the method that its class has; what that one uses counts.
    const Value held = m.loadPointer(*c.self);
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
    const clang::QualType inner =
        method ? typeArgument(ast.getCanonicalTagType(method->getParent()), 0) : clang::QualType();
    const clang::CXXRecordDecl *impl = Machine::classOf(inner);
    const clang::CXXMethodDecl *forward = methodNamed(impl, "forward", c.arguments.size());
    if (!forward)
      return opaqueTensors(c, c.name);
    Callable callee{forward, {}, {}};
    std::vector<Argument> all;
    Argument self;
    self.place = m.dereference(held, inner, c.expr);
    self.type = inner;
    all.push_back(std::move(self));
    for (Argument &a : c.arguments)
      all.push_back(a);
    return m.invoke(Value(callee), std::move(all), c.expr);
  }
  if (runs) {
    const std::size_t at = cls.rfind("::");
    const std::string_view own = at == std::string_view::npos ? cls : cls.substr(at + 2);
    const Value self = m.load(*c.self);
    if (own == "LinearImpl" && !c.arguments.empty()) {
      const clang::CXXRecordDecl *impl = Machine::classOf(c.self->type);
      const clang::FieldDecl *weight = fieldNamed(impl, "weight");
      const clang::FieldDecl *bias = fieldNamed(impl, "bias");
      NodeDraft d(graphs, "aten", "linear");
      d.value("input", valueOf(load(0), c.expr));
      if (weight && bias && c.self->place) {
        d.value("weight",
                valueOf(m.load(c.self->place->then(Step::ofField(weight)), c.expr, weight->getType()), c.expr));
        d.value("bias", valueOf(m.load(c.self->place->then(Step::ofField(bias)), c.expr, bias->getType()), c.expr));
        return newTensor(emitOne(std::move(d), c.expr));
      }
    }
    if (own == "IdentityImpl" && !c.arguments.empty())
      return load(0);
    for (const Activation &a : activations)
      // What acts in place when it is told to is not known here.
      if (!a.module.empty() && own == std::string(a.module) + "Impl" &&
          (a.aten == "tanh" || a.aten == "sigmoid" || a.aten == "silu" || a.aten == "gelu" || a.aten == "mish" ||
           a.aten == "softplus" || a.aten == "log_sigmoid")) {
        NodeDraft d(graphs, "aten", a.aten);
        d.value("self", valueOf(load(0), c.expr));
        return newTensor(emitOne(std::move(d), c.expr));
      }
    for (std::size_t i = 0; i < c.arguments.size(); ++i)
      load(i);
    if (makesNew(own) && m.className(c.type) == "at::Tensor")
      return newTensor(unknownValue("the result of a module", c.expr));
    return opaqueTensors(c, c.name);
  }
  // Setting modes, walking through parameters.
  if (name == "train" || name == "eval" || name == "zero_grad" || name == "to")
    return opaqueTensors(c, c.name);
  return Domain::opaqueCall(m, c);
}

std::optional<Value> TorchDomain::parametersOf(Call &c) {
  // Any number of tensors, all of the module: one stands for them.
  Machine &m = *machine;
  const Place *self = c.self && c.self->place ? c.self->place->only() : nullptr;
  if (!self || !self->object || !m.isOuter(self->object))
    return std::nullopt;
  const Value module = m.peek(*self);
  const SymbolId source = module.symbol() ? module.symbol()->id : module.record() ? module.record()->rest : SymbolId();
  const clang::QualType tensor = typeArgument(c.type, c.baseName().starts_with("named_") ? 1 : 0);
  if (!source || m.className(tensor) != "at::Tensor")
    return std::nullopt;
  List l;
  l.sized = false;
  l.every = m.part(Value(Symbol{source}), Step::ofKey(std::string(c.baseName()) + "()"), tensor);
  onRead(m, *self, l.every, c.expr);
  return l;
}

std::optional<Value> TorchDomain::functional(Call &c, std::string_view name) {
  Machine &m = *machine;
  if (c.arguments.empty())
    return std::nullopt;
  const Value input = m.load(c.arguments[0]);
  const bool hasOptions = c.arguments.size() > 1 && !c.arguments[1].isDefault;
  const Value given = hasOptions ? m.load(c.arguments[1]) : Value();
  const auto *with = given.as<NamedOptions>();
  const bool optionsKnown = !hasOptions || with || !m.className(c.arguments[1].type).ends_with("Options");
  const auto option = [&](std::string_view key) -> const Value * { return with ? with->find(key) : nullptr; };
  const auto inPlace = [&]() -> std::optional<bool> {
    if (!optionsKnown)
      return std::nullopt;
    const Value *v = option("inplace");
    if (!v && (name == "relu" || name == "relu6" || name == "selu"))
      v = option("#0");
    if (!v)
      return false;
    const Number *n = v->number();
    return n ? n->truth() : std::nullopt;
  };
  if (name == "linear" && c.arguments.size() >= 2) {
    NodeDraft d(graphs, "aten", "linear");
    d.value("input", valueOf(input, c.expr));
    d.value("weight", valueOf(given, c.expr));
    if (c.arguments.size() > 2 && !c.arguments[2].isDefault)
      addArgument(d, {"bias", 't'}, m.load(c.arguments[2]), c, false);
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if (name == "pad" && with) {
    const Value *pads = option("pad") ? option("pad") : option("#0");
    const Value *mode = option("mode");
    const Value *value = option("value");
    // Modes are told apart by their types.
    const clang::CXXRecordDecl *chosen = nullptr;
    if (mode && mode->record())
      chosen = mode->record()->type;
    else if (mode && mode->symbol())
      chosen = Machine::classOf(m.symbol(mode->symbol()->id).type);
    const llvm::StringRef called = chosen ? chosen->getName() : llvm::StringRef();
    NodeDraft d(graphs, "aten", "pad");
    d.value("self", valueOf(input, c.expr));
    addArgument(d, {"pad", 'J'}, pads ? *pads : m.unknown("paddings that are not known"), c, false);
    if (!mode || called == "kConstant")
      d.text("mode", "constant");
    else if (called == "kReflect" || called == "kReplicate" || called == "kCircular")
      d.text("mode", called.drop_front().lower());
    else
      d.opaque("mode", "a mode that is not known");
    if (value)
      addArgument(d, {"value", 'f'}, *value, c, false);
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if ((name == "dropout" || name == "alpha_dropout") && (with || !hasOptions)) {
    const Value *p = option("p");
    const Value *training = option("training");
    const auto writes = inPlace();
    if (writes) {
      NodeDraft d(graphs, "aten", std::string(name) + (*writes ? "_" : ""));
      d.value("self", valueOf(input, c.expr));
      addArgument(d, {"p", 'f'}, p ? *p : Value(Number::ofReal(0.5)), c, false);
      // As their options begin.
      addArgument(d, {"train", 'b'}, training ? *training : Value(Number::boolean(name == "dropout")), c, false);
      const ValueId made = emitOne(std::move(d), c.expr);
      return *writes ? input : newTensor(made);
    }
  }
  if (name == "normalize" && optionsKnown && !option("out")) {
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
  if ((name == "softmax" || name == "log_softmax") && with) {
    const Value *dim = option("dim") ? option("dim") : option("#0");
    NodeDraft d(graphs, "aten", name, "int");
    d.value("self", valueOf(input, c.expr));
    addArgument(d, {"dim", 'i'}, dim ? *dim : Value(), c, false);
    return newTensor(emitOne(std::move(d), c.expr));
  }
  for (const Activation &a : activations) {
    if (a.function != name || a.aten.empty() || name.ends_with("softmax"))
      continue;
    const auto writes = inPlace();
    if (!writes)
      break;
    NodeDraft d(graphs, "aten", std::string(a.aten) + (*writes ? "_" : ""));
    d.value("self", valueOf(input, c.expr));
    if (*writes) {
      emitOne(std::move(d), c.expr);
      return input;
    }
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if (name == "one_hot") {
    NodeDraft d(graphs, "aten", "one_hot");
    d.value("self", valueOf(input, c.expr));
    if (c.arguments.size() > 1)
      addArgument(d, {"num_classes", 'i'}, m.load(c.arguments[1]), c, false);
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if (makesNew(name) && m.className(c.type) == "at::Tensor") {
    for (Argument &a : c.arguments)
      if (!a.isDefault)
        m.load(a);
    std::vector<Dim> dims;
    return newTensor(unknownTensor("the result of torch::nn::functional::" + std::string(name), c.expr,
                                   keptBy(name, typeOf(input), dims)));
  }
  return opaqueTensors(c, c.name);
}

} // namespace condlint::cxx
