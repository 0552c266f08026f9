"""Makes the small models in `server/embed/tests/models` and their vectors, with other implementations as reference.

    python3 -m venv one && one/bin/pip install 'transformers==4.46.3' flax jax && one/bin/python tests/embedder/small_models.py networks
    one/bin/python tests/embedder/small_models.py cross-encoders
    python3 -m venv two && two/bin/pip install model2vec && two/bin/python tests/embedder/small_models.py tables

The networks are of random numbers and run by Flax; the tables are written and read by model2vec itself. Each folder gets a
`vectors.json` with texts and the vectors of length 1 that the reference computes. Mean, first and maximum are those of
`sentence-transformers`, in three lines of NumPy. Cross-encoders get a `scores.json` with queries, passages and the logit of
each pair.
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

MODELS = Path(__file__).parents[2] / "server/embed/tests/models"
TEXTS = [
    "deployments freeze on Fridays",
    "Auslieferungen ruhen am Freitag",
    "поставки замирают по пятницам",
    "the the the",
    "",
    "🤖 unknown ☃",
    "retry with backoff " * 30,
]
QUERIES = ["when may we deploy?", "wann dürfen wir ausliefern?", "", "when may we deploy? " * 20]
CORPUS = [*TEXTS, "when may we deploy?", "wann dürfen wir ausliefern?", "когда можно выпускать?", "query: passage: "]


def words(kind: str) -> Tokenizer:
    """A tokenizer of few words: pieces as XLM-R has them, or whole words as tables may have."""
    if kind == "unigram":
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.normalizer = normalizers.NFKC()
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        special = ["<s>", "<pad>", "</s>", "<unk>"]
        trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="<unk>")
        tokenizer.train_from_iterator(CORPUS, trainer)
        tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
        # saved files contain the last settings used
        tokenizer.enable_padding(length=64, pad_id=1, pad_token="<pad>")
        return tokenizer
    if kind == "pieces":
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        tokenizer.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=120, special_tokens=special))
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS]:0 $A:0 [SEP]:0",
            pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
        tokenizer.enable_truncation(16)
        return tokenizer
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordLevelTrainer(vocab_size=40, special_tokens=["[PAD]", "[UNK]"])
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def write(folder: Path, name: str, value: object) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def vectors(folder: Path, passages: list[list[float]], queries: list[list[float]]) -> None:
    def rounded(rows: list[list[float]]) -> list[list[float]]:
        return [[round(float(number), 6) for number in row] for row in rows]

    write(folder, "vectors.json", {"texts": TEXTS, "passages": rounded(passages), "queries": rounded(queries)})


def parameters(model: object, random: object) -> dict[str, np.ndarray]:
    """Replaces the model's numbers by random ones, and returns them under the names that PyTorch has for them."""
    import jax
    from flax.traverse_util import flatten_dict

    model.params = jax.tree.map(random, model.params)
    named = {}
    for path, array in flatten_dict(model.params).items():
        array = np.asarray(array, dtype=np.float32)
        *parents, last = path
        if last == "kernel":
            array, last = array.T, "weight"
        last = {"scale": "weight", "embedding": "weight"}.get(last, last)
        named[".".join([*parents, last])] = np.ascontiguousarray(array)
    return named


