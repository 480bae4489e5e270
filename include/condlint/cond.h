//===- cond.h - torch.cond for libtorch -------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// condlint::cond(pred, trueFn, falseFn, operands) is the C++ twin of Python's
// torch.cond: it calls one of two functions with the operands and returns what
// it returns. What the two may do, and how their results must agree, is what
// condlint checks. Needs libtorch and C++17, nothing else.
//
// With -DCONDLINT_VALIDATE=1, the same in every source of a program, each call
// runs both branches, the one that is not taken first and on clones, and throws
// when they do not fit together: for tests, and for models that are debugged.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_COND_H
#define CONDLINT_COND_H

#include "condlint/annotations.h"
#include <ATen/core/Tensor.h>
#include <array>
#include <c10/core/SymBool.h>
#include <c10/core/SymInt.h>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(CONDLINT_VALIDATE) && CONDLINT_VALIDATE
#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/core/ivalue.h>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#if __has_include(<torch/version.h>)
#include <torch/version.h>
#endif
#endif

namespace condlint {

namespace detail {

template <class P>
constexpr bool isPredicate =
    std::is_same_v<P, bool> || std::is_same_v<P, at::Tensor> || std::is_same_v<P, c10::SymBool>;

/// Whether the leaves of an operand are tensors and integers.
template <class T>
struct IsOperand : std::bool_constant<std::is_same_v<T, at::Tensor> || std::is_same_v<T, c10::SymInt> ||
                                      (std::is_integral_v<T> && !std::is_same_v<T, bool>)> {};
template <class T> struct IsOperand<std::vector<T>> : IsOperand<T> {};
template <class T, std::size_t N> struct IsOperand<std::array<T, N>> : IsOperand<T> {};
template <class T, class U>
struct IsOperand<std::pair<T, U>> : std::bool_constant<IsOperand<T>::value && IsOperand<U>::value> {};
template <class... Ts> struct IsOperand<std::tuple<Ts...>> : std::bool_constant<(IsOperand<Ts>::value && ...)> {};

/// Whether a branch can be called with copies of the operands: as temporaries,
/// or, for parameters that are references to what can change, as variables.
template <class F, class... Ops>
constexpr bool isBranch = std::is_invocable_v<F &, Ops...> || std::is_invocable_v<F &, Ops &...>;

template <class F, class... Ops> decltype(auto) call(F &branch, const Ops &...operands) {
  if constexpr (std::is_invocable_v<F &, Ops...>) {
    return std::invoke(branch, Ops(operands)...);
  } else {
    std::tuple<Ops...> copies(operands...);
    return std::apply([&](Ops &...each) -> decltype(auto) { return std::invoke(branch, each...); }, copies);
  }
}

template <class F, class... Ops>
using Result = std::decay_t<decltype(call(std::declval<F &>(), std::declval<const Ops &>()...))>;

/// The contract of a call at compile time; false where it is broken, which the
/// compiler then has said already.
template <class P, class T, class F, class... Ops> constexpr bool isSound() {
  static_assert(isPredicate<P>, "condlint::cond: the predicate must be a bool, an at::Tensor or a c10::SymBool");
  static_assert((IsOperand<Ops>::value && ...), "condlint::cond: operands are tensors or integers, or hold only such");
  static_assert(isBranch<T, Ops...>, "condlint::cond: the true branch cannot be called with these operands");
  static_assert(isBranch<F, Ops...>, "condlint::cond: the false branch cannot be called with these operands");
  if constexpr (isBranch<T, Ops...> && isBranch<F, Ops...>) {
    using R = Result<T, Ops...>;
    constexpr bool same = std::is_same_v<R, Result<F, Ops...>>;
    static_assert(same, "condlint::cond: both branches must return the same type");
    static_assert(!same || !std::is_void_v<R>, "condlint::cond: the branches must return something");
    return isPredicate<P> && (IsOperand<Ops>::value && ...) && same && !std::is_void_v<R>;
  } else {
    return false;
  }
}

inline bool isTrue(bool predicate) { return predicate; }
inline bool isTrue(const c10::SymBool &predicate) { return predicate.guard_bool(__FILE__, __LINE__); }
inline bool isTrue(const at::Tensor &predicate) {
  TORCH_CHECK(predicate.defined(), "condlint::cond: the predicate is an undefined tensor");
  TORCH_CHECK(predicate.numel() == 1, "condlint::cond: the predicate must have one element, and its sizes are ",
              predicate.sizes());
  TORCH_CHECK(predicate.scalar_type() == at::kBool, "condlint::cond: the predicate must be of kBool, and it is ",
              predicate.scalar_type(), "; compare it, as in x > 0");
  return predicate.item<bool>();
}

template <class F> struct IsFunctionObject : std::false_type {};
template <class S> struct IsFunctionObject<std::function<S>> : std::true_type {};

template <class F> void expectCallable([[maybe_unused]] const F &branch, [[maybe_unused]] const char *which) {
  if constexpr (std::is_pointer_v<F> || std::is_member_pointer_v<F> || IsFunctionObject<F>::value)
    TORCH_CHECK(branch != nullptr, "condlint::cond: the ", which, " branch is empty");
}

#if defined(CONDLINT_VALIDATE) && CONDLINT_VALIDATE
/// What an output or an operand consists of, in order.
struct Leaf {
  const char *kind;
  at::Tensor tensor;
};

inline void flatten(std::vector<Leaf> &out, const at::Tensor &x) {
  out.push_back({x.defined() ? "tensor" : "None", x});
}

inline void flatten(std::vector<Leaf> &out, const c10::IValue &value) {
  if (value.isTensor())
    flatten(out, value.toTensor());
  else if (value.isTuple())
    for (const c10::IValue &each : value.toTupleRef().elements())
      flatten(out, each);
  else if (value.isList())
    for (const c10::IValue &each : value.toListRef())
      flatten(out, each);
  else
    out.push_back({value.isInt()      ? "int"
                   : value.isBool()   ? "bool"
                   : value.isDouble() ? "float"
                   : value.isNone()   ? "None"
                   : value.isString() ? "string"
                                      : "object",
                   at::Tensor()});
}

template <class T> void flatten(std::vector<Leaf> &out, const T &) {
  out.push_back({std::is_same_v<T, bool>                                   ? "bool"
                 : std::is_integral_v<T> || std::is_same_v<T, c10::SymInt> ? "int"
                 : std::is_floating_point_v<T>                             ? "float"
                 : std::is_same_v<T, std::string>                          ? "string"
                                                                           : "object",
                 at::Tensor()});
}

template <class T> void flatten(std::vector<Leaf> &out, const std::optional<T> &value);
template <class T> void flatten(std::vector<Leaf> &out, const std::vector<T> &list);
template <class T, std::size_t N> void flatten(std::vector<Leaf> &out, const std::array<T, N> &list);
template <class T, class U> void flatten(std::vector<Leaf> &out, const std::pair<T, U> &pair);
template <class... Ts> void flatten(std::vector<Leaf> &out, const std::tuple<Ts...> &tuple) {
  std::apply([&](const Ts &...each) { (flatten(out, each), ...); }, tuple);
}
template <class T> void flatten(std::vector<Leaf> &out, const std::optional<T> &value) {
  if (value)
    flatten(out, *value);
  else
    out.push_back({"None", at::Tensor()});
}
template <class T> void flatten(std::vector<Leaf> &out, const std::vector<T> &list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    flatten(out, static_cast<const T &>(list[i]));
}
template <class T, std::size_t N> void flatten(std::vector<Leaf> &out, const std::array<T, N> &list) {
  for (const T &each : list)
    flatten(out, each);
}
template <class T, class U> void flatten(std::vector<Leaf> &out, const std::pair<T, U> &pair) {
  flatten(out, pair.first);
  flatten(out, pair.second);
}

/// A tensor like \p x, strides included, on storage of its own.
inline at::Tensor cloned(const at::Tensor &x) {
  if (!x.defined() || x.layout() != at::kStrided || x.is_quantized() || x.is_non_overlapping_and_dense())
    return x.defined() ? x.clone() : x;
  std::int64_t extent = x.numel() == 0 ? 0 : 1;
  for (std::int64_t i = 0; i < x.dim() && extent != 0; ++i)
    extent += (x.size(i) - 1) * x.stride(i);
  return x.as_strided({extent}, {1}).clone().as_strided(x.sizes(), x.strides(), 0);
}
template <class T> T cloned(const T &value) { return value; }
template <class T> std::vector<T> cloned(const std::vector<T> &list);
template <class T, std::size_t N> std::array<T, N> cloned(const std::array<T, N> &list);
template <class T, class U> std::pair<T, U> cloned(const std::pair<T, U> &pair);
template <class... Ts> std::tuple<Ts...> cloned(const std::tuple<Ts...> &tuple) {
  return std::apply([](const Ts &...each) { return std::tuple<Ts...>(cloned(each)...); }, tuple);
}
template <class T> std::vector<T> cloned(const std::vector<T> &list) {
  std::vector<T> out;
  for (const T &each : list)
    out.push_back(cloned(each));
  return out;
}
template <class T, std::size_t N> std::array<T, N> cloned(const std::array<T, N> &list) {
  return std::apply([](const auto &...each) { return std::array<T, N>{cloned(each)...}; }, list);
}
template <class T, class U> std::pair<T, U> cloned(const std::pair<T, U> &pair) {
  return {cloned(pair.first), cloned(pair.second)};
}

inline bool haveSameStorage(const at::Tensor &a, const at::Tensor &b) {
  return a.defined() && b.defined() && a.has_storage() && b.has_storage() && a.is_alias_of(b) &&
         a.storage().nbytes() != 0;
}

inline bool haveSameValues(const at::Tensor &a, const at::Tensor &b) {
  if (!a.defined() || a.layout() != at::kStrided || a.is_quantized() || a.is_meta())
    return true; // what cannot be compared is not held against anybody
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type())
    return false;
  at::Tensor x = a.detach(), y = b.detach();
  return x.eq(y).logical_or_(x.ne(x).logical_and_(y.ne(y))).all().item<bool>();
}

#if defined(TORCH_VERSION_MAJOR) && defined(TORCH_VERSION_MINOR)
constexpr bool sizesMustAgree = TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 13;
#else
constexpr bool sizesMustAgree = false;
#endif

/// Compares what two branches did with their operands and what they returned.
class Validation {
public:
  /// \p operands after a branch ran, against \p before it, whose versions were
  /// \p versions.
  void operands(const char *branch, const std::vector<Leaf> &after, const std::vector<Leaf> &before,
                const std::vector<std::int64_t> &versions) {
    for (std::size_t i = 0; i < after.size(); ++i)
      if (versionOf(after[i].tensor) != versions[i] || !haveSameValues(after[i].tensor, before[i].tensor))
        say() << "the " << branch << " branch writes to operand " << i;
  }

