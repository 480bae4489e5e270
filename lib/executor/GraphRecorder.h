//===- GraphRecorder.h - A run as one graph of a device ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_GRAPHRECORDER_H
#define CONDLINT_LIB_EXECUTOR_GRAPHRECORDER_H

#include "condlint/Tensor.h"
#include <memory>

namespace condlint {

/// What was recorded. It keeps the memory that it works on, and must not outlive its device.
class RecordedGraph {
public:
  virtual ~RecordedGraph() = default;
  /// Does it all, behind what the device does already. May be launched again and again.
  virtual void launch() = 0;
};

/// Records what a device is asked for instead of doing it. Bytes that are there before
/// (weights, what the host writes, what is computed while the recorder is suspended) are
/// constants of the graph; what the graph computes can be read once it was launched, and
/// whoever wants to read it before fails. The device's memory is kept until then.
class GraphRecorder {
public:
  virtual ~GraphRecorder() = default;

  virtual void beginGraph() = 0;
  virtual std::unique_ptr<RecordedGraph> endGraph() = 0;
  /// Something failed since `beginGraph`: forgets what was recorded.
  virtual void cancelGraph() = 0;
  /// What the device is asked for is done at once, until this is taken back.
  virtual void suspend(bool yes) = 0;

  /// A conditional: a launch of the graph runs the first branch where the only element of
  /// \p predicate is true then, and else the second. They are recorded one after the
  /// other, each with what lies between `beginBranch` and `endBranch`.
  virtual void addConditional(const Tensor &predicate) = 0;
  virtual void beginBranch() = 0;
  virtual void endBranch() = 0;
  /// The conditional has both branches.
  virtual void endConditional() = 0;
  /// \p t counts as computed by what is being recorded now: a result that each branch writes.
  virtual void adopt(const Tensor &t) = 0;
  /// Whether what is being recorded now, and nothing around it, computes \p t.
  virtual bool computes(const Tensor &t) const = 0;
};

/// While one lives \p recorder is suspended; null: there is none.
class Suspended {
public:
  explicit Suspended(GraphRecorder *recorder) : r(recorder) {
    if (r)
      r->suspend(true);
  }
  ~Suspended() {
    if (r)
      r->suspend(false);
  }
  Suspended(const Suspended &) = delete;
  Suspended &operator=(const Suspended &) = delete;

private:
  GraphRecorder *r;
};

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_GRAPHRECORDER_H
