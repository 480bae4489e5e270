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

#include "FunctionTable.h"
#include "FunctionalCalls.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>
#include <clang/AST/DeclCXX.h>
#include <cmath>

namespace condlint::cxx {

/// The dimension in a name: conv2d is conv#d, with '2'.
static std::pair<std::string, char> withoutDimension(std::string name) {
  const std::size_t last = name.size();
  if (last > 2 && name[last - 1] == 'd' && name[last - 2] >= '1' && name[last - 2] <= '3') {
    const char digit = name[last - 2];
    name[last - 2] = '#';
    return {std::move(name), digit};
  }
  return {std::move(name), 0};
}

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

/// Where \p option stands among the arguments of the options' constructor: "#0".
static std::string constructedAs(const FunctionRow &row, std::string_view option) {
  std::size_t place = 0;
  for (std::string_view left = row.constructed; !left.empty(); ++place) {
    const std::size_t end = std::min(left.find(' '), left.size());
    if (left.substr(0, end) == option)
      return "#" + std::to_string(place);
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return {};
}

/// What \p a is given, or what it is otherwise; absent where the schema has a default. Nothing: that is not known.
static std::optional<Value> argumentOf(const FunctionRow &row, const OperatorArgument &a,
                                       const std::vector<Value> &inputs, const NamedOptions *with) {
  if (!a.from.empty() && a.from[0] >= '0' && a.from[0] <= '9') {
    const auto i = static_cast<std::size_t>(a.from[0] - '0');
    if (i < inputs.size())
      return inputs[i];
    if (a.type.type == AtenType::Tensor)
      return std::nullopt;
  } else if (with) {
    const Value *given = with->find(a.from);
    if (const std::string place = given ? std::string() : constructedAs(row, a.from); !place.empty())
      given = with->find(place);
    if (given)
      return *given;
  }
  if (a.otherwise == "?")
    return std::nullopt;
  if (a.otherwise.empty())
    return Value();
  const double otherwise = std::stod(std::string(a.otherwise));
  return a.type.type == AtenType::Bool    ? Value(Number::boolean(otherwise != 0))
         : a.type.type == AtenType::Float ? Value(Number::ofReal(otherwise))
                                          : Value(Number::ofInteger(static_cast<std::int64_t>(otherwise)));
}

/// The number of a reduction in schemas.
static std::optional<std::int64_t> reductionOf(llvm::StringRef enumerator) {
  if (enumerator == "kNone")
    return 0;
  if (enumerator == "kMean")
    return 1;
  return enumerator == "kSum" || enumerator == "kBatchMean" ? std::optional(2) : std::nullopt; // the mean of a sum
}

std::optional<Value> TorchDomain::FunctionalCalls::operatorRow(std::string_view function,
                                                               const std::vector<Value> &inputs,
                                                               const NamedOptions *with, bool inPlace, Call &c) {
  const auto [name, digit] = withoutDimension(std::string(function));
  const FunctionRow *row = functionRow(name);
  if (!row)
    return std::nullopt;
  std::string aten(row->aten);
  std::ranges::replace(aten, '#', digit);
  NodeDraft d(domain.graphs, "aten", inPlace ? aten + "_" : aten);
  if (aten.starts_with("conv_transpose") && digit != '1')
    d.overload = "input";
  if (aten.ends_with("softmax"))
    d.overload = "int";
  if (aten == "flatten")
    d.overload = "using_ints";
  if (aten == "unflatten")
    d.overload = "int";
  if (aten == "ctc_loss")
    d.overload = "Tensor";
  for (const OperatorArgument &a : row->arguments) {
    if (a.name.empty())
      break;
    const std::optional<Value> v = argumentOf(*row, a, inputs, with);
    if (!v)
      return std::nullopt;
    if (v->isAbsent())
      continue;
    if (a.type.from == ArgumentType::From::Reduction && !v->number()) {
      const auto reduction = reductionOf(enumeratorOf(*domain.machine, *v));
      if (!reduction)
        return std::nullopt;
      d.integer(a.name, *reduction);
      continue;
    }
    if (a.type.from == ArgumentType::From::Padding) {
      if (const llvm::StringRef padding = enumeratorOf(*domain.machine, *v);
          padding == "kSame" || padding == "kValid") {
        d.overload = "padding";
        d.text(a.name, padding.drop_front().lower());
        continue;
      }
      if (!v->list() && !v->number())
        return std::nullopt;
    }
    domain.addArgument(d, {a.name, a.type.type}, *v, c, false);
  }
  if (inPlace) {
    domain.emitOne(std::move(d), c.expr);
    return inputs.front();
  }
  if (!aten.starts_with("adaptive_max") || domain.full())
    return domain.newTensor(domain.emitOne(std::move(d), c.expr));
  // The function leaves out the positions.
  const NodeId n = domain.emit(d, 2, c.expr);
  inferNode(domain.graphs, n);
  return domain.newTensor(domain.graphs.result(n, 0));
}

std::optional<Value> TorchDomain::FunctionalCalls::composedFunction(std::string_view function,
                                                                    const std::vector<Value> &inputs,
                                                                    const NamedOptions *with, Call &c) {
  const auto unary = [&](std::string_view name, ValueId of) {
    NodeDraft d(domain.graphs, "aten", std::string(name));
    d.value("self", of);
    return domain.emitOne(std::move(d), c.expr);
  };
  const auto binary = [&](std::string_view name, ValueId a, ValueId b) {
    NodeDraft d(domain.graphs, "aten", std::string(name), "Tensor");
    d.value("self", a);
    d.value("other", b);
    return domain.emitOne(std::move(d), c.expr);
  };
  const auto softmax = [&](ValueId of) -> std::optional<Value> {
    const Value *dim = with ? with->find("dim") : nullptr;
    if (!dim && with)
      dim = with->find("#0");
    if (!dim && function != "gumbelsoftmax")
      return std::nullopt;
    NodeDraft d(domain.graphs, "aten", "softmax", "int");
    d.value("self", of);
    domain.addArgument(d, {"dim", AtenType::Int}, dim ? *dim : Value(Number::ofInteger(-1)), c, false);
    return domain.newTensor(domain.emitOne(std::move(d), c.expr));
  };
  if (function == "tanhshrink") {
    const ValueId x = domain.valueOf(inputs.front(), c.expr);
    return domain.newTensor(binary("sub", x, unary("tanh", x)));
  }
  if (function == "softsign") {
    const ValueId x = domain.valueOf(inputs.front(), c.expr);
    NodeDraft more(domain.graphs, "aten", "add", "Scalar");
    more.value("self", unary("abs", x));
    more.integer("other", 1);
    return domain.newTensor(binary("div", x, domain.emitOne(std::move(more), c.expr)));
  }
  if (function == "multilabelsoftmarginloss" && inputs.size() == 2) {
    // -(target * log_sigmoid(input) + (1 - target) * log_sigmoid(-input)), the mean of each row, and of all
    const Value *weight = with ? with->find("weight") : nullptr;
    const Value *how = with ? with->find("reduction") : nullptr;
    const auto reduction = how ? reductionOf(enumeratorOf(*domain.machine, *how)) : std::optional<std::int64_t>(1);
    if (!reduction)
      return std::nullopt;
    const ValueId x = domain.valueOf(inputs[0], c.expr), target = domain.valueOf(inputs[1], c.expr);
    NodeDraft rest(domain.graphs, "aten", "rsub", "Scalar");
    rest.value("self", target);
    rest.integer("other", 1);
    const ValueId yes = binary("mul", target, unary("log_sigmoid", x));
    const ValueId no = binary("mul", domain.emitOne(std::move(rest), c.expr), unary("log_sigmoid", unary("neg", x)));
    ValueId loss = unary("neg", binary("add", yes, no));
    if (weight && !domain.isUndefined(*weight))
      loss = binary("mul", loss, domain.valueOf(*weight, c.expr));
    NodeDraft rows(domain.graphs, "aten", "mean", "dim");
    rows.value("self", loss);
    const std::int64_t last[] = {-1};
    rows.integers("dim", last);
    loss = domain.emitOne(std::move(rows), c.expr);
    return domain.newTensor(*reduction == 0 ? loss : unary(*reduction == 1 ? "mean" : "sum", loss));
  }
  if (function == "softmin")
    return softmax(unary("neg", domain.valueOf(inputs.front(), c.expr)));
  if (function == "gumbelsoftmax") {
    const ValueId x = domain.valueOf(inputs.front(), c.expr);
    NodeDraft noise(domain.graphs, "aten", "rand_like");
    noise.value("self", x);
    return softmax(binary("add", x, domain.emitOne(std::move(noise), c.expr)));
  }
  return std::nullopt;
}

/// Sets \p dims to the sizes of the image that `interpolate` makes of \p input, as far as its options say them.
static void resize(Machine &m, const NamedOptions &with, const Type &input, std::vector<Dim> &dims) {
  const auto given = [&](std::string_view option) -> std::optional<std::vector<Value>> {
    const Value *v = with.find(option);
    const Optional *o = v ? v->optional() : nullptr;
    return v ? m.elements(o ? o->value : *v) : std::nullopt;
  };
  const auto sizes = given("size"), scales = given("scale_factor");
  for (std::size_t i = 0; i < dims.size() && i < input.dims.size(); ++i) {
    const Number *size = i >= 2 && sizes && i - 2 < sizes->size() ? (*sizes)[i - 2].number() : nullptr;
    const Number *scale = i >= 2 && scales && i - 2 < scales->size() ? (*scales)[i - 2].number() : nullptr;
    constexpr double most = 1024;
    if (i < 2) // the batch and its channels
      dims[i] = input.dims[i];
    else if (size)
      dims[i] = m.dimOf(*size);
    else if (scale && scale->known && scale->asReal() >= 1 && scale->asReal() <= most &&
             scale->asReal() == std::floor(scale->asReal()))
      dims[i] = m.dims().mul(input.dims[i], m.dims().constant(static_cast<std::int64_t>(scale->asReal())));
  }
}

std::optional<Value> TorchDomain::FunctionalCalls::applyFunction(std::string_view function,
                                                                 const std::vector<Value> &inputs, const Value &given,
                                                                 bool known, Call &c) {
  Machine &m = *domain.machine;
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
    NodeDraft d(domain.graphs, "aten", inPlace ? name + "_" : name);
    d.value("self", domain.valueOf(input, c.expr));
    if (rest)
      rest(d);
    const ValueId made = domain.emitOne(std::move(d), c.expr);
    return inPlace ? input : domain.newTensor(made);
  };

  if (function == "identity")
    return input;
  if (function == "linear" && inputs.size() >= 2) {
    NodeDraft d(domain.graphs, "aten", "linear");
    d.value("input", domain.valueOf(input, c.expr));
    d.value("weight", domain.valueOf(inputs[1], c.expr));
    if (inputs.size() > 2)
      domain.addArgument(d, {"bias", AtenType::OptionalTensor}, inputs[2], c, false);
    return domain.newTensor(domain.emitOne(std::move(d), c.expr));
  }
  if (function == "embedding" && inputs.size() >= 2 && known && !option("max_norm")) {
    NodeDraft d(domain.graphs, "aten", "embedding");
    d.value("weight", domain.valueOf(inputs[1], c.expr));
    d.value("indices", domain.valueOf(input, c.expr));
    return domain.newTensor(domain.emitOne(std::move(d), c.expr));
  }
  const auto [family, dimension] = withoutDimension(std::string(function));
  const Padding *padding = findPadding(family);
  if ((function == "pad" || padding) && with) {
    const Value *named = option(padding ? "padding" : "pad");
    const Value *pads = named ? named : option("#0");
    const Value *mode = option("mode");
    const llvm::StringRef called = mode ? enumeratorOf(m, *mode) : llvm::StringRef();
    NodeDraft d(domain.graphs, "aten", "pad");
    d.value("self", domain.valueOf(input, c.expr));
    List each; // on both sides of each dimension
    if (padding && pads && pads->number())
      each.items.assign(2 * static_cast<std::size_t>(dimension - '0'), *pads);
    domain.addArgument(d, {"pad", AtenType::OptionalInts},
                       !each.items.empty() ? Value(each)
                       : pads              ? *pads
                                           : m.unknown("paddings that are not known"),
                       c, false);
    if (padding)
      d.text("mode", padding->mode);
    else if (!mode || called == "kConstant")
      d.text("mode", "constant");
    else if (called == "kReflect" || called == "kReplicate" || called == "kCircular")
      d.text("mode", called.drop_front().lower());
    else
      d.opaque("mode", "a mode that is not known");
    const Value *value = option("value");
    if (!value && padding && padding->mode == "constant")
      value = option("#1");
    if (value)
      domain.addArgument(d, {"value", AtenType::Float}, *value, c, false);
    return domain.newTensor(domain.emitOne(std::move(d), c.expr));
  }
  if (const Dropout *dropout = findDropout(function); dropout && writes())
    return unary(std::string(dropout->aten), *writes(), [&](NodeDraft &d) {
      // As their options begin.
      const Value *p = option("p") ? option("p") : option("#0");
      const Value *training = option("training");
      domain.addArgument(d, {"p", AtenType::Float}, p ? *p : Value(Number::ofReal(0.5)), c, false);
      domain.addArgument(d, {"train", AtenType::Bool}, training ? *training : Value(Number::boolean(dropout->trains)),
                         c, false);
    });
  if (function == "normalize" && known && !option("out")) {
    // input / input.norm(p, dim, true).clamp_min(eps).expand_as(input)
    const Value *dim = option("dim");
    NodeDraft norm(domain.graphs, "aten", "norm", "ScalarOpt_dim");
    const ValueId x = domain.valueOf(input, c.expr);
    norm.value("self", x);
    norm.real("p", 2);
    domain.addArgument(norm, {"dim", AtenType::Ints}, dim ? *dim : Value(Number::ofInteger(1)), c, false);
    norm.boolean("keepdim", true);
    NodeDraft clamp(domain.graphs, "aten", "clamp_min");
    clamp.value("self", domain.emitOne(std::move(norm), c.expr));
    clamp.real("min", 1e-12);
    NodeDraft d(domain.graphs, "aten", "div", "Tensor");
    d.value("self", x);
    d.value("other", domain.emitOne(std::move(clamp), c.expr));
    return domain.newTensor(domain.emitOne(std::move(d), c.expr));
  }
  if (const Activation *a = findActivation(function))
    if (const auto inPlace = a->mayWrite ? writes() : std::optional(false))
      return unary(std::string(a->aten), *inPlace, [&](NodeDraft &d) {
        if (const Value *training = a->aten == "rrelu" ? option("training") : nullptr) // random only there
          domain.addArgument(d, {"training", AtenType::Bool}, *training, c, false);
      });
  if (known) {
    const FunctionRow *row = functionRow(function);
    if (const auto inPlace = row && row->mayWrite ? writes() : std::optional(false))
      if (auto v = operatorRow(function, inputs, with, *inPlace, c))
        return v;
    if (auto v = composedFunction(function, inputs, with, c))
      return v;
  }
  if (m.className(c.type) != "at::Tensor")
    return std::nullopt;
  std::vector<Dim> dims;
  Type facts = keptBy(function, domain.typeOf(input), dims);
  if (function == "interpolate" && facts.hasRank && with)
    resize(m, *with, domain.typeOf(input), dims);
  if (function == "embeddingbag") { // a row for each bag
    dims.assign(2, Dim());
    facts.restrict(DTypeSet::floating());
    facts.hasRank = true;
  }
  facts.dims = dims;
  if (makesNew(function))
    return domain.newTensor(domain.madeTensor(c.name, c.expr, facts));
  return domain.opaqueTensors(c, c.name, facts);
}

std::optional<Value> TorchDomain::FunctionalCalls::functional(Call &c, std::string_view name) {
  std::vector<Value> inputs;
  Value with;
  bool known = true;
  for (Argument &a : c.arguments) {
    const bool isOptions = domain.machine->className(a.type).ends_with("Options");
    if (a.isDefault)
      continue;
    const Value v = domain.machine->load(a);
    if (!isOptions)
      inputs.push_back(v);
    else if (v.as<NamedOptions>())
      with = v;
    else
      known = false;
  }
  if (auto v = applyFunction(functionName(name), inputs, with, known, c))
    return v;
  return domain.opaqueTensors(c, c.name);
}

} // namespace condlint::cxx
