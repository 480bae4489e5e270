//===- TorchCalls.cpp - Which of libtorch's functions a call is ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "FunctionalCalls.h"
#include "Gradients.h"
#include "ModuleCalls.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

namespace {

bool strip(std::string_view &name, std::string_view prefix) {
  if (!name.starts_with(prefix))
    return false;
  name.remove_prefix(prefix.size());
  return true;
}

} // namespace

std::string_view TorchDomain::standardClass(std::string_view name) {
  // Not c10::List and c10::Dict: a copy of one is another name for it.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 18> like{{
      {"c10::ArrayRef", "std::vector"},
      {"c10::HeaderOnlyArrayRef", "std::vector"},
      {"c10::MutableArrayRef", "std::vector"},
      {"c10::IListRef", "std::vector"},
      {"c10::SmallVector", "std::vector"},
      {"c10::SmallVectorImpl", "std::vector"},
      {"c10::SmallVectorTemplateBase", "std::vector"},
      {"c10::SmallVectorTemplateCommon", "std::vector"},
      {"c10::DimVector", "std::vector"},
      {"c10::integer_range", "std::vector"}, // the integers of `c10::irange`
      {"c10::OptionalArrayRef", "std::optional"},
      {"c10::optional", "std::optional"},
      {"c10::intrusive_ptr", "std::shared_ptr"},
      {"c10::MaybeOwned", "std::shared_ptr"},
      {"torch::nn::ModuleHolder", "std::shared_ptr"},
      {"ska::flat_hash_map", "std::unordered_map"}, // what a function of autograd keeps
      {"at::ITensorListRef", "std::vector"},
      {"c10::basic_string_view", "std::basic_string_view"},
  }};
  if (!name.starts_with("c10::") && !name.starts_with("torch::nn::ModuleHolder") && !name.starts_with("at::ITensor") &&
      !name.starts_with("ska::"))
    return {};
  for (const auto &[own, standard] : like)
    if (own == name)
      return standard;
  return {};
}

/// The function of the standard library called so is told by its argument \p i where to write.
static bool isTarget(std::string_view name, std::size_t i, std::size_t arguments) {
  if (name == "memcpy" || name == "memmove")
    return i == 0;
  if (name == "memset" || name.starts_with("fill") || name.starts_with("generate") || name == "iota")
    return true;
  if (name == "transform") // the last one but the function
    return i + 2 == arguments;
  if (name.starts_with("set_") || name == "merge")
    return i == 4;
  if (name == "uninitialized_fill" || name == "partition_copy" || name == "partial_sort_copy")
    return name.starts_with("part") ? i == 2 || i == 3 : i < 2;
  if (name == "uninitialized_fill_n" || name == "construct_at")
    return i == 0;
  static constexpr std::array<std::string_view, 20> third{"adjacent_difference",
                                                          "copy",
                                                          "copy_backward",
                                                          "copy_if",
                                                          "copy_n",
                                                          "exclusive_scan",
                                                          "inclusive_scan",
                                                          "move",
                                                          "move_backward",
                                                          "partial_sum",
                                                          "remove_copy",
                                                          "remove_copy_if",
                                                          "replace_copy",
                                                          "replace_copy_if",
                                                          "reverse_copy",
                                                          "sample",
                                                          "transform_exclusive_scan",
                                                          "transform_inclusive_scan",
                                                          "unique_copy",
                                                          "uninitialized_move"};
  return i == (name == "rotate_copy" ? 3 : 2) && (name == "rotate_copy" || name.starts_with("uninitialized_copy") ||
                                                  std::ranges::find(third, name) != third.end());
}

/// The algorithm of std::ranges that the method called \p name is; empty for others.
static std::string_view inRanges(std::string_view name) {
  constexpr std::string_view before = "std::ranges::__", after = "_fn::operator()";
  const bool is = name.starts_with(before) && name.ends_with(after);
  return is ? name.substr(before.size(), name.size() - before.size() - after.size()) : std::string_view();
}

/// The argument \p i of an algorithm of std::ranges is a range: it is given by reference, where positions are not.
static bool isRange(const Call &c, std::size_t i) {
  return i < c.callee->getNumParams() && c.callee->getParamDecl(static_cast<unsigned>(i))->getType()->isReferenceType();
}

