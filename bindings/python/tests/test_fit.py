"""What a fit knows, and how it is looked at."""

from __future__ import annotations

import copy
import json
import logging
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyLDAvis
import pytest
import scipy.cluster.hierarchy

import handful

from conftest import TEXTS


def test_texts_of_two_subjects_have_two_topics(fit: handful.Fit) -> None:
    assert len(fit.topics) == 2
    main = [document.main_topic for document in fit.documents]
    assert main[0] == main[1] != main[2] == main[3]
    assert sum(topic.share for topic in fit.topics) == pytest.approx(1, abs=0.02)
    bees = fit.topics[main[0] - 1].terms(10)
    assert "bees" in bees and "bread" not in bees


def test_arrays_are_views_of_the_memory_of_the_fit(fit: handful.Fit) -> None:
    for array, shape in [
        (fit.proportions, (4, 2)),
        (fit.word_probabilities, (2, len(fit.vocabulary))),
    ]:
        assert array.shape == shape and array.dtype == np.float32
        assert not array.flags.writeable and not array.flags.owndata
        assert np.allclose(array.sum(axis=1, dtype=float), 1, atol=1e-3)
    assert fit.proportions.ctypes.data == fit.proportions.ctypes.data


def test_an_array_outlives_its_fit() -> None:
    fit = handful.fit(TEXTS)
    proportions, expected = fit.proportions, fit.proportions.copy()
    fit.name_topic(1, "a name")
    del fit
    handful.fit(TEXTS, seed=2)
    assert np.array_equal(proportions, expected)


def test_terms_are_words_of_the_documents(fit: handful.Fit) -> None:
    words = " ".join(TEXTS.values()).lower()
    for topic in fit.topics:
        assert all(term.split()[0] in words for term in topic.terms(5))
        weighted = topic.weighted_terms(3, relevance=1.0)
        assert [term.probability for term in weighted] == sorted(
            (term.probability for term in weighted), reverse=True
        )
    with pytest.raises(ValueError, match="relevance"):
        fit.topics[0].terms(3, relevance=2.0)


def test_frames_are_of_the_library_that_is_asked_for(fit: handful.Fit) -> None:
    for library, kind in [("pandas", pd.DataFrame), ("polars", pl.DataFrame), (None, pd.DataFrame)]:
        made = [fit.topics_frame(library=library), fit.documents_frame(library=library)]
        made += [fit.words_frame(library=library), fit.get_topic_info(library=library)]
        assert all(isinstance(one, kind) for one in made)
    with pytest.raises(ValueError, match="pandas"):
        fit.topics_frame(library="numpy")  # type: ignore[arg-type]


def test_frames_are_of_the_library_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    fit = handful.fit(TEXTS)
    # As if it were not installed.
    monkeypatch.setitem(sys.modules, "pandas", None)
    made = [fit.topics_frame(), fit.documents_frame(), fit.words_frame(), fit.get_topic_info()]
    made += [fit.get_document_info(list(TEXTS.values())), handful.fit_many({"a": TEXTS}).documents_frame()]
    assert all(isinstance(one, pl.DataFrame) for one in made)
    with pytest.raises(ImportError, match="a DataFrame needs pandas; install it with pip install pandas"):
        fit.documents_frame(library="pandas")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match="a DataFrame needs pandas or polars; install it"):
        fit.documents_frame()


def test_frames_say_what_the_fit_says(fit: handful.Fit) -> None:
    topics = fit.topics_frame(terms=4)
    assert topics[topics.topic == 1].term.tolist() == fit.topics[0].terms(4)
    documents = fit.documents_frame()
    assert documents.document.tolist() == list(TEXTS)
    assert np.allclose(documents[["topic_1", "topic_2"]], fit.proportions)
    assert documents.main_topic.tolist() == [one.main_topic for one in fit.documents]
    assert documents.words.tolist() == [one.words for one in fit.documents]


def test_words_stand_where_the_frame_says() -> None:
    texts = {"α": "Ünïcödé bees 🐝 and honey; the hive’s bees.", "β": "Bread and flour."}
    words = handful.fit(texts, topics=2).words_frame()
    for row in words.itertuples():
        written = texts[row.document][row.start : row.end].lower()
        assert written.startswith(row.term[:2]), (written, row.term)
    assert {"bees", "honey", "bread", "flour"} <= set(words.term)
    shares = words[["background", "topic_1", "topic_2"]].sum(axis=1)
    assert np.allclose(shares[shares > 0], 1)


def test_quotes_are_sentences_of_the_documents(fit: handful.Fit) -> None:
    for quotes in fit.quotes(2):
        assert quotes and all(quote.text in TEXTS[quote.document] for quote in quotes)


