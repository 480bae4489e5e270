// A gate that a model's predicate opens: condlint::cond calls one of two functions.
#include <condlint/cond.h>
#include <torch/torch.h>

using torch::Tensor;

struct Gate : torch::nn::Module {
  Tensor scale = register_buffer("scale", torch::ones({8}));

  // Fine: both branches take the operand they are given and return float32[N, 8].
  Tensor open(const Tensor &x, const Tensor &isOpen) {
    CONDLINT_SCALAR(isOpen, Bool);
    CONDLINT_TENSOR(x, Float, "N", 8);
    return condlint::cond(
        isOpen, [](const Tensor &a) { return torch::relu(a); }, [](const Tensor &a) { return a * 0.5; }, {x});
  }

  // The false branch keeps the sum in double for precision, and hands that out.
  Tensor total(const Tensor &x, const Tensor &isExact) {
    CONDLINT_SCALAR(isExact, Bool);
    CONDLINT_TENSOR(x, Float, "N", 8);
    return condlint::cond(
        isExact, [](const Tensor &a) { return a.sum(1); },
        [](const Tensor &a) { return a.to(torch::kDouble).sum(1); }, {x});
  }

  // The true branch scales in place: the caller's tensor changes too. And `scale` is no operand.
  Tensor scaled(const Tensor &x, const Tensor &isOn) {
    CONDLINT_SCALAR(isOn, Bool);
    CONDLINT_TENSOR(x, Float, "N", 8);
    return condlint::cond(
        isOn,
        [this](Tensor a) {
          a.mul_(scale);
          return a + 1;
        },
        [](const Tensor &a) { return a + 1; }, {x});
  }
};
