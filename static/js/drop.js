// A file dropped on a frame goes into its ordinary file control, which works without this script.
document.addEventListener("DOMContentLoaded", () => {
  for (const frame of document.querySelectorAll(".drop")) {
    const input = frame.querySelector("input[type=file]");
    frame.addEventListener("dragover", (event) => {
      event.preventDefault();
      frame.classList.add("over");
    });
    frame.addEventListener("dragleave", () => frame.classList.remove("over"));
    frame.addEventListener("drop", (event) => {
      event.preventDefault();
      frame.classList.remove("over");
      if (event.dataTransfer.files.length) input.files = event.dataTransfer.files;
    });
  }
  const form = document.querySelector("form[data-once]");
  form?.addEventListener("submit", () => {
    const button = form.querySelector("button[type=submit]");
    button.setAttribute("aria-disabled", "true");
    button.textContent = "Uploading…";
  });
  form?.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
});
