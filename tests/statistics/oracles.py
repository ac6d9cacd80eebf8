"""Asks toolscan for the statistics of random tables and holds them against SciPy, statsmodels and the papers' formulas.

`oracles.py PROGRAM`: the program answers JSON lines (examples/oracle_statistics.rs).
"""

import json
import math
import subprocess
import sys

import numpy
from scipy import optimize, stats
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    proportion_confint,
    proportions_ztest,
)

TABLES = 2_000
EXACT = 1e-9
random = numpy.random.default_rng(1998)
# What is asked, and how to hold the answer against the reference.
questions, checks = [], []


def ask(check, **question):
    questions.append(question)
    checks.append(check)


def close(what, found, expected, tolerance=EXACT):
    for one, other in zip(numpy.atleast_1d(found), numpy.atleast_1d(expected), strict=True):
        if not math.isclose(one, other, rel_tol=0, abs_tol=tolerance):
            raise AssertionError(f"{what}: found {one!r}, expected {other!r}")


def trials():
    """From one to a million, as many small as large ones."""
    return int(math.exp(random.uniform(0, math.log(1e6))))


def successes(of):
    """Any number, the ends not seldom."""
    share = random.choice([0.0, 1.0, random.random(), random.beta(20, 1)], p=[0.05, 0.05, 0.45, 0.45])
    return int(random.binomial(of, share))


def shares():
    m, n = trials(), trials()
    a, b = successes(m), successes(n)
    level = float(random.choice([0.95, 0.975, 0.99, 0.999]))
    limit = float(random.uniform(-0.2, 0.2))

    def newcombe(level):
        return confint_proportions_2indep(a, m, b, n, compare="diff", method="newcomb", alpha=2 - 2 * level)

    def check(found):
        z = stats.norm.ppf(level)
        low, high = proportion_confint(a, m, alpha=2 - 2 * level, method="wilson")
        close("z", found["z"], z)
        close("tail", found["tail"], stats.norm.sf(z))
        close("wilson", found["wilson"], (low, high))
        close("newcombe", found["newcombe"], newcombe(level))
        close("difference_p", found["difference_p"], p_value(lambda level: newcombe(level), a / m - b / n, limit), 1e-7)
        if 0 < abs(limit) < 1:
            _, p = proportions_ztest(a, m, abs(limit), alternative="larger", prop_var=abs(limit))
            close("score_p", found["score_p"], p)
        close("relative", found["relative"], relative(a, m, b, n, 0.9, level))

    ask(check, ask="shares", table=[a, m, b, n], level=level, limit=limit)


def relative(a, m, b, n, weight, level):
    """Zou and Donner's general form of Newcombe's interval (2008, Statistics in Medicine 27:1693)."""
    low1, high1 = proportion_confint(a, m, alpha=2 - 2 * level, method="wilson")
    low2, high2 = proportion_confint(b, n, alpha=2 - 2 * level, method="wilson")
    p1, p2 = a / m, b / n
    estimate = weight * p1 - p2
    return (
        estimate - math.hypot(weight * (p1 - low1), high2 - p2),
        estimate + math.hypot(weight * (high1 - p1), p2 - low2),
    )


def p_value(interval, estimate, limit):
    """The one-sided level at which the interval's bound is the limit."""
    side = 0 if estimate > limit else 1

    def excess(z):
        return interval(stats.norm.cdf(z))[side] - limit if z > 0 else estimate - limit

    most = 8.0
    if excess(0) * excess(most) > 0:
        return 0.0 if estimate > limit else 1.0
    z = optimize.brentq(excess, 0, most, xtol=1e-13)
    return stats.norm.sf(z) if estimate > limit else stats.norm.cdf(z)


def pairs():
    total = trials()
    chances = random.dirichlet([5, 0.5, 0.5, 0.5])
    if random.random() < 0.5:
        # About as many lost as won, where the test is hard to compute.
        changed = random.random()
        chances = numpy.array([0.9 * (1 - changed), changed / 2, changed / 2, 0.1 * (1 - changed)])
    both, lost, won, neither = (int(count) for count in random.multinomial(total, chances))
    level = float(random.choice([0.95, 0.975, 0.99]))

    def check(found):
        p = stats.binomtest(lost, lost + won, alternative="greater").pvalue if lost + won else 1.0
        close("mcnemar", found["p"], p)
        correlation = paired_correlation(both, lost, won, neither)
        close("correlation", found["correlation"], correlation)
        close("paired newcombe", found["newcombe"], paired(both, lost, won, neither, correlation, level))

    ask(check, ask="pairs", table=[both, lost, won, neither], level=level)


def paired_correlation(e, f, g, h):
    """Newcombe (1998, Statistics in Medicine 17:2635), method 10; h is the number of neither."""
    margins = math.prod([e + f, g + h, e + g, f + h])
    if margins == 0:
        return 0.0
    product = e * h - f * g
    if product > 0:
        product = max(product - (e + f + g + h) / 2, 0)
    return product / math.sqrt(margins)


def paired(e, f, g, h, correlation, level):
    n = e + f + g + h
    p1, p2 = (e + f) / n, (e + g) / n
    low1, high1 = proportion_confint(e + f, n, alpha=2 - 2 * level, method="wilson")
    low2, high2 = proportion_confint(e + g, n, alpha=2 - 2 * level, method="wilson")

    def arm(a, b):
        return math.sqrt(max(a * a - 2 * correlation * a * b + b * b, 0))

    return p1 - p2 - arm(p1 - low1, high2 - p2), p1 - p2 + arm(high1 - p1, p2 - low2)


def adjusted():
    p_values = [float(p) for p in random.beta(0.5, 2, size=random.integers(1, 60))]

    def check(found):
        close("adjusted", found, stats.false_discovery_control(p_values, method="bh"))

    ask(check, ask="adjusted", p_values=p_values)


def spread():
    """Records with several completions, and pairs, against SciPy's own bootstrap."""
    number = int(random.integers(150, 500))
    quality = random.beta(6, 2, size=number)
    trials = random.integers(1, 6, size=(2, number))
    found = random.binomial(trials, quality)
    rows = numpy.stack([found[0], trials[0], found[1], trials[1]], axis=1)
    kinds, counts = numpy.unique(rows, axis=0, return_counts=True)
    records = [int(value) for kind, count in zip(kinds, counts) for value in (*kind, count)]

    def rates(a, m, b, n, axis=-1):
        return numpy.stack([a.sum(axis) / m.sum(axis), b.sum(axis) / n.sum(axis)])

    def check(found):
        drawn = stats.bootstrap(
            tuple(rows.T), rates, paired=True, vectorized=True, n_resamples=4_000, method="percentile", rng=random
        ).bootstrap_distribution
        for variance, expected in zip(found["variances"], drawn.var(axis=1, ddof=1), strict=True):
            close("standard error", math.sqrt(variance / expected), 1.0, 0.08)
        close("correlation", found["correlation"], numpy.corrcoef(drawn)[0, 1], 0.12)

    ask(check, ask="spread", records=records)


def main():
    for _ in range(TABLES):
        shares()
        pairs()
    for _ in range(TABLES // 10):
        adjusted()
    for _ in range(20):
        spread()
    asked = "".join(json.dumps(question) + "\n" for question in questions)
    answered = subprocess.run([sys.argv[1]], input=asked, capture_output=True, text=True, check=True).stdout
    passed = failed = 0
    for question, check, answer in zip(questions, checks, answered.splitlines(), strict=True):
        try:
            check(json.loads(answer))
            passed += 1
        except AssertionError as difference:
            failed += 1
            if failed <= 10:
                print(f"{question}: {difference}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
