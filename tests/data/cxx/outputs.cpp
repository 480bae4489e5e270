// condlint-test: target=torch@2.13
// What two branches return.
#include <condlint/cond.h>
#include <torch/torch.h>

using torch::Tensor;

Tensor dtype(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { return x.exp(); }, // expect: error output-dtype
                        [](const Tensor &x) { return x.to(torch::kLong); }, {x});
}

Tensor rank(const Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 4);
  return condlint::cond(x.any(), [](const Tensor &x) { return x.sum(0); }, // expect: error output-rank
                        [](const Tensor &x) { return x * 2; }, {x});
}

std::tuple<Tensor, Tensor> twice(const Tensor &x) {
  return condlint::cond(
      x.any(),
      [](const Tensor &x) {
        Tensor y = x.sin();
        return std::make_tuple(y, y); // expect: error output-duplicate
      },
      [](const Tensor &x) { return std::make_tuple(x.cos(), x.exp()); }, {x});
}

Tensor operandItself(const Tensor &x) {
  return condlint::cond(
      x.any(), [](const Tensor &x) { return x.sin(); },
      [](const Tensor &x) {
        return x; // expect: error output-alias
      },
      {x});
}

Tensor sound(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { return x.sin(); }, [](const Tensor &x) { return x.cos(); }, {x});
}
