// A file dropped on a frame goes into its ordinary file control, which works without this script.
(() => {
  const watch = () => {
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
  };
  document.addEventListener("DOMContentLoaded", watch);
  document.addEventListener("main-replaced", watch);
})();
