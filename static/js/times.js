// Fills in the reader's own time beside AoE and UTC; without this script those two stand alone.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const format = new Intl.DateTimeFormat("en-GB", {
    weekday: "short", day: "numeric", month: "short", year: "numeric",
    hour: "2-digit", minute: "2-digit", hour12: false,
  });
  const fill = (root) => {
    for (const head of root.querySelectorAll("[data-local-head]")) head.hidden = false;
    for (const slot of root.querySelectorAll("[data-local]")) {
      const time = slot.querySelector("time");
      time.textContent = `${format.format(new Date(time.dateTime)).replace(",", "")} (${zone})`;
      slot.hidden = false;
      const term = slot.previousElementSibling;
      if (term && term.tagName === "DT") term.hidden = false;
    }
  };
  document.addEventListener("DOMContentLoaded", () => fill(document));
  document.addEventListener("main-replaced", () => fill(document));
  document.addEventListener("htmx:afterSwap", (event) => fill(event.target));
})();
