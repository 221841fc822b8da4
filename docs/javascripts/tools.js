/**
 * The tools under the player, loaded when one is first used: embed code, keys, a plate as SVG.
 *
 * A plate is saved as it stands: every mark and text that is shown, in its place, with its colour
 * resolved; nothing in the file needs a style sheet, a font of ours or a network. Classic script.
 */
(() => {
  "use strict";

  const ASSETS = new URL("../assets/", document.currentScript.src).href;
  const SVG = "http://www.w3.org/2000/svg";

  // Embed code ------------------------------------------------------------------------------------

  /** The address of the player alone; from disk a relative one, which a page beside it can use. */
  function embedAddress(address) {
    const here = location.protocol === "file:" ? "index.html" : location.origin + location.pathname;
    return `${here}?embed=1${address ? `#${address}` : ""}`;
  }

  async function copyEmbed(player, address, control) {
    const height = Math.ceil(player.getBoundingClientRect().height / 10) * 10;
    const source = embedAddress(address).replaceAll("&", "&amp;");
    const code =
      `<iframe src="${source}" title="Self-attention in a Vision Transformer" width="100%" ` +
      `height="${height}" style="border:0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`;
    try {
      await navigator.clipboard.writeText(code);
      player.tell(`The embed code is copied. It shows the player alone, in this state.${player.stays}`, control);
    } catch {
      player.tell(`The embed code: ${code}`, control);
    }
  }

  // Keys ------------------------------------------------------------------------------------------

  function showKeys(player) {
    player.querySelector("template.va-keys-drawn")?.replaceWith(
      player.querySelector("template.va-keys-drawn").content,
    );
    const dialog = player.querySelector(".va-keys");
    if (!dialog.open) dialog.showModal();
  }

  // A plate as SVG: small things ------------------------------------------------------------------

  const round = (number) => String(Math.round(number * 100) / 100);

  /** An SVG element as text. */
  function tag(name, attributes, ...children) {
    const written = Object.entries(attributes)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([key, value]) => ` ${key}="${escape(String(value))}"`)
      .join("");
    const inside = children.join("");
    return inside ? `<${name}${written}>${inside}</${name}>` : `<${name}${written}/>`;
  }

  const escape = (text) =>
    text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colours = new Map();

  /** A colour as the browser computes it: [#rrggbb, opacity]. */
  function colourOf(text) {
    if (!colours.has(text)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = "transparent";
      brush.fillStyle = text;
      brush.fillRect(0, 0, 1, 1);
      const [r, g, b, alpha] = brush.getImageData(0, 0, 1, 1).data;
      const hex = [r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("");
      colours.set(text, [`#${hex}`, alpha / 255]);
    }
    return colours.get(text);
  }

  /** fill="#…" and, where it is not solid, fill-opacity. */
  function paint(name, text, opacity = 1) {
    if (text === "none") return { [name]: "none" };
    const [hex, alpha] = colourOf(text);
    const solid = alpha * Number(opacity);
    if (solid === 0) return { [name]: "none" };
    return solid < 1 ? { [name]: hex, [`${name}-opacity`]: round(solid) } : { [name]: hex };
  }

  const fontOf = ({ fontStyle, fontWeight, fontSize, fontFamily }) => ({
    "font-family": fontFamily.replaceAll('"', "'"),
    "font-size": round(parseFloat(fontSize)),
    "font-weight": fontWeight === "400" ? undefined : fontWeight,
    "font-style": fontStyle === "normal" ? undefined : fontStyle,
  });

  // A plate as SVG: marks that are SVG already ----------------------------------------------------

  const SHAPE = [
    ...["x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "x2", "y1", "y2", "dx", "dy"],
    ...["d", "points", "viewBox", "preserveAspectRatio", "fill-rule"],
  ];

  // The name of the value that a mark shows stays on it, so that a file can be read back.
  const NAMES = ["data-v", "data-d", "data-x", "data-w", "data-t", "data-level", "data-token"];

  /** The names that a mark has, and its group's: a part of the unit bar is named by its key. */
  function namesOf(element) {
    return Object.fromEntries(
      NAMES.filter((name) => element.hasAttribute(name)).map((name) => [name, element.getAttribute(name)]),
    );
  }

  /** A length of the style sheet, px and % added up, in pixels. */
  function lengthOf(text, whole) {
    const terms = [...text.replace(/([+-]) /g, "$1").matchAll(/([+-]?[\d.]+(?:e[+-]?\d+)?)(px|%)?/g)];
    return terms.reduce((sum, [, number, unit]) => sum + Number(number) * (unit === "%" ? whole / 100 : 1), 0);
  }

  /** Where a mark has been moved, turned and grown to: its four transform properties, or null. */
  function movementOf({ translate, rotate, scale, transform }, { width, height }) {
    if ([translate, rotate, scale, transform].every((value) => value === "none")) return null;
    const [across, down = "0px"] = translate === "none" ? ["0px"] : translate.match(/calc\([^)]*\)|\S+/g);
    const [wide, high = wide] = scale === "none" ? [1] : scale.split(" ").map(Number);
    return new DOMMatrix()
      .translate(lengthOf(across, width), lengthOf(down, height))
      .rotate(rotate === "none" ? 0 : parseFloat(rotate))
      .scale(wide, high)
      .multiply(new DOMMatrix(transform));
  }

  /** The transform of an element, as the style sheet, the film or its attribute gives it, in its own units. */
  function transformOf(element, style) {
    const fills = style.transformBox === "fill-box";
    const { width: viewWidth, height: viewHeight } = element.ownerSVGElement.viewBox.baseVal ?? {};
    const view = viewWidth
      ? { width: viewWidth, height: viewHeight }
      : { width: element.ownerSVGElement.width.baseVal.value, height: element.ownerSVGElement.height.baseVal.value };
    const box = fills ? element.getBBox() : { x: 0, y: 0, ...view };
    const movement = movementOf(style, box);
    if (!movement) return undefined;
    const [across, down] = style.transformOrigin.split(" ").map(parseFloat);
    const [x, y] = [box.x + across, box.y + down];
    const { a, b, c, d, e, f } = movement;
    const matrix = [a, b, c, d, e + x - a * x - c * y, f + y - b * x - d * y];
    return `matrix(${matrix.map((number) => String(Math.round(number * 1e5) / 1e5)).join(" ")})`;
  }

  /** A filter of the style sheet as an SVG filter, which other programs know too. */
  function filterOf(text, definitions) {
    if (text === "none") return undefined;
    const name = `filter-${[...definitions.keys()].indexOf(text) + 1 || definitions.size + 1}`;
    if (!definitions.has(text)) {
      const steps = [...text.matchAll(/(\w+)\(([\d.]+)\)/g)].map(([, kind, amount]) => {
        if (kind === "grayscale") return tag("feColorMatrix", { type: "saturate", values: 1 - amount });
        const line = kind === "contrast" ? { slope: amount, intercept: 0.5 - amount / 2 } : { slope: amount };
        const parts = ["R", "G", "B"].map((part) => tag(`feFunc${part}`, { type: "linear", ...line }));
        return tag("feComponentTransfer", {}, ...parts);
      });
      const box = { x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" };
      definitions.set(text, tag("filter", { id: name, ...box }, ...steps));
    }
    return `url(#${name})`;
  }

  /** One mark with all that is in it, as text. */
  function copied(element, definitions) {
    if (element.nodeType === Node.TEXT_NODE) return escape(element.data);
    if (element.nodeType !== Node.ELEMENT_NODE || element.localName === "defs") return "";
    if (element.namespaceURI !== SVG) return escape(element.textContent); // a translator's
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return "";
    const name = element.localName;
    const attributes = namesOf(element);
    for (const key of SHAPE) if (element.hasAttribute(key)) attributes[key] = element.getAttribute(key);
    const group = {
      transform: transformOf(element, style),
      opacity: style.opacity === "1" ? undefined : style.opacity,
      filter: filterOf(style.filter, definitions),
    };
    if (name === "use") {
      return tag("use", { ...attributes, href: "#photograph", ...group });
    }
    if (name !== "g" && name !== "svg") {
      Object.assign(attributes, paint("fill", style.fill, style.fillOpacity));
      if (style.stroke !== "none") Object.assign(attributes, strokeOf(style));
    }
    if (name === "text" || name === "tspan") {
      Object.assign(attributes, fontOf(style));
      if (style.textAnchor !== "start") attributes["text-anchor"] = style.textAnchor;
      if (style.paintOrder !== "normal") attributes["paint-order"] = style.paintOrder;
    }
    const inside = [...element.childNodes].map((child) => copied(child, definitions)).join("");
    if (name === "svg") {
      if (style.overflow === "visible") attributes.overflow = "visible";
      const whole = tag("svg", attributes, inside);
      return Object.values(group).some(Boolean) ? tag("g", group, whole) : whole;
    }
    if (name === "g" && inside === "") return "";
    return tag(name, { ...attributes, ...group }, inside);
  }

  function strokeOf(style) {
    const dashes = style.strokeDasharray;
    return {
      ...paint("stroke", style.stroke, style.strokeOpacity),
      "stroke-width": round(parseFloat(style.strokeWidth)),
      "stroke-dasharray": dashes === "none" ? undefined : dashes.replaceAll("px", ""),
      "stroke-dashoffset": parseFloat(style.strokeDashoffset) || undefined,
      "vector-effect": style.vectorEffect === "none" ? undefined : style.vectorEffect,
    };
  }

  // A plate as SVG: words and boxes ---------------------------------------------------------------

  /** The lines of a text as they are broken: words, and where they stand on the page. */
  function linesOf(node) {
    const range = document.createRange();
    const lines = [];
    for (const found of node.data.matchAll(/[^\s]+/g)) {
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      const line = lines.at(-1);
      if (line && Math.abs(line.top - box.top) < 2 && box.left >= line.right - 1) {
        Object.assign(line, { words: `${line.words} ${found[0]}`, right: box.right });
      } else {
        const { left, right, top, height } = box;
        lines.push({ words: found[0], left, right, top, height });
      }
    }
    return lines;
  }

  /** Where the line of writing lies below the top of a text's box. */
  function baselineOf(style, height) {
    brush.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = brush.measureText("x");
    return (height * above) / (above + below);
  }

  const SERIF = { "font-family": "Georgia, 'Times New Roman', serif" };

  function wordsOf(node, style, { x, y }) {
    const letter = node.parentElement.localName === "mi" && node.data.trim().length === 1;
    const inFormula = node.parentElement.namespaceURI.includes("MathML");
    return linesOf(node)
      .map(({ words, left, right, top, height }) =>
        tag(
          "text",
          {
            ...namesOf(node.parentElement),
            x: round(left - x),
            y: round(top - y + baselineOf(style, height)),
            textLength: round(right - left),
            lengthAdjust: "spacingAndGlyphs",
            ...paint("fill", style.color),
            ...fontOf(style),
            ...(inFormula ? { ...SERIF, "font-style": letter ? "italic" : undefined } : {}),
          },
          escape(words),
        ),
      )
      .join("");
  }

  /** What a box itself shows: its ground, a gradient, the lines at its sides. */
  function boxOf(element, style, { x, y }, definitions) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const place = { x: round(left - x), y: round(top - y), width: round(width), height: round(height) };
    const marks = [];
    const ground = paint("fill", style.backgroundColor);
    if (ground.fill !== "none") marks.push(tag("rect", { ...place, ...ground }));
    const ramp = /^linear-gradient\(90deg, (.*)\)$/.exec(style.backgroundImage);
    if (ramp) {
      const stops = ramp[1].match(/\w+\([^)]*\)/g);
      const at = (n) => ({ offset: round(n / (stops.length - 1)), "stop-color": colourOf(stops[n])[0] });
      const gradient = tag("linearGradient", { id: "ramp" }, ...stops.map((_, n) => tag("stop", at(n))));
      definitions.set("ramp", gradient);
      marks.push(tag("rect", { ...place, fill: "url(#ramp)" }));
    }
    const [right, bottom] = [left + width, top + height];
    const sides = { Top: [left, top, right, top], Bottom: [left, bottom, right, bottom] };
    Object.assign(sides, { Left: [left, top, left, bottom], Right: [right, top, right, bottom] });
    for (const [side, [x1, y1, x2, y2]] of Object.entries(sides)) {
      const thick = parseFloat(style[`border${side}Width`]);
      if (!thick || style[`border${side}Style`] === "none") continue;
      const line = { x1: round(x1 - x), y1: round(y1 - y), x2: round(x2 - x), y2: round(y2 - y) };
      marks.push(tag("line", { ...line, ...paint("stroke", style[`border${side}Color`]), "stroke-width": thick }));
    }
    const outline = parseFloat(style.outlineWidth);
    if (outline && style.outlineStyle === "solid" && element.localName === "i") {
      marks.push(tag("rect", { ...place, fill: "none", ...paint("stroke", style.outlineColor), "stroke-width": outline }));
    }
    return marks.join("");
  }

  /** The bar of a fraction, the hook of a root: what a formula draws besides its letters. */
  function formulaMarks(element, style, { x, y }) {
    const stroke = { fill: "none", ...paint("stroke", style.color), "stroke-width": 1.2 };
    const box = element.getBoundingClientRect();
    const [left, right] = [box.left - x, box.right - x].map((edge) => Math.round(edge * 100) / 100);
    if (element.localName === "mfrac") {
      const [above, below] = [...element.children].map((part) => part.getBoundingClientRect());
      const middle = round((above.bottom + below.top) / 2 - y);
      return tag("path", { d: `M${left} ${middle}H${right}`, ...stroke });
    }
    if (element.localName !== "msqrt") return "";
    const inner = element.firstElementChild.getBoundingClientRect().left - x;
    const [top, foot] = [box.top - y + 1, box.bottom - y];
    const hook = [inner - 7, foot - (foot - top) * 0.4, inner - 4, foot, inner - 1, top].map(round);
    return tag("path", { d: `M${hook[0]} ${hook[1]}L${hook[2]} ${hook[3]}L${hook[4]} ${hook[5]}H${right}`, ...stroke });
  }

  /** Everything that is shown of an element, moved so that `from` is at 0, 0. */
  function shown(element, from, definitions) {
    if (element.matches(".va-unseen, [data-action], script, template")) return "";
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return "";
    const solid = (inside) => (style.opacity === "1" || inside === "" ? inside : tag("g", { opacity: style.opacity }, inside));
    if (element.localName === "svg") {
      const { left, top, width } = element.getBoundingClientRect();
      const [wide, high] = [style.width, style.height].map(parseFloat); // before the film has grown it
      // A browser puts a drawing on whole pixels of the screen; the file does so too.
      const snapped = (edge, start) => round(Math.round(edge) - Math.round(start));
      const place = { x: snapped(left, from.x), y: snapped(top, from.y), width: round(wide), height: round(high) };
      const view = Object.fromEntries(
        ["viewBox", "preserveAspectRatio"].map((name) => [name, element.getAttribute(name)]),
      );
      const inside = [...element.children].map((child) => copied(child, definitions)).join("");
      const overflow = style.overflow === "visible" ? "visible" : undefined;
      const ground = paint("fill", style.backgroundColor);
      const under = ground.fill === "none" ? "" : tag("rect", { ...place, ...ground });
      const drawn = under + tag("svg", { ...place, ...view, overflow }, inside);
      const growth = wide > 0 ? width / wide : 1;
      if (Math.abs(growth - 1) < 0.002) return solid(drawn);
      const grow = `translate(${place.x} ${place.y}) scale(${growth.toFixed(4)}) translate(${-place.x} ${-place.y})`;
      return solid(tag("g", { transform: grow }, drawn));
    }
    const parts = [boxOf(element, style, from, definitions), formulaMarks(element, style, from)];
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) parts.push(wordsOf(child, style, from));
      else if (child.nodeType === Node.ELEMENT_NODE) parts.push(shown(child, from, definitions));
    }
    return solid(parts.join(""));
  }

  // A plate as SVG: the file ----------------------------------------------------------------------

  /** The photograph as a data address, or null where it cannot be had. */
  async function photographOf(photo) {
    if (photo === "own") return window.vitattn.photos.own.url;
    if (!window.vitattn.pictures?.[photo]) {
      await new Promise((done) => {
        const script = document.createElement("script");
        Object.assign(script, { src: `${ASSETS}picture-${photo}.js`, onload: done, onerror: done });
        document.head.append(script);
      });
    }
    return window.vitattn.pictures?.[photo] ?? null;
  }

  const MARGIN = 16;
  const CREDIT =
    "Self-attention in Vision Transformers. Teaching weights, set by hand. Figure: the vitattn contributors, CC BY 4.0.";

  /** The plate that is shown, with photograph, arithmetic line and readouts, as the text of a file. */
  function plateOf(player, photograph) {
    const definitions = new Map();
    const [scene, readouts] = [".va-scene", ".va-readouts"].map((part) => player.querySelector(part));
    const width = scene.getBoundingClientRect().width + 2 * MARGIN;
    let height = MARGIN;
    const blocks = [scene, readouts].map((block) => {
      const { left, top, height: own } = block.getBoundingClientRect();
      const drawn = shown(block, { x: left - MARGIN, y: top - height }, definitions);
      height += own + 8;
      return drawn;
    });
    const style = getComputedStyle(player);
    const quiet = getComputedStyle(player.querySelector(".va-readouts"));
    const credit = { x: MARGIN, y: round(height + 14), "font-size": 11, ...paint("fill", quiet.color) };
    blocks.push(tag("text", { ...credit, "font-family": "sans-serif" }, CREDIT));
    height += 14 + MARGIN;
    const page = paint("fill", getComputedStyle(document.body).backgroundColor);
    const image = { id: "photograph", width: 224, height: 224, href: photograph };
    const size = { width: round(width), height: round(height) };
    return tag(
      "svg",
      { xmlns: SVG, ...size, viewBox: `0 0 ${size.width} ${size.height}`, "font-family": style.fontFamily.replaceAll('"', "'") },
      tag("title", {}, escape(titleOf(player))),
      tag("defs", {}, tag(photograph ? "image" : "g", photograph ? image : { id: "photograph" }), ...definitions.values()),
      tag("rect", { ...size, ...(page.fill === "none" ? { fill: "#ffffff" } : page) }),
      ...blocks,
    );
  }

  function titleOf(player) {
    const { stage } = player.state;
    const said = player.querySelector(`.va-plate[id$="stage-${stage}"] .va-say`);
    return `${window.vitattn.player.stages[stage]}. ${said.textContent}`;
  }

  /** What tells this state from the default, in a file's name. */
  function nameOf({ photo, stage, query, head, ...others }) {
    const { defaults } = window.vitattn.player;
    const more = Object.entries(others)
      .filter(([name, value]) => value !== defaults[name] && !["at", "speed"].includes(name))
      .map(([name, value]) => `${name}-${value}`);
    return ["vitattn", photo, stage, query, `head-${head}`, ...more].join("_").replace(/[^\w.-]/g, "-") + ".svg";
  }

  async function savePlate(player, address, control) {
    const picture = photographOf(player.state.photo);
    const photograph = await window.vitattn.element.awaited(picture, player, "The photograph", control);
    player.classList.add("is-saving"); // what sticks to the screen goes back to its place
    const plate = plateOf(player, photograph);
    player.classList.remove("is-saving");
    const file = new Blob([plate], { type: "image/svg+xml" });
    const link = document.createElement("a");
    Object.assign(link, { href: URL.createObjectURL(file), download: nameOf(player.state) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    const lacking = photograph ? "" : " The photograph could not be loaded and is left out.";
    player.tell(`Saved: ${link.download}.${lacking}`, control);
  }

  window.vitattn.tools = { "copy-embed": copyEmbed, "save-plate": savePlate, "show-keys": showKeys };
})();