  void aliases(const char *branch, const std::vector<Leaf> &outputs, const std::vector<Leaf> &operands) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      for (std::size_t j = 0; j < operands.size(); ++j)
        if (haveSameStorage(outputs[i].tensor, operands[j].tensor))
          say() << "output " << i << " of the " << branch << " branch shares the storage of operand " << j
                << "; return a clone";
      for (std::size_t j = 0; j < i; ++j)
        if (haveSameStorage(outputs[i].tensor, outputs[j].tensor))
          say() << "outputs " << j << " and " << i << " of the " << branch << " branch share their storage";
    }
  }

  void outputs(const std::vector<Leaf> &t, const std::vector<Leaf> &f) {
    if (t.size() != f.size()) {
      say() << "the true branch returns " << t.size() << " values and the false branch " << f.size();
      return;
    }
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (std::string(t[i].kind) != f[i].kind)
        differ(i, "kind", t[i].kind, f[i].kind);
      else if (t[i].tensor.defined())
        metadata(i, t[i].tensor, f[i].tensor);
    }
  }

  static std::vector<std::int64_t> versions(const std::vector<Leaf> &leaves) {
    std::vector<std::int64_t> out;
    for (const Leaf &leaf : leaves)
      out.push_back(versionOf(leaf.tensor));
    return out;
  }

  void finish() const { TORCH_CHECK(!found, "condlint::cond: the branches do not fit together: ", problems.str()); }

