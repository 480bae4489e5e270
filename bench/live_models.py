#!/usr/bin/env python3
"""Checks live models of torchvision, timm and transformers, and their exported programs: the same findings, and in what time?

    live_models.py [--only WORD] [--json FILE]

Weights are random and configurations tiny. Time is that of the processor, in one thread, the shortest of three runs of each, in turn, after one of
each that is not counted: it pays for what torch makes once for each operator. Some models get a torch.cond of their own in forward: a gate that is
right, or one that is broken in a known way. A line for each: seconds of condlint.check on the module and of torch.export.export,
and what the two checks found; then the geometric mean of their ratios. Wants condlint, torch, torchvision, timm and transformers in the Python that runs it.
"""

import argparse
import collections
import json
import statistics
import sys
import time
import warnings

import torch


class Gated(torch.nn.Module):
    """A model whose result goes through a conditional."""

    def __init__(self, model, kind):
        super().__init__()
        self.model, self.kind = model, kind

    def forward(self, *args, **kwargs):
        """The model's first result, scaled by a gate."""
        out = self.model(*args, **kwargs)
        x = next(leaf for leaf in torch.utils._pytree.tree_leaves(out) if isinstance(leaf, torch.Tensor))
        true_fn = {
            "sound": lambda x: x * 2.0,
            "dtype": lambda x: x.to(torch.float64),
            "rank": lambda x: x.mean(0),
            "alias": lambda x: x,
        }[self.kind]
        return torch.cond(x.float().mean() > 0, true_fn, lambda x: x * 0.5, (x,))


def image(size=64):
    return (torch.randn(2, 3, size, size),)


def vision():
    try:
        import torchvision.models as zoo
    except RuntimeError:  # a torchvision for CUDA beside a torch without: none of these models needs its operators
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        vision.library = torch.library.Library("torchvision", "DEF")
        for operator in ("nms", "qnms"):
            vision.library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        import torchvision.models as zoo

    for name in ("resnet18", "resnet50", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_1",
                 "vgg11_bn", "densenet121", "efficientnet_b0", "regnet_y_400mf", "mnasnet0_5", "convnext_tiny"):
        yield f"torchvision/{name}", lambda name=name: (getattr(zoo, name)(weights=None).eval(), image(), {})
    yield "torchvision/swin_t", lambda: (zoo.swin_t(weights=None).eval(), image(), {})
    yield "torchvision/vit_b_16", lambda: (zoo.vit_b_16(weights=None, image_size=64).eval(), image(), {})


def timm_models():
    import timm

    for name in ("resnet10t", "mobilenetv4_conv_small", "vit_tiny_patch16_224", "mixer_s32_224", "convnextv2_atto",
                 "efficientvit_b0", "edgenext_xx_small", "ghostnet_050", "levit_128s", "tf_efficientnet_lite0",
                 "repvgg_a0", "poolformer_s12", "fastvit_t8"):
        size = 224 if name.endswith("224") or name.startswith("levit") else 64
        yield f"timm/{name}", lambda name=name, size=size: (timm.create_model(name, pretrained=False).eval(), image(size), {})


def language_models():
    import transformers as tf

    tiny = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, vocab_size=99)
    ids = torch.randint(0, 90, (2, 8))
    for family in ("Bert", "Roberta", "Electra", "Ernie"):
        yield f"transformers/{family}", lambda family=family: (
            getattr(tf, family + "Model")(getattr(tf, family + "Config")(**tiny)).eval(), (), {"input_ids": ids})
    for family in ("Llama", "Qwen2", "Mistral", "Gemma", "Phi"):
        yield f"transformers/{family}", lambda family=family: (
            getattr(tf, family + "Model")(getattr(tf, family + "Config")(**tiny, num_key_value_heads=2, pad_token_id=0)).eval(),
            (), {"input_ids": ids, "use_cache": False})
    yield "transformers/GPT2", lambda: (
        tf.GPT2Model(tf.GPT2Config(n_embd=32, n_layer=2, n_head=2, vocab_size=99)).eval(), (),
        {"input_ids": ids, "use_cache": False})
    yield "transformers/DistilBert", lambda: (
        tf.DistilBertModel(tf.DistilBertConfig(dim=32, n_layers=2, n_heads=2, hidden_dim=64, vocab_size=99)).eval(), (),
        {"input_ids": ids})
    yield "transformers/ViT", lambda: (
        tf.ViTModel(tf.ViTConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
                                 image_size=32, patch_size=8)).eval(), (torch.randn(2, 3, 32, 32),), {})
    yield "transformers/T5Encoder", lambda: (
        tf.T5EncoderModel(tf.T5Config(d_model=32, d_kv=16, d_ff=64, num_layers=2, num_heads=2, vocab_size=99)).eval(), (),
        {"input_ids": ids})


