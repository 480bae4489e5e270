//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A small libtorch: what the tests' sources use of it, with the names and the
// signatures of the real one, so that they parse in milliseconds. Declarations
// only; nothing of it runs.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace c10 {

using std::nullopt;
using std::optional;

enum class ScalarType : int8_t {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  ComplexFloat = 9,
  Bool = 11,
  BFloat16 = 15
};
enum class DeviceType : int8_t { CPU, CUDA };
enum class Layout : int8_t { Strided, Sparse };
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast };
std::ostream &operator<<(std::ostream &, ScalarType);

constexpr auto kByte = ScalarType::Byte, kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half,
               kFloat = ScalarType::Float, kDouble = ScalarType::Double, kBool = ScalarType::Bool,
               kBFloat16 = ScalarType::BFloat16;
constexpr auto kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
constexpr auto kStrided = Layout::Strided;

template <class T> class ArrayRef {
public:
  ArrayRef() = default;
  ArrayRef(const T &one);
  ArrayRef(const T *data, size_t length);
  ArrayRef(const std::vector<T> &v);
  ArrayRef(const std::initializer_list<T> &v);
  const T *begin() const;
  const T *end() const;
  size_t size() const;
  const T &operator[](size_t i) const;
  const T &back() const;
  std::vector<T> vec() const;
  bool equals(ArrayRef other) const;
};
template <class T> bool operator==(ArrayRef<T> a, ArrayRef<T> b);
template <class T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b);
template <class T> std::ostream &operator<<(std::ostream &, ArrayRef<T>);
using IntArrayRef = ArrayRef<int64_t>;
using OptionalIntArrayRef = std::optional<IntArrayRef>;

struct Device {
  Device(DeviceType type, int8_t index = -1);
  bool is_cuda() const;
  bool is_cpu() const;
  void set_index(int8_t index);
  bool operator==(const Device &other) const;
};

template <class T> struct complex {
  constexpr complex(T re, T im = T());
};

class Scalar {
public:
  Scalar(complex<double> v);
  Scalar(int v);
  Scalar(int64_t v);
  Scalar(double v);
  Scalar(float v);
  Scalar(bool v);
  double toDouble() const;
  bool isFloatingPoint() const;
};

struct SymInt {
  SymInt(int64_t v);
};
class SymBool {
public:
  SymBool(bool b);
  bool guard_bool(const char *file, int64_t line) const;
};

struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(ScalarType dtype);
  TensorOptions(DeviceType device);
  TensorOptions(Device device);
  TensorOptions dtype(ScalarType dtype) const;
  TensorOptions device(DeviceType device) const;
  TensorOptions requires_grad(bool value = true) const;
};

struct Error : std::exception {};

namespace detail {
[[noreturn]] void torchCheckFail(const char *function, const char *file, uint32_t line, const std::string &message);
template <class... Args> std::string torchCheckMsgImpl(const char *message, const Args &...args);
} // namespace detail

} // namespace c10

#define TORCH_CHECK(condition, ...)                                                                                    \
  if (__builtin_expect(static_cast<bool>(!(condition)), 0)) {                                                          \
    ::c10::detail::torchCheckFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__),                                 \
                                  ::c10::detail::torchCheckMsgImpl("Expected " #condition, ##__VA_ARGS__));            \
  }

