"""The part of this package that is C++. Its functions are not for users: they can change without notice."""

from ventris.paths import AnyPath

__version__: str

_Candidate = tuple[
    str,
    float,
    float,
    list[str],
    list[float],
    list[tuple[int, int]],
    float | None,
    bool,
    bool,
    list[tuple[str, str]],
]
_Score = tuple[
    str, float, str, str, tuple[float, float] | None, list[float], str, list[float]
]
_Tensors = tuple[list[tuple[str, str, list[int], bytearray]], dict[str, str]]

class Texts:
    def __init__(
        self,
        texts: list[str],
        prefixes: list[str],
        required: list[list[str]],
        forbidden: list[list[str]],
    ) -> None: ...

class Report:
    def __init__(self) -> None: ...
    def warnings(self) -> list[str]: ...

class OpenTranslator:
    def __init__(self, settings: str) -> None: ...
    def translate(
        self, texts: Texts, changes: str, report: Report
    ) -> list[tuple[list[_Candidate], bool, float, list[str], int]]: ...
    def translate_texts(self, texts: Texts, changes: str, report: Report) -> list[str]: ...
    def settings(self, changes: str) -> str: ...

class Tokenizer:
    def __init__(self, path: AnyPath) -> None: ...
    def encode(self, text: str) -> list[int]: ...
    def pieces(self, text: str) -> list[str]: ...
    def sample(self, text: str, alpha: float, seed: int) -> list[int]: ...
    def decode(self, ids: list[int]) -> str: ...
    def piece(self, id: int) -> str: ...
    def __len__(self) -> int: ...

class ChrfOptions:
    char_order: int
    word_order: int
    beta: int
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool
    def __init__(self) -> None: ...

class TerOptions:
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool
    def __init__(self) -> None: ...

def bleu(
    hypotheses: list[str],
    references: list[list[str]],
    tokenize: str,
    spm_model: AnyPath | None,
    lowercase: bool,
    smooth_method: str,
    smooth_value: float | None,
    effective_order: bool,
    samples: int | None,
    seed: int,
    threads: int,
) -> _Score: ...
def chrf(
    hypotheses: list[str],
    references: list[list[str]],
    options: ChrfOptions,
    samples: int | None,
    seed: int,
    threads: int,
) -> _Score: ...
def ter(
    hypotheses: list[str],
    references: list[list[str]],
    options: TerOptions,
    samples: int | None,
    seed: int,
    threads: int,
) -> _Score: ...
def read_safetensors(path: AnyPath) -> _Tensors: ...
def read_bundle(path: AnyPath) -> tuple[str, _Tensors]: ...
