//===- Einsum.cpp - Sums by index letters, executed -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Sums of products over named axes, as torch and ONNX write them ("bij,bjk->bik").
#include "ElementKernels.h"
#include "MatrixProduct.h"
#include "Rows.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace condlint {

namespace {

/// Axes by their names; those of an ellipsis count from `firstUnnamed`.
using Letters = std::vector<int>;
constexpr int firstUnnamed = 1000;

bool holds(const Letters &list, int letter) { return std::ranges::find(list, letter) != list.end(); }

Letters joined(std::initializer_list<const Letters *> lists) {
  Letters all;
  for (const Letters *l : lists)
    all.insert(all.end(), l->begin(), l->end());
  return all;
}

bool hasEllipsis(std::string_view term) { return term.find("...") != std::string_view::npos; }
std::size_t namedIn(std::string_view term) {
  return static_cast<std::size_t>(std::ranges::count_if(term, [](char ch) { return ch != '.'; }));
}

/// The letters of one operand; an ellipsis becomes letters of its own.
Letters lettersOf(const ExecContext &c, std::string_view text, std::size_t rank, std::size_t ellipsis) {
  Letters letters;
  const std::size_t named = namedIn(text);
  if (hasEllipsis(text) ? named > rank : named != rank)
    c.fail(fmt::format("the term '{}' does not fit a tensor of rank {}", text, rank));
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      const std::size_t own = rank - named;
      for (std::size_t k = 0; k < own; ++k)
        letters.push_back(firstUnnamed + static_cast<int>(ellipsis - own + k));
      i += 2;
      continue;
    }
    letters.push_back(text[i]);
  }
  return letters;
}

/// One equation with its operands.
class Einsum {
public:
  explicit Einsum(const ExecContext &context);
  Tensor result() const { return operands.size() == 2 && output.size() + 2 < 60 ? byProduct() : bySum(); }

private:
  std::vector<std::string_view> terms() const;
  void nameAxes(std::size_t ellipsis);
  void nameOutput(std::size_t ellipsis);
  Tensor aligned(const Tensor &t, const Letters &own, const Letters &order, bool stretch) const;
  std::int64_t count(const Letters &list) const;
  void sumAlone(Tensor &x, Letters &own, Letters &list) const;
  Tensor byProduct() const;
  Tensor bySum() const;

  const ExecContext &c;
  std::string equation; ///< without blanks
  std::size_t arrow;    ///< npos: the result is not said
  std::vector<Tensor> operands;
  std::vector<Letters> letters; ///< by operand
  std::map<int, std::int64_t> sizes;
  std::map<int, int> uses;
  Letters output;
  Letters all; ///< those of the result first, then the summed ones
};

Einsum::Einsum(const ExecContext &context) : c(context), equation(context.text("equation")) {
  if (c.isTorch())
    operands = c.tensors("tensors");
  else
    for (std::size_t i = 0; i < c.operandCount(); ++i)
      operands.push_back(c.in(i));
  std::erase(equation, ' ');
  arrow = equation.find("->");
  const std::vector<std::string_view> list = terms();
  if (list.size() != operands.size() || operands.empty())
    c.fail(fmt::format("'{}' is for {} operands, {} are given", equation, list.size(), operands.size()));
  std::size_t ellipsis = 0; // axes of the longest
  for (std::size_t i = 0; i < list.size(); ++i)
    if (hasEllipsis(list[i]))
      ellipsis = std::max(ellipsis, operands[i].rank() - std::min(namedIn(list[i]), operands[i].rank()));
  nameAxes(ellipsis);
  nameOutput(ellipsis);
  all = output;
  for (const auto &[letter, size] : sizes)
    if (!holds(output, letter))
      all.push_back(letter);
}

/// What stands before the arrow, between commas.
std::vector<std::string_view> Einsum::terms() const {
  const std::string_view inputs = std::string_view(equation).substr(0, arrow);
  std::vector<std::string_view> list;
  for (std::size_t at = 0; at <= inputs.size();) {
    const std::size_t comma = std::min(inputs.find(',', at), inputs.size());
    list.push_back(inputs.substr(at, comma - at));
    at = comma + 1;
  }
  return list;
}

/// The axes of the operands, and their sizes, which fit each other.
void Einsum::nameAxes(std::size_t ellipsis) {
  const std::vector<std::string_view> list = terms();
  for (std::size_t i = 0; i < list.size(); ++i) {
    letters.push_back(lettersOf(c, list[i], operands[i].rank(), ellipsis));
    for (std::size_t k = 0; k < letters[i].size(); ++k) {
      std::int64_t &size = sizes.try_emplace(letters[i][k], 1).first->second;
      const std::int64_t own = operands[i].size(k);
      if (size != 1 && own != 1 && size != own)
        c.fail(fmt::format("an axis of '{}' has {} elements and {}", equation, size, own));
      size = size == 1 ? own : size;
      ++uses[letters[i][k]];
    }
  }
}

