// condlint-test: target=torch@2.13
// Findings in templates, macros, headers and functions of the user's own.
#include "places.h"
#include <condlint/cond.h>
#include <torch/torch.h>

using torch::Tensor;

#define SWITCH(p, x, a, b) condlint::cond(p, a, b, {x})

Tensor byMacro(const Tensor &x) {
  return SWITCH(x.any(), x, [](const Tensor &x) { return x.exp(); }, // expect: error output-dtype
                [](const Tensor &x) { return x.to(torch::kLong); });
}

template <int N> Tensor byTemplate(const Tensor &x) {
  return condlint::cond(
      x.any(), [](const Tensor &x) { return x.exp(); },
      [](const Tensor &x) {
        x.add_(N); // expect: error input-mutation
        return x.cos();
      },
      {x});
}
Tensor one(const Tensor &x) { return byTemplate<1>(x); }
Tensor two(const Tensor &x) { return byTemplate<2>(x); }

template <class P, class T, class F> CONDLINT_COND Tensor choose(P p, T t, F f, std::tuple<Tensor> operands);

Tensor own(const Tensor &x) {
  return choose(x.any(), [](const Tensor &x) { return x.exp(); }, // expect: error output-dtype
                [](const Tensor &x) { return x.to(torch::kLong); }, std::tuple<Tensor>(x));
}

Tensor inHeader(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { return places::writes(x); },
                        [](const Tensor &x) { return x.exp(); }, {x});
}

Tensor settled(const Tensor &x) {
  return condlint::cond(true, [](const Tensor &x) { return x.exp(); }, // expect: warning predicate-constant
                        [](const Tensor &x) { return x.sin(); }, {x});
}
