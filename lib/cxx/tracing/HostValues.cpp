//===- HostValues.cpp - Host values of traced code ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostValues.h"
#include "TracedCode.h"

namespace condlint::cxx {

using namespace clang;
using llvm::StringRef;

bool isRead(StringRef name) {
  return name == "item" || name == "is_nonzero" || name == "equal" || name == "allclose" ||
         name == "_local_scalar_dense";
}

bool isDataPointer(const Expr *e, unsigned depth) {
  e = plain(plain(e)->IgnoreParenCasts());
  if (depth > deepestTraced)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(e)) {
    const StringRef name = torchCallee(call);
    return name == "data_ptr" || name == "const_data_ptr" || name == "mutable_data_ptr";
  }
  if (const VarDecl *v = variable(e))
    return v->getType()->isPointerType() && v->getInit() != nullptr && !isa<ParmVarDecl>(v) &&
           isDataPointer(v->getInit(), depth + 1);
  const auto *sum = dyn_cast<BinaryOperator>(e);
  return sum != nullptr && sum->isAdditiveOp() && sum->getType()->isPointerType() &&
         (isDataPointer(sum->getLHS(), depth + 1) || isDataPointer(sum->getRHS(), depth + 1));
}

bool isElement(const Expr *e) {
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
    return isDataPointer(s->getBase());
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    return u->getOpcode() == UO_Deref && isDataPointer(u->getSubExpr());
  const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
  const CXXRecordDecl *of = o != nullptr && o->getOperator() == OO_Subscript && o->getNumArgs() == 2
                                ? o->getArg(0)->getType().getNonReferenceType()->getAsCXXRecordDecl()
                                : nullptr;
  return of != nullptr && of->getIdentifier() != nullptr && of->getName().contains("TensorAccessor") &&
         o->getType()->isScalarType();
}

bool isHolder(QualType type) {
  const CXXRecordDecl *r = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (r == nullptr || r->getIdentifier() == nullptr || isTensor(type) || isModuleLike(type))
    return false;
  const auto *space = dyn_cast<NamespaceDecl>(r->getDeclContext()->getEnclosingNamespaceContext());
  while (space != nullptr && isa<NamespaceDecl>(space->getParent()))
    space = cast<NamespaceDecl>(space->getParent());
  return space != nullptr && llvm::is_contained({"std", "__gnu_cxx", "c10"}, space->getName()) &&
         r->getName() != "function";
}

bool holdsHostValue(QualType type) {
  type = type.getNonReferenceType();
  if (type->isArrayType())
    type = QualType(type->getBaseElementTypeUnsafe(), 0);
  return type->isScalarType() || isHolder(type);
}

bool isKeyed(QualType type) {
  const CXXRecordDecl *r = type.getNonReferenceType()->getAsCXXRecordDecl();
  return isHolder(type) && (r->getName().ends_with("map") || r->getName().ends_with("set") || r->getName() == "Dict") &&
         r->getName() != "bitset";
}

bool isPosition(QualType type) {
  type = type.getNonReferenceType();
  return type->isPointerType() ||
         (isHolder(type) && type->getAsCXXRecordDecl()->getName().contains_insensitive("iter"));
}

HolderQuestion askedBy(const CallExpr *call) {
  const FunctionDecl *f = call->getDirectCallee();
  if (isStd(f, {"size", "ssize", "empty", "distance"}) && !isa<CXXMethodDecl>(f))
    return HolderQuestion::HowMany;
  if (const auto *o = dyn_cast<CXXOperatorCallExpr>(call))
    return isPosition(o->getArg(0)->getType()) && (o->isComparisonOp() || o->getOperator() == OO_Minus) &&
                   o->getNumArgs() == 2 && isPosition(o->getArg(1)->getType())
               ? HolderQuestion::HowMany
               : HolderQuestion::Other;
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const CXXMethodDecl *m = member != nullptr ? member->getMethodDecl() : nullptr;
  if (m == nullptr || !isHolder(m->getFunctionObjectParameterType()))
    return HolderQuestion::Other;
  if (m->getParent()->getName().ends_with("Bit_reference") || m->getParent()->getName().ends_with("bit_reference"))
    return HolderQuestion::Other; // of a list of bits: the bit
  if (isa<CXXConversionDecl>(m))
    return m->getReturnType()->isBooleanType() ? HolderQuestion::Kind : HolderQuestion::Other;
  if (m->getIdentifier() == nullptr)
    return HolderQuestion::Other;
  const bool keyed = isKeyed(m->getFunctionObjectParameterType());
  const StringRef name = m->getName();
  if (name == "has_value" || name == "capacity" || (name == "empty" && keyed) ||
      (m->getParent()->getName() == "Scalar" && (name == "type" || name.starts_with("is"))))
    return HolderQuestion::Kind;
  if (name == "size" || name == "empty" || name == "length")
    return HolderQuestion::HowMany;
  return keyed && llvm::is_contained({"count", "contains", "find", "lower_bound", "upper_bound", "equal_range"}, name)
             ? HolderQuestion::Key
             : HolderQuestion::Other;
}

bool isFunctionObject(const Expr *e) {
  const auto *r = e != nullptr ? e->getType()->getAsCXXRecordDecl() : nullptr;
  return r != nullptr && r->getIdentifier() != nullptr && r->isInStdNamespace() &&
         llvm::is_contained({"function", "move_only_function"}, r->getName());
}

bool isCallable(const Expr *e) {
  const QualType type = plain(e)->getType().getNonReferenceType();
  const auto *r = type->getAsCXXRecordDecl();
  return (r != nullptr && r->isLambda()) || type->isFunctionType() || type->isFunctionPointerType() ||
         isFunctionObject(plain(e));
}

} // namespace condlint::cxx
