// Every visible text and mark inside an element: see seen.py.
(root, [selectors]) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = "rgba(0,0,0,0)";
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    return [...brush.getImageData(0, 0, 1, 1).data];
  };
  // What an element has of the elements around it is asked once for all that stands in them.
  const once = (ask) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, ask(element));
      return known.get(element);
    };
  };
  const opacity = once((element) => (element ? getComputedStyle(element).opacity * opacity(element.parentElement) : 1));
  // In a drawing checkVisibility knows nothing of groups that are not displayed.
  const displayed = once(
    (element) => !element || (getComputedStyle(element).display !== "none" && displayed(element.parentElement)),
  );
  const visible = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest(".va-unseen, .va-heard") &&
    (!(element instanceof SVGElement) || displayed(element));
  const clips = once((element) => {
    if (!element || element === document.body) return [];
    const style = getComputedStyle(element);
    const outer = clips(element.parentElement);
    if (element instanceof SVGElement || (style.overflowX === "visible" && style.overflowY === "visible")) return outer;
    return [element.getBoundingClientRect(), ...outer];
  });
  // What of a box is left inside the boxes that clip it.
  const left = (box, element) => {
    let [x0, y0, x1, y1] = [box.left, box.top, box.right, box.bottom];
    for (const clip of clips(element)) {
      [x0, y0] = [Math.max(x0, clip.left), Math.max(y0, clip.top)];
      [x1, y1] = [Math.min(x1, clip.right), Math.min(y1, clip.bottom)];
    }
    return [x0 + scrollX, y0 + scrollY, x1 + scrollX, y1 + scrollY];
  };
  const scrolls = once(
    (element) =>
      Boolean(element) &&
      element !== document.body &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement)),
  );
  const name = (element) => `${element.localName}.${element.getAttribute("class") ?? ""}`;
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const unseen = "script, style, noscript, title, desc, template, annotation";
    if (!node.data.trim() || element.closest(unseen)) continue;
    if (!visible(element)) continue;
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement && element.localName !== "foreignObject";
    const colour = rgba(drawn ? style.fill : style.webkitTextFillColor);
    colour[3] *= opacity(element) * (drawn ? style.fillOpacity : 1);
    const haloed = drawn && style.stroke !== "none" && style.paintOrder.startsWith("stroke");
    const scale = drawn ? Math.abs(element.getScreenCTM().a) : 1;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const [x0, y0, x1, y1] = left(box, element);
      if (x1 - x0 < 2 || y1 - y0 < 4) continue;
      texts.push({
        words: node.data.trim().slice(0, 50),
        box: [x0, y0, x1, y1],
        whole: [box.left + scrollX, box.top + scrollY, box.right + scrollX, box.bottom + scrollY],
        scrolls: scrolls(element), // it may stand outside a box that scrolls: it can be reached
        colour,
        halo: haloed ? rgba(style.stroke) : null,
        size: parseFloat(style.fontSize) * scale,
        where: `${name(element)} in ${name(element.parentElement)}`,
      });
    }
  }
  const marks = [];
  for (const selector of selectors) {
    for (const element of root.querySelectorAll(selector)) {
      if (!visible(element)) continue;
      const box = element.getBoundingClientRect();
      const side = element.localName === "rect" ? Math.min : Math.max;
      if (side(box.width, box.height) < 1.5) continue; // a bar of next to nothing
      const around = { left: box.left - 3, top: box.top - 3, right: box.right + 3, bottom: box.bottom + 3 };
      const [x0, y0, x1, y1] = left(around, element);
      if (x1 <= x0 || y1 <= y0) continue;
      const style = getComputedStyle(element);
      const stroked = element.localName === "line" || style.fill === "none";
      const colour = rgba(stroked ? style.stroke : style.fill);
      colour[3] *= opacity(element) * (stroked ? style.strokeOpacity : style.fillOpacity);
      marks.push({ selector, box: [x0, y0, x1, y1], colour, html: element.outerHTML.slice(0, 90) });
    }
  }
  return { texts, marks };
}