/// \p c calls for each element a function that is seen: what that reads it reads itself.
static bool callsSeen(Machine &m, const Call &c) {
  const std::string_view ranges = c.self ? inRanges(c.name) : std::string_view();
  const std::size_t function = !ranges.empty() && isRange(c, 0) ? 1 : 2;
  const std::string_view name = c.self ? ranges : c.baseName();
  if ((name != "for_each" && name != "for_each_n") || c.arguments.size() <= function)
    return false;
  const clang::FunctionDecl *f = m.target(m.peek(c.arguments[function]), std::vector<Argument>(1));
  return f && f->hasBody();
}

/// The standard library's function \p c hands on what it is given, or counts: it looks at no element.
static bool handsOn(const Call &c) {
  constexpr std::array<std::string_view, 22> names{
      "addressof", "advance",   "any_cast",   "as_const", "assume_aligned",
      "begin",     "bind",      "bind_front", "cref",     "distance",
      "end",       "exchange",  "forward",    "get",      "launder",
      "next",      "prev",      "ref",        "swap",     "forward_as_tuple",
      "tie",       "to_address"};
  const std::string_view name = c.self ? inRanges(c.name) : c.baseName();
  return std::ranges::find(names, name) != names.end() || (name.starts_with("make_") && name != "make_heap") ||
         (name == "move" && c.arguments.size() == 1);
}

/// What functions of the standard library do with a tensor's elements: they read them
/// on the host, except where they are only told where to write, or only count.
static void readElements(TorchDomain &domain, Machine &m, Call &c) {
  if (handsOn(c) || callsSeen(m, c))
    return;
  const std::string_view name = c.self ? inRanges(c.name) : c.baseName();
  const bool ofRanges = c.self && isRange(c, 0); // what else they are given leads to where they write
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    if (!isTarget(name, i, c.arguments.size()) && (!ofRanges || isRange(c, i)))
      if (const Value v = m.peek(c.arguments[i]); const auto *elements = v.as<ElementsDatum>())
        return domain.emitElements(CxxOp::HostRead, elements->tensor, c.expr);
}

/// What a function of autograd keeps for its backward pass, or says of its tensors, writes none of them.
static Value contextMethod(Machine &m, Call &c) {
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      m.load(a);
  return m.unknown(c.type, "what was kept for a backward pass");
}

/// \p c is a function of libtorch that sets something of the whole process: it gives nothing back, is given nothing
/// that it could fill, and says in its name that it sets. What default_dtype does is more than that.
static bool changesProcess(Machine &m, const Call &c) {
  static constexpr std::array<std::string_view, 4> spaces{"at::", "c10::", "torch::", "caffe2::"};
  static constexpr std::array<std::string_view, 3> verbs{"set", "init_", "Show"};
  const std::string_view base = c.baseName();
  const auto begins = [](std::string_view text) {
    return [text](std::string_view with) { return text.starts_with(with); };
  };
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
  const bool isOfObject = method && method->isInstance() && m.qualifiedName(*method->getParent()) != "at::Context";
  if (isOfObject || !c.callee->getReturnType()->isVoidType() || base == "set_default_dtype" ||
      std::ranges::none_of(spaces, begins(c.name)) || std::ranges::none_of(verbs, begins(base)))
    return false;
  return std::ranges::none_of(c.callee->parameters(), [&](const clang::ParmVarDecl *p) {
    const clang::QualType type = p->getType();
    const clang::QualType plain = type.getNonReferenceType();
    const std::string_view name = m.className(plain);
    return type->isPointerType() ||
           (type->isReferenceType() && !plain.isConstQualified() && type->isLValueReferenceType()) ||
           name == "at::Tensor" || name == "at::TensorBase";
  });
}

