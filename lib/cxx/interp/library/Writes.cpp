//===- Writes.cpp - What functions of the library write -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the library that no other part models: which of them write where
// their arguments lead to for certain, and which only read there. What is neither
// may write wherever its parameters would let it.
//
//===----------------------------------------------------------------------===//

#include "Writes.h"
#include "../machine/Types.h"
#include "Functions.h"
#include <algorithm>
#include <array>

namespace condlint::cxx {

namespace {

/// What writes for certain where one of its arguments, a position, leads to: the number of the argument.
struct Writer {
  std::string_view name;
  std::size_t argument;
};
constexpr auto writers = std::to_array<Writer>({{"partial_sum", 2},
                                                {"adjacent_difference", 2},
                                                {"inclusive_scan", 2},
                                                {"exclusive_scan", 2},
                                                {"transform_inclusive_scan", 2},
                                                {"transform_exclusive_scan", 2},
                                                {"replace", 0},
                                                {"remove", 0},
                                                {"unique", 0},
                                                {"shift_left", 0},
                                                {"shift_right", 0},
                                                {"next_permutation", 0},
                                                {"prev_permutation", 0},
                                                {"inplace_merge", 0},
                                                {"make_heap", 0},
                                                {"push_heap", 0},
                                                {"pop_heap", 0},
                                                {"sort_heap", 0},
                                                {"copy_backward", 2},
                                                {"move_backward", 2},
                                                {"reverse_copy", 2},
                                                {"rotate_copy", 3},
                                                {"replace_copy", 2},
                                                {"remove_copy", 2},
                                                {"unique_copy", 2},
                                                {"partial_sort_copy", 2},
                                                {"sample", 2},
                                                {"merge", 4},
                                                {"set_union", 4},
                                                {"set_intersection", 4},
                                                {"set_difference", 4},
                                                {"set_symmetric_difference", 4},
                                                {"uninitialized_fill", 0},
                                                {"uninitialized_fill_n", 0},
                                                {"uninitialized_copy", 2},
                                                {"uninitialized_copy_n", 2},
                                                {"uninitialized_move", 2},
                                                {"swap_ranges", 0},
                                                {"swap_ranges", 2},
                                                {"iter_swap", 0},
                                                {"iter_swap", 1}});

/// What only reads what its arguments lead to, or only leads there itself, although their types would let it write.
constexpr auto readers = std::to_array<std::string_view>({"accumulate",
                                                          "reduce",
                                                          "transform_reduce",
                                                          "inner_product",
                                                          "fold_left",
                                                          "lower_bound",
                                                          "upper_bound",
                                                          "equal_range",
                                                          "binary_search",
                                                          "equal",
                                                          "mismatch",
                                                          "search",
                                                          "search_n",
                                                          "find",
                                                          "find_if",
                                                          "find_if_not",
                                                          "find_end",
                                                          "find_first_of",
                                                          "find_last",
                                                          "adjacent_find",
                                                          "count",
                                                          "count_if",
                                                          "any_of",
                                                          "all_of",
                                                          "none_of",
                                                          "contains",
                                                          "contains_subrange",
                                                          "starts_with",
                                                          "ends_with",
                                                          "is_sorted",
                                                          "is_sorted_until",
                                                          "is_heap",
                                                          "is_heap_until",
                                                          "is_partitioned",
                                                          "partition_point",
                                                          "is_permutation",
                                                          "includes",
                                                          "lexicographical_compare",
                                                          "lexicographical_compare_three_way",
                                                          "min_element",
                                                          "max_element",
                                                          "minmax_element",
                                                          "min",
                                                          "max",
                                                          "minmax",
                                                          "clamp",
                                                          "distance",
                                                          "advance",
                                                          "next",
                                                          "prev",
                                                          "begin",
                                                          "end",
                                                          "cbegin",
                                                          "cend",
                                                          "rbegin",
                                                          "rend",
                                                          "crbegin",
                                                          "crend",
                                                          "data",
                                                          "size",
                                                          "ssize",
                                                          "empty",
                                                          "get",
                                                          "get_if",
                                                          "any_cast",
                                                          "addressof",
                                                          "to_address",
                                                          "launder",
                                                          "ref",
                                                          "as_const",
                                                          "dynamic_pointer_cast",
                                                          "make_move_iterator",
                                                          "make_reverse_iterator",
                                                          "assume_aligned",
                                                          "as_bytes",
                                                          "as_writable_bytes"});

/// Those of C's functions that are modelled as effects alone, and write to memory besides.
constexpr auto inputs =
    std::to_array<std::string_view>({"fread", "read", "pread", "recv", "recvfrom", "fgets", "getline"});

/// The elements that the type \p t of an argument leads to may be written.
bool leadsToWritable(Machine &m, clang::QualType t) {
  if (t.isNull())
    return false;
  t = t.getNonReferenceType();
  if (const clang::QualType to = t->getPointeeType(); !to.isNull())
    return !to.isConstQualified() && !to->isFunctionType();
  const clang::CXXRecordDecl *record = Machine::classOf(t);
  const std::string_view cls = m.className(t);
  if (!record || !isStandard(cls))
    return false;
  if (cls == "std::span")
    return !typeArgument(t, 0).isConstQualified();
  if (cls.find("iterator") == std::string_view::npos || !record->hasDefinition())
    return false;
  const auto isWritten = [](const clang::NamedDecl *d) {
    const auto *op = llvm::dyn_cast<clang::FunctionDecl>(d->getUnderlyingDecl());
    const clang::QualType element = op ? op->getReturnType() : clang::QualType();
    return !element.isNull() && element->isLValueReferenceType() && !element.getNonReferenceType().isConstQualified();
  };
  return std::ranges::any_of(
      record->lookup(record->getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Star)), isWritten);
}

bool isExecutionPolicy(Machine &m, const Argument &a) {
  return m.className(a.type).find("execution::") != std::string_view::npos;
}

/// The parameter \p i takes whatever it is given, as it is: it says nothing of what is done with it.
bool isForwarded(const clang::FunctionDecl &f, std::size_t i) {
  const clang::FunctionDecl *pattern = f.getTemplateInstantiationPattern();
  if (!pattern || pattern->getNumParams() == 0)
    return false;
  const unsigned last = pattern->getNumParams() - 1;
  clang::QualType t = pattern->getParamDecl(std::min(static_cast<unsigned>(i), last))->getType();
  if (const auto *pack = t->getAs<clang::PackExpansionType>())
    t = pack->getPattern();
  return t->isRValueReferenceType();
}

/// A function of the library, no model of which is there, may write to what lies outside through \p a.
bool mayWriteOuter(Machine &m, const Call &c, std::size_t i, bool inRanges) {
  const Argument &a = c.arguments[i];
  const auto isOuter = [&](const Pointer &p) {
    return std::ranges::any_of(p.places, [&](const Place &at) { return at.object && m.isOuter(at.object); });
  };
  if (a.isDefault)
    return false;
  const bool byReference = !a.type.isNull() && a.type->isLValueReferenceType() &&
                           !a.type.getNonReferenceType().isConstQualified() && (inRanges || !isForwarded(*c.callee, i));
  if (byReference && a.place && isOuter(*a.place))
    return true;
  if (!leadsToWritable(m, a.type.isNull() && a.expr ? a.expr->getType() : a.type))
    return false;
  const Value v = m.peek(a);
  if (const Pointer *p = v.pointer())
    return isOuter(*p);
  return v.datum() && LibraryModel::insertsInto(v).places.empty();
}

} // namespace

