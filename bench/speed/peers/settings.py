"""The paper's settings."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    topics: int = 10
    support_size: int = 3
    support_rate: float = 0.8
    em_steps: int = 10
    hidden: int = 256
    dropout: float = 0.1
    learning_rate: float = 1e-3
