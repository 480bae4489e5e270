//===- Pickle.h - The tensors in a torch.save archive -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_DATA_PICKLE_H
#define CONDLINT_LIB_READERS_DATA_PICKLE_H

#include "condlint/Array.h"
#include "condlint/Reader.h"
#include <map>
#include <string>

namespace condlint {

/// The tensors in an archive of torch.save: one, under the empty name, or those of a
/// dictionary of names. The pickle in it is parsed, not run: of its instructions
/// those are known that tensors need, and of its names those that build tensors;
/// anything else is an error that names it.
Expected<std::map<std::string, Array, std::less<>>> readTorchSave(std::string_view bytes, const std::string &place);

} // namespace condlint

#endif // CONDLINT_LIB_READERS_DATA_PICKLE_H
