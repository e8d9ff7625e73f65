// Shows how far an upload is. Without this script the form is sent as any other, and works.
document.addEventListener("DOMContentLoaded", () => {
  const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

  const chosen = (form) =>
    [...form.querySelectorAll("input[type=file]")].map((input) => [input.name, input.files]);

  const forms = () => [...document.querySelectorAll("form[data-once]")];

  // The answer to a refused form takes the place of the old one; files stay chosen.
  const show = (html, action, files) => {
    const answer = new DOMParser().parseFromString(html, "text/html").querySelector("main");
    if (!answer) return false;
    // Focus is moved below; a browser would refuse to do it by itself, and complain.
    for (const one of answer.querySelectorAll("[autofocus]")) one.removeAttribute("autofocus");
    document.querySelector("main").replaceWith(document.importNode(answer, true));
    document.dispatchEvent(new CustomEvent("main-replaced"));
    const form = forms().find((one) => one.action === action);
    for (const [name, list] of files) {
      const input = form?.querySelector(`input[type=file][name="${name}"]`);
      if (input && list.length) input.files = list;
    }
    const news = ["[role=alert]", ".alert", "h1"].map((one) => document.querySelector(`main ${one}`));
    const first = news.find((element) => element !== null);
    first?.setAttribute("tabindex", "-1");
    first?.focus();
    return true;
  };

  const watch = (form) => {
    const button = form.querySelector("button[type=submit]");
    const box = form.querySelector(".upload");
    const [bar, status] = [box.querySelector("progress"), box.querySelector("[role=status]")];
    const label = button.textContent;
    let request = null;

    const stop = (text) => {
      request = null;
      box.hidden = false;
      bar.hidden = true;
      status.textContent = text;
      button.removeAttribute("aria-disabled");
      button.textContent = label;
    };

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (request) return;
      const limit = Number(form.dataset.limit);
      const large = chosen(form).flatMap(([, list]) => [...list]).find((file) => file.size > limit);
      if (large) {
        stop(`${large.name} has ${megabytes(large.size)} MB, and ${megabytes(limit)} MB are taken. Compress it with gzip.`);
        return;
      }
      const files = chosen(form);
      button.setAttribute("aria-disabled", "true");
      button.textContent = "Uploading…";
      box.hidden = bar.hidden = false;
      bar.value = 0;
      status.textContent = "Uploading";
      request = new XMLHttpRequest();
      request.upload.addEventListener("progress", ({ loaded, total }) => {
        bar.value = (100 * loaded) / total;
        // Said in steps, so that a screen reader is not flooded.
        const step = Math.floor((10 * loaded) / total) * 10;
        const text = loaded < total
          ? `Uploading, ${step} % of ${megabytes(total)} MB`
          : "Received. The file is being stored";
        if (status.textContent !== text) status.textContent = text;
      });
      request.addEventListener("load", () => {
        if (request.status === 201) {
          location.assign(JSON.parse(request.responseText).url);
          return;
        }
        if (!show(request.responseText, form.action, files)) {
          stop("The server gave no answer that can be shown. Try again in a minute.");
        }
      });
      request.addEventListener("error", () => {
        stop("The connection broke. Submit again: a file that had arrived is found and not taken twice.");
      });
      request.open("POST", form.action || location.href);
      request.setRequestHeader("X-Upload", "watched");
      request.send(new FormData(form));
    });
  };

  const start = () => {
    for (const form of forms()) watch(form);
  };
  start();
  document.addEventListener("main-replaced", start);
});