std::optional<Value> TorchDomain::call(Machine &m, Call &c) {
  if (!c.callee)
    return std::nullopt;
  if (c.self ? !inRanges(c.name).empty() : c.name.starts_with("std::") || c.name.starts_with("mem"))
    readElements(*this, m, c);
  if (const auto where = condArguments(*c.callee))
    return conditional(c, *where);
  std::string_view name = c.name;
  if (strip(name, "at::Tensor::") || strip(name, "at::TensorBase::")) {
    if (!c.self)
      return std::nullopt;
    return tensorMethod(c, name);
  }
  if (strip(name, "condlint::"))
    return annotation(c, name);
  const std::string_view base = c.baseName();
  std::string_view scope = c.name.substr(0, c.name.size() - base.size());
  if ((base == "manual_seed" || base == "manual_seed_all") &&
      (scope.starts_with("at::") || scope.starts_with("torch::"))) {
    onEffect(m, Effect::Other, c.name, c.expr);
    return Void{};
  }
  if (changesProcess(m, c)) {
    onEffect(m, Effect::Other, c.name, c.expr);
    return Void{};
  }
  if (scope == "c10::" || scope == "c10::detail::" || scope == "c10::impl::" || scope == "at::" || scope == "torch::" ||
      scope == "caffe2::")
    if (auto v = errorFunction(c, base))
      return v;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee); method && c.self) {
    const std::string_view cls = m.qualifiedName(*method->getParent());
    if (cls.starts_with("torch::nn::") || cls.starts_with("torch::jit"))
      return ModuleCalls(*this).moduleCall(c, cls, base);
    if (cls == "c10::impl::DictEntryRef" && (base == "key" || base == "value"))
      return m.placeOf(*c.self).then(Step::ofIndex(base == "key" ? 0 : 1));
    if (cls == "torch::autograd::AutogradContext")
      return contextMethod(m, c);
    if (cls.starts_with("torch::optim::"))
      if (auto v = ModuleCalls(*this).optimizerCall(c, base))
        return v;
    // Sizes that are compared with others.
    if ((base == "equals" || base == "operator==" || base == "operator!=") && c.arguments.size() == 1 &&
        standardClass(cls) == "std::vector") {
      const Value a = m.load(*c.self);
      const Value b = m.load(c.arguments[0]);
      if (a.list() && b.list())
        return compareLists(*a.list(), *b.list(), base != "operator!=");
    }
    if (cls == "c10::List" && base == "set" && c.arguments.size() == 2) {
      const Value index = m.load(c.arguments[0]);
      const bool isKnown = index.number() && index.number()->known;
      m.store(m.placeOf(*c.self).then(Step::ofIndex(isKnown ? index.number()->integer : -1)), m.load(c.arguments[1]),
              c.expr);
      return Void{};
    }
    // Sizes of which it is not known how many there are.
    if ((base == "back" || base == "size") && standardClass(cls) == "std::vector")
      if (const Value a = m.load(*c.self); a.list() && !a.list()->sized && a.list()->origin) {
        const Value origin(a.list()->origin);
        const auto *source = origin.as<SourceDatum>();
        if (base == "size" && source && source->facet == SourceDatum::Facet::Sizes && source->tensor)
          return number(Number::Kind::Integer, Provenance::Varies, SourceDatum::Facet::Rank,
                        Handle{source->tensor, TensorTag});
        if (auto last = base == "back" ? part(m, origin, Step::ofIndex(-1), c.type) : std::nullopt)
          return last;
      }
    if (cls.starts_with("c10::") || cls.starts_with("at::") || cls.starts_with("torch::") ||
        cls.starts_with("caffe2::"))
      return smallClass(c, cls, base);
    return std::nullopt;
  }
  if (scope == "at::" || scope == "torch::" || scope == "c10::" || scope == "caffe2::") {
    if (base.starts_with("operator"))
      return freeOperator(c, base);
    return libraryFunction(c, scope, base);
  }
  if (scope == "torch::nn::functional::")
    return FunctionalCalls(*this).functional(c, base);
  if (scope == "torch::nn::utils::")
    if (auto v = Gradients(*this).gradientUtility(c, base))
      return v;
  if (scope.starts_with("torch::autograd::"))
    if (auto v = Gradients(*this).autograd(c, base))
      return v;
  if (c.name == "detail::scalar_type" && c.arguments.size() == 1) // what AT_DISPATCH_* switches on
    return m.load(c.arguments[0]);
  if (scope == "torch::special::" || scope == "torch::linalg::" || scope == "torch::fft::" ||
      scope == "torch::nested::" || scope == "torch::sparse::") {
    const std::string full = std::string(scope.substr(7, scope.size() - 9)) + "_" + std::string(base);
    if (isAtenName(full))
      return atenNamed(c, full, nullptr);
    if (isAtenName(base))
      return atenNamed(c, base, nullptr);
    return opaqueTensors(c, c.name);
  }
  if (scope == "torch::nn::init::") {
    // They fill what they are given.
    if (c.arguments.empty())
      return std::nullopt;
    const Value t = m.load(c.arguments[0]);
    const bool uniform = base.ends_with("uniform_");
    if (uniform || base.ends_with("normal_") || base == "orthogonal_" || base == "sparse_") { // with random numbers
      Call drawn = c;
      drawn.arguments.resize(1);
      return atenNamed(drawn, uniform ? "uniform_" : "normal_", nullptr);
    }
    emitElements(CxxOp::Store, t, c.expr);
    return t;
  }
  if (scope.starts_with("at::indexing::") || scope.starts_with("torch::indexing::"))
    return std::nullopt;
  if (scope.starts_with("at::") || scope.starts_with("torch::") || scope.starts_with("c10::"))
    return libraryFunction(c, scope, base);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Functions that end or warn
