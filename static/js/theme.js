// Runs in the head, before the first paint: an explicit choice of theme overrides the system.
(() => {
  const key = "centreboard-theme";
  const order = ["system", "light", "dark"];
  const stored = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage may be blocked
    }
  };
  const show = (theme) => {
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  let theme = order.includes(stored()) ? stored() : "system";
  show(theme);

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const label = () => button.setAttribute("aria-label", `Theme: ${theme}. Change theme`);
    label();
    button.hidden = false;
    button.addEventListener("click", () => {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      show(theme);
      label();
      try {
        localStorage.setItem(key, theme);
      } catch {
        // the choice then lasts for this page
      }
    });
  });
})();
