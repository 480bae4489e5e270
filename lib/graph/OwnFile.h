//===- OwnFile.h - Where condlint's own files lie ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_OWNFILE_H
#define CONDLINT_LIB_GRAPH_OWNFILE_H

#include <string>
#include <vector>

namespace condlint {

/// The file that this code was loaded from, in full and without links: the program, or the shared library
/// when another program has loaded that. Empty where the system does not tell.
std::string ownFile();

/// Where Python packages lie that were installed along with that file: the folder that holds the package
/// `condlint` around the shared library, or the `site-packages` of the environment that the program was
/// installed into. Most often there is one or none.
std::vector<std::string> pythonPackages();

} // namespace condlint

#endif // CONDLINT_LIB_GRAPH_OWNFILE_H
