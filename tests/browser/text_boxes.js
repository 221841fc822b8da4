// Every visible text inside an element, its size, and the boxes of its lines: see text_boxes.py.
(root) => {
  const UNSEEN = "script, style, noscript, title, desc, template, annotation, .va-unseen, .va-heard";
  const known = new Map();
  const displayed = (element) => {
    if (!element) return true;
    if (!known.has(element)) {
      const { display, opacity, clipPath, clip } = getComputedStyle(element);
      const gone = display === "none" || opacity === "0" || clipPath === "inset(50%)" || clip === "rect(0px, 0px, 0px, 0px)";
      known.set(element, !gone && displayed(element.parentElement));
    }
    return known.get(element);
  };
  const visible = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && displayed(element);
  // The boxes around an element that cut off what stands outside of them; those that scroll are a way to it.
  const around = new Map();
  const clips = (element) => {
    if (!element || element === document.body) return [];
    if (around.has(element)) return around.get(element);
    const style = getComputedStyle(element);
    const drawing = element instanceof SVGElement;
    const here = [];
    if (style.position === "fixed") {
      around.set(element, here);
      return here;
    }
    const cuts = drawing
      ? element.localName === "svg" && style.overflow !== "visible"
      : style.display !== "inline" && (style.overflowX !== "visible" || style.overflowY !== "visible");
    if (cuts) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const scrolls = [style.overflowX, style.overflowY].map((way) => /auto|scroll/.test(way));
      here.push({ left, top, right, bottom, scrolls });
    }
    const found = [...here, ...clips(element.parentElement)];
    around.set(element, found);
    return found;
  };
  const stuck = new Map();
  const sticks = (element) => {
    if (!element || element === document.body) return false;
    if (!stuck.has(element)) {
      stuck.set(element, /fixed|sticky/.test(getComputedStyle(element).position) || sticks(element.parentElement));
    }
    return stuck.get(element);
  };
  const name = (element) => `${element.localName}.${element.getAttribute("class") ?? ""}`;
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(), n = 0; node; node = walker.nextNode(), n += 1) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest(UNSEEN) || !visible(element)) continue;
    if (element.closest(".md-sidebar--primary")?.getBoundingClientRect().right <= 0) continue; // the drawer, shut
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement;
    const scale = drawn ? Math.abs(element.getScreenCTM().a) : 1;
    const range = document.createRange();
    range.selectNodeContents(node);
    const outer = clips(element);
    const boxes = [];
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 2) continue;
      const cut = { across: 0, down: 0 };
      let [left, top, right, bottom, reached] = [box.left, box.top, box.right, box.bottom, [false, false]];
      for (const clip of outer) {
        // What has scrolled out of sight is no longer a matter for the boxes further out.
        reached = reached.map((yes, way) => yes || clip.scrolls[way]);
        if (!reached[0]) cut.across = Math.max(cut.across, clip.left - left, right - clip.right);
        if (!reached[1]) cut.down = Math.max(cut.down, clip.top - top, bottom - clip.bottom);
        left = Math.max(left, clip.left);
        right = Math.min(right, clip.right);
        top = Math.max(top, clip.top);
        bottom = Math.min(bottom, clip.bottom);
      }
      if (!reached[0]) cut.across = Math.max(cut.across, -box.left, box.right - document.documentElement.clientWidth);
      boxes.push({ box: [left, top + scrollY, right, bottom + scrollY], cut: [cut.across, cut.down] });
    }
    if (!boxes.length) continue;
    texts.push({
      n,
      words: node.data.trim().replace(/\s+/g, " ").slice(0, 40),
      size: parseFloat(style.fontSize) * scale,
      boxes,
      math: Boolean(element.closest("math")),
      sticks: sticks(element),
      where: `${name(element)} in ${name(element.parentElement)} in ${element.closest("[id]")?.id ?? ""}`,
    });
  }
  return { texts, wide: document.documentElement.scrollWidth - document.documentElement.clientWidth };
}
