//===- TorchNames.cpp - What torch finds under an operator's name ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TorchNames.h"
#include "AtenEffects.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <string_view>

namespace condlint {

namespace {

/// The release that the lists here are of.
constexpr int tableMajor = 2, tableMinor = 13;

/// Higher-order operators that torch registers, or its exporter and compilers when they are imported.
constexpr std::string_view higherOrder[] = {
    "_export_tracepoint",
    "aoti_call_delegate",
    "associative_scan",
    "auto_functionalized",
    "auto_functionalized_v2",
    "autograd_function_apply",
    "call_torchbind",
    "cond",
    "control_deps",
    "custom_function_call",
    "dynamo_bypassing_wrapper",
    "executorch_call_delegate",
    "flat_apply",
    "flex_attention",
    "flex_attention_backward",
    "foreach_map",
    "graphsafe_run_with_rng_state",
    "hints_wrapper",
    "inductor_compiled_code",
    "inline_asm_elementwise",
    "invoke_leaf_function",
    "invoke_quant",
    "invoke_quant_packed",
    "invoke_subgraph",
    "local_map_hop",
    "map_impl",
    "out_dtype",
    "print",
    "run_and_save_rng_state",
    "run_const_graph",
    "run_dtensor_rng_op",
    "run_with_rng_state",
    "scan",
    "strict_mode",
    "tag_activation_checkpoint",
    "trace_wrapped",
    "triton_kernel_wrapper_functional",
    "triton_kernel_wrapper_mutation",
    "while_loop",
    "while_loop_stack_output",
    "with_effects",
    "wrap",
    "wrap_activation_checkpoint",
    "wrap_with_autocast",
    "wrap_with_set_grad_enabled",
};

/// What torch's serializer (`_SYM_OPS`) and verifier (`allowed_builtin_ops`) take of Python's own functions.
constexpr std::string_view ofOperator[] = {"abs", "add",    "and_", "eq",     "floordiv", "ge",     "getitem", "gt",
                                           "le",  "lshift", "lt",   "mod",    "mul",      "ne",     "neg",     "not_",
                                           "or_", "pos",    "pow",  "rshift", "sub",      "truediv"};
constexpr std::string_view ofMath[] = {"ceil", "floor", "trunc"};

/// What the verifier takes of torch's own functions (`_allowed_torch_functions`), which are no operators.
constexpr std::string_view ofTorch[] = {"_sym_sqrt", "sym_float", "sym_int",  "sym_ite", "sym_max",
                                        "sym_min",   "sym_not",   "sym_sqrt", "sym_sum"};
constexpr std::string_view insideTorch[] = {
    "torch._C._set_grad_enabled",
    "torch._functorch.predispatch._add_batch_dim",
    "torch._functorch.predispatch._enter_dual_level",
    "torch._functorch.predispatch._exit_dual_level",
    "torch._functorch.predispatch._jvp_decrement_nesting",
    "torch._functorch.predispatch._jvp_increment_nesting",
    "torch._functorch.predispatch._make_dual",
    "torch._functorch.predispatch._remove_batch_dim",
    "torch._functorch.predispatch._unpack_dual",
    "torch._functorch.predispatch._unwrap_for_grad",
    "torch._functorch.predispatch._vmap_decrement_nesting",
    "torch._functorch.predispatch._vmap_increment_nesting",
    "torch._functorch.predispatch.lazy_load_decompositions",
    "torch.amp.autocast_mode._enter_autocast",
    "torch.amp.autocast_mode._exit_autocast",
    "torch.autograd.grad_mode.set_grad_enabled",
    "torch.export.custom_ops._call_custom_autograd_function_in_pre_dispatch",
    "torch.fx.experimental.symbolic_shapes.cast_symbool_to_symint_guardless",
};

template <std::size_t N> bool among(const std::string_view (&names)[N], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

/// The minor version of torch 2; nothing of another one.
std::optional<int> minorOf(std::string_view version) {
  int major = 0, minor = 0;
  const char *const end = version.data() + version.size();
  const auto afterMajor = std::from_chars(version.data(), end, major);
  if (afterMajor.ec != std::errc() || afterMajor.ptr == end || *afterMajor.ptr != '.' ||
      std::from_chars(afterMajor.ptr + 1, end, minor).ec != std::errc() || major != tableMajor)
    return std::nullopt;
  return minor;
}

/// The table of overloads holds for \p name: it is of that version, or the name was there before.
bool isTableOf(std::string_view domain, std::string_view name, int minor) {
  return minor == tableMinor || (minor < tableMinor && domain == "aten" && !atenOverloads(name).empty());
}

} // namespace

std::string unknownName(const Model &m, OperatorId o) {
  return fmt::format("torch has no operator of the name {}, and does not load the file", m.operatorName(o));
}

NameFault faultOfName(const Model &m, OperatorId o) {
  const Operator &op = m[o];
  if (m.info.format != Format::Pt2)
    return NameFault::None;
  const std::string_view domain = m.text(op.domain), name = m.text(op.name), overload = m.text(op.overload);
  if (domain.empty()) // a target that is not there has the name "?"
    return name == "?" ? NameFault::None : NameFault::NoOperator;
  if (domain == "aten" || domain == "prims") {
    if (overload.empty())
      return NameFault::LeftOut;
    const auto minor = minorOf(m.info.version);
    return !op.effects && minor && isTableOf(domain, name, *minor) ? NameFault::NoOverload : NameFault::None;
  }
  const auto minor = minorOf(m.info.version);
  if (!minor || *minor > tableMinor)
    return NameFault::None;
  if (domain == "_operator")
    return among(ofOperator, name) ? NameFault::None : NameFault::NoOperator;
  if (domain == "math")
    return among(ofMath, name) ? NameFault::None : NameFault::NoOperator;
  // Other versions took other functions.
  if (domain == "torch" && *minor == tableMinor)
    return among(ofTorch, name) ? NameFault::None : NameFault::NoOperator;
  if (domain.starts_with("torch.") && *minor == tableMinor)
    return among(insideTorch, fmt::format("{}.{}", domain, name)) ? NameFault::None : NameFault::NoOperator;
  if (domain != "higher_order")
    return NameFault::None;
  // They have no overloads.
  return !overload.empty() ? NameFault::NoOperator : among(higherOrder, name) ? NameFault::None : NameFault::OfLibrary;
}

} // namespace condlint
