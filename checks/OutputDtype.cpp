//===- OutputDtype.cpp - The same, admitted dtype in each position (R6, C11, C13) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// "torch::kFloat32", "torch::kBool".
std::string sourceName(DType t) {
  switch (t) {
  case DType::Complex64:
    return "torch::kComplexFloat";
  case DType::Complex128:
    return "torch::kComplexDouble";
  default:
    break;
  }
  std::string name(dtypeName(t));
  const std::size_t upper = name.starts_with("uint") || name.starts_with("bf") ? 2 : 1;
  for (std::size_t i = 0; i < upper; ++i)
    name[i] = static_cast<char>(name[i] - 'a' + 'A');
  return "torch::k" + name;
}

/// The type whose elements count: of what a sequence or an optional holds.
const Type &innerType(const Model &m, const Type &t) {
  const Type *inner = &t;
  for (int depth = 0; depth < 4 && !inner->isTensor() && inner->item; ++depth)
    inner = &m.types[inner->item];
  return *inner;
}

DType elementOf(const Model &m, const Type &t) {
  const Type &inner = innerType(m, t);
  return inner.isTensor() ? inner.element : DType::Unknown;
}

/// C13, TP6: what a conditional's output may be in TensorRT. The network API's
/// list leaves int64 out, the parser's has it.
Tri tensorrtAdmits(const RuleContext &ctx, DType t) {
  switch (t) {
  case DType::Bool:
  case DType::Int32:
  case DType::Float16:
  case DType::Float32:
    return Tri::Yes;
  case DType::BFloat16: // new in 9.0
    return ctx.version == Version{} || ctx.version >= Version{9, 0} ? Tri::Yes : Tri::No;
  case DType::Int64:
    return ctx.m.info.dialect == Dialect::TensorRT ? Tri::Unknown : Tri::Yes;
  case DType::Unknown:
    return Tri::Unknown;
  default:
    return Tri::No;
  }
}

/// What TensorRT's parser makes of an element type of ONNX before there is any conditional (`convertDtype`): it has
/// no double, and before version 9 no int64.
DType importedAs(const RuleContext &ctx, DType t) {
  if (!ctx.isTensorRT() || ctx.m.info.dialect != Dialect::Onnx)
    return t;
  const bool hasInt64 = ctx.version == Version{} || ctx.version >= Version{9, 0};
  return t == DType::Float64 ? DType::Float32 : t == DType::Int64 && !hasInt64 ? DType::Int32 : t;
}

/// The version of ONNX's If that took the type up; 1 for those that every version takes.
std::int32_t onnxTakesSince(DType t) {
  switch (t) {
  case DType::BFloat16:
    return 16;
  case DType::Float8E4M3FN:
  case DType::Float8E4M3FNUZ:
  case DType::Float8E5M2:
  case DType::Float8E5M2FNUZ:
    return 19;
  case DType::Int4:
  case DType::UInt4:
    return 21;
  case DType::Float4E2M1:
    return 23;
  case DType::Float8E8M0FNU:
    return 24;
  case DType::Int2:
  case DType::UInt2:
    return 25;
  default:
    return 1;
  }
}

/// ONNX Runtime has no If for complex numbers nor for elements smaller than a byte, whatever the version, and does not
/// load the model (measured with 1.32).
bool isNothingForRuntime(DType t) {
  switch (t) {
  case DType::Complex64:
  case DType::Complex128:
  case DType::Int4:
  case DType::UInt4:
  case DType::Int2:
  case DType::UInt2:
  case DType::Float4E2M1:
  case DType::Float8E8M0FNU:
    return true;
  default:
    return false;
  }
}

/// An If takes a type up later than what yields it, bfloat16 three versions; only that ONNX Runtime runs in any.
Tri onnxAdmits(const RuleContext &ctx, DType t) {
  const bool isRuntime = ctx.target.system == System::OnnxRuntime;
  if (isRuntime && isNothingForRuntime(t))
    return Tri::No;
  const std::int32_t version = ctx.conditional().sinceVersion;
  const bool anyVersion = isRuntime && t == DType::BFloat16;
  return !anyVersion && version > 0 && version < onnxTakesSince(t) ? Tri::No : Tri::Yes;
}

Tri targetAdmits(const RuleContext &ctx, DType t) {
  return ctx.isTensorRT() ? tensorrtAdmits(ctx, t) : ctx.isTorch() ? Tri::Yes : onnxAdmits(ctx, t);
}

