//===- Kernels.h - The kernels of the operators -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tables of definitions refer to. A kernel reads the node's operands and
// arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_KERNELS_H
#define CONDLINT_LIB_OPS_KERNELS_KERNELS_H

namespace condlint {

class ExecContext;

// --- Assembly.cpp
void executeBlockDiagonal(ExecContext &c);
void executeCartesianProduct(ExecContext &c);
void executeCombinations(ExecContext &c);
void executeDiagonalOfAll(ExecContext &c);
void executePadSequence(ExecContext &c);
void executeTrilinear(ExecContext &c);

// --- Attention.cpp
void executeScaledDotProductAttention(ExecContext &c);
void executeAttention(ExecContext &c);
void executeLinearAttention(ExecContext &c);
void executeRotaryEmbedding(ExecContext &c);

// --- ClassicalMl.cpp
void executeArrayFeatureExtractor(ExecContext &c);
void executeBinarizer(ExecContext &c);
void executeScaler(ExecContext &c);
void executeImputer(ExecContext &c);
void executeNormalizer(ExecContext &c);
void executeLinearRegressor(ExecContext &c);
void executeLabelEncoder(ExecContext &c);
void executeTreeEnsemble(ExecContext &c);

// --- Classifiers.cpp
void executeLinearClassifier(ExecContext &c);
void executeOneHotEncoder(ExecContext &c);
void executeSvmClassifier(ExecContext &c);
void executeSvmRegressor(ExecContext &c);

// --- Contrib.cpp
void executeFusedMatMul(ExecContext &c);
void executeFusedGemm(ExecContext &c);
void executeFusedConv(ExecContext &c);
void executeSkipNormalization(ExecContext &c);
void executeEmbedNormalization(ExecContext &c);
void executeContribRotary(ExecContext &c);

// --- ContribAttention.cpp
void executeContribAttention(ExecContext &c);
void executeMultiHeadAttention(ExecContext &c);

// --- Convolution.cpp
void executeConvolution(ExecContext &c);
void executeConvTbc(ExecContext &c);
void executeIm2Col(ExecContext &c);
void executeCol2Im(ExecContext &c);
void executeConv(ExecContext &c);
void executeConvInteger(ExecContext &c);
void executeQLinearConv(ExecContext &c);
void executeConvTranspose(ExecContext &c);
void executeCausalConv(ExecContext &c);

// --- Creation.cpp
void executeFactory(ExecContext &c);
void executeEmpty(ExecContext &c);
void executeFull(ExecContext &c);
void executeScalarTensor(ExecContext &c);
void executeLike(ExecContext &c);
void executeNew(ExecContext &c);
void executeEmptyStrided(ExecContext &c);
void executeEmptyPermuted(ExecContext &c);
void executeArange(ExecContext &c);
void executeLinspace(ExecContext &c);
void executeEye(ExecContext &c);
void executeTriangleIndices(ExecContext &c);
void executeWindow(ExecContext &c);
void executeConstant(ExecContext &c);
void executeConstantOfShape(ExecContext &c);
void executeRange(ExecContext &c);
void executeEyeLike(ExecContext &c);
void executeWindowOnnx(ExecContext &c);

// --- Factorizations.cpp
void executeQr(ExecContext &c);
void executeGeqrf(ExecContext &c);
void executeHouseholderProduct(ExecContext &c);
void executeOrmqr(ExecContext &c);
void executeLu(ExecContext &c);
void executeLuUnpack(ExecContext &c);
void executeLuFactor(ExecContext &c);
void executeLuSolve(ExecContext &c);
void executeCholeskySolve(ExecContext &c);
void executeCholeskyInverse(ExecContext &c);
void executeLdlFactor(ExecContext &c);
void executeLdlSolve(ExecContext &c);

// --- Gradients.cpp
void executeSoftmaxBackward(ExecContext &c);
void executeActivationBackward(ExecContext &c);
void executeConvolutionBackward(ExecContext &c);
void executePoolBackward(ExecContext &c);
void executeNormBackward(ExecContext &c);
void executeEmbeddingBackward(ExecContext &c);

// --- Histogram.cpp
void executeHistogram(ExecContext &c);
void executeHistogramOfPoints(ExecContext &c);

// --- Indexing.cpp
void executeGather(ExecContext &c);
void executeGatherElements(ExecContext &c);
void executeGatherNd(ExecContext &c);
void executeIndexSelect(ExecContext &c);
void executeTakeAlongDim(ExecContext &c);
void executeTake(ExecContext &c);
void executeIndex(ExecContext &c);
void executeNonzero(ExecContext &c);
void executeNonzeroStatic(ExecContext &c);
void executeNonzeroNumpy(ExecContext &c);
void executeMaskedSelect(ExecContext &c);
void executeCompress(ExecContext &c);
void executeEmbedding(ExecContext &c);
void executeOneHot(ExecContext &c);
void executeBucketize(ExecContext &c);
void executeScatter(ExecContext &c);
void executeIndexPut(ExecContext &c);
void executeMaskedScatter(ExecContext &c);
void executeSelectScatter(ExecContext &c);
void executeEmbeddingBag(ExecContext &c);
void executeEmbeddingRenorm(ExecContext &c);

// --- LinearAlgebra.cpp
void executeDet(ExecContext &c);
void executeSquareMatrixFunction(ExecContext &c);
void executeSolve(ExecContext &c);
void executeSolveTriangular(ExecContext &c);
void executeTensorInverse(ExecContext &c);
void executeTensorSolve(ExecContext &c);
void executeCheckErrors(ExecContext &c);
void executeWithEffects(ExecContext &c);
void executeConditionNumber(ExecContext &c);
void executeTrace(ExecContext &c);
void executeVectorProduct(ExecContext &c);
void executeDistances(ExecContext &c);
void executeMultiDot(ExecContext &c);
void executeVander(ExecContext &c);
void executeLinalgNorm(ExecContext &c);

// --- Loss.cpp
void executePointwiseLoss(ExecContext &c);
void executePoissonLoss(ExecContext &c);
void executeMarginRankingLoss(ExecContext &c);
void executeCosineEmbeddingLoss(ExecContext &c);
void executeTripletMarginLoss(ExecContext &c);
void executeClassLoss(ExecContext &c);
void executeRowLoss(ExecContext &c);
void executeCtcLoss(ExecContext &c);
void executeClassificationLoss(ExecContext &c);

// --- MatrixProduct.cpp
void executeMatMul(ExecContext &c);
void executeMm(ExecContext &c);
void executeAddmm(ExecContext &c);
void executeLinear(ExecContext &c);
void executeDot(ExecContext &c);
void executeMv(ExecContext &c);
void executeOuter(ExecContext &c);
void executeInner(ExecContext &c);
void executeTensordot(ExecContext &c);
void executeKron(ExecContext &c);
void executeGemm(ExecContext &c);
void executeMatMulInteger(ExecContext &c);
void executeQLinearMatMul(ExecContext &c);
void executeEinsum(ExecContext &c);

// --- Normalization.cpp
void executeLayerNorm(ExecContext &c);
void executeRmsNorm(ExecContext &c);
void executeGroupNorm(ExecContext &c);
void executeBatchNorm(ExecContext &c);
void executeInstanceNorm(ExecContext &c);
void executeGlu(ExecContext &c);
void executeWeightNorm(ExecContext &c);
void executeBatchNormalization(ExecContext &c);
void executeLayerNormalization(ExecContext &c);
void executeNormalization(ExecContext &c);

// --- Pooling.cpp
void executeMaxPoolTorch(ExecContext &c);
void executeFractionalMaxPool(ExecContext &c);
void executeAvgPoolTorch(ExecContext &c);
void executeAdaptivePool(ExecContext &c);
void executeMaxUnpool(ExecContext &c);
void executePoolOnnx(ExecContext &c);
void executeGlobalPool(ExecContext &c);
void executeMaxUnpoolOnnx(ExecContext &c);
void executeRoiPool(ExecContext &c);
void executeTorchRoiAlign(ExecContext &c);

// --- Quantization.cpp
void executeQuantizeLinear(ExecContext &c);
void executeDequantizeLinear(ExecContext &c);
void executeDynamicQuantizeLinear(ExecContext &c);
void executeFakeQuantize(ExecContext &c);
void executeQuantizeDecomposed(ExecContext &c);
void executeDequantizeDecomposed(ExecContext &c);
void executeChooseQuantization(ExecContext &c);
void executeChoosePerToken(ExecContext &c);
void executeWeightInt8Product(ExecContext &c);

// --- Random.cpp
void executeRandomFactory(ExecContext &c);
void executeRandint(ExecContext &c);
void executeRandperm(ExecContext &c);
void executeRandomLike(ExecContext &c);
void executeNormal(ExecContext &c);
void executeRandomInPlace(ExecContext &c);
void executeBernoulli(ExecContext &c);
void executeMultinomial(ExecContext &c);
void executeDropout(ExecContext &c);
void executeNativeDropout(ExecContext &c);
void executeRandomOnnx(ExecContext &c);

// --- Recurrent.cpp
void executeRecurrentOnnx(ExecContext &c);
void executeRecurrentLayer(ExecContext &c);
void executeRecurrentCell(ExecContext &c);

// --- Reduction.cpp
void executeSum(ExecContext &c);
void executeNansum(ExecContext &c);
void executeProd(ExecContext &c);
void executeMean(ExecContext &c);
void executeVar(ExecContext &c);
void executeNorm(ExecContext &c);
void executeTruthOfAll(ExecContext &c);
void executeLogSumExp(ExecContext &c);
void executeAmax(ExecContext &c);
void executeAny(ExecContext &c);
void executeArgmax(ExecContext &c);
void executeCountNonzero(ExecContext &c);
void executeExtreme(ExecContext &c);
void executeMode(ExecContext &c);
void executeAminmax(ExecContext &c);
void executeQuantile(ExecContext &c);
void executeDist(ExecContext &c);
void executePdist(ExecContext &c);
void executeHistc(ExecContext &c);
void executeBincount(ExecContext &c);
void executeSumToSize(ExecContext &c);
void executeReduceOnnx(ExecContext &c);
void executeArgExtreme(ExecContext &c);

// --- Resize.cpp
void executeUpsample(ExecContext &c);
void executeResize(ExecContext &c);
void executeGridSample(ExecContext &c);
void executeAffineGrid(ExecContext &c);

// --- Scan.cpp
void executeCumSum(ExecContext &c);
void executeCumProd(ExecContext &c);
void executeLogCumSumExp(ExecContext &c);
void executeCumulativeExtreme(ExecContext &c);
void executeSoftmax(ExecContext &c);
void executeLogSoftmax(ExecContext &c);
void executeHardmax(ExecContext &c);
void executeDiff(ExecContext &c);
void executeSort(ExecContext &c);
void executeArgsort(ExecContext &c);
void executeMsort(ExecContext &c);
void executeTopK(ExecContext &c);

// --- Segments.cpp
void executeSegmentReduce(ExecContext &c);
void executeNumericGradient(ExecContext &c);

// --- Selection.cpp
void executeNonMaxSuppression(ExecContext &c);
void executeTorchNms(ExecContext &c);
void executeUniqueOnnx(ExecContext &c);
void executeUnique(ExecContext &c);
void executeAdagrad(ExecContext &c);
void executeAdam(ExecContext &c);
void executeMomentum(ExecContext &c);

// --- Sequence.cpp
void executeSequenceEmpty(ExecContext &c);
void executeSequenceConstruct(ExecContext &c);
void executeSequenceInsert(ExecContext &c);
void executeSequenceErase(ExecContext &c);
void executeSequenceAt(ExecContext &c);
void executeSequenceLength(ExecContext &c);
void executeConcatFromSequence(ExecContext &c);
void executeSplitToSequence(ExecContext &c);
void executeOptional(ExecContext &c);
void executeOptionalGetElement(ExecContext &c);
void executeOptionalHasElement(ExecContext &c);

// --- Shape.cpp
void executeShape(ExecContext &c);
void executeSize(ExecContext &c);
void executeConcat(ExecContext &c);
void executeStack(ExecContext &c);
void executeStackAlong(ExecContext &c);
void executePad(ExecContext &c);
void executeRepeat(ExecContext &c);
void executeTile(ExecContext &c);
void executeRepeatInterleave(ExecContext &c);
void executeFlip(ExecContext &c);
void executeRoll(ExecContext &c);
void executeRot90(ExecContext &c);
void executeTriangle(ExecContext &c);
void executeReverseSequence(ExecContext &c);
void executeCenterCropPad(ExecContext &c);
void executeDepthToSpace(ExecContext &c);
void executeSpaceToDepth(ExecContext &c);
void executeChannelShuffle(ExecContext &c);
void executeMeshgrid(ExecContext &c);
void executeBroadcastTensors(ExecContext &c);
void executeAtLeast(ExecContext &c);
void executeDiagEmbed(ExecContext &c);
void executeDiag(ExecContext &c);

// --- Signal.cpp
void executeFft(ExecContext &c);
void executeFftKernel(ExecContext &c);
void executeFftShift(ExecContext &c);
void executeFftFrequencies(ExecContext &c);
void executeDft(ExecContext &c);
void executeStft(ExecContext &c);
void executeTorchStft(ExecContext &c);
void executeTorchIstft(ExecContext &c);
void executeMelWeightMatrix(ExecContext &c);

// --- StringOps.cpp
void executeStringConcat(ExecContext &c);
void executeStringSplit(ExecContext &c);
void executeStringNormalizer(ExecContext &c);
void executeTfIdfVectorizer(ExecContext &c);

// --- Spectra.cpp
void executeSingularValues(ExecContext &c);
void executeSvd(ExecContext &c);
void executeEigh(ExecContext &c);
void executeEig(ExecContext &c);
void executeMatrixRank(ExecContext &c);
void executePseudoInverse(ExecContext &c);
void executeLeastSquares(ExecContext &c);

// --- Statistics.cpp
void executeVectorComparison(ExecContext &c);
void executeCovariance(ExecContext &c);
void executeTrapezoid(ExecContext &c);
void executeBilinear(ExecContext &c);

// --- SymbolicScalar.cpp
void executeSymSize(ExecContext &c);
void executeSymNumel(ExecContext &c);
void executeSymStorageOffset(ExecContext &c);
void executeDim(ExecContext &c);
void executeItem(ExecContext &c);
void executeIsNonzero(ExecContext &c);
void executeTypeQuery(ExecContext &c);
void executeAssert(ExecContext &c);
void executeScalarArithmetic(ExecContext &c);
void executeScalarComparison(ExecContext &c);
void executeScalarTrueDivide(ExecContext &c);
void executeScalarUnary(ExecContext &c);
void executeScalarLogic(ExecContext &c);
void executeScalarMath(ExecContext &c);

// --- Trees.cpp
void executeTreeClassifier(ExecContext &c);
void executeTreeRegressor(ExecContext &c);

// --- View.cpp
void executeAlias(ExecContext &c);
void executeConj(ExecContext &c);
void executeReal(ExecContext &c);
void executeImag(ExecContext &c);
void executeViewAsReal(ExecContext &c);
void executeViewAsComplex(ExecContext &c);
void executeReshape(ExecContext &c);
void executeFlatten(ExecContext &c);
void executeUnflatten(ExecContext &c);
void executePermute(ExecContext &c);
void executeTranspose(ExecContext &c);
void executeMatrixTranspose(ExecContext &c);
void executeAdjoint(ExecContext &c);
void executeMovedim(ExecContext &c);
void executeUnsqueeze(ExecContext &c);
void executeSqueeze(ExecContext &c);
void executeExpand(ExecContext &c);
void executeAsStrided(ExecContext &c);
void executeDiagonal(ExecContext &c);
void executeUnfold(ExecContext &c);
void executeBroadcastInDim(ExecContext &c);
void executeSelect(ExecContext &c);
void executeSlice(ExecContext &c);
void executeNarrow(ExecContext &c);
void executeSplit(ExecContext &c);
void executeChunk(ExecContext &c);
void executeUnbind(ExecContext &c);
void executeTensorSplit(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_KERNELS_H
