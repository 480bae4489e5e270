# Sourced: where a real libtorch is. Sets `torch` and `torch_flags`, or ends the
# test as skipped. Continuous integration fetches one.
torch=$(python3 "$CONDLINT_SOURCE/tests/find_torch.py" "$CONDLINT_BUILD/libtorch" ${CI:+--fetch}) || {
  echo "skipped: no libtorch here"
  exit 77
}
torch_flags=(-isystem "$torch/include" -isystem "$torch/include/torch/csrc/api/include")
