//===- annotations.h - What a C++ model tells condlint ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For models written with libtorch: marks for functions that work like
// torch.cond or are traced, and contracts on tensors, which condlint believes
// and the program checks when it runs. Needs libtorch and C++17, nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_ANNOTATIONS_H
#define CONDLINT_ANNOTATIONS_H

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__clang__)
#define CONDLINT_DETAIL_ANNOTATE(...) [[clang::annotate(__VA_ARGS__)]]
#else
#define CONDLINT_DETAIL_ANNOTATE(...)
#endif

/// On a function or method: it is a cond. Its arguments 0 to 3 are predicate,
/// true branch, false branch and operands.
#define CONDLINT_COND CONDLINT_COND_ARGS(0, 1, 2, 3)
/// The same with the positions of predicate, true branch, false branch and
/// operands among the written arguments.
#define CONDLINT_COND_ARGS(p, t, f, o) CONDLINT_DETAIL_ANNOTATE("condlint::cond", p, t, f, o)
/// As the position of the operands: every argument after the last of the other
/// three is one operand.
#define CONDLINT_REST (-1)
/// On a function: it is traced (target nnscaler), besides every `forward`.
#define CONDLINT_TRACED CONDLINT_DETAIL_ANNOTATE("condlint::traced")
/// On a declaration without a body: it writes nothing, has no effect, and its
/// result is new.
#define CONDLINT_PURE CONDLINT_DETAIL_ANNOTATE("condlint::pure")

/// Statement: dtype and sizes of a tensor, as in CONDLINT_TENSOR(x, Float, "N", 4);
/// A string is a symbol: the same string in one function is the same size, from
/// here to the end of the block. With a dtype alone the tensor has rank 0.
/// Throws c10::Error when the tensor is another. It declares a variable: a
/// `case` needs braces around it.
#define CONDLINT_TENSOR(x, ...)                                                                                        \
  [[maybe_unused]] const ::condlint::Contract CONDLINT_DETAIL_JOIN(condlintContract, __COUNTER__) =                    \
      ::condlint::expectTensor((x), CONDLINT_DETAIL_DTYPE(__VA_ARGS__, ), CONDLINT_DETAIL_SIZES(__VA_ARGS__, ),        \
                               __builtin_frame_address(0), static_cast<const char *>(__PRETTY_FUNCTION__))
/// Statement: the dtype of a tensor of any shape, as in CONDLINT_DTYPE(x, Float);
#define CONDLINT_DTYPE(x, dtype) ::condlint::expectDtype((x), ::at::ScalarType::dtype)
/// Statement: dtype and rank 0, as in CONDLINT_SCALAR(x, Bool);
#define CONDLINT_SCALAR(x, dtype) CONDLINT_TENSOR(x, dtype)

// The comma at the end leaves an empty argument, and an initializer list may
// end in a comma: so a dtype alone gives {}.
#define CONDLINT_DETAIL_DTYPE(dtype, ...) ::at::ScalarType::dtype
#define CONDLINT_DETAIL_SIZES(dtype, ...) {__VA_ARGS__}
#define CONDLINT_DETAIL_JOIN(a, b) CONDLINT_DETAIL_JOIN2(a, b)
#define CONDLINT_DETAIL_JOIN2(a, b) a##b

namespace condlint {

/// A size in a contract: a number, or a symbol.
class DimSpec {
public:
  template <class Int, std::enable_if_t<std::is_integral_v<Int>, int> = 0>
  DimSpec(Int size) : number(static_cast<std::int64_t>(size)) {}
  DimSpec(const char *symbol) : name(symbol) {}

