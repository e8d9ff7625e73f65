"""Made-up topics: one of ten things and one of six sides of it, in four languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

THINGS: Mapping[str, tuple[str, ...]] = {
    "eng": (
        "night trains",
        "tide mills",
        "barn owls",
        "straw paper",
        "salt on roads",
        "clay ovens",
        "glass eels",
        "street trees",
        "river fords",
        "quiet asphalt",
    ),
    "fas": (
        "قطارهای شبانه",
        "آسیاب‌های جزر و مدی",
        "جغدهای انبار",
        "کاغذ کاه",
        "نمک در جاده‌ها",
        "تنورهای گلی",
        "مارماهی‌های شیشه‌ای",
        "درختان خیابان",
        "گدارهای رودخانه",
        "آسفالت کم‌صدا",
    ),
    "rus": (
        "ночные поезда",
        "приливные мельницы",
        "совы-сипухи",
        "бумага из соломы",
        "соль на дорогах",
        "глиняные печи",
        "стеклянные угри",
        "уличные деревья",
        "речные броды",
        "тихий асфальт",
    ),
    "zho": (
        "夜行列车",
        "潮汐磨坊",
        "仓鸮",
        "稻草纸",
        "道路用盐",
        "土炉",
        "玻璃鳗",
        "行道树",
        "河流浅滩",
        "静音沥青",
    ),
}
SIDES: Mapping[str, tuple[str, ...]] = {
    "eng": ("history", "cost", "law", "upkeep", "noise", "return"),
    "fas": ("تاریخچه", "هزینه", "قانون", "نگهداری", "صدا", "بازگشت"),
    "rus": ("история", "стоимость", "закон", "уход", "шум", "возвращение"),
    "zho": ("历史", "费用", "法律", "维护", "噪声", "回归"),
}
MOST = len(THINGS["eng"]) * len(SIDES["eng"])


def titles(topics: Iterable[str], language: str = "eng") -> dict[str, str]:
    """A short wording for each topic, the same need in every language."""
    things, sides = THINGS[language], SIDES[language]
    return {
        topic: f"{things[at % len(things)]}: {sides[at // len(things)]}"
        for at, topic in enumerate(topics)
    }


def questions(topics: Iterable[str]) -> dict[str, str]:
    """A sentence for each topic, in English."""
    things, sides = THINGS["eng"], SIDES["eng"]
    return {
        topic: f"What is known of the {sides[at // len(things)]} of {things[at % len(things)]}?"
        for at, topic in enumerate(topics)
    }