def test_a_name_is_shown_everywhere(fit: handful.Fit) -> None:
    named = copy.copy(fit)
    named.name_topic(1, "A name of mine")
    assert named.topics[0].name == "A name of mine" != fit.topics[0].name
    assert "A name of mine" in repr(named)
    assert "A name of mine" in named._repr_html_()
    assert "A name of mine" in set(named.documents_frame().main_topic_name)
    named.name_topic(1, "")
    assert named.topics[0].name == fit.topics[0].name


def test_no_view_has_a_text_that_was_forgotten(fit: handful.Fit) -> None:
    forgetful = copy.copy(fit)
    forgetful.forget_texts()
    sentences = [quote.text for quotes in fit.quotes(2) for quote in quotes]
    page = forgetful.report()
    assert sentences and page is not None
    for text in (page, forgetful.to_json(sentences=3), repr(forgetful), forgetful._repr_html_()):
        assert not any(sentence in text for sentence in sentences)
    assert forgetful.topics[0].name == fit.topics[0].name
    assert fit.quotes(2) != []


def test_an_explanation_names_deciding_words(fit: handful.Fit) -> None:
    explanation = fit.explain("hive")
    assert explanation["document"] == "hive"
    assert {word["term"] for word in explanation["topics"][0]["words"]} & {"bees", "hive", "honey"}


def test_the_tree_is_one_that_scipy_reads(fit: handful.Fit) -> None:
    tree = fit.tree
    assert tree is not None and tree.cuts is not None
    assert sorted(tree.documents_of(6)) == [0, 1, 2, 3]
    assert tree.groups(2) == [0, 0, 1, 1]
    linkage = tree.to_linkage()
    assert scipy.cluster.hierarchy.is_valid_linkage(linkage)
    cut = scipy.cluster.hierarchy.fcluster(linkage, 2, "maxclust")
    assert cut[0] == cut[1] != cut[2] == cut[3]


def test_further_documents_have_the_same_topics(fit: handful.Fit) -> None:
    more = fit.infer({"new": "The beekeeper opened the hive and took the honey."})
    assert more.ids == ["new"]
    assert more.documents[0].main_topic == fit.documents[0].main_topic
    assert [topic.terms() for topic in more.topics] == [topic.terms() for topic in fit.topics]
    assert more.tree is None


def test_a_further_document_about_none_of_the_topics_is_told(fit: handful.Fit) -> None:
    further = {
        "in": "The beekeeper opened the hive and took the honey.",
        "out": "The striker scored twice in the second half, and the goalkeeper was sent off.",
        "empty": "",
    }
    with pytest.warns(handful.HandfulWarning, match="1 of 3 documents seems to be about none of the topics"):
        more = fit.infer(further)
    summary = json.loads(more.to_json())
    told = [one.outside for one in more.documents]
    assert told == [False, True, None] == [one.get("outside") for one in summary["documents"]]
    for library in ("pandas", "polars"):
        frame = more.documents_frame(library=library)  # type: ignore[arg-type]
        assert frame["outside"].to_list() == told
    assert repr(more).count("about none of the topics, as far as its words tell") == 1
    assert more._repr_html_().count("<i>about none of the topics</i>") == 1
    # The topics were made of these.
    assert [one.outside for one in fit.documents] == [None] * 4
    assert "outside" not in fit.documents_frame().columns
    with pytest.warns(handful.HandfulWarning):
        many = fit.infer([further["out"]] * 30)
    assert "About none of the topics: 30 documents." in many._repr_html_()


def test_a_saved_fit_is_the_same_when_loaded(tmp_path: Path, fit: handful.Fit) -> None:
    fit.save(tmp_path / "topics")
    loaded = handful.load(tmp_path / "topics")
    assert np.array_equal(loaded.proportions, fit.proportions)
    assert np.array_equal(loaded.word_probabilities, fit.word_probabilities)
    assert loaded.ids == fit.ids
    assert loaded.topics_frame().equals(fit.topics_frame())
    new = ["Flour and yeast."]
    assert np.array_equal(loaded.infer(new).proportions, fit.infer(new).proportions)


def test_json_follows_the_schema_version(fit: handful.Fit) -> None:
    summary = json.loads(fit.to_json(terms=3, sentences=1))
    assert summary["version"] >= 1
    assert len(summary["topics"][0]["terms"]) == 3
    assert [one["id"] for one in summary["documents"]] == list(TEXTS)