  /// The symbol, or null for a number.
  const char *symbol() const { return name; }
  std::int64_t size() const { return number; }

private:
  const char *name = nullptr;
  std::int64_t number = 0;
};

namespace detail {

inline std::string spell(at::ScalarType dtype, std::initializer_list<DimSpec> sizes) {
  std::ostringstream out;
  out << dtype << '[';
  const char *separator = "";
  for (const DimSpec &d : sizes) {
    out << separator;
    if (d.symbol() != nullptr)
      out << d.symbol();
    else
      out << d.size();
    separator = ", ";
  }
  out << ']';
  return out.str();
}

} // namespace detail

/// A contract that was checked, with the sizes of its symbols. While it lives,
/// the other contracts of the same call of the same function hold to them.
class [[nodiscard]] Contract {
public:
  Contract(const at::Tensor &x, at::ScalarType dtype, std::initializer_list<DimSpec> dims, const void *callFrame,
           const char *ofFunction)
      : frame(callFrame), function(ofFunction) {
    TORCH_CHECK(x.defined(), "condlint: ", function, ": expected ", detail::spell(dtype, dims),
                ", and the tensor is undefined");
    bool holds = x.scalar_type() == dtype && x.dim() == static_cast<std::int64_t>(dims.size());
    std::int64_t i = 0;
    for (const DimSpec &d : dims) {
      if (!holds)
        break;
      const std::int64_t size = x.size(i++);
      const std::int64_t *known = d.symbol() == nullptr ? nullptr : find(d.symbol());
      TORCH_CHECK(known == nullptr || size == *known, "condlint: ", function, ": expected ", detail::spell(dtype, dims),
                  " where ", d.symbol() == nullptr ? "" : d.symbol(), " is ", known == nullptr ? 0 : *known,
                  ", and the tensor is ", x.scalar_type(), x.sizes());
      holds = d.symbol() != nullptr || size == d.size();
      if (d.symbol() != nullptr && known == nullptr)
        sizes.emplace_back(d.symbol(), size);
    }
    TORCH_CHECK(holds, "condlint: ", function, ": expected ", detail::spell(dtype, dims), ", and the tensor is ",
                x.scalar_type(), x.sizes());
    if (!sizes.empty())
      link();
  }
  Contract(const Contract &) = delete;
  Contract &operator=(const Contract &) = delete;
  ~Contract() {
    if (list == nullptr)
      return;
    (newer != nullptr ? newer->older : *list) = older;
    if (older != nullptr)
      older->newer = newer;
  }

private:
  /// The size that \p symbol has by now, or null.
  const std::int64_t *find(const std::string &symbol) const {
    for (const auto &[name, size] : sizes)
      if (name == symbol)
        return &size;
    for (const Contract *c = newest(); frame != nullptr && c != nullptr; c = c->older)
      if (c->frame == frame && c->function == function)
        for (const auto &[name, size] : c->sizes)
          if (name == symbol)
            return &size;
    return nullptr;
  }

  void link() {
    list = &newest();
    older = *list;
    if (older != nullptr)
      older->newer = this;
    *list = this;
  }

  static Contract *&newest() {
    static thread_local Contract *head = nullptr;
    return head;
  }

  const void *frame;
  std::string function;
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  Contract **list = nullptr; ///< of the thread that it belongs to; null where it has no symbols
  Contract *newer = nullptr;
  Contract *older = nullptr;
};

/// Checks that \p x has \p dtype and \p sizes; throws c10::Error otherwise.
/// \p frame and \p function tell which call of which function asks; without
/// them a symbol holds within this one contract.
inline Contract expectTensor(const at::Tensor &x, at::ScalarType dtype, std::initializer_list<DimSpec> sizes,
                             const void *frame = nullptr, const char *function = "") {
  return Contract(x, dtype, sizes, frame, function);
}

/// Checks that \p x has \p dtype; throws c10::Error otherwise.
inline void expectDtype(const at::Tensor &x, at::ScalarType dtype) {
  TORCH_CHECK(x.defined(), "condlint: expected a tensor of ", dtype, ", and it is undefined");
  TORCH_CHECK(x.scalar_type() == dtype, "condlint: expected a tensor of ", dtype, ", and it is ", x.scalar_type(),
              x.sizes());
}

} // namespace condlint

#endif // CONDLINT_ANNOTATIONS_H
