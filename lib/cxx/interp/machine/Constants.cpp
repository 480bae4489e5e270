//===- Constants.cpp - What Clang evaluates -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants as Clang evaluates them become values of the machine: texts, and what the
// standard library's classes mean instead of how the library keeps them.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Types.h"
#include <clang/AST/APValue.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <string>

namespace condlint::cxx {

/// The characters of the text that the constant \p v, a pointer to characters, leads to the beginning of.
static std::optional<std::string> textAt(const clang::APValue &v) {
  if (!v.isLValue() || !v.getLValueOffset().isZero())
    return std::nullopt;
  const auto *base = v.getLValueBase().dyn_cast<const clang::Expr *>();
  const auto *literal = llvm::dyn_cast_or_null<clang::StringLiteral>(base);
  return literal && literal->getCharByteWidth() == 1 ? std::optional(literal->getBytes().str()) : std::nullopt;
}

/// The text that the characters \p v are, with zeros behind it alone.
static std::optional<std::string> textOfCharacters(const clang::APValue &v) {
  std::string text;
  for (unsigned i = 0; i < v.getArraySize(); ++i) {
    const clang::APValue &c = i < v.getArrayInitializedElts() ? v.getArrayInitializedElt(i) : v.getArrayFiller();
    if (!c.isInt())
      return std::nullopt;
    text.push_back(static_cast<char>(c.getInt().getExtValue()));
  }
  const std::size_t end = text.find('\0');
  if (end == std::string::npos || text.find_first_not_of('\0', end) != std::string::npos)
    return std::nullopt;
  text.resize(end);
  return text;
}

/// The constant \p v of one of the library's classes as the machine keeps these; nothing for those that are kept as
/// any class is.
static std::optional<Value> standardConstant(Machine &m, const clang::APValue &v, const clang::CXXRecordDecl &record) {
  const std::string_view name = m.qualifiedName(record);
  const auto part = [&](llvm::StringRef named) -> const clang::FieldDecl * {
    for (const clang::FieldDecl *f : record.fields())
      if (f->getName() == named)
        return f;
    return nullptr;
  };
  // A standard array is the array that it holds.
  if (name == "std::array" && v.getStructNumFields() == 1)
    return m.constant(v.getStructField(0), record.field_begin()->getType());
  if (name == "std::pair" && v.getStructNumFields() == 2) {
    List both;
    for (const clang::FieldDecl *f : record.fields())
      both.items.push_back(m.constant(v.getStructField(f->getFieldIndex()), f->getType()));
    return both;
  }
  if (name == "std::basic_string_view") {
    // By the names that libstdc++ gives its parts, and by libc++'s.
    const clang::FieldDecl *start = part("_M_str") ? part("_M_str") : part("__data_");
    const clang::FieldDecl *length = part("_M_len") ? part("_M_len") : part("__size_");
    const auto text = start ? textAt(v.getStructField(start->getFieldIndex())) : std::nullopt;
    const clang::APValue *count = length ? &v.getStructField(length->getFieldIndex()) : nullptr;
    if (text && count && count->isInt() && count->getInt().getZExtValue() <= text->size())
      return Value::text(text->substr(0, count->getInt().getZExtValue()));
    return m.unknown("a constant");
  }
  // What its initialiser makes says more of one of these than how the library keeps it.
  if (name == "std::basic_string" || name == "std::tuple" || name == "std::optional" || name == "std::variant")
    return m.unknown("a constant");
  return std::nullopt;
}

Value Machine::constant(const clang::APValue &v, clang::QualType type) {
  switch (v.getKind()) {
  case clang::APValue::Int: {
    const llvm::APSInt &i = v.getInt();
    if (i.getSignificantBits() > 64 && i.getActiveBits() > 64)
      return Number::unknown(Number::Kind::Integer, Provenance::Literal);
    // What only an unsigned number can be (std::string::npos) is kept by its bits, as conversions do.
    Number n =
        Number::ofInteger(i.isRepresentableByInt64() ? i.getExtValue() : static_cast<std::int64_t>(i.getZExtValue()));
    if (!type.isNull() && type->isBooleanType())
      n = Number::boolean(n.integer != 0);
    return n;
  }
  case clang::APValue::Float: {
    llvm::APFloat f = v.getFloat();
    bool loses = false;
    f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
    return Number::ofReal(f.convertToDouble());
  }
  case clang::APValue::Array: {
    List l;
    const unsigned size = v.getArraySize();
    if (size > limits.elements)
      return unknown("too large");
    const clang::ArrayType *array = type.isNull() ? nullptr : context.getAsArrayType(type);
    const clang::QualType element = array ? array->getElementType() : clang::QualType();
    if (!element.isNull() && element->isCharType() && element.isConstQualified())
      if (auto text = textOfCharacters(v))
        return Value::text(std::move(*text));
    for (unsigned i = 0; i < size; ++i)
      l.items.push_back(
          constant(i < v.getArrayInitializedElts() ? v.getArrayInitializedElt(i) : v.getArrayFiller(), element));
    return l;
  }
  case clang::APValue::Struct: {
    const clang::CXXRecordDecl *record = classOf(type);
    if (!record)
      return unknown("a constant");
    if (auto known = standardConstant(*this, v, *record))
      return std::move(*known);
    Record r;
    r.type = record;
    r.restReason = reason("a part of a constant");
    for (const clang::FieldDecl *f : record->fields())
      r.fields.emplace_back(f, constant(v.getStructField(f->getFieldIndex()), f->getType()));
    return r;
  }
  case clang::APValue::LValue: {
    const auto base = v.getLValueBase();
    const auto *named = base.dyn_cast<const clang::ValueDecl *>();
    if (const auto *f = llvm::dyn_cast_or_null<clang::FunctionDecl>(named))
      return callableOf(*f);
    if (auto text = type.isNull() || !type->isPointerType() ? std::nullopt : textAt(v))
      return Value::text(std::move(*text));
    return v.isNullPointer() ? Value(Null{}) : unknown("a constant");
  }
  default:
    return unknown("a constant");
  }
}

} // namespace condlint::cxx
