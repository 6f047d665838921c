"""Topic models from a handful of documents.

    import handful

    fit = handful.fit(["Rents rise, tenants leave.", "The train was late.", "A new flat, a high rent."])
    print(fit)                      # the topics and how the documents mix them
    fit.documents_frame()           # a DataFrame
    fit.report("report.html")       # a page to look at

The built-in model learned from English texts which words go together, so that three short texts are
enough. Nothing needs a network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._fit import Document, Fit, NewWord, Quote, Term, Topic, load
from ._many import ManyFits, fit_many
from ._model import Model, fit
from ._native import ModelError, set_threads
from ._training import train
from ._tree import Join, Tree
from ._warnings import HandfulWarning

if TYPE_CHECKING:
    from .sklearn import HandfulTextTopicModel, HandfulTopicModel

__version__ = "0.1.0"

__all__ = [
    "Document",
    "Fit",
    "HandfulTextTopicModel",
    "HandfulTopicModel",
    "HandfulWarning",
    "Join",
    "ManyFits",
    "Model",
    "ModelError",
    "NewWord",
    "Quote",
    "Term",
    "Topic",
    "Tree",
    "fit",
    "fit_many",
    "load",
    "set_threads",
    "train",
]

ModelError.__module__ = "handful"


def __getattr__(name: str) -> object:
    # scikit-learn takes a second to import, so only those wait who use it.
    if name in ("HandfulTopicModel", "HandfulTextTopicModel"):
        from . import sklearn

        return getattr(sklearn, name)
    raise AttributeError(f"module 'handful' has no attribute {name!r}")
