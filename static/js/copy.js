// A copy button beside each field marked data-copy; without this script the text is selected by hand.
document.addEventListener("DOMContentLoaded", () => {
  for (const field of document.querySelectorAll("[data-copy]")) {
    field.addEventListener("focus", () => field.select());
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn small";
    button.textContent = "Copy";
    const said = document.createElement("span");
    said.className = "small";
    said.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(field.value);
        said.textContent = "Copied";
      } catch {
        field.select(); // not allowed here: the reader copies the selection
        said.textContent = "Selected. Copy it with Ctrl+C or ⌘C";
      }
    });
    const row = document.createElement("div");
    row.className = "row";
    row.append(button, said);
    field.after(row);
  }
});
