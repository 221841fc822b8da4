/**
 * <vit-explorer>: rows of weights of a trained model, computed here from its queries and keys.
 *
 * figures_src has drawn every mark for the default state; here they are filled again for any other
 * one. Queries and keys come as one script a head, asked for when it is needed: first the head that
 * is shown, then its neighbours in the layer. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const { attention, explorer: settings } = window.vitattn;
  const { rowsOf, weightsOf, readRow, readKey, mapValues, sentence } = window.vitattn.explorerRow;
  const { load, reflect, beginning, putAddress, followAddress, followLinks } = window.vitattn.element;
  const { copyLink, tell, awaited, ownNames, writer } = window.vitattn.element;
  const { take, check, atFirst, withOpening, write } = window.vitattn.address;
  if (!attention) throw new Error("attention.js has not come"); // the figure goes on as a still, see arrival.py
  const grid = window.vitattn.places(settings.grid);
  const { tokens: TOKENS, tokenOf, wordsOf } = grid;
  const NAMES = settings.names;
  // Choices that the back button takes back; the others only replace the address.
  const HISTORIC = ["photo", "layer", "head", "query"];
  // What the small maps depend on.
  const OF_THE_MAPS = ["photo", "layer", "query", "divisor", "dropped", "range"];
  const ASSETS = new URL(".", document.currentScript.src).href.replace(/javascripts\/$/, "assets/");
  const ALL = Array.from({ length: settings.heads }, (_, n) => n + 1);

  // Queries and keys ------------------------------------------------------------------------------

  /** The number whose bits a text unit holds: half precision. */
  function half(bits) {
    const [sign, power, part] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
    return sign * (power === 0 ? part * 2 ** -24 : (1 + part / 1024) * 2 ** (power - 15));
  }

  /** The whole number of a byte: 0x01 to 0xFF without 0xD8 to 0xDF stand for −whole to whole. */
  const whole = (byte) => byte - 1 - (byte > 0xdf ? 8 : 0) - settings.whole;

  /**
   * What a head's text holds; see explorer/page_data.py. A whole number times a step of half precision is
   * exact in single precision.
   * @param {string} text
   * @returns {{Q: Float32Array[], K: Float32Array[], mean: number[]}} (N, d_h) twice, K less its mean
   */
  function decode(text) {
    const width = settings.head_width;
    const size = TOKENS * width;
    const halves = (n) => Array.from({ length: width }, (_, c) => half(text.charCodeAt(size + n * width + c)));
    const [q, k, mean] = [halves(0), halves(1), halves(2)];
    const rows = (start, steps) =>
      Array.from({ length: TOKENS }, (_, token) => {
        const numbers = new Float32Array(width);
        for (let c = 0; c < width; c += 2) {
          const unit = text.charCodeAt((start + token * width + c) / 2);
          numbers[c] = whole(unit & 255) * steps[c];
          numbers[c + 1] = whole(unit >> 8) * steps[c + 1];
        }
        return numbers;
      });
    return { Q: rows(0, q), K: rows(size, k), mean };
  }

  const decoded = new Map();

  /** Queries and keys of a head, asked for at the first time. */
  async function headOf(photo, layer, head) {
    const name = `${photo}-${String(layer).padStart(2, "0")}-${head}`;
    if (!decoded.has(name)) {
      await load(`${ASSETS}learned/${name}.js`);
      if (!decoded.has(name)) decoded.set(name, decode(window.vitattn.learned[name]));
    }
    return decoded.get(name);
  }

  // The keys that are taken out -------------------------------------------------------------------

  /** One path of a cross over the cell of each row. */
  function crosses(tokens) {
    const { cell } = settings.grid;
    const [arm, start] = [cell / 2, cell / 4];
    const at = (token) => grid.corner(token).map((edge) => edge + start).join(" ");
    return tokens.map((token) => `M${at(token)}l${arm} ${arm}m0 -${arm}l-${arm} ${arm}`).join("");
  }

  /** Let the browser do what it has to before the next piece of work. */
  const breath = () => new Promise((resolve) => setTimeout(resolve));

  // The element -----------------------------------------------------------------------------------

  const explorers = [];

  class VitExplorer extends HTMLElement {
    static observedAttributes = NAMES;

    /** The row of weights that is shown, (N); CLS first. */
    row = null;

    #state = { ...settings.defaults };
    #table = settings; // with what the markup says
    #key = null; // the key pointed at, or null for the strongest one
    #heads = null; // the heads of which the row is made
    #reflecting = false;
    #run = 0;
    #shown = null; // the state that the marks show
    #used = null; // the control that was used last
    #maps = this.#ofMaps(settings.defaults); // of what the small maps were drawn
    #ends = new Map(); // of a head: its largest weight over all queries, by what is switched
    #cells = null; // the grid, see grid.js
    #write = writer();

    connectedCallback() {
      if (explorers.includes(this)) return;
      explorers.push(this);
      this.arrive?.(); // see arrival.py
      if (!this.querySelector(".va-panel-photo")) this.innerHTML = explorers[0].innerHTML;
      ownNames(this, explorers.length);
      this.bound = [...this.querySelectorAll("[data-t]")].map((mark) => [mark, mark.dataset.t]);
      this.changes = this.querySelector(".va-changed");
      this.picture = this.querySelector("image");
      this.live = this.querySelector(".va-unseen[aria-live]") ?? document.createElement("p");
      this.live.className = "va-unseen";
      this.live.setAttribute("aria-live", "polite");
      this.append(this.live);
      this.marks = { query: this.querySelector(".va-mark.is-query"), key: this.querySelector(".va-mark.is-key") };
      this.#cells = new window.vitattn.Cells(this, grid, this.#write, {
        pick: (token) => this.#choose({ query: wordsOf(token) }),
        point: (token) => this.point(token),
        drop: (token) => this.drop(token).then(() => this.#speak()),
      });
      this.#listen();
      const { table, state, wrong } = beginning(this, this.#ownsAddress, settings);
      this.#table = table;
      this.#say(wrong);
      this.#state = state;
      this.#reflect();
      this.#compute().then(() => this.dispatchEvent(new Event("ready")));
    }

    attributeChangedCallback(name, before, value) {
      if (this.#reflecting || before === value || !explorers.includes(this)) return;
      const wrong = value === null ? null : take(name, value, this.#table).wrong;
      const opened = { ...atFirst(this.#table, this.#state.photo), photo: settings.defaults.photo };
      this.set({ [name]: value === null || wrong ? opened[name] : value }, { wrong });
    }

    /** The line for answers that says something, or the one at the top. */
    get note() {
      return this.querySelector(".va-note:not(:empty)") ?? this.querySelector(":scope > .va-note");
    }

    /** The state as one object, a copy. */
    get state() {
      return { ...this.#state };
    }

    get #ownsAddress() {
      return explorers[0] === this;
    }

    get #isStandard() {
      return ["divisor", "dropped"].every((name) => this.#state[name] === settings.defaults[name]);
    }

    /**
     * Change the state. Values that cannot be are refused with a note and change nothing.
     * @param {Object<string, string>} asked names and values, as the attributes have them
     * @returns {Promise<void>} when the row shows it; the small maps may follow
     */
    async set(asked, { fromAddress = false, wrong = null } = {}) {
      const before = this.#state;
      const { state: taken, wrong: refused } = check(asked, this.#table);
      if (refused) {
        tell(this, `Nothing is changed: ${refused}.`);
        this.#reflect();
        return this.#showControls();
      }
      const change = withOpening(taken, before, this.#table);
      const changed = Object.keys(change).filter((name) => change[name] !== before[name]);
      this.#say(wrong);
      if (changed.length === 0) return this.#reflect();
      this.#state = { ...before, ...change };
      if (changed.some((name) => HISTORIC.includes(name))) this.#key = null;
      this.#reflect();
      const historic = changed.some((name) => HISTORIC.includes(name));
      if (!fromAddress && this.#ownsAddress) putAddress(this.#state, historic ? before : null, this.#table);
      await this.#compute();
      this.dispatchEvent(new Event("change"));
    }

    /** Point at a key: its arithmetic is shown; null: at the strongest one. */
    point(token) {
      if (token === this.#key) return;
      this.#key = token;
      if (this.row) this.#drawKey();
    }

    /** Take a key out of the softmax, or put it back. */
    async drop(token) {
      await this.set({ dropped: grid.toggled(this.#state.dropped, token) });
      this.point(token);
    }

    // The row -------------------------------------------------------------------------------------

    async #compute() {
      const mine = ++this.#run;
      const state = this.#state;
      const { photo, layer, head } = state;
      try {
        this.setAttribute("aria-busy", "true");
        const wanted = head === "mean" ? ALL : [Number(head)];
        const coming = Promise.all(wanted.map((n) => headOf(photo, layer, n)));
        const heads = await awaited(coming, this, `Layer ${layer}`, this.#used);
        if (mine !== this.#run) return;
        this.#heads = heads;
        this.#draw();
        this.#shown = state;
        if (this.#ofMaps(state) !== this.#maps) {
          const all = await Promise.all(ALL.map((n) => headOf(photo, layer, n)));
          this.#maps = null; // some may be drawn when another choice comes
          for (const n of ALL) {
            await breath(); // the row is painted first, and a map at a time
            if (mine !== this.#run) return;
            this.#drawMap(n, all[n - 1]);
          }
          this.#maps = this.#ofMaps(state);
        }
      } catch (error) {
        if (mine !== this.#run) return;
        tell(this, `Layer ${layer} could not be loaded; shown is what was there before.`, this.#used);
        this.#state = this.#shown ?? { ...settings.defaults };
        this.#reflect();
        this.#showControls();
        if (this.#ownsAddress) putAddress(this.#state, null, this.#table);
      }
      if (mine === this.#run) this.removeAttribute("aria-busy");
    }

    #ofMaps(state) {
      return OF_THE_MAPS.map((name) => state[name]).join(" ");
    }

    /** The largest weight of a head, or of the mean of heads, over all queries of the photograph. */
    #largestOf(heads) {
      const { divisor, dropped } = this.#state;
      const name = [heads.length, divisor, dropped].join(" ");
      const ends = this.#ends.get(heads[0]) ?? new Map();
      this.#ends.set(heads[0], ends);
      if (!ends.has(name)) {
        const queries = Array.from({ length: TOKENS }, (_, token) => token);
        const A = heads.map((one) => rowsOf(one, queries, this.#state).weights);
        const rows = A.length > 1 ? queries.map((i) => attention.meanOfHeads(A, i)) : A[0];
        ends.set(name, attention.largest(rows.map(attention.largest)));
      }
      return ends.get(name);
    }

    #draw() {
      const { photo, range } = this.#state;
      const shown = readRow(this.#state, this.#heads, range === "fit" ? null : this.#largestOf(this.#heads));
      const { query, weights } = shown;
      this.row = weights;
      this.ranked = shown.ranked;
      const file = this.picture.getAttribute("href").replace(/\w+(?=\.webp$)/, photo);
      this.#write(this.picture, "href", file);
      this.#cells.paint(shown.levels);
      this.#write(this.marks.query, "transform", `translate(${grid.corner(query).join(" ")})`);
      this.#fill(shown.values);
      this.#write(this.querySelector(".va-panel-photo > [data-taken]"), "d", this.#taken());
      this.#drawKey();
      this.#tellChanges();
      this.#showControls();
      clearTimeout(this.naming);
      this.naming = setTimeout(() => this.#cells.name((key) => `weight ${weights[key].toFixed(3)}`, query));
    }

    #taken() {
      const { dropped } = this.#state;
      return dropped === "" ? "" : crosses(dropped.split(",").map(tokenOf));
    }

    /** The pointed key's arithmetic. */
    #drawKey() {
      const row = { query: tokenOf(this.#state.query), weights: this.row, ranked: this.ranked };
      const { key, isOut, values } = readKey(this.#state, this.#heads, row, this.#key);
      this.#write(this.marks.key, "transform", `translate(${grid.corner(key).join(" ")})`);
      this.#fill(values);
      const drop = this.querySelector("[data-action=drop-key]");
      this.#write(drop, "text", isOut ? "Put it back" : "Take it out");
    }

    #drawMap(n, head) {
      const { query, range } = this.#state;
      const token = tokenOf(query);
      const weights = weightsOf([head], token, this.#state);
      const end = range === "fit" ? attention.largest(weights) : this.#largestOf([head]);
      const map = this.querySelector(`[data-map="${n}"]`);
      grid.paintMap(map, weights, { end, query: token, taken: this.#taken() });
      this.#fill(mapValues(n, weights, end));
    }

    #fill(values) {
      for (const [mark, name] of this.bound) {
        if (values[name] !== undefined) this.#write(mark, "text", values[name]);
      }
    }

    /** Say what the model does not do, until it is reset. */
    #tellChanges() {
      const { divisor, dropped } = this.#state;
      const keys = dropped === "" ? [] : dropped.split(",").map((word) => grid.place(tokenOf(word)));
      const told = [
        { model: "products divided by √D", none: "products not divided" }[divisor],
        keys.length > 0 && `${keys.length} ${keys.length === 1 ? "key" : "keys"} taken out`,
      ];
      this.#write(this.changes.querySelector("b"), "text", told.filter(Boolean).join(" · "));
      this.changes.hidden = this.#isStandard;
      this.#write(this.querySelector("[data-say=dropped]"), "text", keys.join(", ") || "none");
    }

    #showControls() {
      for (const input of this.querySelectorAll("input[type=radio]")) {
        input.checked = input.value === this.#state[input.dataset.state];
      }
    }

    // Words and the address -----------------------------------------------------------------------

    #say(wrong) {
      tell(this, wrong ? `Shown is the default: ${wrong}.` : "");
    }

    /** One sentence for those who listen, once a change. */
    #speak() {
      if (!this.row) return;
      const { photo, layer, head, query } = this.#state;
      const who = head === "mean" ? "mean of heads" : `head ${head}`;
      const said = sentence(this.row, this.ranked, tokenOf(query));
      const words = `${settings.photos[photo]}, layer ${layer}, ${who}. ${said}`;
      if (this.live.textContent !== words) this.live.textContent = words;
    }

    #reflect() {
      this.#reflecting = true;
      reflect(this, this.#state);
      this.#reflecting = false;
    }

    /** Take the state from the history or the address: at a link, or when the reader goes back. */
    async followAddress(kept) {
      const found = followAddress(kept, this.#table);
      if (!found) return;
      await this.set(found.state, { fromAddress: true, wrong: found.wrong });
      this.#speak();
    }

    // What the reader does ------------------------------------------------------------------------

    async #choose(change, control = null) {
      this.#used = control;
      await this.set(change);
      if (this.#used === control) this.#used = null;
      this.#speak();
    }

    #listen() {
      this.addEventListener("change", (event) => {
        const input = event.target;
        if (!(input instanceof HTMLInputElement) || input.type !== "radio") return;
        event.stopPropagation();
        this.#choose({ [input.dataset.state]: input.value }, input);
      });
      this.addEventListener("click", (event) => {
        const control = event.target.closest("[data-action]");
        const action = control?.dataset.action;
        if (action === "copy-link") copyLink(write(this.#state, this.#table)).then((told) => tell(this, told, control));
        if (action === "reset") {
          const { divisor, dropped } = settings.defaults;
          this.#choose({ divisor, dropped });
        }
        if (action === "drop-key") this.drop(this.#pointed).then(() => this.#speak());
        if (action === "key-before") this.#stepKey(-1);
        if (action === "key-after") this.#stepKey(1);
        if (action?.startsWith("go-")) {
          const key = { left: "ArrowLeft", up: "ArrowUp", down: "ArrowDown", right: "ArrowRight" }[action.slice(3)];
          this.#choose({ query: wordsOf(grid.next(tokenOf(this.#state.query), key)) });
        }
      });
    }

    get #pointed() {
      return this.#key ?? this.ranked.find((other) => other !== tokenOf(this.#state.query));
    }

    #stepKey(by) {
      const place = (this.ranked.indexOf(this.#pointed) + by + TOKENS) % TOKENS;
      this.point(this.ranked[place]);
    }
  }

  customElements.define("vit-explorer", VitExplorer);
  followLinks(() => explorers[0], settings);
})();
