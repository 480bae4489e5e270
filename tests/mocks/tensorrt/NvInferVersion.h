//===- NvInferVersion.h - Which TensorRT the stand-in stands for -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CONDLINT_MOCK_TENSORRT is 100 * major + minor: 806, 1003, 1013 or 1101. From
// 10.11 on the version expands through a second macro, as it does in the product.
//
//===----------------------------------------------------------------------===//
#ifndef NV_INFER_VERSION_H
#define NV_INFER_VERSION_H

#ifndef CONDLINT_MOCK_TENSORRT
#define CONDLINT_MOCK_TENSORRT 1013
#endif

#if CONDLINT_MOCK_TENSORRT >= 1011
#define TRT_MAJOR_ENTERPRISE (CONDLINT_MOCK_TENSORRT / 100)
#define TRT_MINOR_ENTERPRISE (CONDLINT_MOCK_TENSORRT % 100)
#define TRT_PATCH_ENTERPRISE 0
#define NV_TENSORRT_MAJOR TRT_MAJOR_ENTERPRISE
#define NV_TENSORRT_MINOR TRT_MINOR_ENTERPRISE
#define NV_TENSORRT_PATCH TRT_PATCH_ENTERPRISE
#elif CONDLINT_MOCK_TENSORRT == 1003
#define NV_TENSORRT_MAJOR 10
#define NV_TENSORRT_MINOR 3
#define NV_TENSORRT_PATCH 0
#elif CONDLINT_MOCK_TENSORRT == 806
#define NV_TENSORRT_MAJOR 8
#define NV_TENSORRT_MINOR 6
#define NV_TENSORRT_PATCH 1
#else
#define NV_TENSORRT_MAJOR (CONDLINT_MOCK_TENSORRT / 100)
#define NV_TENSORRT_MINOR (CONDLINT_MOCK_TENSORRT % 100)
#define NV_TENSORRT_PATCH 0
#endif

#endif // NV_INFER_VERSION_H