private:
  static std::int64_t versionOf(const at::Tensor &x) { return x.defined() && !x.is_inference() ? x._version() : 0; }

  void metadata(std::size_t i, const at::Tensor &t, const at::Tensor &f) {
    if (t.scalar_type() != f.scalar_type())
      differ(i, "dtype", t.scalar_type(), f.scalar_type());
    if (t.device() != f.device())
      differ(i, "device", t.device(), f.device());
    if (t.layout() != f.layout())
      differ(i, "layout", t.layout(), f.layout());
    if (t.is_conj() != f.is_conj())
      differ(i, "conjugation", t.is_conj(), f.is_conj());
    if (t.dim() != f.dim()) {
      differ(i, "rank", t.dim(), f.dim());
      return;
    }
    if (t.layout() != at::kStrided || f.layout() != at::kStrided)
      return;
    if (sizesMustAgree && t.sizes() != f.sizes())
      differ(i, "shape", t.sizes(), f.sizes());
    if (t.storage_offset() != f.storage_offset())
      differ(i, "storage offset", t.storage_offset(), f.storage_offset());
    if (!haveSameOrder(t, f))
      differ(i, "order of strides", t.strides(), f.strides());
  }

  /// No two dimensions are ordered one way in \p t and the other way in \p f.
  static bool haveSameOrder(const at::Tensor &t, const at::Tensor &f) {
    for (std::int64_t i = 0; i < t.dim(); ++i)
      for (std::int64_t j = 0; j < i; ++j) {
        bool matters = t.size(i) > 1 && t.size(j) > 1 && f.size(i) > 1 && f.size(j) > 1;
        if (matters && (t.stride(i) - t.stride(j)) * (f.stride(i) - f.stride(j)) < 0)
          return false;
      }
    return true;
  }

  std::ostream &say() {
    if (found)
      problems << "; ";
    found = true;
    return problems;
  }

  template <class A, class B> void differ(std::size_t i, const char *what, const A &t, const B &f) {
    say() << "output " << i << " differs in its " << what << ", " << t << " from the true branch and " << f
          << " from the false one";
  }

  bool found = false;
  std::ostringstream problems;
};