namespace at {

using namespace c10;
class Tensor;
using TensorList = ArrayRef<Tensor>;
namespace indexing {
struct Slice {
  Slice(std::optional<SymInt> start = std::nullopt, std::optional<SymInt> stop = std::nullopt,
        std::optional<SymInt> step = std::nullopt);
};
struct TensorIndex {
  TensorIndex(std::nullopt_t);
  TensorIndex(int64_t integer);
  template <class T, class = std::enable_if_t<std::is_same_v<T, bool>>> TensorIndex(T boolean);
  TensorIndex(Slice slice);
  TensorIndex(Tensor tensor);
};
} // namespace indexing

class TensorBase {
public:
  bool defined() const;
  void reset();
  int64_t dim() const;
  int64_t size(int64_t d) const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t numel() const;
  int64_t storage_offset() const;
  ScalarType scalar_type() const;
  bool is_same(const TensorBase &other) const;
  ScalarType dtype() const;
  Device device() const;
  TensorOptions options() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_floating_point() const;
  bool is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool requires_grad() const;
  void *data_ptr() const;
  template <class T> T *data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
  template <class T> const T *const_data_ptr() const;
};

#define MOCK_UNARY(name)                                                                                               \
  Tensor name() const;                                                                                                 \
  Tensor &name##_() const
#define MOCK_BINARY(name)                                                                                              \
  Tensor name(const Tensor &other) const;                                                                              \
  Tensor name(const Scalar &other) const;                                                                              \
  Tensor &name##_(const Tensor &other) const;                                                                          \
  Tensor &name##_(const Scalar &other) const
#define MOCK_COMPARISON(name)                                                                                          \
  Tensor name(const Tensor &other) const;                                                                              \
  Tensor name(const Scalar &other) const

class Tensor : public TensorBase {
public:
  Tensor() = default;
  Tensor(const Tensor &) = default;
  Tensor(Tensor &&) = default;
  Tensor &operator=(const Tensor &x) & noexcept;
  Tensor &operator=(Tensor &&x) & noexcept;
  Tensor &operator=(const Scalar &v) &&;
  Tensor &operator=(const Tensor &rhs) &&;
  Tensor operator-() const;
  Tensor operator~() const;
  Tensor &operator+=(const Tensor &other);
  Tensor &operator+=(const Scalar &other);
  Tensor &operator-=(const Tensor &other);
  Tensor &operator*=(const Tensor &other);
  Tensor &operator*=(const Scalar &other);
  Tensor operator[](const Scalar &index) const;
  Tensor operator[](const Tensor &index) const;
  Tensor operator[](int64_t index) const;