bool Writes::writesThrough(Call &c) {
  // std::filesystem has functions of the same names, and so has C.
  constexpr std::string_view in = "std::";
  if (c.self || c.callee->isExternC() || !c.name.starts_with(in))
    return false;
  const std::size_t skipped = !c.arguments.empty() && isExecutionPolicy(m, c.arguments.front()) ? 1 : 0;
  bool writes = false;
  for (const Writer &w : writers) {
    const std::size_t i = w.argument + skipped;
    if (w.name != c.name.substr(in.size()) || i >= c.arguments.size())
      continue;
    writes = true;
    const Value to = argument(c, i);
    if (!insertsInto(to).places.empty())
      continue;
    const clang::Expr *given = c.arguments[i].expr;
    clang::QualType type = given ? pointeeType(given->getType()) : clang::QualType();
    if (given && m.className(given->getType()).ends_with("normal_iterator")) // made of a pointer
      type = pointeeType(type);
    Functions(m).storeFrom(to, type, m.unknown(type, "written by " + std::string(c.name)), c);
  }
  return writes;
}

bool Writes::mayWriteOuter(Call &c) {
  std::string_view name = c.baseName();
  constexpr std::string_view before = "std::ranges::__", after = "_fn::operator()";
  const bool inRanges = c.self && c.name.starts_with(before) && c.name.ends_with(after);
  if (inRanges)
    name = c.name.substr(before.size(), c.name.size() - before.size() - after.size());
  if ((c.self && !inRanges) || isAmong(readers, name) || (c.callee->isExternC() && !isAmong(inputs, name)))
    return false;
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    if (condlint::cxx::mayWriteOuter(m, c, i, inRanges))
      return true;
  return false;
}

} // namespace condlint::cxx
