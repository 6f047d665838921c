"""Handful's own prior in PyTorch, dense and literal: what `tests/oracle.rs` holds the library against.

Written from the formulas (`src/prior/handful/`), one line a formula, over all terms, with autograd for the way back.
N documents, J terms, K topics, L themes, vectors of length D. `w` has the weights under their names in model files,
those that are trained and those that are kept; topics are rows here.
"""

import math

import torch
from torch.nn.functional import linear, one_hot

LEAST_LENGTH = 1e-6
LEAST_LOG_CONCENTRATION, MOST_LOG_CONCENTRATION = -10.0, 14.0
MOST_SHARE_LOGIT = 8.0
BACKGROUND_CONCENTRATION = 1e5
MOST_OCCURRENCES = 8
MOST_TOPICS = 50
FOLDING_STEPS = 10
DIRECTIONS = 0.8  # what cosines of directions count beside those of words
THEMES_WEIGHT = 0.4  # and those of themes
LEAST_REST = 1e-6
CHOICE = 30
CHOICE_STEPS = 2


def affine(w, name, rows):
    return linear(rows, w[f"{name}.weight"], w.get(f"{name}.bias"))


def network(w, name, rows):
    """Two linear maps with ReLU between them (and dropout in training, hence the numbers)."""
    return affine(w, f"{name}.3", torch.relu(affine(w, f"{name}.0", rows)))


def document_directions(w, x):
    """u_n = sqrt(D) v_n / (|v_n| + epsilon), v_n = sum_j log(1 + x_nj) w_j E_j: N x D."""
    v = (torch.log1p(x) * w["words.importance"]) @ w["words.weight"]
    return math.sqrt(v.shape[1]) * v / (v.norm(dim=1, keepdim=True) + LEAST_LENGTH)


def unit(rows):
    return rows / rows.norm(dim=1, keepdim=True).clamp_min(1e-30)


def theme_shares(w, weighted):
    """Documents folded into the themes: theta_l from alpha_l + sum_j x_j theta_l Psi_jl / sum_l theta_l Psi_jl."""
    alpha, psi = w["themes.alpha"], w["themes.words"]
    theta = (alpha / alpha.sum()).expand(len(weighted), -1)
    for _ in range(FOLDING_STEPS):
        theta = alpha + theta * ((weighted / (theta @ psi.T)) @ psi)
        theta = theta / theta.sum(dim=1, keepdim=True)
    return theta


def from_mean(rows):
    """Rows less their mean, each of length 1; a row that is the mean is zero."""
    rest = rows - rows.mean(dim=0)
    squares = (rest**2).sum(dim=1, keepdim=True)
    is_mean = squares <= LEAST_REST * (rows.mean(dim=0) ** 2).sum()
    return torch.where(is_mean, torch.zeros_like(rest), rest / squares.clamp_min(1e-300).sqrt())


@torch.no_grad()
def cosines(w, x):
    """Those of weighted words, of whitened directions and of the roots of themes' shares, for each two documents,
    each from the mean of the documents."""
    whitened = unit(document_directions(w, x)) @ w["metric.whitening"].T
    weighted = torch.log1p(x) * w["words.importance"].clamp_min(0)
    themes = theme_shares(w, weighted).sqrt()
    return [rows @ rows.T for rows in map(from_mean, (unit(weighted), whitened, themes))]


def similarity(w, x):
    words, directions, themes = cosines(w, x)
    return words + DIRECTIONS * directions + THEMES_WEIGHT * themes


def ward(products, groups):
    """Ward's clustering, by Lance and Williams' recurrence for the costs of unions. The group of each document."""
    n = len(products)
    members = {i: [i] for i in range(n)}
    cost = {
        frozenset((i, j)): float(products[i, i] + products[j, j] - 2 * products[i, j]) / 2
        for i in range(n) for j in range(i)
    }  # fmt: skip
    while len(members) > groups:
        union = min(cost, key=cost.get)
        a, b = sorted(union)
        for c in members.keys() - union:
            sizes = [len(members[i]) for i in (a, b, c)]
            through_a, through_b = cost[frozenset((a, c))], cost.pop(frozenset((b, c)))
            of_pair = (sizes[0] + sizes[2]) * through_a + (sizes[1] + sizes[2]) * through_b - sizes[2] * cost[union]
            cost[frozenset((a, c))] = of_pair / sum(sizes)
        del cost[union]
        members[a] += members.pop(b)
    # Until here a group goes by the number of its first document.
    number = {i: k for k, first in enumerate(sorted(members)) for i in members[first]}
    return [number[i] for i in range(n)]


def explained(products, group):
    """What the groups' means explain of the sum of squares: the sum of a group's products over its size, of all."""
    members = one_hot(torch.tensor(group)).to(products.dtype)
    return float(((members.T @ products @ members).diagonal() / members.sum(dim=0)).sum())