def test_the_page_escapes_what_users_write() -> None:
    fit = handful.fit({"<script>alert(1)</script>": "Bees & <b>hives</b>.", "b": "Bread."})
    fit.name_topic(1, "<i>name</i>")
    html = fit._repr_html_()
    assert "<script>alert" not in html and "<i>name" not in html and "&lt;script&gt;" in html
    report = fit.report()
    assert report is not None and "<script>alert(1)" not in report


def test_many_documents_have_a_small_page() -> None:
    fit = handful.fit([f"Bees and hive number {n}." for n in range(30)])
    assert len(fit._repr_html_()) < 10_000
    assert "30 documents" in fit._repr_html_()


def test_pyldavis_takes_a_fit() -> None:
    fit = handful.fit(TEXTS, topics=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        prepared = pyLDAvis.prepare(**fit.to_pyldavis(), n_jobs=1, sort_topics=False)
    frequencies = prepared.topic_coordinates["Freq"].to_numpy() / 100
    shares = fit.proportions * np.array([[one.words] for one in fit.documents])
    assert frequencies == pytest.approx(shares.sum(axis=0) / shares.sum(), abs=1e-3)


def test_the_measures_of_octis_take_a_fit(fit: handful.Fit) -> None:
    from octis.evaluation_metrics.coherence_metrics import Coherence
    from octis.evaluation_metrics.diversity_metrics import TopicDiversity
    from octis.evaluation_metrics.topic_significance_metrics import KL_uniform

    octis = fit.to_octis(5)
    assert octis["topics"] == [topic.terms(5) for topic in fit.topics]
    assert octis["topic-document-matrix"].shape == (2, 4)
    distinct = len({term for terms in octis["topics"] for term in terms})
    assert TopicDiversity(topk=5).score(octis) == distinct / 10
    words = [text.lower().replace(",", " ").replace(";", " ").replace(".", " ").split() for text in TEXTS.values()]
    assert -1 <= Coherence(texts=words, topk=5, measure="c_npmi").score(octis) <= 1
    phi = fit.word_probabilities.astype(float)
    phi /= phi.sum(axis=1, keepdims=True)
    # OCTIS adds this to every probability, so that none is 0.
    phi, uniform = phi + 1e-5, 1 / phi.shape[1] + 1e-5
    divergence = (phi * np.log(phi / uniform)).sum(axis=1).mean()
    assert KL_uniform().score(octis) == pytest.approx(divergence, rel=1e-6)


def test_warnings_of_the_library_are_warnings_at_the_callers_line() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        handful.fit(["Bees.", "Bread."], topics=5)
    told = [one for one in caught if issubclass(one.category, handful.HandfulWarning)]
    assert told and all(Path(one.filename).name == "test_fit.py" for one in told)


def test_the_log_says_what_was_done(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    with caplog.at_level(logging.INFO, logger="handful"):
        fit = handful.fit(TEXTS)
        fit.infer(["The bees left."])
        fit.save(tmp_path / "topics")
        handful.load(tmp_path / "topics")
        fit.report(tmp_path / "report.html")
        handful.Model.pretrained().save(tmp_path / "model")
        handful.Model.open(tmp_path / "model")
    said = [re.sub(r"\d+\.\d+ s", "... s", record.getMessage()) for record in caplog.records]
    assert said == [
        "fitted 4 documents in ... s",
        "inferred 1 documents in ... s",
        f"saved a fit of 4 documents to {tmp_path / 'topics'}",
        f"loaded a fit of 4 documents from {tmp_path / 'topics'}",
        f"wrote a report of 4 documents to {tmp_path / 'report.html'}",
        f"saved a model to {tmp_path / 'model'}",
        f"opened the model of {tmp_path / 'model'}",
    ]


def test_users_of_bertopic_find_their_names(fit: handful.Fit) -> None:
    info = fit.get_topic_info()
    assert info.Topic.tolist() == [1, 2] and info.Count.tolist() == [2, 2]
    assert info.Representation[0] == fit.topics[0].terms()
    assert fit.get_topic(2)[0][0] == fit.topics[1].terms(1)[0]
    documents = fit.get_document_info(list(TEXTS.values()))
    assert documents.Topic.tolist() == [one.main_topic for one in fit.documents]
    assert documents.Document.tolist() == list(TEXTS.values())


def test_languages_are_told() -> None:
    german = ["Die Bienen fliegen in ihren Stock zurück.", "Das Brot ist aus Mehl und Wasser gebacken."]
    assert handful.fit(german).language == "de"
    assert handful.fit(german, language="en").language == "en"


def test_numpy_integers_are_numbers(fit: handful.Fit) -> None:
    numbers: Any = np.int64(2)
    assert len(handful.fit(TEXTS, topics=numbers, seed=numbers).topics) == 2