/// The state of the random number generators that a branch may use: what the
/// branch that is not taken draws does not count.
class RandomState {
public:
  explicit RandomState(const std::vector<Leaf> &operands) {
    save(at::Device(at::kCPU));
    for (const Leaf &leaf : operands)
      if (leaf.tensor.defined() && leaf.tensor.is_cuda())
        save(leaf.tensor.device());
  }
  ~RandomState() {
    for (auto &[generator, state] : states) {
      std::lock_guard<std::mutex> lock(generator.mutex());
      generator.set_state(state);
    }
  }
  RandomState(const RandomState &) = delete;
  RandomState &operator=(const RandomState &) = delete;

private:
  void save(at::Device device) {
    at::Generator generator = at::globalContext().defaultGenerator(device);
    std::lock_guard<std::mutex> lock(generator.mutex());
    states.emplace_back(generator, generator.get_state());
  }

  std::vector<std::pair<at::Generator, at::Tensor>> states;
};

template <class... Ts> std::vector<Leaf> leavesOf(const Ts &...values) {
  std::vector<Leaf> out;
  (flatten(out, values), ...);
  return out;
}

/// Runs one branch and looks at what it does with \p operands.
template <class Branch, class... Ops>
auto observed(Validation &validation, const char *name, Branch &branch, const Ops &...operands) {
  const std::tuple<Ops...> kept(cloned(operands)...);
  const std::vector<Leaf> before = std::apply([](const Ops &...each) { return leavesOf(each...); }, kept);
  const std::vector<Leaf> after = leavesOf(operands...);
  const std::vector<std::int64_t> versions = Validation::versions(after);
  auto result = branch(operands...);
  validation.operands(name, after, before, versions);
  validation.aliases(name, leavesOf(result), after);
  return result;
}

