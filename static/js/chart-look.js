// What charts need besides drawing: cards, colours of the theme, labels that do not collide.
(() => {
  const element = (name, css, text = "") => {
    const made = document.createElement(name);
    if (css) made.className = css;
    made.textContent = text;
    return made;
  };

  // The card of a point: its name beside the mark of its series, facts, perhaps a warning.
  const cardOf = (point, mark) => {
    const card = element("div", "hovercard");
    const head = element("p", "head");
    if (mark) head.append(mark.cloneNode(true));
    head.append(element("b", "", point.name), element("span", "", point.measure));
    const facts = element("dl", "");
    for (const [label, text] of point.card) {
      const line = element("div", "");
      line.append(element("dt", "", label), element("dd", "", text));
      facts.append(line);
    }
    card.append(head, facts);
    if (point.note) card.append(element("p", "note", point.note));
    return card;
  };

  // A copy of a figure in which every colour is what the stylesheet says now.
  const painted = (figure, probe, scheme) => {
    const known = new Map();
    probe.style.colorScheme = scheme;
    const look = (value) => {
      if (typeof value !== "string" || !value.startsWith("var(--")) return value;
      if (!known.has(value)) {
        probe.style.color = value;
        known.set(value, getComputedStyle(probe).color);
      }
      return known.get(value);
    };
    const walk = (node, isColour) => {
      if (Array.isArray(node)) return node.map((one) => walk(one, isColour));
      if (node === null || typeof node !== "object") return isColour ? look(node) : node;
      return Object.fromEntries(
        Object.entries(node).map(([key, one]) => [key, walk(one, /color$/.test(key))])
      );
    };
    return walk(figure, false);
  };

  // The labels of a trace that are in nobody's way; ``taken`` holds the boxes of those before.
  const thinned = (texts, spots, taken) =>
    texts.map((text, place) => {
      const spot = spots[place];
      if (!text || !spot) return "";
      const [x, y] = [spot[0] + 6, spot[1] - 19];
      const box = [x, y, x + 7 * text.length, y + 14];
      const hits = (one) => box[0] < one[2] && one[0] < box[2] && box[1] < one[3] && one[1] < box[3];
      if (taken.some(hits)) return "";
      taken.push(box);
      return text;
    });

  // What a chart shows stands in the address, so that a link to it can be sent to others.
  const keepChoice = (chosen) => {
    const address = new URL(location.href);
    for (const [name, value] of Object.entries(chosen)) {
      if (value) address.searchParams.set(`chart-${name}`, value);
      else address.searchParams.delete(`chart-${name}`);
    }
    history.replaceState(history.state, "", address);
  };

  // The choice of the address, as far as some point has it.
  const choiceOf = (points) => {
    const asked = new URL(location.href).searchParams;
    const found = {};
    for (const name of ["family", "measure"]) {
      const value = asked.get(`chart-${name}`);
      if (value && points.some((one) => one[name] === value)) found[name] = value;
    }
    return found;
  };

  window.chartLook = { cardOf, choiceOf, element, keepChoice, painted, thinned };
})();