  MOCK_UNARY(abs);
  MOCK_UNARY(cos);
  MOCK_UNARY(exp);
  MOCK_UNARY(log);
  MOCK_UNARY(neg);
  MOCK_UNARY(reciprocal);
  MOCK_UNARY(relu);
  MOCK_UNARY(round);
  MOCK_UNARY(rsqrt);
  MOCK_UNARY(sigmoid);
  MOCK_UNARY(sin);
  MOCK_UNARY(sqrt);
  MOCK_UNARY(tanh);
  MOCK_BINARY(div);
  MOCK_BINARY(mul);
  MOCK_BINARY(pow);
  MOCK_COMPARISON(eq);
  MOCK_COMPARISON(ge);
  MOCK_COMPARISON(gt);
  MOCK_COMPARISON(le);
  MOCK_COMPARISON(lt);
  MOCK_COMPARISON(ne);
  Tensor add(const Tensor &other, const Scalar &alpha = 1) const,
      &add_(const Tensor &other, const Scalar &alpha = 1) const;
  Tensor &add_(const Scalar &other, const Scalar &alpha = 1) const;
  Tensor sub(const Tensor &other, const Scalar &alpha = 1) const;
  Tensor &sub_(const Tensor &other, const Scalar &alpha = 1) const;
  Tensor &copy_(const Tensor &src, bool non_blocking = false) const;
  Tensor &fill_(const Scalar &value) const, &zero_() const;
  Tensor &resize_(IntArrayRef size) const, &set_(const Tensor &source) const;
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor &rhs);
  Tensor &masked_fill_(const Tensor &mask, const Scalar &value) const;
  Tensor masked_fill(const Tensor &mask, const Scalar &value) const;
  Tensor clamp(const std::optional<Scalar> &min, const std::optional<Scalar> &max = std::nullopt) const;
  Tensor &clamp_(const std::optional<Scalar> &min, const std::optional<Scalar> &max = std::nullopt) const;
  Tensor clamp_min(const Scalar &min) const, clamp_max(const Scalar &max) const;
  Tensor all() const, any() const, isnan() const, isfinite() const;
  Tensor nan_to_num(std::optional<double> nan = std::nullopt) const;
  Tensor sum(std::optional<ScalarType> dtype = std::nullopt) const;
  Tensor sum(OptionalIntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) const;
  Tensor mean(std::optional<ScalarType> dtype = std::nullopt) const;
  Tensor mean(OptionalIntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) const;
  Tensor norm(const Scalar &p = 2) const;
  Tensor max() const, min() const;
  Tensor argmax(std::optional<int64_t> dim = std::nullopt, bool keepdim = false) const;
  Tensor softmax(int64_t dim, std::optional<ScalarType> dtype = std::nullopt) const;
  Tensor cumsum(int64_t dim, std::optional<ScalarType> dtype = std::nullopt) const;
  Tensor matmul(const Tensor &other) const;
  Tensor index_select(int64_t dim, const Tensor &index) const;
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor repeat(IntArrayRef repeats) const;
  void print() const;
  Tensor clone(std::optional<MemoryFormat> memory_format = std::nullopt) const;
  Tensor contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  Tensor detach() const;
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> memory_format = std::nullopt) const;
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor to(const TensorOptions &options, bool non_blocking = false, bool copy = false) const;
  Tensor to(const Tensor &other, bool non_blocking = false, bool copy = false) const;
  Tensor type_as(const Tensor &other) const;
  Tensor cpu() const, t() const;
  Tensor view(IntArrayRef size) const;
  Tensor reshape(IntArrayRef shape) const;
  Tensor expand(IntArrayRef size, bool implicit = false) const;
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const;
  Tensor permute(IntArrayRef dims) const;
  Tensor select(int64_t dim, int64_t index) const;
  Tensor slice(int64_t dim = 0, std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
               int64_t step = 1) const;
  Tensor narrow(int64_t dim, int64_t start, int64_t length) const;
  Tensor squeeze() const, squeeze(int64_t dim) const, unsqueeze(int64_t dim) const;
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const;
  std::vector<Tensor> unbind(int64_t dim = 0) const;
  Scalar item() const;
  template <class T> T item() const;
  bool is_nonzero() const;
  bool equal(const Tensor &other) const;
  Tensor &mutable_grad() const, &detach_() const;
  void retain_grad() const;
  const Tensor &grad() const;
  void backward(const Tensor &gradient = {}) const;
  const Tensor &requires_grad_(bool requires_grad = true) const;
};

#define MOCK_OPERATOR(symbol)                                                                                          \
  Tensor operator symbol(const Tensor &x, const Tensor &y);                                                            \
  Tensor operator symbol(const Tensor &x, const Scalar &y);                                                            \
  Tensor operator symbol(const Scalar &x, const Tensor &y);
MOCK_OPERATOR(+)
MOCK_OPERATOR(-)
MOCK_OPERATOR(*)
MOCK_OPERATOR(/)
MOCK_OPERATOR(<)
MOCK_OPERATOR(<=)
MOCK_OPERATOR(>)
MOCK_OPERATOR(>=)
MOCK_OPERATOR(==)
MOCK_OPERATOR(!=)
std::ostream &operator<<(std::ostream &, const Tensor &);

Tensor abs(const Tensor &self), exp(const Tensor &self), log(const Tensor &self), relu(const Tensor &self),
    sigmoid(const Tensor &self), sin(const Tensor &self), sqrt(const Tensor &self), rsqrt(const Tensor &self),
    reciprocal(const Tensor &self), tanh(const Tensor &self);