def findings(report):
    """What two reports of one model must share: places in source differ in a file."""
    return sorted(collections.Counter((f.severity, f.rule) for f in report.findings if f.severity != "note").items())


# Those that are counted, of each.
RUNS = 3


def measure(name, make):
    """What the two find, and the CPU seconds that they take once both are warm."""
    module, args, kwargs = make()
    out = {"model": name, **measure_once(module, args, kwargs)}
    if "error" in out or "refused" in out:
        return out
    runs = [measure_once(module, args, kwargs) for _ in range(RUNS)]
    return {**out, **{what: min(run[what] for run in runs) for what in ("check", "export")}}


def measure_once(module, args, kwargs):
    import condlint

    out = {}
    start = time.process_time()
    try:
        live = condlint.check(module, args, kwargs)
        out.update(check=time.process_time() - start, live=findings(live), notes=list(live.notes),
                   conditionals=live.summary.conditionals["total"])
    except condlint.CondlintError as error:
        out.update(error=f"{type(error).__name__}: {error}"[:300])
    torch._dynamo.reset()
    start = time.process_time()
    try:
        program = torch.export.export(module, args, kwargs, strict=False)
        out["export"] = time.process_time() - start
        out["file"] = findings(condlint.check(program))
    except Exception as error:  # torch stops where something is broken
        out["export"] = time.process_time() - start
        out["refused"] = f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"[:200]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="models whose name holds this, or one of these words, between commas")
    parser.add_argument("--json", help="the measurements, in a file")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    measure("what is imported and compiled once", lambda: (Gated(torch.nn.Linear(4, 4), "sound"), (torch.randn(2, 4),), {}))
    plain = [*vision(), *timm_models(), *language_models()]
    kinds = ["sound", "dtype", "rank", "alias"]
    gated = []
    for at, (name, make) in enumerate(plain[::2]):
        kind = kinds[at % len(kinds)]

        def make_gated(make=make, kind=kind):
            module, args, kwargs = make()
            return Gated(module, kind).eval(), args, kwargs

        gated.append((f"{name}+{kind}", make_gated))
    rows = []
    for name, make in [*plain, *gated]:
        if not any(word in name for word in chosen.only.split(",")):
            continue
        try:
            row = measure(name, make)
        except Exception as error:  # the package has no such model in this version
            row = {"model": name, "skipped": f"{type(error).__name__}: {error}"[:200]}
        rows.append(row)
        if "skipped" in row:
            print(f"{name:44} skipped: {row['skipped']}", flush=True)
            continue
        same = "refused" if "refused" in row else "same" if row.get("live") == row.get("file") else "DIFFERENT"
        print(f"{name:44} check {row.get('check', float('nan')):6.2f} s  export {row['export']:6.2f} s  {same:9} "
              f"{row.get('error') or row.get('live')} {row.get('refused', '')[:60]} {'; '.join(row.get('notes', []))[:160]}",
              flush=True)
    timed = [r for r in rows if "check" in r and "refused" not in r]
    slow = sorted((r for r in timed if r["check"] > 0.5 * r["export"]), key=lambda r: r["export"] / r["check"])
    recorded = [r for r in rows if "check" in r]
    print(f"{len(recorded)}/{sum('skipped' not in r for r in rows)} recorded without an error; "
          f"{sum(r['live'] == r['file'] for r in timed)}/{len(timed)} with the findings of their exported program; "
          f"{statistics.geometric_mean(r['check'] / r['export'] for r in timed) if timed else 0:.2f} of torch.export's CPU seconds in "
          f"the geometric mean, more than half of them for {len(slow)}: "
          f"{', '.join('{model} {check:.2f} of {export:.2f} s'.format(**r) for r in slow) or 'none'}")
    if chosen.json:
        with open(chosen.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 0 if all("error" not in r for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
