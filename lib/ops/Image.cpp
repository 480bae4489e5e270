//===- Image.cpp - Images and the boxes in them ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "kernels/Pooling.h"
#include "kernels/Selection.h"
#include <fmt/format.h>

namespace condlint {
namespace {

/// The picture's size stands in its bytes.
void inferDecoder(InferContext &c) {
  admitRank(c, 0, 1, 1, "the encoded stream");
  const std::string_view format = c.stringAttr("pixel_format", "RGB");
  Dim channels;
  if (format == "RGB" || format == "BGR")
    channels = c.constant(3);
  else if (format == "Grayscale")
    channels = c.constant(1);
  else
    c.reject(fmt::format("ImageDecoder has no pixel format '{}'", format));
  c.setResult(0, c.tensor(DType::UInt8, {c.dataDependent("height"), c.dataDependent("width"), channels}));
}

/// boxes [batches, count, 4] and scores [batches, classes, count] to the chosen
/// triples of batch, class and box.
void inferNonMaxSuppression(InferContext &c) {
  const Type &boxes = c.type(0), &scores = c.type(1);
  if (admitRank(c, 0, 3, 3, "boxes") && admitRank(c, 1, 3, 3, "scores") && boxes.hasRank) {
    mustEqual(c, boxes.dims[2], c.constant(4), "the last size of boxes and 4", 0);
    if (scores.hasRank) {
      mustEqual(c, boxes.dims[0], scores.dims[0], "the numbers of batches", 1);
      mustEqual(c, boxes.dims[1], scores.dims[2], "the numbers of boxes", 1);
    }
  }
  c.setResult(0, c.tensor(DType::Int64, {c.dataDependent("boxes"), c.constant(3)}));
}

void inferTorchNms(InferContext &c) {
  c.setResult(0, freshTensor(c, DType::Int64, {c.dataDependent("boxes")}, c.argType("dets")).view());
}

/// Each region of interest becomes a picture of the given size.
void inferTorchRoi(InferContext &c) {
  const Type &input = c.argType("input"), &rois = c.argType("rois");
  if (!input.isTensor())
    return;
  c.setResult(0,
              freshTensor(c, input.element,
                          {dimAt(rois, 0), dimAt(input, 1), c.dimArg("pooled_height"), c.dimArg("pooled_width")}, input)
                  .view());
}

constexpr OpRow rows[] = {
    {"image_decoder", inferDecoder, nullptr, "", "ImageDecoder"},
    {"non_max_suppression", inferNonMaxSuppression, executeNonMaxSuppression, "", "NonMaxSuppression"},
    {"nms", inferTorchNms, executeTorchNms, "torchvision.nms", ""},
    {"torchvision_roi_align", inferTorchRoi, executeTorchRoiAlign, "torchvision.roi_align", ""},
};

} // namespace

OpFamily imageFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