template <class R, class TrueFn, class FalseFn, class... Ops>
R validated(bool taken, TrueFn &trueFn, FalseFn &falseFn, const Ops &...operands) {
  Validation validation;
  const std::tuple<Ops...> clones(cloned(operands)...);
  auto runOther = [&](const Ops &...each) -> R {
    RandomState state(leavesOf(each...));
    return taken ? observed(validation, "false", falseFn, each...) : observed(validation, "true", trueFn, each...);
  };
  const R other = std::apply(runOther, clones);
  R result =
      taken ? observed(validation, "true", trueFn, operands...) : observed(validation, "false", falseFn, operands...);
  validation.outputs(leavesOf(taken ? result : other), leavesOf(taken ? other : result));
  validation.finish();
  return result;
}
#endif

template <class P, class T, class F, class... Ops>
auto run(const P &pred, T &trueFn, F &falseFn, const Ops &...operands) {
  if constexpr (isSound<P, T, F, Ops...>()) {
    expectCallable(trueFn, "true");
    expectCallable(falseFn, "false");
    const bool taken = isTrue(pred);
    using R = Result<T, Ops...>;
#if defined(CONDLINT_VALIDATE) && CONDLINT_VALIDATE
    auto callTrue = [&](const Ops &...each) -> R { return call(trueFn, each...); };
    auto callFalse = [&](const Ops &...each) -> R { return call(falseFn, each...); };
    return validated<R>(taken, callTrue, callFalse, operands...);
#else
    return taken ? R(call(trueFn, operands...)) : R(call(falseFn, operands...));
#endif
  } else {
    return at::Tensor(); // spares the user a second error about the result
  }
}

template <class P, class T, class F, std::size_t N, std::size_t... I>
auto runList(const P &pred, T &trueFn, F &falseFn, const at::Tensor (&operands)[N], std::index_sequence<I...>) {
  return run(pred, trueFn, falseFn, operands[I]...);
}

} // namespace detail

/// Calls `trueFn()` if \p pred holds and `falseFn()` otherwise.
///
/// All of these: \p pred is a bool, a tensor of one element and dtype kBool, or
/// a c10::SymBool. A branch is what std::invoke takes; both return the same
/// type, which is not void. Only the branch taken is evaluated. Operands are
/// passed by value: handles are copied, their storage is shared. Throws
/// c10::Error, with a message that begins with "condlint::cond:", when the
/// predicate is another tensor or a branch is null.
template <class P, class T, class F> CONDLINT_COND auto cond(const P &pred, T &&trueFn, F &&falseFn) {
  return detail::run(pred, trueFn, falseFn);
}

/// With operands `{x, y}`: a branch has a parameter for each.
template <class P, class T, class F, std::size_t N>
CONDLINT_COND auto cond(const P &pred, T &&trueFn, F &&falseFn, const at::Tensor (&operands)[N]) {
  return detail::runList(pred, trueFn, falseFn, operands, std::make_index_sequence<N>());
}

/// With operands in a tuple: a branch has a parameter for each element.
template <class P, class T, class F, class... Ops>
CONDLINT_COND auto cond(const P &pred, T &&trueFn, F &&falseFn, const std::tuple<Ops...> &operands) {
  return std::apply([&](const Ops &...each) { return detail::run(pred, trueFn, falseFn, each...); }, operands);
}

/// With operands in an array: a branch has a parameter for each element.
template <class P, class T, class F, std::size_t N>
CONDLINT_COND auto cond(const P &pred, T &&trueFn, F &&falseFn, const std::array<at::Tensor, N> &operands) {
  return std::apply([&](const auto &...each) { return detail::run(pred, trueFn, falseFn, each...); }, operands);
}

/// With operands in a vector: a branch has one parameter, the list.
template <class P, class T, class F>
CONDLINT_COND auto cond(const P &pred, T &&trueFn, F &&falseFn, const std::vector<at::Tensor> &operands) {
  return detail::run(pred, trueFn, falseFn, operands);
}

} // namespace condlint

#endif // CONDLINT_COND_H
