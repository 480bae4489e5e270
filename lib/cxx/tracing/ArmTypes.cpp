//===- ArmTypes.cpp - Selections whose arms differ in type ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ArmTypes.h"
#include "../torch/TorchDomain.h"
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

namespace {

/// Tensor code that is run only to look at the types that meet in selections.
class ArmDomain : public TorchDomain {
public:
  using TorchDomain::TorchDomain;
  std::map<const clang::Expr *, std::string> found;

  void onSelected(Machine &m, const clang::Expr *condition, const Value &yes, const Value &no) override {
    compare(m, condition, yes, no, false);
  }

  std::optional<Value> call(Machine &m, Call &c) override {
    std::optional<Value> result = TorchDomain::call(m, c);
    // `where(c, a, b)`, and `a.where(c, b)`.
    if (c.name == "at::where" && c.arguments.size() == 3)
      compare(m, c.expr, m.load(c.arguments[1]), m.load(c.arguments[2]), true);
    else if (c.name == "at::Tensor::where" && c.self && c.arguments.size() == 2)
      compare(m, c.expr, m.load(*c.self), m.load(c.arguments[1]), true);
    return result;
  }

private:
  /// What is common to all that the arm \p v may be: `a ? x : y` is either of two.
  Type typeOfArm(Machine &m, const Value &v) {
    const Pointer *p = v.pointer();
    if (!p)
      return isTensor(v) ? typeOf(v) : Type();
    Type common;
    for (const Place &place : p->places) {
      const Value held = place.object && !p->other ? m.peek(place) : Value();
      if (!isTensor(held))
        return Type();
      common = &place == p->places.begin() ? typeOf(held) : commonOf(common, typeOf(held));
    }
    return common;
  }

  static Type commonOf(const Type &a, const Type &b) {
    Type both;
    if (!a.isTensor() || !b.isTensor())
      return both;
    both.kind = ValueKind::Tensor;
    both.restrict(a.possible() | b.possible());
    if (a.hasRank && b.hasRank && a.dims.size() == b.dims.size()) {
      both.hasRank = true;
      both.dims = a.dims;
    }
    return both;
  }

  void compare(Machine &m, const clang::Expr *at, const Value &a, const Value &b, bool promotes) {
    const Type x = typeOfArm(m, a);
    const Type y = typeOfArm(m, b);
    if (!at || m.dead() || !x.isTensor() || !y.isTensor())
      return;
    // In arithmetic a tensor without dimensions bends like a number.
    if (promotes && ((x.hasRank && x.dims.empty()) || (y.hasRank && y.dims.empty())))
      return;
    const auto dtype = [](const Type &t) {
      return t.element != DType::Unknown ? std::string(dtypeName(t.element)) : std::string("another");
    };
    if (x.possible().disjoint(y.possible()))
      found.emplace(at, dtype(x) + " and " + dtype(y));
    else if (x.hasRank && y.hasRank && x.dims.size() != y.dims.size())
      found.emplace(at, "rank " + std::to_string(x.dims.size()) + " and rank " + std::to_string(y.dims.size()));
  }
};

} // namespace

std::map<const clang::Expr *, std::string> differingArms(clang::ASTContext &ast, const SourceOptions &options,
                                                         const std::vector<const clang::FunctionDecl *> &functions) {
  Model scratch;
  scratch.info.format = Format::Cxx;
  scratch.info.dialect = Dialect::Torch;
  ArmDomain domain(ast, scratch, options, changesDefaultDtype(ast));
  BodyFilter filter(options);
  for (const clang::FunctionDecl *f : functions) {
    Machine machine(ast, domain, scratch.dims);
    machine.setOwnCode([&](const clang::FunctionDecl &g) { return filter.needsBody(g, ast.getSourceManager()); });
    domain.attach(machine);
    domain.beginFunction(*f);
    machine.runRoot(*f);
    domain.endFunction();
    domain.detach();
  }
  return std::move(domain.found);
}

} // namespace condlint::cxx
