//===- TorchState.h - What is known while tensor code is run ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the domain of libtorch knows while it makes a graph of code: which branches are
// being run, what the values of the graph are in the code, and what is to be taken back
// of it. What forks and joins lies in the machine's store instead.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_TORCHSTATE_H
#define CONDLINT_CXX_TORCH_TORCHSTATE_H

#include "../Reading.h"
#include "../interp/machine/Machine.h"
#include "LoopNumbers.h"
#include "ModuleMembers.h"
#include "Overloads.h"
#include "SourceMap.h"
#include "TorchData.h"
#include <map>
#include <set>
#include <tuple>

namespace condlint::cxx {

class FixedCallables;

/// A branch that is being interpreted: a region of the interpreter.
struct BranchScope {
  GraphId graph;
  ObjectId callable;      ///< the closure or functor that is the branch
  std::size_t frame = 0;  ///< how many frames stood when it was entered
  std::uint32_t path = 0; ///< the machine's path when it was entered
  bool returned = false;  ///< some path has left it
  /// What decides here whether that runs that is being read; see `Domain::beginDoubt`.
  std::vector<LocationId> doubts;
  std::vector<Capture> captures;
  /// By variable, value, content and whether it can differ: which of them.
  std::set<std::tuple<std::int64_t, std::uint32_t, CaptureContent, bool>> captured;
  std::set<std::int64_t> written; ///< variables and parts of them
  std::set<ObjectId> pointees;    ///< objects of outside to which its operands lead
  /// The parts of variables of outside that it reads, and where it does first.
  struct Read {
    std::int64_t number = -1;
    std::int64_t whole = -1;
    LocationId at;
  };
  std::vector<Read> reads;
  std::set<std::int64_t> read; ///< their numbers

  /// It has written the part \p number of the variable \p whole, or all of that.
  bool wrote(std::int64_t number, std::int64_t whole) const {
    return written.contains(number) || written.contains(whole);
  }
};

class TorchState {
protected:
  TorchState(clang::ASTContext &context, Model &model, const SourceOptions &sourceOptions, bool changes)
      : ast(context), graphs(model), options(sourceOptions), places(context, model) {
    graphs.info.otherDefaultFloat = changes;
  }

  clang::ASTContext &ast;
  Model &graphs;
  const SourceOptions &options;
  Machine *machine = nullptr;
  ModuleMembers *moduleMembers = nullptr;
  FixedCallables *fixedCallables = nullptr;
  SourceMap places;
  GraphId root;
  Model::Extent beforeRoot;
  const clang::FunctionDecl *rootFunction = nullptr;
  clang::SourceLocation rootGap;
  std::size_t gapsInBranches = 0; ///< of conditionals that are finished
  std::string unfollowed;         ///< why nothing is known of the conditionals that come to their end from here on
  bool rootHasNodes = false;
  std::size_t rootConditionals = 0;
  std::vector<BranchScope> scopes;
  std::map<const clang::FunctionDecl *, std::optional<CondArguments>> conds;
  std::map<std::int64_t, DType> scalarTypes; ///< by the numbers of this unit's headers
  std::map<std::pair<std::uint32_t, std::string>, std::int64_t> variables;
  /// What the copies that closures hold, by object and name, are copies of, as it was found first.
  std::map<std::pair<std::uint32_t, std::string>, std::pair<ObjectId, std::string>> copiedVariables;
  std::vector<std::string> variableNames;
  /// What came out of a branch through a variable; the numbers of `Unknown::leak`, from 1.
  struct Leak {
    std::int64_t variable = -1;
    std::int64_t whole = -1;
    Value before;       ///< what stood there
    bool other = false; ///< the other branch is run, for which that still stands there
  };
  std::vector<Leak> leaks;
  std::map<std::pair<std::uint32_t, std::int64_t>, Value> sizes;   ///< by value and dimension
  std::map<std::string, const clang::FunctionDecl *> symbolOwners; ///< of the sizes that annotations name
  std::map<std::uint32_t, Value> moduleOptions;                    ///< by the symbol of a module that was made here
  std::map<std::uint32_t, std::pair<std::uint32_t, unsigned>> modulePaths; ///< the path and region in which it was
  std::map<std::uint32_t, ValueId> openOperands; ///< by the symbol of a container: the parameter that it is
  ObjectId pathConstraints;                      ///< holds the constraints of the current path
  std::map<std::uint32_t, ValueId> operandOf;    ///< by the parameter of a branch
  std::map<std::pair<std::uint32_t, std::int64_t>, Dim> sizeNames; ///< by value and dimension
  std::int64_t identified = 0;                                     ///< numbers that have a name of their own
  std::map<std::string, std::uint64_t> identifiedAs;               ///< and which it was, by its symbol
  LoopNumbers loopNumbers;
  bool spreading = false;
  std::size_t budget = 0; ///< values that the outermost conditional may still have
  bool overflown = false;
  ValueId poison;
  struct Scouted {
    Model::Extent extent;
    std::vector<BranchScope> scopes;
    std::map<std::pair<std::uint32_t, std::int64_t>, Value> sizes;
    std::size_t conditionals = 0, budget = 0;
    bool overflown = false;
    ValueId poison;
  };
  std::optional<Scouted> scouted;
  std::size_t everNodes = 0, everValues = 0; ///< how many there ever were of those that were taken back
  /// A value that is one of several, and where these met.
  struct Joined {
    JoinPoint where;
    std::uint32_t decision = 0; ///< the last one that was made before
  };
  std::map<std::uint32_t, Joined> joined; ///< by value
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_TORCHSTATE_H
