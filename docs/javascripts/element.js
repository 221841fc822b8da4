/**
 * What an element of the site has whose state stands in its attributes and in the address: reading
 * and writing both, scripts loaded when they are asked for, marks written where they have changed.
 * Classic script: it works from disk.
 *
 * @typedef {Object<string, string>} State
 * @typedef {{name: string, defaults: State, fault: function(string, string): ?string}} Rules
 *   the element's name in the history; its names and their defaults; what is wrong with a value
 */
(() => {
  "use strict";

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

  /** The state in an address, or what is wrong with it. */
  function readAddress(hash, { defaults, fault }) {
    const state = { ...defaults };
    if (!hash.includes("=")) return { state };
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
    return { state };
  }

  /** The address of a state: what is at its default is left out. */
  function writeAddress(state, { defaults }) {
    const parts = Object.keys(defaults).filter((name) => state[name] !== defaults[name]);
    return parts.map((name) => `${name}=${encodeURIComponent(state[name]).replace(/%2C/g, ",")}`).join("&");
  }

  /** The state that the markup's attributes give, and what is wrong with one of them. */
  function asWritten(element, { defaults, fault }) {
    const state = { ...defaults };
    let wrong = null;
    for (const name of Object.keys(defaults)) {
      const value = element.getAttribute(name);
      const found = value === null ? null : fault(name, value);
      if (value !== null && !found) state[name] = value;
      wrong ??= found;
    }
    return { state, wrong };
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

  /** Follow links to states that stand on the same page: to the element that owns the address. */
  function followLinks(owner, rules) {
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

  /** Copy the address of a state; the note says so, or gives the address where it cannot be copied. */
  async function copyLink(address, note) {
    const link = location.href.split("#")[0].replace("?embed=1", "") + (address ? `#${address}` : "");
    try {
      await navigator.clipboard.writeText(link);
      note.textContent = "The link to this state is copied.";
    } catch {
      note.textContent = `The link to this state: ${link}`;
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

  /** A function that writes a mark's text, attribute or custom property, only where it has changed. */
  function writer() {
    const drawn = new Map(); // what stands in each mark
    return (mark, name, value) => {
      let written = drawn.get(mark);
      if (!written) drawn.set(mark, (written = {}));
      if ((written[name] ??= said(mark, name)) === value) return;
      written[name] = value;
      // The text node stays: a new one would have the style rules with :has() matched anew.
      if (name === "text" && mark.firstChild) mark.firstChild.data = value;
      else if (name === "text") mark.textContent = value;
      else if (name.startsWith("--")) mark.style.setProperty(name, value);
      else mark.setAttribute(name, value);
    };
  }

  (window.vitattn ??= {}).element = Object.freeze({
    ...{ load, painted, readAddress, writeAddress, asWritten, reflect, putAddress, followAddress, followLinks },
    ...{ copyLink, ownNames, writer },
  });
})();
