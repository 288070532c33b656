#!/usr/bin/env python3
"""Trains a MarianMTModel with Trainer of Hugging Face transformers, and measures the speed.

    train_huggingface.py --config wmt-base.json --train train.en train.de --tokenizer v.spm --device cuda

Takes model shape, batch size and label smoothing from a settings file of ventris-train, and the batches of
train_plain_pytorch.py. Prints one JSON object with the target tokens per second after a warm-up (without padding) and
the loss. Run it with a Python that has torch, transformers, accelerate and sentencepiece.
"""
import json
import tempfile
import time

import sentencepiece
import torch
import transformers

from train_plain_pytorch import BOS, EOS, PAD, endless_batches, make_parser, read_pairs, to_tensors


class Batches(torch.utils.data.IterableDataset):
    """Whole batches, without end."""

    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        for batch in self.batches:
            source, target_in, target_out = to_tensors(batch)
            yield {"input_ids": source, "attention_mask": source.ne(PAD).long(), "decoder_input_ids": target_in,
                   "labels": target_out.masked_fill(target_out == PAD, -100)}


class Clock(transformers.TrainerCallback):
    """Measures the time of the updates after the warm-up."""

    def __init__(self, warm_up):
        self.warm_up, self.started, self.seconds = warm_up, 0.0, 0.0

    def on_step_end(self, _arguments, state, _control, **_more):
        if state.global_step in (self.warm_up, state.max_steps) and torch.cuda.is_available():
            torch.cuda.synchronize()
        if state.global_step == self.warm_up:
            self.started = time.perf_counter()
        if state.global_step == state.max_steps:
            self.seconds = time.perf_counter() - self.started


class Counting(transformers.Trainer):
    """Counts target tokens from `first_update` on."""

    first_update, tokens = 0, 0

    def compute_loss(self, model, inputs, *more, **options):
        if self.state.global_step >= self.first_update:
            self.tokens += int(inputs["labels"].ne(-100).sum())
        return super().compute_loss(model, inputs, *more, **options)


def make_model(shape, vocab):
    return transformers.MarianMTModel(transformers.MarianConfig(
        vocab_size=vocab, d_model=shape["d_model"], encoder_layers=shape["encoder_layers"],
        decoder_layers=shape["decoder_layers"], encoder_ffn_dim=shape["d_ff"], decoder_ffn_dim=shape["d_ff"],
        encoder_attention_heads=shape["heads"], decoder_attention_heads=shape["heads"], dropout=shape["dropout"],
        attention_dropout=shape.get("attention_dropout", shape["dropout"]),
        activation_dropout=shape.get("activation_dropout", shape["dropout"]), activation_function="relu",
        scale_embedding=True, share_encoder_decoder_embeddings=True, max_position_embeddings=1024, pad_token_id=PAD,
        eos_token_id=EOS, decoder_start_token_id=BOS, use_cache=False, attn_implementation="sdpa"))


def make_trainer(model, pairs, training, arguments, folder):
    settings = training.get("optimizer", {})
    options = transformers.TrainingArguments(
        output_dir=folder, max_steps=arguments.warm_up + arguments.updates, per_device_train_batch_size=1,
        learning_rate=training.get("schedule", {}).get("learning_rate", 5e-4), warmup_steps=4000,
        adam_beta1=settings.get("beta1", 0.9), adam_beta2=settings.get("beta2", 0.98),
        label_smoothing_factor=training.get("label_smoothing", 0.1), bf16=arguments.precision == "bf16",
        max_grad_norm=training.get("clip_norm", 1.0), optim="adamw_torch_fused", report_to=[], save_strategy="no",
        logging_strategy="no", disable_tqdm=True, use_cpu=arguments.device == "cpu", seed=arguments.seed,
        remove_unused_columns=False, accelerator_config={"dispatch_batches": False})
    clock = Clock(arguments.warm_up)
    trainer = Counting(model=model, args=options, callbacks=[clock], data_collator=lambda items: items[0],
                       train_dataset=Batches(endless_batches(pairs, training["batch_tokens"], arguments.seed)))
    trainer.remove_callback(transformers.PrinterCallback)  # standard output is for the result
    trainer.first_update = arguments.warm_up
    return trainer, clock


def main():
    parser = make_parser(__doc__.splitlines()[0])
    parser.add_argument("--max-length", type=int, default=256, help="maximum length of each side of a pair, in tokens")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--precision", choices=["f32", "bf16"], default="bf16")
    arguments = parser.parse_args()
    with open(arguments.config, encoding="utf-8") as file:
        config = json.load(file)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    tokenizer = sentencepiece.SentencePieceProcessor(model_file=arguments.tokenizer)
    pairs = read_pairs(arguments.train, tokenizer, arguments.max_length)
    model = make_model(config["model"], tokenizer.get_piece_size())
    with tempfile.TemporaryDirectory() as folder:
        trainer, clock = make_trainer(model, pairs, config["training"], arguments, folder)
        result = trainer.train()
    print(json.dumps({"target_tokens_per_second": trainer.tokens / clock.seconds, "target_tokens": trainer.tokens,
                      "seconds": clock.seconds, "loss": result.training_loss,
                      "parameters": sum(p.numel() for p in model.parameters())}))


if __name__ == "__main__":
    main()
