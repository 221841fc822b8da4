/**
 * What an element of the site has whose state stands in its attributes and in the address: both kept
 * as the state is, scripts loaded when they are asked for, marks written where they have changed. What a
 * state may be, and how an address is read, stands in address.js. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const { take, check, whole, wholeOr, read, write } = window.vitattn.address;

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

  /** The state that the markup's attributes give, and what is wrong with one of them. */
  function asWritten(element, table) {
    const given = {};
    let wrong;
    for (const name of table.names) {
      const text = element.getAttribute(name);
      if (text === null) continue;
      const found = take(name, text, table);
      if (found.wrong) wrong ??= found.wrong;
      else given[name] = found.value;
    }
    return { state: whole(given, table), wrong };
  }

  /** Show the state in the attributes. */
  function reflect(element, state) {
    for (const [name, value] of Object.entries(state)) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  }

  /** The address of this page at a state. */
  const hereWith = (address) => location.href.split("#")[0] + (address ? `#${address}` : "");

  /** Wait until what has changed is painted: what need not be there in that frame comes after it. */
  function painted() {
    return new Promise((resolve) => {
      if (document.hidden) setTimeout(resolve);
      else requestAnimationFrame(() => setTimeout(resolve));
    });
  }

  let unwritten = null; // puts the address that is not there yet

  /** Write the address now that waits for its change to be painted. */
  function settleAddress() {
    const put = unwritten;
    unwritten = null;
    put?.();
  }

  /**
   * Put the state into the page's address, once it is painted: a browser takes its time over it. With
   * the state before it makes an entry of the history, and what is left keeps its state: its address
   * may name a section of the page.
   * @returns {Promise<void>} when the address says so
   */
  async function putAddress(state, before, table) {
    settleAddress();
    const put = () => {
      if (before) history.replaceState({ [table.name]: before }, "");
      history[before ? "pushState" : "replaceState"]({ [table.name]: state }, "", hereWith(write(state, table)));
    };
    unwritten = put;
    await painted();
    if (unwritten === put) settleAddress();
  }

  /** A state that was asked for; the address of one that was refused gives way to that of what is shown. */
  function mended(found, table) {
    const { state, wrong } = found;
    if (wrong) history.replaceState({ [table.name]: state }, "", hereWith(write(state, table)));
    return found;
  }

  /**
   * The state that the history kept, or else that of the page's address; null at a section of the page.
   * @param {?State} kept
   * @param {Table} table `first` in it is the state without any address
   */
  function followAddress(kept, table) {
    const { hash } = location;
    if (!kept && hash !== "" && !hash.includes("=")) return null;
    const asked = () => (hash ? read(hash, table) : { state: table.first });
    return mended(kept ? wholeOr(check(kept, table), table) : asked(), table);
  }

  /**
   * What an element begins with: its table with the state that its markup says, the state of the address
   * if it `owns` that and there is one, or else of the markup, and what is wrong with that.
   * @returns {{table: Table, state: State, wrong: ?string}}
   */
  function beginning(element, owns, limits) {
    const written = asWritten(element, limits);
    const table = { ...limits, first: written.state };
    if (!owns || !location.hash.includes("=")) return { table, ...written };
    return { table, ...mended(read(location.hash, table), table) };
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
  function followLinks(owner, { name }) {
    for (const link of document.querySelectorAll("a.va-state[data-state]")) setHref(link);
    window.addEventListener("popstate", (event) => {
      unwritten = null; // left before it was written
      owner()?.followAddress(event.state?.[name]);
    });
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a.va-state");
      if (!link || !owner() || link.pathname !== location.pathname || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      settleAddress();
      if (location.hash !== link.hash) {
        history.replaceState({ [name]: owner().state }, "");
        history.pushState(null, "", link.href);
      }
      owner().followAddress();
      owner().scrollIntoView({ block: "start" });
    });
  }

  /** Copy the address of a state; what is to be said of it: that it is copied, or else the address. */
  async function copyLink(address) {
    const here = new URL(hereWith(address));
    if (here.searchParams.has("embed")) here.searchParams.delete("embed");
    const link = here.href;
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
    ...{ load, painted, reflect, putAddress, followAddress, beginning, followLinks, copyLink },
    ...{ tell, awaited, ownNames, writer, writeText },
  });
})();
