"""What each measure of reproduction is: the submitted run or pair set beside the original."""

from __future__ import annotations

from campaigns.views.help.measure_text import MeasureText

PAPER = "Breuer, Ferro, Fuhr, Maistro, Sakai, Schaer, Soboroff, SIGIR 2020"

RANKINGS = (
    MeasureText(
        (
            "kendall_tau_union",
            "kendall_tau_union_sorted",
            "kendall_tau_union_tied_below",
            "kendall_tau_intersection",
        ),
        "KTU and KT∩, Kendall’s tau",
        r"\tau = \frac{P - Q}{\sqrt{(P + Q + U)(P + Q + V)}}",
        "P and Q count pairs of documents in the same and in the opposite order, U and V pairs "
        "that are tied in only one of the two rankings.",
        "Whether the documents stand in the same order. The two union forms are shown but never "
        "ranked: lists that share nothing can reach +1, and the sorted form changes when documents "
        "are renamed. Read them with the overlap beside them.",
        "−1 to 1; 1 is the same order",
        PAPER + ", section 4.1",
        (
            ("KTU", "documents of both lists, numbered in the order of first appearance"),
            ("KTU sorted", "the same with the union sorted by document id, as in the paper’s code"),
            (
                "KTU tied below",
                "the other’s documents stand tied below each list; this form can be ranked",
            ),
            ("KT∩", "only documents that both lists hold; undefined for fewer than two"),
        ),
    ),
    MeasureText(
        ("rank_biased_overlap",),
        "RBO, rank-biased overlap",
        r"\mathrm{RBO} = (1 - p) \sum_{d=1}^{\infty} p^{d-1} A_d",
        "A is the share of documents that both lists have in their first d ranks. We extrapolate "
        "from the lists’ ends (the form called ext).",
        "Whether the same documents stand at the top. A high p looks deeper. Values of another p, "
        "depth or form are not comparable.",
        "0 to 1; 1 is the same list, 0 nothing shared",
        "Webber, Moffat, Zobel 2010; " + PAPER + ". Default p is 0.8.",
    ),
    MeasureText(
        ("overlap", "length_coverage"),
        "Overlap and length",
        r"\mathrm{overlap} = \frac{|r \cap r'|}{|r|}",
        "r is the original’s list after the cut at the depth, r′ the submitted one. Length is how "
        "long the submitted list is against the original’s, at most 1.",
        "Tau and RBO cannot be read without them: they say on how many documents those rest.",
        "0 to 1",
        "Our addition, printed beside tau.",
    ),
)

SCORES = (
    MeasureText(
        ("arp", "delta_arp"),
        "ARP and ΔARP",
        r"\Delta\mathrm{ARP} = \left| \overline{M(r)} - \overline{M(r')} \right|",
        "ARP is the mean of a measure M over topics; r is the original, r′ the submitted run.",
        "Whether the means agree. They can agree although no topic does: look at RMSE too.",
        "0 and up; 0 is the same mean",
        PAPER,
    ),
    MeasureText(
        ("rmse", "nrmse"),
        "RMSE and nRMSE",
        r"\mathrm{RMSE} = \sqrt{\frac{1}{n} \sum_{j=1}^{n} \left( M_j(r) - M_j(r') \right)^2}",
        "Mⱼ is the score of topic j, n the number of topics. nRMSE divides by the largest RMSE "
        "that was possible given the original’s scores.",
        "How far the scores are apart topic by topic, in units of the measure. It orders "
        "reproductions on the same collection.",
        "0 and up; 0 is equal on every topic. nRMSE: 0 to 1",
        PAPER + ", section 4.2; nRMSE as in repro_eval",
    ),
    MeasureText(
        ("p_value", "t"),
        "t and p",
        r"t = \frac{\bar d}{s_d / \sqrt{n}}",
        "dⱼ is the difference of the scores of topic j, s its standard deviation. On a new "
        "collection the test is unpaired, with pooled variance.",
        "A small p says that the scores differ. A large p is no evidence that they agree: it may "
        "come from few topics. Equal runs have p = 1. Boards do not rank by p.",
        "p: 0 to 1; t: without bounds, its sign says which run is higher",
        PAPER + ", sections 4.2 and 4.3",
    ),
)

EFFECTS = (
    MeasureText(
        ("effect_ratio",),
        "ER, effect ratio",
        r"\mathrm{ER} = \frac{\overline{M(a')} - \overline{M(b')}}"
        r"{\overline{M(a)} - \overline{M(b)}}",
        "a is the advanced run, b the baseline, the prime marks the submitted ones.",
        "How much of the original improvement came back: 1 all of it, between 0 and 1 a smaller "
        "one, above 1 a larger one, 0 or less none. Where the original effect cannot be told from "
        "0, ER is a ratio to noise, and a warning stands beside it.",
        "without bounds; the target is 1. Undefined when the original effect is 0",
        PAPER + ", section 4.2",
    ),
    MeasureText(
        ("relative_improvement", "delta_ri"),
        "RI and ΔRI",
        r"\Delta\mathrm{RI} = \frac{\overline{M(a)} - \overline{M(b)}}{\overline{M(b)}} - "
        r"\frac{\overline{M(a')} - \overline{M(b')}}{\overline{M(b')}}",
        "Letters as for ER. RI is the improvement divided by the baseline’s mean.",
        "Whether the improvement is of the same relative size. Negative: the submitted pair "
        "improves more, often because its baseline is weaker. It says nothing of absolute scores.",
        "without bounds; the target is 0. Undefined when a baseline’s mean is 0",
        PAPER + ", section 4.2 (which gives −1 to 1; values beyond −8 occur)",
    ),
    MeasureText(
        ("region", "distance"),
        "Region and distance",
        r"\mathrm{distance} = \sqrt{(1 - \mathrm{ER})^2 + \Delta\mathrm{RI}^2}",
        "Regions of the ER–ΔRI chart: 1 has ER > 0 and ΔRI > 0, 2 has ER < 0 and ΔRI > 0, 3 both "
        "below 0, 4 has ER > 0 and ΔRI < 0. On an axis there is no region.",
        "The paper reads region 4 near (1, 0) as somewhat successful in effect and in absolute "
        "scores. A region alone is no verdict: look at the distance and at ΔARP.",
        "distance: 0 and up; 0 is the same effect. It orders pairs on a new collection",
        PAPER + ", section 4.2; the distance is ours",
    ),
)
