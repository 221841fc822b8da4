/**
 * What an element of the site has whose state stands in its attributes and in the address: reading
 * and writing both, scripts loaded when they are asked for, marks written where they have changed.
 * Classic script: it works from disk.
 *
 * @typedef {Object<string, string>} State
 * @typedef {{name: string, defaults: State, opens: Object<string, State>,
 *   fault: function(string, string): ?string}} Rules
 *   the element's name in the history; its names and their defaults; what a photograph opens with in
 *   place of some of them; what is wrong with a value
 */
(() => {
  "use strict";

  const MOMENT = 400; // ms that nobody needs to be told of
  const loading = new Map();

  /** Load a classic script once. */
  function load(source) {
    if (!loading.has(source)) {
      const loaded = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = source;
        script.onload = () => resolve();
        script.onerror = () => {
          loading.delete(source);
          script.remove();
          reject(new Error(`${source.split("/").at(-1)} could not be loaded`));
        };
        document.head.append(script);
      });
      loading.set(source, loaded);
    }
    return loading.get(source);
  }

  /** The state that a photograph opens with. */
  const atFirst = ({ defaults, opens }, photo) => ({ ...defaults, photo, ...opens[photo] });

  /** The whole state, where some of it is given. */
  const whole = (rules, given) => ({ ...atFirst(rules, given.photo ?? rules.defaults.photo), ...given });

  /**
   * A change of the state with what belongs to it: a photograph that is chosen opens with its own patch,
   * unless the reader has picked another one than that of the photograph before.
   */
  function withOpening(rules, change, before) {
    if (!Object.hasOwn(change, "photo") || change.photo === before.photo) return change;
    const [old, opened] = [before.photo, change.photo].map((photo) => atFirst(rules, photo));
    const follows = Object.keys(rules.opens[rules.defaults.photo]).filter((name) => before[name] === old[name]);
    return { ...Object.fromEntries(follows.map((name) => [name, opened[name]])), ...change };
  }

  /** The state in an address, or what is wrong with it. */
  function readAddress(hash, rules) {
    const { defaults, fault } = rules;
    const state = {};
    if (!hash.includes("=")) return { state: whole(rules, state) };
    const seen = new Set();
    for (const part of hash.replace(/^#/, "").split("&")) {
      const [name, value] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
      let words;
      try {
        words = decodeURIComponent(value);
      } catch {
        return { state: { ...defaults }, wrong: "part of it cannot be read" };
      }
      const known = part.includes("=") && Object.hasOwn(defaults, name) && !seen.has(name);
      const wrong = known ? fault(name, words) : "it has a name that is unknown or stands twice";
      if (wrong) return { state: { ...defaults }, wrong };
      seen.add(name);
      state[name] = words;
    }
    return { state: whole(rules, state) };
  }

  /** The address of a state: what is as its photograph opens with is left out. */
  function writeAddress(state, rules) {
    const opened = { ...atFirst(rules, state.photo), photo: rules.defaults.photo };
    const parts = Object.keys(rules.defaults).filter((name) => state[name] !== opened[name]);
    return parts.map((name) => `${name}=${encodeURIComponent(state[name]).replace(/%2C/g, ",")}`).join("&");
  }

  /** The state that the markup's attributes give, and what is wrong with one of them. */
  function asWritten(element, rules) {
    const { defaults, fault } = rules;
    const state = {};
    let wrong = null;
    for (const name of Object.keys(defaults)) {
      const value = element.getAttribute(name);
      const found = value === null ? null : fault(name, value);
      if (value !== null && !found) state[name] = value;
      wrong ??= found;
    }
    return { state: whole(rules, state), wrong };
  }

  /** Show the state in the attributes. */
  function reflect(element, state) {
    for (const [name, value] of Object.entries(state)) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  }

  /** Wait until what has changed is painted: what need not be there in that frame comes after it. */
  function painted() {
    return new Promise((resolve) => {
      if (document.hidden) setTimeout(resolve);
      else requestAnimationFrame(() => setTimeout(resolve));
    });
  }

  let unwritten = null; // writes the address that is not there yet

  /** Write the address now that waits for its change to be painted. */
  function settleAddress() {
    const write = unwritten;
    unwritten = null;
    write?.();
  }

  /**
   * Put the state into the page's address, once it is painted: a browser takes its time over it. With
   * the state before it makes an entry of the history, and what is left keeps its state: its address
   * may name a section of the page.
   * @returns {Promise<void>} when the address says so
   */
  async function putAddress(state, before, rules) {
    settleAddress();
    const write = () => {
      const address = writeAddress(state, rules);
      const url = location.href.split("#")[0] + (address ? `#${address}` : "");
      if (before) history.replaceState({ [rules.name]: before }, "");
      history[before ? "pushState" : "replaceState"]({ [rules.name]: state }, "", url);
    };
    unwritten = write;
    await painted();
    if (unwritten === write) settleAddress();
  }

  /**
   * The state that the history kept, or else that of the page's address; null at a section of the page.
   * A wrong address is taken away. `first` is the state without any address.
   */
  function followAddress(kept, first, rules) {
    const { hash } = location;
    if (!kept && hash !== "" && !hash.includes("=")) return null;
    const found = kept ? { state: kept } : hash ? readAddress(hash, rules) : { state: first };
    if (found.wrong) history.replaceState(null, "", location.href.split("#")[0]);
    return found;
  }

  /** A link to a state leads there; one that led nowhere before was a picture. */
  function setHref(link) {
    link.href = link.dataset.state;
    link.removeAttribute("role");
  }

  /**
   * Follow links to states that stand on the same page: to the element that owns the address. Until
   * then they lead to a still, or nowhere (pages.py).
   */
  function followLinks(owner, rules) {
    for (const link of document.querySelectorAll("a.va-state[data-state]")) setHref(link);
    window.addEventListener("popstate", (event) => {
      unwritten = null; // left before it was written
      owner()?.followAddress(event.state?.[rules.name]);
    });
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a.va-state");
      if (!link || !owner() || link.pathname !== location.pathname || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      settleAddress();
      if (location.hash !== link.hash) {
        history.replaceState({ [rules.name]: owner().state }, "");
        history.pushState(null, "", link.href);
      }
      owner().followAddress();
      owner().scrollIntoView({ block: "start" });
    });
  }

  /** Copy the address of a state; what is to be said of it: that it is copied, or else the address. */
  async function copyLink(address) {
    const link = location.href.split("#")[0].replace("?embed=1", "") + (address ? `#${address}` : "");
    try {
      await navigator.clipboard.writeText(link);
      return "The link to this state is copied.";
    } catch {
      return `The link to this state: ${link}`;
    }
  }

  /** The line for answers that is nearest to a control of an element, or the element's first. */
  function noteAt(element, control) {
    for (let part = control; part && part !== element; part = part.parentElement) {
      const note = part.querySelector(":scope > .va-note");
      if (note) return note;
    }
    return element.querySelector(":scope > .va-note");
  }

  /**
   * Say something beside the control that was used, inside the window; what other controls of the
   * element were told goes away. Without a control it is said at the top, and the page stays.
   */
  function tell(element, text, control = null) {
    const here = noteAt(element, control);
    for (const note of element.querySelectorAll(".va-note")) if (note !== here) writeText(note, "");
    writeText(here, text);
    if (control && text) here.scrollIntoView({ block: "nearest", behavior: "instant" });
    return here;
  }

  /** Wait for what a control asked for; after more than a moment, say beside it that it comes. */
  async function awaited(coming, element, what, control) {
    if (!control) return coming;
    const words = `${what} is on its way …`;
    let note = null;
    const timer = setTimeout(() => (note = tell(element, words, control)), MOMENT);
    try {
      return await coming;
    } finally {
      clearTimeout(timer);
      if (note?.textContent === words) writeText(note, "");
    }
  }

  /** Two elements of a kind on a page must not share ids, nor groups of radio buttons. */
  function ownNames(part, number) {
    for (const input of part.querySelectorAll("input[type=radio]")) {
      input.name = `${input.name.replace(/-\d+$/, "")}-${number}`;
    }
    if (number === 1) return;
    for (const marked of part.querySelectorAll("[id]")) marked.id = `p${number}-${marked.id}`;
    for (const use of part.querySelectorAll("use")) {
      use.setAttribute("href", `#p${number}-${use.getAttribute("href").slice(1)}`);
    }
  }

  /** What a mark says now: its text, an attribute or a custom property. */
  function said(mark, name) {
    if (name === "text") return mark.textContent;
    return name.startsWith("--") ? mark.style.getPropertyValue(name) : mark.getAttribute(name);
  }

  /**
   * Write the text of a mark. The text node stays where it is the mark's only child: a new one would
   * have the style rules with :has() matched anew. A translator may have put elements in its place.
   */
  function writeText(mark, text) {
    const { firstChild } = mark;
    if (firstChild?.nodeType === Node.TEXT_NODE && mark.lastChild === firstChild) firstChild.data = text;
    else mark.textContent = text;
  }

  /** A function that writes a mark's text, attribute or custom property, only where it has changed. */
  function writer() {
    const drawn = new Map(); // what stands in each mark
    return (mark, name, value) => {
      let written = drawn.get(mark);
      if (!written) drawn.set(mark, (written = {}));
      if ((written[name] ??= said(mark, name)) === value) return;
      written[name] = value;
      if (name === "text") writeText(mark, value);
      else if (name.startsWith("--")) mark.style.setProperty(name, value);
      else mark.setAttribute(name, value);
    };
  }

  (window.vitattn ??= {}).element = Object.freeze({
    ...{ load, painted, atFirst, withOpening, readAddress, writeAddress, asWritten, reflect, putAddress, followAddress, followLinks },
    ...{ copyLink, tell, awaited, ownNames, writer, writeText },
  });
})();
