//===- Builtins.cpp - The compiler's and the device's own functions -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "Machine.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

std::optional<Value> Machine::Builtins::plainBuiltin(Call &call) {
  // `__builtin_memcpy` is memcpy.
  constexpr std::string_view prefix = "__builtin_";
  if (m.context.BuiltinInfo.isLibFunction(call.callee->getBuiltinID()) && call.name.starts_with(prefix))
    call.name.remove_prefix(prefix.size());
  const std::string_view name = call.name;
  if (name == "__builtin_unreachable" || name == "__builtin_trap" || name == "__builtin_verbose_trap") {
    m.endPath();
    return Void{};
  }
  if (name == "__builtin_is_constant_evaluated")
    return Number::boolean(false);
  if (call.arguments.empty())
    return std::nullopt;
  if (name.starts_with("__builtin_expect") || name == "__builtin_launder" || name == "__builtin_assume_aligned")
    return m.load(call.arguments.front());
  if (name == "__builtin_addressof")
    return m.placeOf(call.arguments.front());
  if (name == "__builtin_alloca")
    return m.allocate(call.expr);
  return std::nullopt;
}

/// Those that run other code, or give memory back.
static bool runsOtherCode(std::string_view name) {
  return name.starts_with("__builtin_coro") || name.starts_with("__builtin_operator_") ||
         name == "__builtin_call_with_static_chain" || name == "__builtin_longjmp";
}

std::optional<Value> Machine::Builtins::ofBuiltin(Call &call) {
  const unsigned id = call.callee->getBuiltinID();
  const auto &builtins = m.context.BuiltinInfo;
  const bool computes = builtins.isConst(id) || builtins.isPure(id) || builtins.isConstWithoutErrnoAndExceptions(id);
  if (!computes && (builtins.isLibFunction(id) || builtins.isPredefinedLibFunction(id) || runsOtherCode(call.name)))
    return std::nullopt;
  writeThroughArguments(call, computes || call.name.find("load") != std::string_view::npos);
  const auto known = m.constantOf(call);
  return known ? *known : m.unknown(call.type, "a function of numbers");
}

void Machine::Builtins::writeThroughArguments(Call &call, bool reads) {
  for (Argument &a : call.arguments) {
    const clang::QualType given = a.expr ? a.expr->IgnoreParenImpCasts()->getType() : a.type;
    const clang::QualType to = reads || given.isNull() ? clang::QualType() : given->getPointeeType();
    const bool isConst = !a.type.isNull() && a.type->isPointerType() && a.type->getPointeeType().isConstQualified();
    const Value v = m.load(a);
    if (!to.isNull() && !to.isConstQualified() && !isConst)
      m.store(m.dereference(v, to, call.expr), m.unknown(to, "what " + std::string(call.name) + " made of it"),
              call.expr);
  }
}

/// True for what the device alone has, as CUDA's headers declare it: `atomicAdd`, `__syncthreads`, what `blockIdx.x`
/// calls.
static bool isOfDevice(const clang::FunctionDecl &f, const clang::SourceManager &sources) {
  return f.hasAttr<clang::CUDADeviceAttr>() && !f.hasAttr<clang::CUDAHostAttr>() &&
         (f.getBuiltinID() != 0 || sources.isInSystemHeader(f.getLocation()));
}

std::optional<Value> Machine::Builtins::ofDevice(Call &call) {
  if (call.callee == nullptr || !isOfDevice(*call.callee, m.context.getSourceManager()))
    return std::nullopt;
  writeThroughArguments(call, /*reads=*/false);
  return m.unknown(call.type, "a function of the device");
}

bool Machine::isOnDevice() const {
  return std::ranges::any_of(stack, [](const std::unique_ptr<Frame> &frame) {
    return frame->function && frame->function->hasAttr<clang::CUDAGlobalAttr>();
  });
}

} // namespace condlint::cxx
