//===- builders_runtime.h - Records what a builder builds --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bodies for those methods of the stand-in for TensorRT's headers that fuzz/builders.py
// uses: each call writes itself down as a line of code that runs straight on.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_FUZZ_BUILDERS_RUNTIME_H
#define CONDLINT_FUZZ_BUILDERS_RUNTIME_H

#include <NvInfer.h>
#include <map>
#include <string>
#include <vector>

namespace recorded {

inline std::string code; ///< of the run in hand
inline int site = 0;     ///< the conditional or loop that is added next, as the program numbers it
inline unsigned number = 0;
inline std::map<const void *, std::string> names;
inline std::map<const nvinfer1::ILayer *, std::vector<nvinfer1::ITensor *>> outputs;

inline void begin() {
  code.clear();
  names.clear();
  outputs.clear();
  number = 0;
}
inline const std::string &nameOf(const void *p) { return names.at(p); }
template <class T> std::string written(T t) { return std::to_string(static_cast<long long>(t)); }

/// A layer that \p call adds, with one output.
template <class L> L *layer(const std::string &call, bool hasOutput = true) {
  auto *l = new L;
  names[l] = "l" + std::to_string(++number);
  code += "  auto *" + nameOf(l) + " = " + call + ";\n";
  if (hasOutput) {
    auto *t = new nvinfer1::ITensor;
    names[t] = "t" + std::to_string(number);
    code += "  auto *" + nameOf(t) + " = " + nameOf(l) + "->getOutput(0);\n";
    outputs[l] = {t};
  }
  return l;
}

inline std::string dims(const nvinfer1::Dims &d) {
  std::string out = "Dims{" + std::to_string(d.nbDims) + ", {";
  for (int i = 0; i < d.nbDims; ++i)
    out += (i == 0 ? "" : ", ") + std::to_string(d.d[i]);
  return out + "}}";
}

} // namespace recorded

namespace nvinfer1 {

using recorded::layer;
using recorded::nameOf;
using recorded::written;

inline ITensor *ILayer::getOutput(std::int32_t) const noexcept { return recorded::outputs.at(this).front(); }
inline void ILayer::setInput(std::int32_t index, ITensor &t) noexcept {
  recorded::code += "  " + nameOf(this) + "->setInput(" + written(index) + ", *" + nameOf(&t) + ");\n";
}
inline void ILayer::setOutputType(std::int32_t index, DataType type) noexcept {
  recorded::code += "  " + nameOf(this) + "->setOutputType(" + written(index) + ", DataType(" + written(type) + "));\n";
}
inline IUnaryLayer *INetworkDefinition::addUnary(ITensor &t, UnaryOperation op) noexcept {
  return layer<IUnaryLayer>("net.addUnary(*" + nameOf(&t) + ", UnaryOperation(" + written(op) + "))");
}
inline ICastLayer *INetworkDefinition::addCast(ITensor &t, DataType type) noexcept {
  return layer<ICastLayer>("net.addCast(*" + nameOf(&t) + ", DataType(" + written(type) + "))");
}
inline IElementWiseLayer *INetworkDefinition::addElementWise(ITensor &a, ITensor &b, ElementWiseOperation op) noexcept {
  return layer<IElementWiseLayer>("net.addElementWise(*" + nameOf(&a) + ", *" + nameOf(&b) + ", ElementWiseOperation(" +
                                  written(op) + "))");
}
inline IReduceLayer *INetworkDefinition::addReduce(ITensor &t, ReduceOperation op, std::uint32_t axes,
                                                   bool keep) noexcept {
  return layer<IReduceLayer>("net.addReduce(*" + nameOf(&t) + ", ReduceOperation(" + written(op) + "), " +
                             written(axes) + ", " + (keep ? "true" : "false") + ")");
}
inline ITensor *INetworkDefinition::addInput(const char *name, DataType type, const Dims &d) noexcept {
  auto *t = new ITensor;
  recorded::names[t] = "t" + std::to_string(++recorded::number);
  recorded::code += "  auto *" + nameOf(t) + " = net.addInput(\"" + name + "\", DataType(" + written(type) + "), " +
                    recorded::dims(d) + ");\n";
  return t;
}
inline void INetworkDefinition::markOutput(ITensor &t) noexcept {
  recorded::code += "  net.markOutput(*" + nameOf(&t) + ");\n";
}
inline IIfConditional *INetworkDefinition::addIfConditional() noexcept {
  auto *c = new IIfConditional;
  recorded::names[c] = "c" + std::to_string(++recorded::number);
  recorded::code +=
      "  auto *" + nameOf(c) + " = net.addIfConditional(); // site " + std::to_string(recorded::site) + "\n";
  return c;
}
inline IConditionLayer *IIfConditional::setCondition(ITensor &t) noexcept {
  return layer<IConditionLayer>(nameOf(this) + "->setCondition(*" + nameOf(&t) + ")", false);
}
inline IIfConditionalInputLayer *IIfConditional::addInput(ITensor &t) noexcept {
  return layer<IIfConditionalInputLayer>(nameOf(this) + "->addInput(*" + nameOf(&t) + ")");
}
inline IIfConditionalOutputLayer *IIfConditional::addOutput(ITensor &yes, ITensor &no) noexcept {
  return layer<IIfConditionalOutputLayer>(nameOf(this) + "->addOutput(*" + nameOf(&yes) + ", *" + nameOf(&no) + ")");
}
inline ILoop *INetworkDefinition::addLoop() noexcept {
  auto *l = new ILoop;
  recorded::names[l] = "c" + std::to_string(++recorded::number);
  recorded::code += "  auto *" + nameOf(l) + " = net.addLoop(); // site " + std::to_string(recorded::site) + "\n";
  return l;
}
inline ITripLimitLayer *ILoop::addTripLimit(ITensor &t, TripLimit limit) noexcept {
  return layer<ITripLimitLayer>(nameOf(this) + "->addTripLimit(*" + nameOf(&t) + ", TripLimit(" + written(limit) + "))",
                                false);
}
inline IRecurrenceLayer *ILoop::addRecurrence(ITensor &t) noexcept {
  return layer<IRecurrenceLayer>(nameOf(this) + "->addRecurrence(*" + nameOf(&t) + ")");
}
inline IIteratorLayer *ILoop::addIterator(ITensor &t, std::int32_t axis, bool reverse) noexcept {
  return layer<IIteratorLayer>(nameOf(this) + "->addIterator(*" + nameOf(&t) + ", " + written(axis) + ", " +
                               (reverse ? "true" : "false") + ")");
}
inline ILoopOutputLayer *ILoop::addLoopOutput(ITensor &t, LoopOutput kind, std::int32_t axis) noexcept {
  return layer<ILoopOutputLayer>(nameOf(this) + "->addLoopOutput(*" + nameOf(&t) + ", LoopOutput(" + written(kind) +
                                 "), " + written(axis) + ")");
}

} // namespace nvinfer1

#endif // CONDLINT_FUZZ_BUILDERS_RUNTIME_H
