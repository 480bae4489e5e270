//===- Classifiers.h - Scores and labels of ai.onnx.ml ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_CLASSIFIERS_H
#define CONDLINT_LIB_OPS_KERNELS_CLASSIFIERS_H

#include "TensorOps.h"

namespace condlint {

/// What `post_transform` makes of the scores of one row. Runtimes leave a single score as it is, which is not what
/// the standard says of some transformations: those are refused.
void transformScores(const ExecContext &c, std::span<double> scores);

/// The two scores that become of one, where the model has two labels: \p complement of a score of 1 the rest, else the
/// same with the other sign.
std::array<double, 2> twoScores(const ExecContext &c, double score, bool complement);

/// The names of the classes, numbers or texts.
class ClassLabels {
public:
  ClassLabels(const ExecContext &c, std::string_view ints, std::string_view strings);
  std::size_t size() const { return std::max(numbers.size(), texts.size()); }
  /// The labels of the classes \p chosen, one a row. Without names they are their numbers.
  Tensor of(const ExecContext &c, const std::vector<std::size_t> &chosen) const;

private:
  std::vector<std::int64_t> numbers;
  std::vector<std::string> texts;
};

/// [rows, features] of the operand 0, as doubles.
struct Features {
  std::vector<double> data;
  std::int64_t rows = 0, width = 0;
  std::span<const double> row(std::int64_t i) const {
    return std::span(data).subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width));
  }
};
Features featuresOf(const ExecContext &c);

void executeLinearClassifier(ExecContext &c);
void executeOneHotEncoder(ExecContext &c);
void executeSvmClassifier(ExecContext &c);
void executeSvmRegressor(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_CLASSIFIERS_H
