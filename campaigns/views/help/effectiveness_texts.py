"""What each effectiveness measure is: formula, variants, reading, range, source."""

from __future__ import annotations

from campaigns.views.help.measure_text import MeasureText

TREC_EVAL = "trec_eval 9.0.8; the same number is checked against it in our tests."

EFFECTIVENESS = (
    MeasureText(
        ("nDCG",),
        "nDCG@k",
        r"\mathrm{nDCG@}k = \frac{\sum_{i=1}^{k} g_i / \log_2(i+1)}"
        r"{\sum_{i=1}^{k} g^{*}_i / \log_2(i+1)}",
        "gᵢ is the gain of the document at rank i, g* the gains in the best possible order. "
        "Without a cut-off, k is the length of the list.",
        "How well graded relevance is put at the top: a document counts less the lower it stands. "
        "Unjudged and negative grades have gain 0. A topic without a relevant document scores 0.",
        "0 to 1, higher is better; with utilities that are not clipped it has no bounds",
        "Järvelin and Kekäläinen 2002. Default: linear gains, as trec_eval ndcg and ndcg_cut.",
        (
            ("nDCG(dcg='exp-log2')@k", "gain 2 to the power of the grade, minus 1"),
            (
                "nDCG(ideal='pool')@k",
                "the ideal comes from all candidates of the topic; negative utilities count 0",
            ),
            (
                "nDCG(ideal='run')@k",
                "the ideal comes from the submitted list alone, whatever it leaves out",
            ),
        ),
    ),
    MeasureText(
        ("AP",),
        "AP",
        r"\mathrm{AP} = \frac{1}{R} \sum_{i \, : \, d_i \, \mathrm{relevant}} \frac{r_i}{i}",
        "R is the number of relevant documents of the topic, rᵢ how many of them stand in the "
        "first i ranks.",
        "Precision at each relevant document, averaged over all relevant documents: it rewards "
        "finding all of them, early. Its mean over topics is often called MAP.",
        "0 to 1, higher is better",
        TREC_EVAL + " There: map.",
        (
            ("AP(rel=2)", "only grades from 2 on are relevant"),
            ("AP@k", "only the first k ranks are looked at; the divisor stays R"),
        ),
    ),
    MeasureText(
        ("P",),
        "P@k",
        r"\mathrm{P@}k = \frac{r_k}{k}",
        "rₖ is the number of relevant documents in the first k ranks.",
        "What share of the first page is relevant. The divisor is k for shorter lists too.",
        "0 to 1, higher is better",
        TREC_EVAL + " There: P_k.",
        (("P(rel=2)@k", "only grades from 2 on are relevant"),),
    ),
    MeasureText(
        ("R",),
        "R@k",
        r"\mathrm{R@}k = \frac{r_k}{R}",
        "rₖ is the number of relevant documents in the first k ranks, R of all in the qrels.",
        "What share of all relevant documents is found. It says whether a reranker can find them.",
        "0 to 1, higher is better",
        TREC_EVAL + " There: recall_k.",
    ),
    MeasureText(
        ("RR",),
        "RR",
        r"\mathrm{RR} = \frac{1}{\min \{ i : d_i \, \mathrm{relevant} \}}",
        "dᵢ is the document at rank i. Without a relevant document the value is 0.",
        "How soon the first relevant document comes. Its mean over topics is often called MRR.",
        "0 to 1, higher is better",
        TREC_EVAL + " There: recip_rank.",
        (("RR@k", "0 if the first relevant document stands below rank k"),),
    ),
    MeasureText(
        ("Rprec",),
        "Rprec",
        r"\mathrm{Rprec} = \mathrm{P@}R",
        "R is the number of relevant documents of the topic.",
        "Precision at the rank where a perfect list would have just ended.",
        "0 to 1, higher is better",
        TREC_EVAL,
    ),
    MeasureText(
        ("Bpref",),
        "Bpref",
        r"\mathrm{Bpref} = \frac{1}{R} \sum_{d \, \mathrm{relevant}} "
        r"\left( 1 - \frac{\min(n_d, R)}{\min(N, R)} \right)",
        "n is the number of judged non-relevant documents above d, N of all of them, R of all "
        "relevant ones. Unjudged documents are skipped.",
        "How rarely judged non-relevant documents stand above relevant ones. Made for incomplete "
        "judgments.",
        "0 to 1, higher is better",
        "Buckley and Voorhees 2004; " + TREC_EVAL,
    ),
    MeasureText(
        ("RBP",),
        "RBP",
        r"\mathrm{RBP} = (1 - p) \sum_{i=1}^{n} p^{i-1} \, \mathrm{rel}_i",
        "p is the persistence of a reader who goes on to the next document, relᵢ is 1 for a "
        "relevant document at rank i and 0 otherwise.",
        "The rate at which such a reader meets relevant documents. Compare only values of the "
        "same p.",
        "0 to 1, higher is better",
        "Moffat and Zobel 2008. Default p is 0.8.",
    ),
    MeasureText(
        ("ERR",),
        "ERR",
        r"\mathrm{ERR} = \sum_{i=1}^{n} \frac{1}{i} \, R_i \prod_{j=1}^{i-1} (1 - R_j)",
        "Rᵢ = (2 to the power of the grade at rank i, less 1) / 2 to the power of the highest "
        "grade. Unjudged documents and negative grades count as grade 0.",
        "How soon a reader who stops at a satisfying document is expected to stop. Compare only "
        "values with the same highest grade.",
        "0 to 1, higher is better",
        "Chapelle, Metzler, Zhang and Grinspan 2009; as gdeval. The highest grade is that of the "
        "qrels unless it is named.",
        (
            ("ERR@k", "only the first k ranks"),
            ("ERR(maxgrade=4)@k", "with 4 as the highest grade, as gdeval has it"),
        ),
    ),
    MeasureText(
        ("Judged",),
        "Judged@k",
        r"\mathrm{Judged@}k = \frac{j_k}{\min(k, n)}",
        "jₖ is the number of judged documents in the first k ranks, n the length of the list.",
        "Not a measure of quality: where it is low, the other values are lower bounds, since "
        "unjudged documents count as not relevant. Boards do not rank by it.",
        "0 to 1",
        "ir_measures: Judged@k.",
    ),
)