def moved(products, group):
    """Groups after the best moves of single documents, as long as a move explains more and leaves no group empty."""
    group = list(group)
    while True:
        moves = [
            [*group[:n], k, *group[n + 1 :]]
            for n in range(len(group)) if group.count(group[n]) > 1 for k in set(group) - {group[n]}
        ]  # fmt: skip
        best = max(moves, key=lambda move: explained(products, move), default=group)
        if explained(products, best) <= explained(products, group) + 1e-9:
            return [list(dict.fromkeys(group)).index(k) for k in group]
        group = best


def groups_of(products, groups):
    return moved(products, ward(products, groups))


def topic_vectors(w, x, topics):
    """h (N x D), t_k = f_T([c_k, r, s_k]) + c_k (K x D), and which document starts which topic (N x K)."""
    u = document_directions(w, x)
    h = network(w, "document", u) + u
    mean = h.mean(dim=0)
    r = network(w, "corpus", mean) + mean
    groups = min(len(x), topics)
    member = one_hot(torch.tensor(groups_of(similarity(w, x), groups)), topics).to(x.dtype)
    of_groups = (member.T @ h)[:groups] / member.sum(dim=0)[:groups, None]
    context = torch.cat([of_groups, r.expand(topics - groups, -1)])
    slots = w["slots"][[0] * groups + list(range(1, 1 + topics - groups))]
    return h, network(w, "topic", torch.cat([context, r.expand(topics, -1), slots], dim=1)) + context, member


def theme_mixtures(w, x, t, member):
    """m: what the networks choose, tau m_l + sum_j m_l Psi_jl / sum_l m_l Psi_jl over the terms of a topic's documents."""
    choice, psi = torch.softmax(affine(w, "theme_choice", t), dim=1), w["themes.words"]
    terms = member.T @ (x > 0).to(x.dtype)
    mixture = choice
    for _ in range(CHOICE_STEPS):
        mixture = CHOICE * choice + mixture * ((terms / (mixture @ psi.T)) @ psi)
        mixture = mixture / mixture.sum(dim=1, keepdim=True)
    return mixture


def dirichlet(w, x, topics):
    """alpha (N x (K + 1)) and beta ((K + 1) x J), the background last."""
    h, t, member = topic_vectors(w, x, topics)
    concentration = affine(w, "concentration", t).clamp(LEAST_LOG_CONCENTRATION, MOST_LOG_CONCENTRATION).exp()
    share = affine(w, "theme_share", t).clamp(-MOST_SHARE_LOGIT, MOST_SHARE_LOGIT).sigmoid()
    own = torch.softmax(t @ w["words.weight"].T + w["words.bias"], dim=1)
    themed = theme_mixtures(w, x, t, member) @ w["themes.words"].T
    background = BACKGROUND_CONCENTRATION * w["words.unigram"]
    beta = torch.cat([concentration * ((1 - share) * own + share * themed), background[None]])

    t = torch.cat([t, w["background"]])
    logits = h @ affine(w, "affinity", t).T / math.sqrt(h.shape[1]) + affine(w, "commonness", t).T
    started = torch.cat([member, torch.zeros(len(x), 1)], dim=1)
    # Exact where `softplus` is cut off at 20.
    alpha = torch.logaddexp(logits + w["membership"] * started, torch.zeros(()))
    return alpha, beta


def evidence(w, x):
    """2 sigma(e_j) 2 sigma(f_x) for a term j that occurs x times: N x J."""
    of_counts = w["counts.evidence"][x.long().clamp(1, MOST_OCCURRENCES) - 1]
    return 4 * w["words.evidence"].sigmoid() * of_counts.sigmoid()


def em(x, alpha, beta, steps):
    """Eqs. (9)-(13) over all terms: theta (N x K) and phi (K x J)."""
    theta, phi = alpha / alpha.sum(dim=1, keepdim=True), beta / beta.sum(dim=1, keepdim=True)
    for _ in range(steps):
        ratio = x / (theta @ phi)
        theta, phi = theta * (ratio @ phi.T) + alpha, phi * (theta.T @ ratio) + beta
        theta, phi = theta / theta.sum(dim=1, keepdim=True), phi / phi.sum(dim=1, keepdim=True)
    return theta, phi


def vb(x, alpha, beta, steps):
    """Variational Bayes over all terms, with gamma of every word in full: the means theta (N x K) and phi (K x J)."""
    a, b = alpha, beta
    for _ in range(steps):
        of_documents = torch.digamma(a) - torch.digamma(a.sum(dim=1, keepdim=True))
        of_topics = torch.digamma(b) - torch.digamma(b.sum(dim=1, keepdim=True))
        gamma = torch.softmax(of_documents[:, :, None] + of_topics[None], dim=1)
        shared = x[:, None, :] * gamma
        a, b = alpha + shared.sum(dim=2), beta + shared.sum(dim=0)
    return a / a.sum(dim=1, keepdim=True), b / b.sum(dim=1, keepdim=True)


INFERENCE = {"em": em, "vb": vb}


def episode(w, support, query, topics, inference, steps):
    """alpha, beta, theta, phi, and the log-likelihood of the query."""
    alpha, beta = dirichlet(w, support, topics)
    theta, phi = INFERENCE[inference](support * evidence(w, support), alpha, beta, steps)
    return alpha, beta, theta, phi, (query * (theta @ phi).log()).sum()
