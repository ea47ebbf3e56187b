"""Makes a model of random weights that llama.cpp can serve: half a megabyte of noise."""

from pathlib import Path

import gguf
import numpy as np

VOCABULARY_BYTES = 256
LETTERS = [chr(code) for code in range(32, 127)]
DIMENSIONS, HEADS, LAYERS, FEED_FORWARD = 64, 4, 1, 128
CONTEXT = 32_768
SEED = 7
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"
    "assistant: "
)


def write_model(path: Path) -> None:
    """Write the model: one layer, a token for each letter and each byte."""
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("noise")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(DIMENSIONS)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(DIMENSIONS // HEADS)
    vocabulary = _add_vocabulary(writer)
    _add_weights(writer, vocabulary)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_vocabulary(writer: gguf.GGUFWriter) -> int:
    kinds = gguf.TokenType
    tokens = [("<unk>", kinds.UNKNOWN), ("<s>", kinds.CONTROL), ("</s>", kinds.CONTROL)]
    tokens += [(f"<0x{byte:02X}>", kinds.BYTE) for byte in range(VOCABULARY_BYTES)]
    tokens += [(letter if letter != " " else "\u2581", kinds.NORMAL) for letter in LETTERS]
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_vocab_size(len(tokens))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(CHAT_TEMPLATE)
    return len(tokens)


def _add_weights(writer: gguf.GGUFWriter, vocabulary: int) -> None:
    chance = np.random.default_rng(SEED)

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(name, chance.normal(0, 0.1, shape).astype(np.float32))

    add("token_embd.weight", vocabulary, DIMENSIONS)
    add("output.weight", vocabulary, DIMENSIONS)
    writer.add_tensor("output_norm.weight", np.ones(DIMENSIONS, dtype=np.float32))
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"{block}.{part}.weight", DIMENSIONS, DIMENSIONS)
        add(f"{block}.ffn_gate.weight", FEED_FORWARD, DIMENSIONS)
        add(f"{block}.ffn_up.weight", FEED_FORWARD, DIMENSIONS)
        add(f"{block}.ffn_down.weight", DIMENSIONS, FEED_FORWARD)
        for part in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"{block}.{part}.weight", np.ones(DIMENSIONS, dtype=np.float32))
