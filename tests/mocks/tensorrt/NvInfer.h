//===- NvInfer.h - A stand-in for TensorRT's network API --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names and signatures that code which builds networks uses, so that such
// code can be read where TensorRT is not installed. Written for condlint from
// TensorRT's documented API; nothing here runs. See NvInferVersion.h for versions.
//
//===----------------------------------------------------------------------===//
#ifndef NV_INFER_H
#define NV_INFER_H

#include "NvInferRuntime.h"

namespace nvinfer1 {

class Dims2 : public Dims {
public:
  Dims2() : Dims2(0, 0) {}
  Dims2(Extent d0, Extent d1) : Dims{2, {d0, d1}} {}
};
class DimsHW : public Dims2 {
public:
  DimsHW() : Dims2() {}
  DimsHW(Extent height, Extent width) : Dims2(height, width) {}
  Extent &h() { return d[0]; }
  Extent h() const { return d[0]; }
  Extent &w() { return d[1]; }
  Extent w() const { return d[1]; }
};
class Dims3 : public Dims2 {
public:
  Dims3() : Dims3(0, 0, 0) {}
  Dims3(Extent d0, Extent d1, Extent d2) : Dims2(d0, d1) {
    nbDims = 3;
    d[2] = d2;
  }
};
class Dims4 : public Dims3 {
public:
  Dims4() : Dims4(0, 0, 0, 0) {}
  Dims4(Extent d0, Extent d1, Extent d2, Extent d3) : Dims3(d0, d1, d2) {
    nbDims = 4;
    d[3] = d3;
  }
};

struct Permutation {
  std::int32_t order[Dims::MAX_DIMS];
};

enum class LayerType : std::int32_t {
  kCONVOLUTION = 0,
  kACTIVATION = 2,
  kUNARY = 11,
  kREDUCE = 14,
  kMATRIX_MULTIPLY = 15,
  kCONDITIONAL_OUTPUT = 36,
  kCONDITION = 43,
  kCONDITIONAL_INPUT = 44
};
enum class ActivationType : std::int32_t {
  kRELU,
  kSIGMOID,
  kTANH,
  kLEAKY_RELU,
  kELU,
  kSELU,
  kSOFTSIGN,
  kSOFTPLUS,
  kCLIP,
  kHARD_SIGMOID,
  kSCALED_TANH,
  kTHRESHOLDED_RELU,
  kGELU_ERF,
  kGELU_TANH
};
enum class ElementWiseOperation : std::int32_t {
  kSUM,
  kPROD,
  kMAX,
  kMIN,
  kSUB,
  kDIV,
  kPOW,
  kFLOOR_DIV,
  kAND,
  kOR,
  kXOR,
  kEQUAL,
  kGREATER,
  kLESS
};
enum class UnaryOperation : std::int32_t {
  kEXP,
  kLOG,
  kSQRT,
  kRECIP,
  kABS,
  kNEG,
  kSIN,
  kCOS,
  kTAN,
  kSINH,
  kCOSH,
  kASIN,
  kACOS,
  kATAN,
  kASINH,
  kACOSH,
  kATANH,
  kCEIL,
  kFLOOR,
  kERF,
  kNOT,
  kSIGN,
  kROUND,
  kISINF,
#if MOCK_SINCE(1001)
  kISNAN,
#endif
};
enum class PoolingType : std::int32_t { kMAX, kAVERAGE, kMAX_AVERAGE_BLEND };
enum class PaddingMode : std::int32_t { kEXPLICIT_ROUND_DOWN, kEXPLICIT_ROUND_UP, kSAME_UPPER, kSAME_LOWER };
enum class ScaleMode : std::int32_t { kUNIFORM, kCHANNEL, kELEMENTWISE };
enum class ReduceOperation : std::int32_t { kSUM, kPROD, kMAX, kMIN, kAVG };
enum class TopKOperation : std::int32_t { kMAX, kMIN };
enum class MatrixOperation : std::int32_t { kNONE, kTRANSPOSE, kVECTOR };
enum class GatherMode : std::int32_t { kDEFAULT, kELEMENT, kND };
enum class ScatterMode : std::int32_t { kELEMENT, kND };
enum class FillOperation : std::int32_t { kLINSPACE, kRANDOM_UNIFORM, kRANDOM_NORMAL };
enum class InterpolationMode : std::int32_t { kNEAREST, kLINEAR, kCUBIC };
using ResizeMode = InterpolationMode;
enum class ResizeCoordinateTransformation : std::int32_t { kALIGN_CORNERS, kASYMMETRIC, kHALF_PIXEL };
enum class SampleMode : std::int32_t { kSTRICT_BOUNDS, kDEFAULT = kSTRICT_BOUNDS, kWRAP, kCLAMP, kFILL, kREFLECT };
using SliceMode = SampleMode;
enum class BoundingBoxFormat : std::int32_t { kCORNER_PAIRS, kCENTER_SIZES };
enum class TripLimit : std::int32_t { kCOUNT, kWHILE };
enum class LoopOutput : std::int32_t { kLAST_VALUE, kCONCATENATE, kREVERSE };
enum class CumulativeOperation : std::int32_t { kSUM };
enum class AttentionNormalizationOp : std::int32_t { kNONE, kSOFTMAX };
enum class CausalMaskKind : std::int32_t { kNONE, kUPPER_LEFT, kLOWER_RIGHT };
enum class KVCacheMode : std::int32_t { kLINEAR };
enum class CollectiveOperation : std::int32_t { kALL_REDUCE, kALL_GATHER, kBROADCAST, kREDUCE, kREDUCE_SCATTER };
enum class MemoryPoolType : std::int32_t { kWORKSPACE };
enum class BuilderFlag : std::int32_t { kFP16, kINT8 };
enum class NetworkDefinitionCreationFlag : std::int32_t { kEXPLICIT_BATCH, kSTRONGLY_TYPED };

class ITensor : public INoCopy {
public:
  void setName(char const *name) noexcept;
  char const *getName() const noexcept;
  void setDimensions(Dims const &dimensions) noexcept;
  Dims getDimensions() const noexcept;
  DataType getType() const noexcept;
#if MOCK_BEFORE(1100)
  void setType(DataType type) noexcept;
  bool setDynamicRange(float min, float max) noexcept;
#endif
  bool isNetworkInput() const noexcept;
  bool isNetworkOutput() const noexcept;
  bool isShapeTensor() const noexcept;
  bool isExecutionTensor() const noexcept;
  void setDimensionName(std::int32_t index, char const *name) noexcept;
  void setAllowedFormats(std::uint32_t formats) noexcept;
  TensorLocation getLocation() const noexcept;
  void setLocation(TensorLocation location) noexcept;
};

class ILayer : public INoCopy {
public:
  LayerType getType() const noexcept;
  void setName(char const *name) noexcept;
  char const *getName() const noexcept;
  std::int32_t getNbInputs() const noexcept;
  ITensor *getInput(std::int32_t index) const noexcept;
  std::int32_t getNbOutputs() const noexcept;
  ITensor *getOutput(std::int32_t index) const noexcept;
  void setInput(std::int32_t index, ITensor &tensor) noexcept;
#if MOCK_BEFORE(1100)
  void setPrecision(DataType type) noexcept;
  DataType getPrecision() const noexcept;
  void setOutputType(std::int32_t index, DataType type) noexcept;
  bool outputTypeIsSet(std::int32_t index) const noexcept;
  void resetOutputType(std::int32_t index) noexcept;
#endif
  DataType getOutputType(std::int32_t index) const noexcept;
  void setMetadata(char const *metadata) noexcept;
};

#if MOCK_BEFORE(1000)
class IFullyConnectedLayer : public ILayer {
public:
  void setNbOutputChannels(Extent outputs) noexcept;
};
#endif

class IConvolutionLayer : public ILayer {
public:
  void setNbOutputMaps(Extent maps) noexcept;
  void setNbGroups(Extent groups) noexcept;
  void setKernelWeights(Weights weights) noexcept;
  void setBiasWeights(Weights weights) noexcept;
  void setPrePadding(Dims const &padding) noexcept;
  void setPostPadding(Dims const &padding) noexcept;
  void setPaddingMode(PaddingMode mode) noexcept;
  void setKernelSizeNd(Dims const &size) noexcept;
  void setStrideNd(Dims const &stride) noexcept;
  void setPaddingNd(Dims const &padding) noexcept;
  void setDilationNd(Dims const &dilation) noexcept;
#if MOCK_BEFORE(1000)
  void setKernelSize(DimsHW size) noexcept;
  void setStride(DimsHW stride) noexcept;
  void setPadding(DimsHW padding) noexcept;
  void setDilation(DimsHW dilation) noexcept;
#endif
};
class IDeconvolutionLayer : public IConvolutionLayer {};
class IActivationLayer : public ILayer {
public:
  void setActivationType(ActivationType type) noexcept;
  void setAlpha(float alpha) noexcept;
  void setBeta(float beta) noexcept;
};
class IPoolingLayer : public ILayer {
public:
  void setPoolingType(PoolingType type) noexcept;
  void setAverageCountExcludesPadding(bool exclusive) noexcept;
  void setPrePadding(Dims const &padding) noexcept;
  void setPostPadding(Dims const &padding) noexcept;
  void setPaddingMode(PaddingMode mode) noexcept;
  void setWindowSizeNd(Dims const &size) noexcept;
  void setStrideNd(Dims const &stride) noexcept;
  void setPaddingNd(Dims const &padding) noexcept;
#if MOCK_BEFORE(1000)
  void setWindowSize(DimsHW size) noexcept;
  void setStride(DimsHW stride) noexcept;
  void setPadding(DimsHW padding) noexcept;
#endif
};
class ILRNLayer : public ILayer {};
class IScaleLayer : public ILayer {
public:
  void setMode(ScaleMode mode) noexcept;
  void setChannelAxis(std::int32_t axis) noexcept;
};
class ISoftMaxLayer : public ILayer {
public:
  void setAxes(std::uint32_t axes) noexcept;
};
class IConcatenationLayer : public ILayer {
public:
  void setAxis(std::int32_t axis) noexcept;
};
class IElementWiseLayer : public ILayer {
public:
  void setOperation(ElementWiseOperation op) noexcept;
};
class IGatherLayer : public ILayer {
public:
  void setGatherAxis(std::int32_t axis) noexcept;
  void setNbElementWiseDims(std::int32_t elementWiseDims) noexcept;
  void setMode(GatherMode mode) noexcept;
};
class IPluginV2Layer : public ILayer {
public:
  IPluginV2 &getPlugin() noexcept;
};
class IPluginV3Layer : public ILayer {
public:
  IPluginV3 &getPlugin() noexcept;
};
class IUnaryLayer : public ILayer {
public:
  void setOperation(UnaryOperation op) noexcept;
};
class IReduceLayer : public ILayer {
public:
  void setOperation(ReduceOperation op) noexcept;
  void setReduceAxes(std::uint32_t axes) noexcept;
  std::uint32_t getReduceAxes() const noexcept;
  void setKeepDimensions(bool keep) noexcept;
  bool getKeepDimensions() const noexcept;
};
class IPaddingLayer : public ILayer {
public:
  void setPrePaddingNd(Dims const &padding) noexcept;
  void setPostPaddingNd(Dims const &padding) noexcept;
};
class IShuffleLayer : public ILayer {
public:
  void setFirstTranspose(Permutation permutation) noexcept;
  void setReshapeDimensions(Dims const &dimensions) noexcept;
  void setSecondTranspose(Permutation permutation) noexcept;
  void setZeroIsPlaceholder(bool zeroIsPlaceholder) noexcept;
};
class ISliceLayer : public ILayer {
public:
  void setStart(Dims const &start) noexcept;
  void setSize(Dims const &size) noexcept;
  Dims getSize() const noexcept;
  void setStride(Dims const &stride) noexcept;
  void setMode(SampleMode mode) noexcept;
#if MOCK_SINCE(1000)
  void setAxes(Dims const &axes) noexcept;
#endif
};
class IShapeLayer : public ILayer {};
class ITopKLayer : public ILayer {
public:
  void setOperation(TopKOperation op) noexcept;
  void setK(std::int32_t k) noexcept;
  void setReduceAxes(std::uint32_t axes) noexcept;
#if MOCK_SINCE(1100)
  bool setIndicesType(DataType type) noexcept;
#endif
};
class IMatrixMultiplyLayer : public ILayer {
public:
  void setOperation(std::int32_t index, MatrixOperation op) noexcept;
  MatrixOperation getOperation(std::int32_t index) const noexcept;
};
class INonZeroLayer : public ILayer {};
class IRaggedSoftMaxLayer : public ILayer {};
class IIdentityLayer : public ILayer {};
class ICastLayer : public ILayer {
public:
  void setToType(DataType type) noexcept;
  DataType getToType() const noexcept;
};
class IConstantLayer : public ILayer {
public:
  void setWeights(Weights weights) noexcept;
  void setDimensions(Dims const &dimensions) noexcept;
};
class IParametricReLULayer : public ILayer {};
class IResizeLayer : public ILayer {
public:
  void setOutputDimensions(Dims const &dimensions) noexcept;
  void setScales(float const *scales, std::int32_t nbScales) noexcept;
  void setResizeMode(InterpolationMode mode) noexcept;
  void setCoordinateTransformation(ResizeCoordinateTransformation transformation) noexcept;
};
class ISelectLayer : public ILayer {};
class IAssertionLayer : public ILayer {
public:
  void setMessage(char const *message) noexcept;
};
class IFillLayer : public ILayer {
public:
  void setDimensions(Dims const &dimensions) noexcept;
  void setOperation(FillOperation op) noexcept;
  void setAlpha(double alpha) noexcept;
  void setBeta(double beta) noexcept;
  void setToType(DataType type) noexcept;
};
class IQuantizeLayer : public ILayer {
public:
  void setAxis(std::int32_t axis) noexcept;
  void setToType(DataType type) noexcept;
};
class IDequantizeLayer : public ILayer {
public:
  void setAxis(std::int32_t axis) noexcept;
  void setToType(DataType type) noexcept;
};
class IDynamicQuantizeLayer : public ILayer {};
class IEinsumLayer : public ILayer {
public:
  bool setEquation(char const *equation) noexcept;
};
class IScatterLayer : public ILayer {
public:
  void setMode(ScatterMode mode) noexcept;
  void setAxis(std::int32_t axis) noexcept;
};
class IOneHotLayer : public ILayer {
public:
  void setAxis(std::int32_t axis) noexcept;
};
class IGridSampleLayer : public ILayer {
public:
  void setInterpolationMode(InterpolationMode mode) noexcept;
};
class INMSLayer : public ILayer {
public:
  void setBoundingBoxFormat(BoundingBoxFormat format) noexcept;
  void setTopKBoxLimit(std::int32_t limit) noexcept;
};
class IReverseSequenceLayer : public ILayer {
public:
  void setBatchAxis(std::int32_t axis) noexcept;
  void setSequenceAxis(std::int32_t axis) noexcept;
};
class INormalizationLayer : public ILayer {
public:
  void setEpsilon(float epsilon) noexcept;
  void setAxes(std::uint32_t axes) noexcept;
};
class ISqueezeLayer : public ILayer {};
class IUnsqueezeLayer : public ILayer {};
class ICumulativeLayer : public ILayer {};
class IRotaryEmbeddingLayer : public ILayer {};
class IKVCacheUpdateLayer : public ILayer {};
class IMoELayer : public ILayer {};
class IDistCollectiveLayer : public ILayer {};
class IAttention : public INoCopy {
public:
  bool setInput(std::int32_t index, ITensor &input) noexcept;
  ITensor *getInput(std::int32_t index) const noexcept;
  ITensor *getOutput(std::int32_t index) const noexcept;
  bool setMask(ITensor &mask) noexcept;
  bool setName(char const *name) noexcept;
};

class IIfConditional;
class IIfConditionalBoundaryLayer : public ILayer {
public:
  IIfConditional *getConditional() const noexcept;
};
class IConditionLayer : public IIfConditionalBoundaryLayer {};
class IIfConditionalInputLayer : public IIfConditionalBoundaryLayer {};
class IIfConditionalOutputLayer : public IIfConditionalBoundaryLayer {};
class IIfConditional : public INoCopy {
public:
  IConditionLayer *setCondition(ITensor &condition) noexcept;
  IIfConditionalOutputLayer *addOutput(ITensor &trueSubgraphOutput, ITensor &falseSubgraphOutput) noexcept;
  IIfConditionalInputLayer *addInput(ITensor &input) noexcept;
  void setName(char const *name) noexcept;
  char const *getName() const noexcept;
};

class ILoop;
class ILoopBoundaryLayer : public ILayer {
public:
  ILoop *getLoop() const noexcept;
};
class IRecurrenceLayer : public ILoopBoundaryLayer {};
class ITripLimitLayer : public ILoopBoundaryLayer {
public:
  TripLimit getTripLimit() const noexcept;
};
class IIteratorLayer : public ILoopBoundaryLayer {
public:
  void setAxis(std::int32_t axis) noexcept;
  void setReverse(bool reverse) noexcept;
};
class ILoopOutputLayer : public ILoopBoundaryLayer {
public:
  LoopOutput getLoopOutput() const noexcept;
  void setAxis(std::int32_t axis) noexcept;
};
class ILoop : public INoCopy {
public:
  IRecurrenceLayer *addRecurrence(ITensor &initialValue) noexcept;
  ITripLimitLayer *addTripLimit(ITensor &tensor, TripLimit limit) noexcept;
  IIteratorLayer *addIterator(ITensor &tensor, std::int32_t axis = 0, bool reverse = false) noexcept;
  ILoopOutputLayer *addLoopOutput(ITensor &tensor, LoopOutput outputKind, std::int32_t axis = 0) noexcept;
  void setName(char const *name) noexcept;
  char const *getName() const noexcept;
};

class INetworkDefinition : public INoCopy {
public:
  ITensor *addInput(char const *name, DataType type, Dims const &dimensions) noexcept;
  void markOutput(ITensor &tensor) noexcept;
  void unmarkOutput(ITensor &tensor) noexcept;
  bool markOutputForShapes(ITensor &tensor) noexcept;
  bool unmarkOutputForShapes(ITensor &tensor) noexcept;
  void removeTensor(ITensor &tensor) noexcept;
#if MOCK_SINCE(1000)
  bool markDebug(ITensor &tensor) noexcept;
  bool unmarkDebug(ITensor &tensor) noexcept;
#endif
  std::int32_t getNbLayers() const noexcept;
  ILayer *getLayer(std::int32_t index) const noexcept;
  std::int32_t getNbInputs() const noexcept;
  ITensor *getInput(std::int32_t index) const noexcept;
  std::int32_t getNbOutputs() const noexcept;
  ITensor *getOutput(std::int32_t index) const noexcept;
  void setName(char const *name) noexcept;
  char const *getName() const noexcept;

