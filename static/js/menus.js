// Menus that lie over the page close by Escape, and by a click elsewhere; filters stay as they are.
(() => {
  const open = () => [...document.querySelectorAll("details.menu[open]")];
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = open().find((one) => one.contains(document.activeElement)) || open()[0];
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    for (const menu of open()) {
      if (!menu.matches(".auto") && !menu.contains(event.target)) menu.open = false;
    }
  });
})();