Tensor &relu_(Tensor &self);
std::vector<Tensor> where(const Tensor &condition);
Tensor pow(const Tensor &self, const Scalar &exponent), pow(const Tensor &self, const Tensor &exponent);
Tensor pow(const Scalar &self, const Tensor &exponent);
Tensor div(const Tensor &self, const Tensor &other), mul(const Tensor &self, const Tensor &other);
Tensor &mul_out(Tensor &out, const Tensor &self, const Tensor &other);
Tensor &add_out(Tensor &out, const Tensor &self, const Tensor &other, const Scalar &alpha = 1);
Tensor matmul(const Tensor &self, const Tensor &other);
Tensor mm(const Tensor &self, const Tensor &mat2);
Tensor where(const Tensor &condition, const Tensor &self, const Tensor &other);
Tensor where(const Tensor &condition, const Scalar &self, const Tensor &other);
Tensor where(const Tensor &condition, const Tensor &self, const Scalar &other);
Tensor where(const Tensor &condition, const Scalar &self, const Scalar &other);
Tensor cat(TensorList tensors, int64_t dim = 0);
Tensor stack(TensorList tensors, int64_t dim = 0);
Tensor linear(const Tensor &input, const Tensor &weight, const std::optional<Tensor> &bias = {});
Tensor dropout(const Tensor &input, double p, bool train);
Tensor feature_dropout(const Tensor &input, double p, bool train);
Tensor constant_pad_nd(const Tensor &self, IntArrayRef pad, const Scalar &value = 0);
Tensor rand_like(const Tensor &self, TensorOptions options = {});
Tensor randn_like(const Tensor &self, TensorOptions options = {});
Tensor zeros_like(const Tensor &self, TensorOptions options = {});
Tensor ones_like(const Tensor &self, TensorOptions options = {});
Tensor empty_like(const Tensor &self, TensorOptions options = {});
bool equal(const Tensor &self, const Tensor &other);
bool allclose(const Tensor &self, const Tensor &other, double rtol = 1e-05, double atol = 1e-08,
              bool equal_nan = false);
bool is_nonzero(const Tensor &self);
Tensor zeros(IntArrayRef size, TensorOptions options = {});
Tensor ones(IntArrayRef size, TensorOptions options = {});
Tensor empty(IntArrayRef size, TensorOptions options = {});
Tensor rand(IntArrayRef size, TensorOptions options = {});
Tensor full(IntArrayRef size, const Scalar &fill_value, TensorOptions options = {});
Tensor arange(const Scalar &end, TensorOptions options = {});
void _foreach_add_(TensorList self, const Scalar &scalar);

} // namespace at

namespace c10 {

struct IValue {
  IValue(at::Tensor t);
  IValue(double d);
  IValue(int64_t i);
  IValue(bool b);
  IValue(std::string s);
  at::Tensor toTensor() const;
  int64_t toInt() const;
};
struct AutoGradMode {
  AutoGradMode(bool enabled);
  ~AutoGradMode();
};
struct InferenceMode {
  InferenceMode(bool enabled = true);
  ~InferenceMode();
};

} // namespace c10

