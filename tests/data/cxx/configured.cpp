// condlint-test: target=torch@2.13
// A cond function that .condlint.json names.
#include <torch/torch.h>

namespace route {
template <class P, class T, class F> torch::Tensor pick(P p, const torch::Tensor &x, T t, F f);
}

torch::Tensor configured(const torch::Tensor &x) {
  return route::pick(x.any(), x, [](const torch::Tensor &x) { return x.exp(); }, // expect: error output-dtype
                     [](const torch::Tensor &x) { return x.to(torch::kLong); });
}
