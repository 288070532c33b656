"""Which variants of attention (docs/attention.md) a model has that other programs lack."""

DEFAULTS = {"cross_attention": "last", "attention_score": "scaled_dot", "attention_bias": True, "d_k": 0, "d_v": 0,
            "embedding_norm": False, "norm_epsilon": 1e-5, "self_attention": "full"}


def refuse_variants(model, where, program):
    """Ends with a sentence if a setting of the section "model" is none that `program` has.

    d_k and d_v may also be given as what they are by default.
    """
    head = model["d_model"] / model["heads"]
    for key, default in DEFAULTS.items():
        value = model.get(key, default)
        if key in ("d_k", "d_v") and value == head:
            continue
        if value != default:
            raise SystemExit(f"{where}: model.{key}: {program} has only {default!r}, found {value!r}; use another program "
                             f"for this model, or train one without this setting")