  IConvolutionLayer *addConvolutionNd(ITensor &input, Extent nbOutputMaps, Dims const &kernelSize,
                                      Weights kernelWeights, Weights biasWeights) noexcept;
#if MOCK_BEFORE(1000)
  IFullyConnectedLayer *addFullyConnected(ITensor &input, Extent nbOutputs, Weights kernelWeights,
                                          Weights biasWeights) noexcept;
#endif
  IActivationLayer *addActivation(ITensor &input, ActivationType type) noexcept;
  ILRNLayer *addLRN(ITensor &input, Extent window, float alpha, float beta, float k) noexcept;
  IScaleLayer *addScale(ITensor &input, ScaleMode mode, Weights shift, Weights scale, Weights power) noexcept;
  IScaleLayer *addScaleNd(ITensor &input, ScaleMode mode, Weights shift, Weights scale, Weights power,
                          std::int32_t channelAxis) noexcept;
  ISoftMaxLayer *addSoftMax(ITensor &input) noexcept;
  IConcatenationLayer *addConcatenation(ITensor *const *inputs, std::int32_t nbInputs) noexcept;
  IDeconvolutionLayer *addDeconvolutionNd(ITensor &input, Extent nbOutputMaps, Dims kernelSize, Weights kernelWeights,
                                          Weights biasWeights) noexcept;
  IElementWiseLayer *addElementWise(ITensor &input1, ITensor &input2, ElementWiseOperation op) noexcept;
  IUnaryLayer *addUnary(ITensor &input, UnaryOperation operation) noexcept;
  IShuffleLayer *addShuffle(ITensor &input) noexcept;
  IOneHotLayer *addOneHot(ITensor &indices, ITensor &values, ITensor &depth, std::int32_t axis) noexcept;
  IReduceLayer *addReduce(ITensor &input, ReduceOperation operation, std::uint32_t reduceAxes,
                          bool keepDimensions) noexcept;
  ITopKLayer *addTopK(ITensor &input, TopKOperation op, std::int32_t k, std::uint32_t reduceAxes) noexcept;
  IGatherLayer *addGather(ITensor &data, ITensor &indices, std::int32_t axis) noexcept;
  IGatherLayer *addGatherV2(ITensor &data, ITensor &indices, GatherMode mode) noexcept;
  IRaggedSoftMaxLayer *addRaggedSoftMax(ITensor &input, ITensor &bounds) noexcept;
  IMatrixMultiplyLayer *addMatrixMultiply(ITensor &input0, MatrixOperation op0, ITensor &input1,
                                          MatrixOperation op1) noexcept;
  INonZeroLayer *addNonZero(ITensor &input) noexcept;
  IConstantLayer *addConstant(Dims const &dimensions, Weights weights) noexcept;
  IIdentityLayer *addIdentity(ITensor &input) noexcept;
  ICastLayer *addCast(ITensor &input, DataType toType) noexcept;
  IPluginV2Layer *addPluginV2(ITensor *const *inputs, std::int32_t nbInputs, IPluginV2 &plugin) noexcept;
  ISliceLayer *addSlice(ITensor &input, Dims const &start, Dims const &size, Dims const &stride) noexcept;
  IShapeLayer *addShape(ITensor &input) noexcept;
  IParametricReLULayer *addParametricReLU(ITensor &input, ITensor &slope) noexcept;
  IPoolingLayer *addPoolingNd(ITensor &input, PoolingType type, Dims const &windowSize) noexcept;
  IPaddingLayer *addPaddingNd(ITensor &input, Dims const &prePadding, Dims const &postPadding) noexcept;
  IResizeLayer *addResize(ITensor &input) noexcept;
  ILoop *addLoop() noexcept;
  IIfConditional *addIfConditional() noexcept;
  ISelectLayer *addSelect(ITensor &condition, ITensor &thenInput, ITensor &elseInput) noexcept;
  IAssertionLayer *addAssertion(ITensor &condition, char const *message) noexcept;
  IGridSampleLayer *addGridSample(ITensor &input, ITensor &grid) noexcept;
  INMSLayer *addNMS(ITensor &boxes, ITensor &scores, ITensor &maxOutputBoxesPerClass) noexcept;
  IReverseSequenceLayer *addReverseSequence(ITensor &input, ITensor &sequenceLens) noexcept;
  INormalizationLayer *addNormalization(ITensor &input, ITensor &scale, ITensor &bias, std::uint32_t axesMask) noexcept;
  IScatterLayer *addScatter(ITensor &data, ITensor &indices, ITensor &updates, ScatterMode mode) noexcept;
  IEinsumLayer *addEinsum(ITensor *const *inputs, std::int32_t nbInputs, char const *equation) noexcept;
  IQuantizeLayer *addQuantize(ITensor &input, ITensor &scale) noexcept;
  IDequantizeLayer *addDequantize(ITensor &input, ITensor &scale) noexcept;
  IFillLayer *addFill(Dims const &dimensions, FillOperation op) noexcept;
#if MOCK_BEFORE(1000)
  IConvolutionLayer *addConvolution(ITensor &input, std::int32_t nbOutputMaps, DimsHW kernelSize, Weights kernelWeights,
                                    Weights biasWeights) noexcept;
  IPoolingLayer *addPooling(ITensor &input, PoolingType type, DimsHW windowSize) noexcept;
  IDeconvolutionLayer *addDeconvolution(ITensor &input, std::int32_t nbOutputMaps, DimsHW kernelSize,
                                        Weights kernelWeights, Weights biasWeights) noexcept;
  IPaddingLayer *addPadding(ITensor &input, DimsHW prePadding, DimsHW postPadding) noexcept;
#else
  IFillLayer *addFill(Dims const &dimensions, FillOperation op, DataType outputType) noexcept;
  IQuantizeLayer *addQuantize(ITensor &input, ITensor &scale, DataType outputType) noexcept;
  IDequantizeLayer *addDequantize(ITensor &input, ITensor &scale, DataType outputType) noexcept;
  IPluginV3Layer *addPluginV3(ITensor *const *inputs, std::int32_t nbInputs, ITensor *const *shapeInputs,
                              std::int32_t nbShapeInputs, IPluginV3 &plugin) noexcept;
#endif
#if MOCK_SINCE(1008)
  ICumulativeLayer *addCumulative(ITensor &input, ITensor &axis, CumulativeOperation operation, bool exclusive,
                                  bool reverse) noexcept;
  IDynamicQuantizeLayer *addDynamicQuantize(ITensor &input, std::int32_t axis, std::int32_t blockSize,
                                            DataType outputType, DataType scaleType) noexcept;
  ISqueezeLayer *addSqueeze(ITensor &input, ITensor &axes) noexcept;
  IUnsqueezeLayer *addUnsqueeze(ITensor &input, ITensor &axes) noexcept;
#endif
#if MOCK_SINCE(1100)
  ITopKLayer *addTopK(ITensor &input, TopKOperation op, std::int32_t k, std::uint32_t reduceAxes,
                      DataType indicesType) noexcept;
  INonZeroLayer *addNonZero(ITensor &input, DataType indicesType) noexcept;
  INMSLayer *addNMS(ITensor &boxes, ITensor &scores, ITensor &maxOutputBoxesPerClass, DataType indicesType) noexcept;
  INormalizationLayer *addNormalizationV2(ITensor &input, ITensor &scale, ITensor &bias,
                                          std::uint32_t axesMask) noexcept;
  IDynamicQuantizeLayer *addDynamicQuantizeV2(ITensor &input, Dims const &blockShape, DataType outputType,
                                              DataType scaleType) noexcept;
  IRotaryEmbeddingLayer *addRotaryEmbedding(ITensor &input, ITensor &cosCache, ITensor &sinCache, bool interleaved,
                                            std::int32_t rotaryEmbeddingDim) noexcept;
  IKVCacheUpdateLayer *addKVCacheUpdate(ITensor &cache, ITensor &update, ITensor &writeIndices,
                                        KVCacheMode cacheMode) noexcept;
  IMoELayer *addMoE(ITensor &hiddenStates, ITensor &selectedExpertsForTokens,
                    ITensor &scoresForSelectedExperts) noexcept;
  IAttention *addAttention(ITensor &query, ITensor &key, ITensor &value, AttentionNormalizationOp normOp,
                           bool causal) noexcept;
  IAttention *addAttentionV2(ITensor &query, ITensor &key, ITensor &value, AttentionNormalizationOp normOp,
                             CausalMaskKind causal) noexcept;
  IDistCollectiveLayer *addDistCollective(ITensor &input, CollectiveOperation op, std::int64_t root,
                                          std::int64_t *groups, std::int64_t groupSize) noexcept;
#endif
};

class IBuilderConfig : public INoCopy {
public:
  void setMemoryPoolLimit(MemoryPoolType pool, std::size_t poolSize) noexcept;
  void setFlag(BuilderFlag builderFlag) noexcept;
  std::int32_t addOptimizationProfile(IOptimizationProfile const *profile) noexcept;
};
class IBuilder : public INoCopy {
public:
  INetworkDefinition *createNetworkV2(std::uint32_t flags) noexcept;
  IBuilderConfig *createBuilderConfig() noexcept;
  IOptimizationProfile *createOptimizationProfile() noexcept;
  IHostMemory *buildSerializedNetwork(INetworkDefinition &network, IBuilderConfig &config) noexcept;
  bool isNetworkSupported(INetworkDefinition const &network, IBuilderConfig const &config) const noexcept;
};

IBuilder *createInferBuilder(ILogger &logger) noexcept;

} // namespace nvinfer1

#undef MOCK_BEFORE
#undef MOCK_SINCE

#endif // NV_INFER_H
