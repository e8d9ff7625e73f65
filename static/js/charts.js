// Draws the figures of a page with Plotly. Each figure is JSON in the page; its colours are names
// of the stylesheet (var(--c1)), read here as they look in the theme at hand.
(() => {
  const source = document.currentScript.dataset.plotly;
  const NARROW = 560;
  const FAINT = 0.28;
  const TICK = 13; // pixels that the name of a topic needs, on its side
  const CAPTION = 84; // pixels that "Region 3" needs beside the gutter of the arrowheads
  const charts = [];

  let loading;
  const plotly = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = source;
      script.onload = () => resolve(window.Plotly);
      script.onerror = reject;
      document.head.append(script);
    }));

  const { cardOf, choiceOf, element, keepChoice, painted, thinned } = window.chartLook;

  class Chart {
    constructor(box) {
      this.box = box;
      this.figure = JSON.parse(document.getElementById(box.dataset.figure).textContent);
      this.points = this.figure.points;
      this.section = box.closest("section") ?? box.parentElement;
      this.chosen = { family: "", measure: "" };
      this.at = this.places();
      this.picked = [];
      this.plot = element("div", "plot");
      this.plot.tabIndex = 0;
      this.plot.setAttribute("role", "application");
      this.plot.setAttribute("aria-label", box.dataset.label);
      this.over = element("div", "over");
      this.spoken = element("p", "vh");
      this.spoken.setAttribute("role", "status");
      this.probe = element("i", "probe");
      box.replaceChildren(this.plot, this.over, this.spoken, this.probe);
      this.keys();
      this.filters();
      new ResizeObserver(() => this.box.clientWidth !== this.width && this.draw()).observe(box);
    }

    // Where each point is drawn: arrowheads stand at the edge, not where the numbers lie.
    places() {
      const found = new Map();
      for (const trace of this.figure.data) {
        trace.customdata.forEach((index, place) => {
          if (index !== null) found.set(index, [trace.x[place], trace.y[place]]);
        });
      }
      return found;
    }

    isShown(index) {
      const { measure } = this.chosen;
      return this.at.has(index) && (!measure || this.points[index].measure === measure);
    }

    // The highlighted family stands out: its line gets labels, all else is faint.
    traces() {
      const { family, measure } = this.chosen;
      const below = [];
      const above = [];
      for (const trace of this.figure.data) {
        if (measure && trace.meta.measure !== measure) continue;
        if (!family) {
          above.push(trace);
          continue;
        }
        const own = trace.customdata.map((one) => one !== null && this.points[one].family === family);
        if (trace.meta.part === "outside") {
          const opacity = own.map((is) => (is ? 1 : FAINT));
          above.push({ ...trace, marker: { ...trace.marker, opacity } });
          continue;
        }
        const part = (wanted, more) => {
          const keep = (values) => values.map((one, place) => (own[place] === wanted ? one : null));
          return { ...trace, x: keep(trace.x), y: keep(trace.y), ...more };
        };
        below.push(part(false, { opacity: FAINT }));
        above.push(part(true, { mode: "lines+markers+text" }));
      }
      return [...below, ...this.labelled(above)];
    }

    // The last pair of a family is named first, the nearest to the target only if there is room.
    labelled(traces) {
      const taken = [];
      const { annotations = [], xaxis, yaxis } = this.frame();
      for (const { name, x, y, text } of annotations) {
        if (name !== "target") continue;
        const [left, top] = this.spot([x, y], xaxis.range, yaxis.range);
        taken.push([left - 12, top - 28, left + 10 + 7 * text.length, top + 8]);
      }
      return traces.map((trace) => {
        if (!trace.mode?.endsWith("text")) return trace;
        const at = (place) =>
          trace.x[place] === null
            ? null
            : this.spot([trace.x[place], trace.y[place]], xaxis.range, yaxis.range);
        const order = [...trace.text.keys()].reverse();
        const kept = thinned(order.map((one) => trace.text[one]), order.map(at), taken);
        return { ...trace, text: kept.reverse() };
      });
    }

    // Left of 0 there may be no room for more than the number of a region.
    named(annotations, [low, high], room) {
      if ((-low / (high - low)) * room >= CAPTION) return annotations;
      return annotations.map((one) =>
        /^region [23]$/.test(one.name) ? { ...one, text: one.name.slice(-1) } : one
      );
    }

    frame() {
      const given = this.figure.layout;
      const isNarrow = this.width < NARROW;
      const layout = {
        ...given,
        width: this.width,
        height: this.height,
        uirevision: "same",
        dragmode: isNarrow || matchMedia("(pointer: coarse)").matches ? false : "zoom",
      };
      if (isNarrow && given.meta) {
        const { margin, titles } = given.meta.narrow;
        layout.margin = margin;
        layout.annotations = given.annotations.filter((one) => !one.name.startsWith("reading"));
        layout.annotations = layout.annotations.map((one) =>
          one.name.startsWith("region") ? { ...one, yshift: one.y ? -4 : 16 } : one
        );
        for (const [name, text] of Object.entries(titles)) {
          layout[name] = { ...given[name], title: { ...given[name].title, text } };
        }
      }
      const room = this.width - layout.margin.l - layout.margin.r;
      if (layout.annotations) layout.annotations = this.named(layout.annotations, given.xaxis.range, room);
      const { tickvals } = given.xaxis;
      if (tickvals) {
        const step = Math.ceil((tickvals.length * TICK) / room);
        const kept = (values) => values.filter((_, place) => place % step === 0);
        layout.xaxis = { ...given.xaxis, tickvals: kept(tickvals), ticktext: kept(given.xaxis.ticktext) };
      }
      return layout;
    }

    async draw(scheme = "") {
      const Plotly = await plotly();
      this.width = this.box.clientWidth;
      this.height = this.box.clientHeight;
      if (!this.width) return;
      const figure = { data: this.traces(), layout: this.frame() };
      const { data, layout } = painted(figure, this.probe, scheme);
      Plotly.react(this.plot, data, layout, this.figure.config);
      if (!this.isListening) this.listen();
      this.show(this.picked);
    }

    listen() {
      this.isListening = true;
      this.plot.on("plotly_hover", (event) => this.pick([event.points[0].customdata]));
      this.plot.on("plotly_unhover", () => this.pick([]));
      this.plot.on("plotly_relayout", () => this.pick([]));
      this.plot.on("plotly_click", (event) => {
        const { href } = this.points[event.points[0].customdata];
        if (href && matchMedia("(pointer: fine)").matches) location.assign(href);
      });
    }

    keys() {
      this.plot.addEventListener("keydown", (event) => {
        if (event.target !== this.plot) return;
        const { family } = this.chosen;
        const order = [...this.points.keys()].filter(
          (one) => this.isShown(one) && (!family || this.points[one].family === family)
        );
        const here = order.indexOf(this.picked[0]);
        const steps = {
          ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1,
          Home: 0, End: order.length - 1,
        };
        if (event.key in steps) {
          event.preventDefault();
          const next = order.at(steps[event.key] % order.length);
          this.pick([next]);
          this.say(this.points[next]);
        } else if (event.key === "Escape") {
          this.pick([]);
        } else if (event.key === "Enter" && this.points[this.picked[0]]?.href) {
          location.assign(this.points[this.picked[0]].href);
        }
      });
      this.plot.addEventListener("blur", () => this.pick([]));
    }

    say(point) {
      const facts = point.card.map(([label, text]) => `${label} ${text}`).join(", ");
      this.spoken.textContent = `${point.name}, ${point.measure}: ${facts}. ${point.note ?? ""}`;
    }

    // Marks points here and their rows in the tables; the card is that of the first one.
    pick(indexes, isFromRow = false) {
      this.picked = indexes.filter((one) => this.isShown(one));
      this.isFromRow = isFromRow;
      this.show(this.picked);
      for (const row of document.querySelectorAll("tr.lit")) row.classList.remove("lit");
      for (const one of this.picked) {
        this.section.querySelector(`tr[data-point="${one}"]`)?.classList.add("lit");
      }
      const pairs = new Set(this.picked.map((one) => this.points[one].href));
      for (const row of document.querySelectorAll(".board tbody tr")) {
        if (pairs.has(row.querySelector("th a")?.getAttribute("href"))) row.classList.add("lit");
      }
    }

    spot([x, y], [left, right], [low, high]) {
      const { margin } = this.frame();
      return [
        margin.l + ((x - left) / (right - left)) * (this.width - margin.l - margin.r),
        margin.t + ((high - y) / (high - low)) * (this.height - margin.t - margin.b),
      ];
    }

    // The place of a point in pixels, or null while it is not in sight.
    pixel(index) {
      if (!this.plot.layout) return null; // not drawn yet: the drawing shows what is picked
      const { xaxis, yaxis } = this.plot.layout;
      const [x, y] = this.at.get(index);
      const isIn = (value, [low, high]) => low <= value && value <= high;
      if (!isIn(x, xaxis.range) || !isIn(y, yaxis.range)) return null;
      return this.spot([x, y], xaxis.range, yaxis.range);
    }

    show(indexes) {
      this.over.replaceChildren();
      const spots = indexes.map((one) => [one, this.pixel(one)]).filter(([, spot]) => spot);
      for (const [, [x, y]] of spots) {
        const ring = element("span", "ring");
        ring.style.left = `${x}px`;
        ring.style.top = `${y}px`;
        this.over.append(ring);
      }
      if (spots.length === 1 || (spots.length && !this.isFromRow)) this.open(...spots[0]);
    }

    open(index, [x, y]) {
      const point = this.points[index];
      const mark = point.css && this.section.querySelector(`.key .mark.${point.css}`);
      const card = cardOf(point, mark);
      this.over.append(card);
      const { offsetWidth: width, offsetHeight: height } = card;
      const right = x + 16 + width <= this.width ? x + 16 : x - 16 - width;
      card.style.left = `${Math.max(0, right)}px`;
      card.style.top = `${Math.max(0, Math.min(y + 12, this.height - height - 4))}px`;
    }

    filters() {
      const bar = this.section.querySelector(".chart-filters");
      if (!bar) return;
      bar.hidden = false;
      this.hasFilters = true;
      const list = bar.querySelector("select");
      const take = (name, value) => {
        this.chosen[name] = value;
        for (const one of bar.querySelectorAll(`button[data-${name}]`)) {
          one.setAttribute("aria-pressed", one.dataset[name] === value);
        }
        if (list && name === "family") list.value = value;
        for (const row of this.section.querySelectorAll("tr[data-point]")) {
          const { measure } = this.chosen;
          row.hidden = measure !== "" && this.points[row.dataset.point].measure !== measure;
        }
      };
      const choose = (name, value) => {
        take(name, value);
        keepChoice(this.chosen);
        this.pick([]);
        this.draw();
      };
      for (const [name, value] of Object.entries(choiceOf(this.points))) take(name, value);
      bar.addEventListener("click", ({ target }) => {
        if (target.dataset.measure !== undefined) choose("measure", target.dataset.measure);
        if (target.dataset.family !== undefined) choose("family", target.dataset.family);
      });
      list?.addEventListener("change", ({ target }) => {
        choose("family", target.value);
      });
    }

    // The points of a row: one in the chart's own table, those of a pair on the board.
    of(row) {
      if (row.dataset.point && this.section.contains(row)) return [Number(row.dataset.point)];
      const href = row.closest(".board") && row.querySelector("th a")?.getAttribute("href");
      if (!href) return [];
      return [...this.points.keys()].filter((one) => this.points[one].href === href);
    }
  }

  const start = () => {
    for (const box of document.querySelectorAll(".plotly-chart:not([data-drawn])")) {
      box.dataset.drawn = "yes";
      const chart = new Chart(box);
      charts.push(chart);
      chart.draw();
    }
  };
  const all = (scheme) => {
    for (const chart of charts) if (chart.box.isConnected) chart.draw(scheme);
  };
  const follow = (type, isOver) =>
    document.addEventListener(type, ({ target }) => {
      const row = target.closest?.("tbody tr");
      for (const chart of charts) {
        const indexes = row ? chart.of(row) : [];
        if (isOver && indexes.length) chart.pick(indexes, true);
        else if (chart.isFollowing) chart.pick([]);
        chart.isFollowing = isOver && indexes.length > 0;
      }
    });

  follow("pointerover", true);
  follow("focusin", true);
  follow("focusout", false);
  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("htmx:afterSwap", start);
  // The board's own links know nothing of the chart: its choice goes back into their address.
  document.addEventListener("htmx:replacedInHistory", () => {
    const chart = charts.find((one) => one.hasFilters && one.box.isConnected);
    if (chart) keepChoice(chart.chosen);
  });
  document.addEventListener("click", ({ target }) => {
    const name = target.closest?.('a[href^="#"]')?.getAttribute("href").slice(1);
    const box = name && document.getElementById(name);
    if (box?.tagName === "DETAILS") box.open = true;
  });
  new MutationObserver(() => all("")).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => all(""));
  addEventListener("beforeprint", () => all("light"));
  addEventListener("afterprint", () => all(""));
})();
