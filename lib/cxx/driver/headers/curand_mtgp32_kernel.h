//===- curand_mtgp32_kernel.h - A header that Clang asks for ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang includes it in every CUDA source for what it happens to declare; a CUDA
// without cuRAND has none. Found behind every other folder.
//
//===----------------------------------------------------------------------===//
#pragma once