/// What stands behind the arrow; without one, the ellipsis and what occurs once, in alphabetical order.
void Einsum::nameOutput(std::size_t ellipsis) {
  if (arrow != std::string::npos) {
    const std::string_view text = std::string_view(equation).substr(arrow + 2);
    output = lettersOf(c, text, namedIn(text) + (hasEllipsis(text) ? ellipsis : 0), ellipsis);
  } else {
    for (std::size_t k = 0; k < ellipsis; ++k)
      output.push_back(firstUnnamed + static_cast<int>(k));
    for (const auto &[letter, times] : uses)
      if (letter < firstUnnamed && times == 1)
        output.push_back(letter);
  }
  for (int letter : output)
    if (!sizes.contains(letter))
      c.fail(fmt::format("'{}' yields an axis that no operand has", equation));
}

/// A view of \p t, whose axes are \p own, with the axes \p order; where \p stretch says so, of their full sizes.
Tensor Einsum::aligned(const Tensor &t, const Letters &own, const Letters &order, bool stretch) const {
  Sizes shape, strides;
  for (int letter : order) {
    std::int64_t size = 1, stride = 0;
    for (std::size_t k = 0; k < own.size(); ++k)
      if (own[k] == letter) { // a letter that occurs twice is a diagonal
        stride += t.size(k) == 1 ? 0 : t.stride(k);
        size = t.size(k) == 0 ? 0 : std::max(size, t.size(k));
      }
    shape.push_back(stretch ? sizes.at(letter) : size);
    strides.push_back(stride);
  }
  return t.with(shape, strides, t.offset());
}

std::int64_t Einsum::count(const Letters &list) const {
  std::int64_t n = 1;
  for (int letter : list)
    n *= sizes.at(letter);
  return n;
}

/// Sums \p x over what it alone has (\p list) and the result has not; its axes are \p own.
void Einsum::sumAlone(Tensor &x, Letters &own, Letters &list) const {
  Letters order, keep;
  std::vector<std::size_t> gone;
  for (int letter : all)
    if (holds(own, letter))
      order.push_back(letter);
  for (std::size_t k = 0; k < order.size(); ++k)
    if (holds(list, order[k]) && !holds(output, order[k]))
      gone.push_back(k);
    else
      keep.push_back(order[k]);
  x = aligned(x, own, order, false);
  if (!gone.empty())
    x = reduced(c, x, gone, false, Reduction::Sum, x.dtype());
  own = std::move(keep);
  std::erase_if(list, [&](int letter) { return !holds(output, letter); });
}

/// Two operands: axes of both, of one alone, and summed ones make matrix products.
Tensor Einsum::byProduct() const {
  Letters both, left, right, summed;
  for (int letter : all)
    if (holds(letters[0], letter) && holds(letters[1], letter))
      (holds(output, letter) ? both : summed).push_back(letter);
    else
      (holds(letters[0], letter) ? left : right).push_back(letter);
  Tensor a = operands[0], b = operands[1];
  Letters ofA = letters[0], ofB = letters[1];
  sumAlone(a, ofA, left);
  sumAlone(b, ofB, right);
  const std::int64_t shapeA[] = {count(both), count(left), count(summed)},
                     shapeB[] = {count(both), count(summed), count(right)};
  const Tensor x = reshaped(c, aligned(a, ofA, joined({&both, &left, &summed}), true), shapeA);
  const Tensor y = reshaped(c, aligned(b, ofB, joined({&both, &summed, &right}), true), shapeB);
  const Letters order = joined({&both, &left, &right});
  Sizes shape;
  for (int letter : order)
    shape.push_back(sizes.at(letter));
  std::vector<std::size_t> back;
  for (int letter : output)
    back.push_back(static_cast<std::size_t>(std::ranges::find(order, letter) - order.begin()));
  return contiguous(c, reshaped(c, matmul(c, x, y), shape).permuted(back));
}

/// Any number of operands: their product over all axes, summed.
Tensor Einsum::bySum() const {
  Tensor product = aligned(operands[0], letters[0], all, operands.size() == 1);
  for (std::size_t i = 1; i < operands.size(); ++i)
    product = mul(c, operandOf(product), operandOf(aligned(operands[i], letters[i], all, false)));
  Sizes full;
  for (int letter : all)
    full.push_back(sizes.at(letter));
  product = expanded(c, product, full);
  std::vector<std::size_t> summed;
  for (std::size_t k = output.size(); k < all.size(); ++k)
    summed.push_back(k);
  if (!summed.empty())
    return reduced(c, product, summed, false, Reduction::Sum, operands[0].dtype());
  // Axes of one operand in another order lie as they lay.
  return operands.size() == 1 ? laidOut(c, copied(c, product), preservedStrides(product)) : contiguous(c, product);
}

} // namespace

void executeEinsum(ExecContext &c) { c.finish(0, Einsum(c).result()); }

} // namespace condlint
