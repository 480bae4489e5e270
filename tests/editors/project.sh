# A project for an editor to open; read by the scripts beside it, which say where condlint's sources are ($root).

# project FOLDER: with one finding that can be mended, in $SOURCE, and a sound conditional behind it
project() {
  mkdir -p "$1"
  cat >"$1/net.cpp" <<'END'
#include <condlint/cond.h>
#include <torch/torch.h>
using torch::Tensor;
Tensor f(const Tensor &x, const Tensor &p) {
  CONDLINT_SCALAR(p, Bool);
  CONDLINT_TENSOR(x, Float, "N", 8);
  return condlint::cond(
      p, [](const Tensor &a) { return a; },
      [](const Tensor &a) { return torch::relu(a); }, {x});
}
Tensor g(const Tensor &y, const Tensor &q) {
  CONDLINT_SCALAR(q, Bool);
  CONDLINT_TENSOR(y, Float, "M", 4);
  return condlint::cond(
      q, [](const Tensor &b) { return torch::sigmoid(b); },
      [](const Tensor &b) { return torch::tanh(b); }, {y});
}
END
  printf '%s\n' -std=c++17 "-I$root/include" -isystem "$root/tests/mocks" >"$1/compile_flags.txt"
  export SOURCE=$1/net.cpp
}