namespace torch {

using namespace at;
namespace autograd {
struct AutoGradMode {};
} // namespace autograd
using c10::InferenceMode;
struct NoGradGuard {
  NoGradGuard();
  ~NoGradGuard();
};
at::TensorOptions dtype(ScalarType dtype);
at::TensorOptions device(DeviceType device);
at::Tensor tensor(std::initializer_list<double> values, TensorOptions options = {});
at::Tensor tensor(std::initializer_list<int64_t> values, TensorOptions options = {});
using at::IntArrayRef;
namespace indexing {
using at::indexing::Slice;
} // namespace indexing

template <class Key, class Value> class OrderedDict {
public:
  class Item {
  public:
    const Key &key() const;
    Value &value();
  };
  typename std::vector<Item>::iterator begin();
  typename std::vector<Item>::iterator end();
  std::vector<Value> values() const;
  std::vector<std::pair<Key, Value>> pairs() const;
};
namespace enumtype {
struct kConstant {
  kConstant() {}
};
struct kReflect {
  kReflect() {}
};
} // namespace enumtype
extern const enumtype::kConstant kConstant;
extern const enumtype::kReflect kReflect;
void set_default_dtype(ScalarType type);
at::Tensor from_blob(void *data, IntArrayRef sizes, TensorOptions options = {});

namespace nn {

class Module {
public:
  virtual ~Module();
  std::vector<at::Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, at::Tensor> named_buffers(bool recurse = true) const;
  bool is_training() const noexcept;
  virtual void train(bool on = true);
  void eval();
  at::Tensor &register_parameter(std::string name, at::Tensor tensor, bool requires_grad = true);
  at::Tensor &register_buffer(std::string name, at::Tensor tensor);
  template <class T> std::shared_ptr<T> register_module(std::string name, std::shared_ptr<T> module);
  template <class Holder> auto register_module(std::string name, Holder holder) -> Holder;
  template <class T> T *as() noexcept;

private:
  bool is_training_{true};
};
template <class Derived> class Cloneable : public Module {};

template <class Contained> class ModuleHolder {
public:
  ModuleHolder();
  ModuleHolder(std::nullptr_t);
  ModuleHolder(std::shared_ptr<Contained> module);
  template <class Head, class... Tail> explicit ModuleHolder(Head &&head, Tail &&...tail);
  explicit operator bool() const noexcept;
  Contained *operator->();
  const Contained *operator->() const;
  Contained &operator*();
  const std::shared_ptr<Contained> &ptr() const;
  Contained *get();
  template <class... Args> at::Tensor operator()(Args &&...args);
};
#define TORCH_MODULE(Name)                                                                                             \
  class Name : public torch::nn::ModuleHolder<Name##Impl> {                                                            \
  public:                                                                                                              \
    using torch::nn::ModuleHolder<Name##Impl>::ModuleHolder;                                                           \
    using Impl [[maybe_unused]] = Name##Impl;                                                                          \
  }

class LinearImpl : public Cloneable<LinearImpl> {
public:
  LinearImpl(int64_t in_features, int64_t out_features);
  at::Tensor forward(const at::Tensor &input);
  at::Tensor weight, bias;
};
TORCH_MODULE(Linear);

struct DropoutOptions {
  DropoutOptions(double p = 0.5);
  const double &p() const;
};
class DropoutImpl : public Cloneable<DropoutImpl> {
public:
  DropoutImpl(double p);
  at::Tensor forward(at::Tensor input);
  DropoutOptions options;
};
TORCH_MODULE(Dropout);

class ReLUImpl : public Cloneable<ReLUImpl> {
public:
  at::Tensor forward(at::Tensor input);
};
TORCH_MODULE(ReLU);

class ModuleListImpl : public Cloneable<ModuleListImpl> {
public:
  template <class M> void push_back(M &&module);
  std::shared_ptr<Module> operator[](std::size_t index) const;
  std::size_t size() const noexcept;
  std::vector<std::shared_ptr<Module>>::iterator begin();
  std::vector<std::shared_ptr<Module>>::iterator end();
};
TORCH_MODULE(ModuleList);

namespace utils {
double clip_grad_norm_(const std::vector<at::Tensor> &parameters, double max_norm);
} // namespace utils
namespace functional {
struct PadFuncOptions {
  PadFuncOptions(std::vector<int64_t> pad);
  PadFuncOptions &mode(std::variant<enumtype::kConstant, enumtype::kReflect> mode);
  PadFuncOptions &value(double value);
};
at::Tensor pad(const at::Tensor &input, const PadFuncOptions &options);
struct DropoutFuncOptions {
  DropoutFuncOptions &p(const double &rate);
  DropoutFuncOptions &training(const bool &flag);
  DropoutFuncOptions &inplace(const bool &flag);

private:
  double p_ = 0.5;
  bool training_ = true;
  bool inplace_ = false;
};
at::Tensor dropout(at::Tensor input, const DropoutFuncOptions &options = {});
struct AlphaDropoutFuncOptions {
  AlphaDropoutFuncOptions &p(const double &rate);
  AlphaDropoutFuncOptions &training(const bool &flag);

private:
  double p_ = 0.5;
  bool training_ = false;
};
at::Tensor alpha_dropout(at::Tensor input, const AlphaDropoutFuncOptions &options = {});
} // namespace functional

} // namespace nn

} // namespace torch