//===----------------------------------------------------------------------===//

std::optional<Value> TorchDomain::errorFunction(Call &c, std::string_view name) {
  // TORCH_CHECK and its kin: what follows holds where it did not fail.
  if (name.starts_with("torchCheckFail") || name.starts_with("torchInternalAssertFail") ||
      name == "ThrowEnforceNotMet" || name == "ThrowEnforceFiniteNotMet") {
    machine->fail();
    return Void{};
  }
  if (name == "warn" && c.name.starts_with("c10::")) {
    onEffect(*machine, Effect::Output, "TORCH_WARN", c.expr);
    return Void{};
  }
  if (name == "save" && c.name == "torch::save") {
    onEffect(*machine, Effect::Output, "torch::save", c.expr);
    return Void{};
  }
  if (name == "load" && c.name == "torch::load") {
    onEffect(*machine, Effect::Input, "torch::load", c.expr);
    return std::nullopt;
  }
  if (name == "GetExceptionString" || name == "torchCheckMsgImpl")
    return machine->unknown("a message");
  return std::nullopt;
}

void TorchDomain::onEffect(Machine &, Effect effect, std::string_view name, const clang::Stmt *at) {
  std::string_view what = "other";
  switch (effect) {
  case Effect::Output:
    what = "output";
    break;
  case Effect::Input:
    what = "input";
    break;
  case Effect::Lock:
    what = "lock";
    break;
  case Effect::Allocation:
    what = "allocation";
    break;
  case Effect::Throw:
    what = "throw";
    break;
  case Effect::Other:
    break;
  }
  if (effect == Effect::Throw && at) {
    // The exceptions of libtorch's own checks are checks of the program.
    const auto *thrown = llvm::dyn_cast<clang::CXXThrowExpr>(at);
    const clang::SourceManager &sm = ast.getSourceManager();
    const clang::SourceLocation begin = at->getBeginLoc();
    if (thrown && begin.isMacroID()) {
      const std::string_view cls =
          thrown->getSubExpr() ? machine->className(thrown->getSubExpr()->getType()) : std::string_view();
      const clang::SourceLocation spelled = sm.getSpellingLoc(begin);
      if (cls.starts_with("c10::") && sm.getFileID(spelled) != sm.getFileID(sm.getExpansionLoc(begin)))
        return;
    }
  }
  NodeDraft d(graphs, CxxOp::Effect);
  d.set(attr::what, what);
  d.set(attr::name, name);
  const NodeId n = emit(d, 0, at);
  inferNode(graphs, n);
}

//===----------------------------------------------------------------------===//
// Calls that are not seen into
//===----------------------------------------------------------------------===//

static bool isConstructor(const Call &c) { return llvm::isa_and_nonnull<clang::CXXConstructorDecl>(c.callee); }

