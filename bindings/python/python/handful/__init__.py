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

from ._fit import Fit, Topic, load
from ._many import ManyFits, fit_many
from ._model import Model, fit
from ._native import ModelError, set_threads
from ._training import train
from ._tree import Tree
from ._warnings import HandfulWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._records import Columns, Document, Join, NewWord, Quote, Term
    from .sklearn import HandfulTextTopicModel, HandfulTopicModel

__version__ = "0.1.0"

__all__ = [
    "Columns",
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


# Modules that take long to import, or import what takes long: only those wait who use them.
_LATER = {
    "Columns": "_records",
    "Document": "_records",
    "HandfulTextTopicModel": "sklearn",
    "HandfulTopicModel": "sklearn",
    "Join": "_records",
    "NewWord": "_records",
    "Quote": "_records",
    "Term": "_records",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'handful' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"handful.{_LATER[name]}"), name)
