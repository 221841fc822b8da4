/**
 * <vit-player>: the reader picks a stage, a patch, a head, a photograph, and the marks follow.
 *
 * figures_src has drawn every mark for the default state; here they are filled again for any other
 * one. Nothing is laid out or coloured here. The state is one object; attributes, controls and the
 * address are three ways to set it. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const { attention, row, teaching, player: settings } = window.vitattn;
  const { rows: ROWS, columns: COLUMNS, prefix: PREFIX } = settings.grid;
  const TOKENS = PREFIX + ROWS * COLUMNS;
  const NAMES = Object.keys(settings.defaults);
  // Choices that the back button takes back; the others only replace the address.
  const HISTORIC = ["photo", "stage", "query", "head"];
  // What a new pass depends on; the rest only reads the pass.
  const OF_THE_PASS = ["photo", "scale", "position", "mix", "axis", "dropped"];
  const SCRIPTS = new URL(".", document.currentScript.src).href;
  const ASSETS = new URL(".", document.currentScript.src).href.replace(/javascripts\/$/, "assets/");

  // The state and its words -----------------------------------------------------------------------

  /** The sequence row that "cls" or "row.column" names, or null. */
  function tokenOf(words) {
    if (words === "cls") return PREFIX > 0 ? 0 : null;
    const found = /^(\d{1,3})\.(\d{1,3})$/.exec(words);
    if (!found) return null;
    const [r, c] = [Number(found[1]), Number(found[2])];
    if (r >= ROWS || c >= COLUMNS || words !== `${r}.${c}`) return null;
    return PREFIX + r * COLUMNS + c;
  }

  /** "cls" or "row.column" of a sequence row. */
  function wordsOf(token) {
    if (token < PREFIX) return "cls";
    return `${Math.floor((token - PREFIX) / COLUMNS)}.${(token - PREFIX) % COLUMNS}`;
  }

  /** Say what is wrong with a value of the state; null if nothing is. */
  function fault(name, value) {
    const choices = settings.states[name];
    if (choices) {
      if (choices.includes(value)) return null;
      if (name === "photo" && value === "own") {
        return window.vitattn.photos.own ? null : "your own photograph is not in the address";
      }
      if (name === "stage" && Object.hasOwn(settings.stages, value)) {
        return `the stage ${value} is not drawn yet`;
      }
      return `${name} takes ${choices.join(", ")}`;
    }
    if (name === "query") {
      const limit = `row.column up to ${ROWS - 1}.${COLUMNS - 1}`;
      return tokenOf(value) === null ? `query takes cls or ${limit}` : null;
    }
    if (name === "dropped") {
      const keys = value === "" ? [] : value.split(",");
      const twice = new Set(keys).size < keys.length;
      return twice || keys.some((key) => tokenOf(key) === null)
        ? "dropped takes keys as query does, each once, between commas"
        : null;
    }
    if (name === "bug") return value === "" ? null : "no bug is built in yet";
    if (name === "at") return value !== "" && Number(value) >= 0 && Number(value) <= 1 ? null : "at takes 0 to 1";
    if (name === "speed") return Number(value) > 0 && Number(value) <= 4 ? null : "speed takes up to 4";
    return `there is no ${name}`;
  }

  /** The state in an address, or what is wrong with it. */
  function readAddress(hash) {
    const state = { ...settings.defaults };
    if (!hash.includes("=")) return { state };
    const seen = new Set();
    for (const part of hash.replace(/^#/, "").split("&")) {
      const [name, value] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
      let words;
      try {
        words = decodeURIComponent(value);
      } catch {
        return { state: { ...settings.defaults }, wrong: "part of it cannot be read" };
      }
      const known = part.includes("=") && NAMES.includes(name) && !seen.has(name);
      const wrong = known ? fault(name, words) : "it has a name that is unknown or stands twice";
      if (wrong) return { state: { ...settings.defaults }, wrong };
      seen.add(name);
      state[name] = words;
    }
    return { state };
  }

  /** The address of a state: what is at its default is left out. */
  function writeAddress(state) {
    const parts = NAMES.filter((name) => state[name] !== settings.defaults[name]);
    return parts.map((name) => `${name}=${encodeURIComponent(state[name]).replace(/%2C/g, ",")}`).join("&");
  }

  // Photographs -----------------------------------------------------------------------------------

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

  /** The sums of a photograph; its script is fetched when it is first asked for. */
  async function sumsOf(photo) {
    if (!window.vitattn.photos[photo]) {
      try {
        await load(`${ASSETS}photo-${photo}.js`);
      } catch {
        throw new Error(`${settings.photos[photo]} could not be loaded`);
      }
    }
    return window.vitattn.photos[photo].sums;
  }

  // Parts: what waits under a fold, in a script of its own ----------------------------------------

  const parts = {};

  /**
   * Register a part of the player, loaded when its fold is first opened.
   * @param {string} name of the fold and of the script, javascripts/<name>.js
   * @param {function(VitPlayer, HTMLElement): {draw: function(Object)}} make gets the player and the
   *   fold; its draw is called with what is shown, at every change while the fold is open
   */
  window.vitattn.part = (name, make) => {
    parts[name] = make;
  };
  window.vitattn.words = Object.freeze({ tokenOf, wordsOf });

  /** Let the browser do what it has to before the next piece of work. */
  const breath = () => new Promise((resolve) => setTimeout(resolve));

  // The element -----------------------------------------------------------------------------------

  const players = [];

  class VitPlayer extends HTMLElement {
    static observedAttributes = NAMES;

    /** The current pass: X, U, Q, K, V, P, S, A, O, M, Y, W, G, F, Z as nested arrays. */
    pass = null;

    #state = { ...settings.defaults };
    #key = null; // the key pointed at, or null for the strongest one
    #shown = null; // what the marks show now
    #reflecting = false;
    #run = 0;
    #plates = new Map(); // the stage whose plate a mark stands in, or null
    #parts = new Map(); // fold: its part
    #standard = new Map(); // photograph: its pass with nothing switched
    #drawn = new Map(); // what stands in each mark, so that only changes are written

    connectedCallback() {
      if (players.includes(this)) return;
      players.push(this);
      if (!this.querySelector(".va-scene")) this.innerHTML = players[0].innerHTML;
      this.#ownNames(players.length);
      this.#collect();
      this.#listen();
      for (const hidden of this.querySelectorAll(".va-controls, .va-step-key, [data-action]")) hidden.hidden = false;
      for (const other of players) other.#showControls();
      const asked = this.#ownsAddress ? readAddress(location.hash) : { state: this.#asWritten() };
      this.#say(asked.wrong);
      this.#state = asked.state;
      this.#reflect();
      this.#compute().then(() => this.dispatchEvent(new Event("ready")));
    }

    attributeChangedCallback(name, before, value) {
      if (this.#reflecting || before === value || !players.includes(this)) return;
      const wrong = value === null ? null : fault(name, value);
      if (wrong) this.#say(wrong);
      this.set({ [name]: value === null || wrong ? settings.defaults[name] : value });
    }

    /** The state as one object, a copy. */
    get state() {
      return { ...this.#state };
    }

    /** Everything the marks show, by name: see row.js. */
    get shown() {
      return this.#shown;
    }

    /** The four sums of each patch of the photograph. */
    get sums() {
      return window.vitattn.photos[this.#state.photo].sums;
    }

    /** Is nothing of the mechanism switched? */
    get isStandard() {
      return [...OF_THE_PASS, "bug"].every(
        (name) => name === "photo" || this.#state[name] === settings.defaults[name],
      );
    }

    /** The pass of this photograph with nothing switched, to compare with. */
    get standardPass() {
      if (this.isStandard) return this.pass;
      if (!this.#standard.has(this.sums)) {
        this.#standard.set(this.sums, attention.run({ sums: this.sums, teaching }));
      }
      return this.#standard.get(this.sums);
    }

    /** Point at a key: its arithmetic is shown; null: at the strongest one. */
    point(token) {
      this.#point(token);
    }

    /** Show a quiet note under the player; an empty text takes it away. */
    tell(text) {
      this.note.textContent = text;
    }

    /**
     * Change the state. Values that cannot be are refused with a note and change nothing.
     * @param {Object<string, string>} change names and values, as the attributes have them
     * @returns {Promise<void>} when the marks show it
     */
    async set(change, { fromAddress = false } = {}) {
      const before = this.#state;
      const state = { ...before, ...change };
      const wrong = Object.keys(change).map((name) => fault(name, state[name])).find(Boolean);
      if (wrong) {
        this.#say(wrong);
        this.#reflect();
        this.#showControls();
        return;
      }
      const changed = NAMES.filter((name) => state[name] !== before[name]);
      if (changed.length === 0) return this.#reflect();
      this.#state = state;
      if (changed.some((name) => ["photo", "query", "head"].includes(name))) this.#key = null;
      this.#reflect();
      if (!fromAddress) {
        this.#say(null);
        this.#writeAddress(changed.some((name) => HISTORIC.includes(name)));
      }
      if (changed.some((name) => OF_THE_PASS.includes(name))) await this.#compute();
      else this.#draw();
      this.dispatchEvent(new Event("change"));
    }

    /** Open a fold: its script is loaded, and its part follows every change from then on. */
    async #open(fold) {
      const { part: name } = fold.dataset;
      try {
        await load(`${SCRIPTS}${name}.js`);
      } catch (error) {
        return this.tell(`${error.message}.`);
      }
      if (!this.#parts.has(fold)) this.#parts.set(fold, parts[name](this, fold));
      if (this.#shown) this.#parts.get(fold).draw(this.#shown);
    }

    // The pass ------------------------------------------------------------------------------------

    async #compute() {
      const mine = ++this.#run;
      const { photo, scale, position, mix, axis, dropped } = this.#state;
      const keys = dropped === "" ? [] : dropped.split(",").map(tokenOf);
      let sums;
      try {
        this.setAttribute("aria-busy", "true");
        sums = await sumsOf(photo);
      } catch (error) {
        if (mine !== this.#run) return;
        this.removeAttribute("aria-busy");
        this.#say(error.message);
        return this.set({ photo: settings.defaults.photo });
      }
      const work = attention.steps({ sums, teaching, scale, position, mix, axis, dropped: keys });
      let piece = work.next();
      while (!piece.done) {
        await breath();
        if (mine !== this.#run) return;
        piece = work.next();
      }
      if (mine !== this.#run) return;
      this.pass = piece.value;
      this.removeAttribute("aria-busy");
      this.#draw();
    }

    // The marks -----------------------------------------------------------------------------------

    /** Two players on a page must not share ids, nor groups of radio buttons. */
    #ownNames(number) {
      for (const input of this.querySelectorAll("input[type=radio]")) {
        input.name = `${input.name.replace(/-\d+$/, "")}-${number}`;
      }
      if (number === 1) return;
      for (const marked of this.querySelectorAll("[id]")) marked.id = `p${number}-${marked.id}`;
      for (const use of this.querySelectorAll("use")) {
        use.setAttribute("href", `#p${number}-${use.getAttribute("href").slice(1)}`);
      }
    }

    #collect() {
      const of = (kind) => [...this.querySelectorAll(`[data-${kind}]`)].map((mark) => [mark, mark.dataset[kind]]);
      const plateOf = (mark) => mark.closest(".va-plate")?.id.replace(/.*stage-/, "") ?? null;
      this.bound = ["t", "d", "x", "v", "w", "box", "level"].map((kind) => [kind, of(kind)]);
      this.grid = this.querySelector(".va-panel-photo");
      this.cells = [...this.querySelectorAll(".va-cells [data-token]")];
      this.picture = this.querySelector("image");
      this.pictureFile = this.picture.getAttribute("href");
      this.crops = [...this.querySelectorAll("[data-crop=query]")];
      this.spot = this.querySelector(".va-spot");
      this.bars = [...this.querySelectorAll(".va-segments")];
      const marks = [...this.bars, ...this.bound.flatMap(([, of_]) => of_.map(([mark]) => mark))];
      this.#plates = new Map(marks.map((mark) => [mark, plateOf(mark)]));
      this.flow = [...this.querySelectorAll(".va-flow > g")];
      this.marks = { query: this.querySelector(".va-mark.is-query"), key: this.querySelector(".va-mark.is-key") };
      this.note = this.querySelector(".va-note");
      this.live = document.createElement("p");
      this.live.className = "va-unseen";
      this.live.setAttribute("aria-live", "polite");
      this.append(this.live);
      this.grid.setAttribute("role", "grid");
      for (const line of this.querySelectorAll(".va-cells > g")) line.setAttribute("role", "row");
      for (const cell of this.cells) cell.setAttribute("role", "gridcell");
    }

    #write(mark, name, value) {
      let written = this.#drawn.get(mark);
      if (!written) this.#drawn.set(mark, (written = {}));
      if (written[name] === value) return;
      written[name] = value;
      // The text node stays: a new one would have the style rules with :has() matched anew.
      if (name === "text" && mark.firstChild) mark.firstChild.data = value;
      else if (name === "text") mark.textContent = value;
      else if (name.startsWith("--")) mark.style.setProperty(name, value);
      else mark.setAttribute(name, value);
    }

    #draw() {
      if (!this.pass) return;
      const { photo, stage, query, head, range, scale, mix, axis } = this.#state;
      const state = {
        ...{ photo, stage, range, scale, mix, axis, query: tokenOf(query) },
        sums: window.vitattn.photos[photo].sums,
        ...{ head: head === "mean" ? 0 : Number(head), key: this.#key },
      };
      const shown = row.readRow(state, this.pass);
      this.#shown = shown;
      for (const [kind, marks] of this.bound) {
        for (const [mark, name] of marks) {
          const value = shown.values[name];
          if (value === undefined || !this.#isShown(mark)) continue;
          if (kind === "t") this.#write(mark, "text", value);
          else if (kind === "d") this.#write(mark, "d", value);
          else if (kind === "v") this.#write(mark, "--v", value);
          else if (kind === "w") this.#write(mark, "--x", value);
          else if (kind === "box") this.#write(mark, "viewBox", value);
          else if (kind === "level") this.#write(mark, "transform", `translate(0 ${value})`);
          else {
            const share = parseFloat(value);
            this.#write(mark, "x", value);
            this.#write(mark, "text-anchor", share < 16 ? "start" : share > 84 ? "end" : "middle");
          }
        }
      }
      const [left, top] = row.corner(shown.query);
      for (const crop of this.crops) this.#write(crop, "viewBox", `${left} ${top} 16 16`);
      this.#write(this.spot, "x", String(left));
      this.#write(this.spot, "y", String(top));
      // Relative, as drawn: from disk a browser refuses absolute addresses here.
      const own = photo === "own" && window.vitattn.photos.own.url;
      this.#write(this.picture, "href", own || this.pictureFile.replace(/\w+(?=\.webp$)/, photo));
      this.cells.forEach((cell, token) => {
        const level = shown.levels[token];
        this.#write(cell, "class", level ? `va-square w${level}` : "va-square");
      });
      for (const [role, mark] of Object.entries(this.marks)) {
        this.#write(mark, "transform", `translate(${row.corner(shown[role]).join(" ")})`);
      }
      for (const bar of this.bars) if (this.#isShown(bar)) this.#drawSegments(bar, shown);
      this.flow.forEach((arrow, n) => {
        const [shaft, head_, width] = shown.arrows[n];
        const [casing, line, tip] = arrow.children;
        this.#write(arrow, "--w", width);
        this.#write(casing, "d", shaft);
        this.#write(line, "d", shaft);
        this.#write(tip, "d", head_);
      });
      for (const [fold, part] of this.#parts) if (fold.open) part.draw(shown);
      this.#showControls();
      clearTimeout(this.naming);
      this.naming = setTimeout(() => this.#nameCells());
    }

    /** A mark of another stage's plate is filled when that stage is chosen. */
    #isShown(mark) {
      const plate = this.#plates.get(mark);
      return plate === null || plate === this.#state.stage;
    }

    /** Fill as many parts of a unit bar as there are; parts are copies of those that were drawn. */
    #drawSegments(bar, { segments, rangeEnd, query, key }) {
      const patch = bar.querySelector(".va-segment:not(.is-cls)") ?? bar.patch;
      bar.patch ??= patch.cloneNode(true);
      while (bar.children.length > segments.length) bar.lastElementChild.remove();
      while (bar.children.length < segments.length) bar.append(bar.patch.cloneNode(true));
      segments.forEach(([token, x, width], n) => {
        const part = bar.children[n];
        const [block, thumb, number] = part.children;
        const [left, top] = row.corner(token);
        const kinds = ["va-segment", `w${Math.max(1, row.level(width, rangeEnd))}`];
        if (token < PREFIX) kinds.push("is-cls");
        if (token === query) kinds.push("is-query");
        if (token === key) kinds.push("is-key");
        for (const [kind, least] of Object.entries(settings.shapes.room)) if (width < least) kinds.push(kind);
        const middle = `${(100 * (x + width / 2)).toFixed(2)}%`;
        this.#write(part, "class", kinds.join(" "));
        this.#write(part, "data-token", String(token));
        this.#write(block, "x", `${(100 * x).toFixed(2)}%`);
        this.#write(block, "width", `${(100 * width).toFixed(2)}%`);
        this.#write(thumb, "viewBox", `${left} ${top} 16 16`);
        this.#write(thumb, "x", middle);
        if (token < PREFIX) this.#write(number.lastElementChild, "text", ` ${width.toFixed(3)}`);
        else {
          this.#write(number, "text", width.toFixed(3));
          this.#write(number, "x", middle);
        }
      });
      const rest = bar.parentElement.querySelector(".va-others");
      const start = segments.length ? segments.at(-1)[1] + segments.at(-1)[2] : 0;
      const [block, ...texts] = rest.children;
      this.#write(block, "x", `${(100 * start).toFixed(2)}%`);
      this.#write(block, "width", `${(100 * Math.max(0, 1 - start)).toFixed(2)}%`);
      for (const text of texts) this.#write(text, "x", `${(50 * (start + 1)).toFixed(2)}%`);
    }

    /** Name every cell for those who listen: what it is, and its weight in the picked row. */
    #nameCells() {
      const weights = this.#state.head === "mean"
        ? attention.meanOfHeads(this.pass.A, this.#shown.query)
        : this.pass.A[Number(this.#state.head) - 1][this.#shown.query];
      const focus = this.cells.find((cell) => cell === document.activeElement) ?? this.cells[this.#shown.query];
      this.cells.forEach((cell, token) => {
        const [r, c] = [Math.floor((token - PREFIX) / COLUMNS), (token - PREFIX) % COLUMNS];
        const where = token < PREFIX ? "CLS" : `patch row ${r}, column ${c}`;
        this.#write(cell, "aria-label", `${where}, weight ${weights[token].toFixed(3)}`);
        this.#write(cell, "aria-selected", String(token === this.#shown.query));
        this.#write(cell, "tabindex", cell === focus ? "0" : "-1");
      });
    }

    #showControls() {
      for (const input of this.querySelectorAll("input[type=radio]")) {
        const name = input.dataset.state ?? "stage";
        input.checked = input.value === this.#state[name];
      }
    }

    // Words ---------------------------------------------------------------------------------------

    #say(wrong) {
      if (this.note) this.note.textContent = wrong ? `Shown is the default: ${wrong}.` : "";
    }

    /** One sentence for those who listen, once a change. */
    #speak() {
      const { stage, head } = this.#state;
      const sentence = this.querySelector(`.va-plate[id$="stage-${stage}"] .va-say`);
      const who = head === "mean" ? "mean of heads" : `head ${head}, ${settings.heads[head - 1]}`;
      const words = `${settings.stages[stage]}. Query ${this.#shown.values.query}, ${who}. ${sentence.textContent}`;
      if (this.live.textContent !== words) this.live.textContent = words;
    }

    // Address and attributes ----------------------------------------------------------------------

    get #ownsAddress() {
      return players[0] === this;
    }

    #asWritten() {
      const state = { ...settings.defaults };
      for (const name of NAMES) {
        const value = this.getAttribute(name);
        if (value !== null && !fault(name, value)) state[name] = value;
      }
      return state;
    }

    #reflect() {
      this.#reflecting = true;
      for (const name of NAMES) {
        if (this.getAttribute(name) !== this.#state[name]) this.setAttribute(name, this.#state[name]);
      }
      this.#reflecting = false;
    }

    #writeAddress(historic) {
      if (!this.#ownsAddress) return;
      const address = writeAddress(this.#state);
      const url = location.href.split("#")[0] + (address ? `#${address}` : "");
      history[historic ? "pushState" : "replaceState"](null, "", url);
    }

    /** Take the state from the address: at a link, or when the reader goes back. */
    async followAddress() {
      const { state, wrong } = readAddress(location.hash);
      if (wrong) history.replaceState(null, "", location.href.split("#")[0]);
      await this.set(state, { fromAddress: true });
      this.#say(wrong);
      this.#speak();
    }

    // What the reader does ------------------------------------------------------------------------

    async #choose(change) {
      await this.set(change);
      this.#speak();
    }

    #point(token) {
      if (token === this.#key) return;
      this.#key = token;
      this.#draw();
    }

    #listen() {
      for (const fold of this.querySelectorAll(".va-fold")) {
        fold.hidden = false;
        fold.addEventListener("toggle", () => fold.open && this.#open(fold));
      }
      this.addEventListener("change", (event) => {
        const input = event.target;
        if (input instanceof HTMLInputElement && input.type === "radio") {
          event.stopPropagation();
          this.#choose({ [input.dataset.state ?? "stage"]: input.value });
        }
      });
      this.addEventListener("click", (event) => {
        const action = event.target.closest("[data-action]")?.dataset.action;
        if (action === "drop-key") this.#dropKey();
        if (action === "copy-link") this.#copyLink();
        if (action === "key-before") this.#stepKey(-1);
        if (action === "key-after") this.#stepKey(1);
      });
      const tokenAt = (event) => {
        const cell = event.target.closest?.(".va-cells [data-token]");
        return cell ? Number(cell.dataset.token) : null;
      };
      this.grid.addEventListener("click", (event) => {
        const token = tokenAt(event);
        if (token === null) return;
        this.cells[token].focus({ preventScroll: true });
        this.#choose({ query: wordsOf(token) });
      });
      this.grid.addEventListener("pointermove", (event) => {
        const token = event.pointerType === "touch" ? null : tokenAt(event);
        if (token !== null) this.#point(token);
      });
      this.grid.addEventListener("pointerleave", (event) => {
        if (event.pointerType !== "touch") this.#point(null);
      });
      this.grid.addEventListener("focusin", (event) => {
        const token = tokenAt(event);
        if (token !== null && event.target.matches(":focus-visible")) this.#point(token);
      });
      for (const [type, lit] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
        this.addEventListener(type, (event) => {
          const end = event.target.closest?.("[data-phrase], [data-mark]");
          this.#light(lit && end ? (end.dataset.phrase ?? end.dataset.mark) : null);
        });
      }
      this.grid.addEventListener("keydown", (event) => this.#key_(event, tokenAt(event)));
    }

    /** A phrase lights its mark, and a mark its phrase; what is not meant steps back. */
    #light(name) {
      const plate = this.querySelector(`.va-plate[id$="stage-${this.#state.stage}"]`);
      for (const end of plate.querySelectorAll("[data-phrase], [data-mark]")) {
        end.classList.toggle("is-lit", name !== null && (end.dataset.phrase ?? end.dataset.mark) === name);
      }
      this.classList.toggle("has-lit", name !== null);
    }

    /** Arrow keys go from cell to cell and point; Enter or space picks the query. */
    #key_(event, token) {
      if (token === null || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        this.#choose({ query: wordsOf(token) });
        return;
      }
      const [r, c] = [Math.floor((token - PREFIX) / COLUMNS), (token - PREFIX) % COLUMNS];
      const onGrid = token >= PREFIX;
      const at = (down, across) => PREFIX + down * COLUMNS + across;
      const next = {
        ArrowLeft: () => (onGrid && c > 0 ? token - 1 : token),
        ArrowRight: () => (onGrid && c < COLUMNS - 1 ? token + 1 : token),
        ArrowUp: () => (!onGrid ? token : r > 0 ? at(r - 1, c) : 0),
        ArrowDown: () => (!onGrid ? at(0, 0) : r < ROWS - 1 ? at(r + 1, c) : token),
        Home: () => (onGrid ? at(r, 0) : token),
        End: () => (onGrid ? at(r, COLUMNS - 1) : token),
        PageUp: () => 0,
        PageDown: () => at(ROWS - 1, onGrid ? c : 0),
      }[event.key];
      if (!next) return;
      event.preventDefault();
      event.stopPropagation();
      const cell = this.cells[next()];
      for (const other of this.cells) this.#write(other, "tabindex", other === cell ? "0" : "-1");
      cell.focus();
    }

    #stepKey(by) {
      const { head } = this.#state;
      const { query, key } = this.#shown;
      const weights = head === "mean" ? attention.meanOfHeads(this.pass.A, query) : this.pass.A[head - 1][query];
      const ranked = row.orderByWeight(weights);
      const place = (ranked.indexOf(key) + by + TOKENS) % TOKENS;
      this.#point(ranked[place]);
    }

    /** Take the pointed key out of the softmax, or put it back. */
    #dropKey() {
      const word = wordsOf(this.#shown.key);
      const keys = this.#state.dropped === "" ? [] : this.#state.dropped.split(",");
      const left = keys.includes(word) ? keys.filter((key) => key !== word) : [...keys, word];
      const kept = this.#shown.key;
      this.set({ dropped: left.join(",") }).then(() => this.#point(kept));
    }

    async #copyLink() {
      const address = writeAddress(this.#state);
      const link = location.href.split("#")[0] + (address ? `#${address}` : "");
      try {
        await navigator.clipboard.writeText(link);
        this.note.textContent = "The link to this state is copied.";
      } catch {
        this.note.textContent = `The link to this state: ${link}`;
      }
    }
  }

  customElements.define("vit-player", VitPlayer);

  const follow = () => players[0]?.followAddress();
  window.addEventListener("popstate", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.va-state");
    if (!link || !players[0] || link.pathname !== location.pathname || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (location.hash !== link.hash) history.pushState(null, "", link.href);
    follow();
    players[0].scrollIntoView({ block: "start" });
  });
})();
