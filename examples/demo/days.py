"""Times of a campaign, counted from the day it is made."""

from __future__ import annotations

from datetime import date, timedelta

LAST_SECOND = "23:59:59"


class Days:
    """``Days(today).after(3)`` is a time three days from today, as the folder writes it."""

    def __init__(self, today: date) -> None:
        self.today = today

    def after(self, days: int, clock: str = "12:00:00", zone: str = "Z") -> str:
        """A time; days before today are negative."""
        day = self.today + timedelta(days=days)
        return f"{day.isoformat()}T{clock}" + (zone if zone == "Z" else f" {zone}")

    def ends(self, days: int) -> str:
        """The last second of a day anywhere on earth."""
        return self.after(days, LAST_SECOND, "AoE")