/// "bool, int32 and float32": what a cast can yield.
std::string admittedTypes(const RuleContext &ctx) {
  std::vector<std::string_view> names;
  for (const DType t : {DType::Bool, DType::Int32, DType::Int64, DType::Float16, DType::BFloat16, DType::Float32})
    if (tensorrtAdmits(ctx, t) == Tri::Yes)
      names.push_back(dtypeName(t));
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string adviceOn(const RuleContext &ctx, DType t) {
  if (ctx.isTensorRT())
    return fmt::format("cast it: {} takes {} here", ctx.target.str(), admittedTypes(ctx));
  if (t == DType::Complex64 || t == DType::Complex128)
    return "return the real and the imaginary parts as float32";
  const bool byVersion = ctx.target.system != System::OnnxRuntime || !isNothingForRuntime(t);
  return "cast it to float32 in the branches and back behind the If" +
         (byVersion ? fmt::format(", or use opset {}", onnxTakesSince(t)) : std::string());
}

void checkAdmitted(RuleContext &ctx, const Output &o) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (!ctx.isTaken(side))
      continue;
    const DType t = importedAs(ctx, elementOf(ctx.m, ctx.typeOf(o.values[side])));
    if (targetAdmits(ctx, t) != Tri::No)
      continue;
    Draft d;
    d.node = o.node;
    d.output = o.position;
    d.message = fmt::format("{} is no output type of a conditional for {}{}: {}", dtypeName(t), ctx.target.str(),
                            spellPosition(ctx, o.position),
                            o.compared ? spellSides(ctx, o, std::string(dtypeName(t)), std::string(dtypeName(t)))
                                       : spellSide(ctx, side, o.values[side], std::string(dtypeName(t))));
    d.help = adviceOn(ctx, t);
    d.related = relatedSides(ctx, o);
    return ctx.report(std::move(d));
  }
}

/// The branch that is best converted: the one whose values the other type holds as well, but not to what
/// the target does not take.
std::size_t branchToConvert(const RuleContext &ctx, DType a, DType b) {
  if (ctx.isTensorRT() && (a == DType::Float64 || b == DType::Float64))
    return a == DType::Float64 ? 0 : 1;
  const auto kind = [](DType t) { return isComplex(t) ? 3 : isFloating(t) ? 2 : isIntegral(t) ? 1 : 0; };
  return kind(b) > kind(a) ? 0 : 1;
}

} // namespace

void checkOutputDtype(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Output &o : ctx.outputs()) {
    if (!o.known || !o.sameKind)
      continue;
    const DType a = elementOf(m, ctx.typeOf(o.values[0]));
    const DType b = elementOf(m, ctx.typeOf(o.values[1]));
    const Type &inA = innerType(m, ctx.typeOf(o.values[0]));
    const Type &inB = innerType(m, ctx.typeOf(o.values[1]));
    const bool imported = a != DType::Unknown && importedAs(ctx, a) == importedAs(ctx, b);
    const bool differ = inA.isTensor() && inB.isTensor() && inA.possible().disjoint(inB.possible()) && !imported;
    if (o.compared && differ) {
      Draft d;
      d.node = o.node;
      const Type &x = ctx.typeOf(o.values[0]);
      const Type &y = ctx.typeOf(o.values[1]);
      d.output = o.position;
      d.message = fmt::format("the branches return different dtypes{}: {}", spellPosition(ctx, o.position),
                              x.isTensor() ? spellSides(ctx, o, spellElement(x), spellElement(y))
                                           : spellSides(ctx, o, spellType(m, x), spellType(m, y)));
      const std::size_t convert = branchToConvert(ctx, a, b);
      const DType to = convert == 1 ? a : b;
      const std::string &branch = ctx.conditional().branches[convert].name;
      if (a == DType::Unknown) {
        d.help = "convert one side with `.to(...)`: they never agree, whatever the operands are";
      } else if (ctx.isTorch()) {
        const std::string type = ctx.isSource() ? sourceName(to) : fmt::format("torch.{}", dtypeName(to));
        d.help = fmt::format("convert one side, for instance `.to({})` in '{}'", type, branch);
        d.fixes.push_back({fmt::format("append `.to({})` to what '{}' returns", type, branch)});
      } else if (ctx.isNetwork()) {
        d.help =
            fmt::format("convert one side, for instance what '{}' yields to {} with addCast", branch, dtypeName(to));
        d.fixes.push_back({fmt::format("network->addCast(*x, ...)->getOutput(0) to {} for the output of '{}'",
                                       dtypeName(to), branch)});
      } else {
        d.help = fmt::format("insert a Cast to {} in '{}', or the other way round", dtypeName(to), branch);
        d.fixes.push_back({fmt::format("insert Cast(to={}) before the output of '{}'", dtypeName(to), branch)});
      }
      d.related = relatedSides(ctx, o);
      ctx.report(std::move(d));
      continue;
    }
    if (o.sameTensors)
      checkAdmitted(ctx, o);
    const Type &x = ctx.typeOf(o.values[0]);
    if (sameElements(m, x, ctx.typeOf(o.values[1])))
      continue;
    if (o.compared && (a == DType::Unknown || b == DType::Unknown) &&
        (x.isTensor() || x.kind == ValueKind::Sequence || x.kind == ValueKind::Optional))
      ctx.unknown(
          fmt::format("the dtype of {} is not known", spellSide(ctx, a == DType::Unknown ? 0 : 1,
                                                                o.values[a == DType::Unknown ? 0 : 1], "the output")));
  }
}

} // namespace condlint