def network(name: str, pooling: str, prompts: dict[str, str], dense: int | None) -> None:
    import jax
    from safetensors.numpy import save_file
    from transformers import FlaxXLMRobertaModel, XLMRobertaConfig

    folder = MODELS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tokenizer = words("unigram")
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    config = XLMRobertaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=12,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=20,
        max_position_embeddings=34,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
        pad_token_id=1,
    )
    model = FlaxXLMRobertaModel(config, seed=7)

    def random(array: np.ndarray) -> np.ndarray:
        return jax.random.normal(jax.random.PRNGKey(array.size), array.shape) * 0.4

    named = {"roberta." + key: value for key, value in parameters(model, random).items() if "pooler" not in key}
    save_file(named, folder / "model.safetensors")
    write(folder, "config.json", {**config.to_dict(), "model_type": "xlm-roberta"})
    modules = [("", "Transformer"), ("1_Pooling", "Pooling"), *([("2_Dense", "Dense")] if dense else [])]
    modules = [
        {"idx": idx, "name": str(idx), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for idx, (path, kind) in enumerate(modules)
    ]
    write(folder, "modules.json", modules)
    modes = ["cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens"]
    chosen = {f"pooling_mode_{mode}": mode == pooling for mode in modes}
    write(folder, "1_Pooling/config.json", {"word_embedding_dimension": 12, **chosen})
    write(folder, "sentence_bert_config.json", {"max_seq_length": 512, "do_lower_case": False})
    if prompts:
        write(folder, "config_sentence_transformers.json", {"prompts": prompts, "default_prompt_name": None})
    layer = None
    if dense:
        random = np.random.default_rng(5)
        weight = random.normal(size=(dense, 12)).astype(np.float32)
        bias = random.normal(size=dense).astype(np.float32)
        layer = (weight, bias)
        activation = "torch.nn.modules.activation.Tanh"
        write(
            folder,
            "2_Dense/config.json",
            {"in_features": 12, "out_features": dense, "bias": True, "activation_function": activation},
        )
        save_file({"linear.weight": weight, "linear.bias": bias}, folder / "2_Dense/model.safetensors")

    tokenizer.no_padding()
    # 34 positions, of which the padding token and those before it take two
    tokenizer.enable_truncation(32)

    def embed(prompt: str) -> list[list[float]]:
        rows = []
        for text in TEXTS:
            ids = np.array([tokenizer.encode(prompt + text).ids])
            states = np.asarray(model(ids, attention_mask=np.ones_like(ids)).last_hidden_state)[0]
            if pooling == "cls_token":
                vector = states[0]
            elif pooling == "max_tokens":
                vector = states.max(axis=0)
            else:
                vector = states.mean(axis=0)
            if layer:
                vector = np.tanh(layer[0] @ vector + layer[1])
            rows.append(unit(vector))
        return rows

    vectors(folder, embed(prompts.get("passage", "")), embed(prompts.get("query", "")))


def cross_encoder(name: str) -> None:
    from safetensors.numpy import save_file
    from transformers import (
        BertConfig,
        FlaxBertForSequenceClassification,
        FlaxXLMRobertaForSequenceClassification,
        XLMRobertaConfig,
    )

    folder = MODELS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    is_bert = name == "cross-bert"
    tokenizer = words("pieces" if is_bert else "unigram")
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    shape = {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": 12,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "intermediate_size": 20,
        "num_labels": 1,
    }
    if is_bert:
        config = BertConfig(**shape, max_position_embeddings=32, type_vocab_size=2)
        model = FlaxBertForSequenceClassification(config, seed=7)
    else:
        config = XLMRobertaConfig(
            **shape, max_position_embeddings=34, type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=1
        )
        model = FlaxXLMRobertaForSequenceClassification(config, seed=7)
    random = np.random.default_rng(11)
    named = parameters(model, lambda array: (random.normal(size=array.shape) * 0.8).astype(np.float32))
    save_file(named, folder / "model.safetensors")
    kind = "bert" if is_bert else "xlm-roberta"
    write(folder, "config.json", {**config.to_dict(), "model_type": kind})

    tokenizer.no_padding()
    tokenizer.no_truncation()
    # 32 positions, with three or four special tokens per pair; a query gets at most half of the rest
    room = 32 - tokenizer.num_special_tokens_to_add(True)

    def first(text: str, count: int) -> object:
        encoding = tokenizer.encode(text, add_special_tokens=False)
        encoding.truncate(count)
        return encoding

    def score(query: str, passage: str) -> float:
        query = first(query, room // 2)
        pair = tokenizer.post_process(query, first(passage, room - len(query.ids)), add_special_tokens=True)
        ids = np.array([pair.ids])
        types = np.array([pair.type_ids]) if is_bert else np.zeros_like(ids)
        logits = model(ids, attention_mask=np.ones_like(ids), token_type_ids=types).logits
        return round(float(np.asarray(logits)[0, 0]), 6)

    scores = [[score(query, passage) for passage in TEXTS] for query in QUERIES]
    write(folder, "scores.json", {"queries": QUERIES, "passages": TEXTS, "scores": scores})


def table(name: str, dtype: str, with_mapping: bool) -> None:
    from model2vec import StaticModel

    folder = MODELS / name
    shutil.rmtree(folder, ignore_errors=True)
    tokenizer = words("words")
    random = np.random.default_rng(3)
    tokens = tokenizer.get_vocab_size()
    rows = 9 if with_mapping else tokens
    numbers = random.normal(size=(rows, 10)).astype(np.float32)
    numbers = np.round(numbers * 40).astype(np.int8) if dtype == "int8" else numbers.astype(dtype)
    more = {}
    if with_mapping:
        more = {"token_mapping": random.integers(0, rows, size=tokens), "weights": random.uniform(0.1, 2.0, size=tokens)}
    model = StaticModel(numbers, tokenizer, config={"model_type": "model2vec"}, normalize=True, **more)
    model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    found = unit(np.asarray(StaticModel.from_pretrained(folder).encode(TEXTS), dtype=np.float64))
    vectors(folder, found, found)


if sys.argv[1] == "networks":
    network("xlm-r-mean", "mean_tokens", {"query": "query: ", "passage": "passage: "}, None)
    network("xlm-r-first", "cls_token", {}, None)
    network("xlm-r-max-dense", "max_tokens", {}, 5)
elif sys.argv[1] == "cross-encoders":
    cross_encoder("cross-bert")
    cross_encoder("cross-xlm-r")
else:
    table("table-f16", "float16", with_mapping=False)
    table("table-mapped", "float32", with_mapping=True)
    table("table-i8", "int8", with_mapping=False)