Value TorchDomain::opaqueTensors(Call &c, std::string_view name, const Type &facts) {
  // A function of libtorch that the schemas do not know: what it does with its
  // tensors is not known.
  NodeDraft d(graphs, CxxOp::Opaque);
  std::vector<ValueId> given;
  const std::function<void(const Value &, unsigned)> add = [&](const Value &v, unsigned depth) {
    if (isTensor(v) && !isUndefined(v))
      given.push_back(valueOf(v, c.expr));
    else if (const List *l = v.list(); l && depth < 4)
      for (const Value &item : l->items)
        add(item, depth + 1);
    else if (const Optional *o = v.optional(); o && depth < 4)
      add(o->value, depth + 1);
    else if (const Record *r = v.record(); r && depth < 4)
      for (const auto &[field, value] : r->fields)
        add(value, depth + 1);
  };
  if (c.self)
    add(machine->load(*c.self), 0);
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      add(machine->load(a), 0);
  d.values("values", given);
  d.set(attr::name, name);
  // The call of the branch itself: \c branch says whether it is known which function that is.
  if (!scopes.empty() && machine->frames().size() == scopes.back().frame && !isConstructor(c))
    d.set(attr::branch, c.callee != nullptr);
  const clang::QualType declared = c.type.isNull() ? c.type : c.type.getNonReferenceType();
  const std::string_view cls = machine->className(declared);
  const bool tensor = cls == "at::Tensor" || cls == "at::TensorBase";
  if (full())
    return machine->unknown(declared, "too large");
  const NodeId n = emit(d, tensor ? 1 : 0, c.expr);
  if (tensor) {
    Type t = facts;
    t.kind = ValueKind::Tensor;
    graphs[graphs.result(n, 0)].recorded = graphs.types.intern(t);
  }
  inferNode(graphs, n);
  if (tensor)
    return newTensor(graphs.result(n, 0));
  if (cls == "std::tuple" || cls == "std::pair") {
    List l;
    for (unsigned i = 0; i < typeArgumentCount(declared); ++i)
      l.items.push_back(machine->unknown(typeArgument(declared, i), "a result of " + std::string(name)));
    return l;
  }
  return machine->unknown(declared, "a result of " + std::string(name));
}

/// What the call, which writes nothing, makes where it is declared to return a \p type: new tensors. Absent for others.
static Value madeBy(TorchDomain &domain, Machine &m, const Call &c, clang::QualType type, unsigned depth = 0) {
  constexpr unsigned most = 8;
  const std::string_view cls = m.className(type);
  if (cls == "at::Tensor" || cls == "at::TensorBase")
    return domain.newTensor(domain.madeTensor(c.name, c.expr));
  const auto parts = depth < most && !type.isNull() ? partCount(m.ast(), type) : std::nullopt;
  constexpr std::int64_t mostParts = 64;
  if (!parts || *parts > mostParts)
    return {};
  List l;
  for (std::int64_t i = 0; i < *parts; ++i) {
    const clang::QualType part = partType(m.ast(), type, Step::ofIndex(i));
    const Value made = madeBy(domain, m, c, part, depth + 1);
    l.items.push_back(made.isAbsent() ? m.unknown(part, "the result of " + std::string(c.name)) : made);
  }
  return l;
}

bool TorchDomain::writesNothing(const Call &c) {
  if (c.callee)
    for (const clang::FunctionDecl *d : c.callee->redecls())
      for (const auto *a : d->specific_attrs<clang::AnnotateAttr>())
        if (a->getAnnotation() == "condlint::pure")
          return true;
  return false;
}

Value TorchDomain::opaqueCall(Machine &m, Call &c) {
  // A constructor of a class that nobody sees into keeps what it is given.
  const bool constructor = isConstructor(c);
  if (writesNothing(c)) {
    const Value made = madeBy(*this, m, c, c.type);
    return made.isAbsent() ? Domain::opaqueCall(m, c) : made;
  }
  if (c.callee && c.callee->isNoReturn()) {
    onEffect(m, Effect::Throw, c.name, c.expr);
    return Void{};
  }
  std::string called = c.callee ? std::string(m.qualifiedName(*c.callee)) : "a function that is not known";
  if (c.isOpen)
    called = "a virtual call: what overrides " + called + " is not known";
  const Value v = opaqueTensors(c, called);
  if (constructor || !v.unknown())
    return constructor ? Domain::opaqueCall(m, c) : v;
  return Domain::opaqueCall(m, c);
}

} // namespace condlint::cxx
