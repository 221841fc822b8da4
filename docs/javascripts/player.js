/**
 * <vit-player>: the reader picks a stage, a patch, a head, a photograph, and the marks follow.
 *
 * figures_src has drawn every mark for the default state; here they are filled again for any other
 * one. Nothing is laid out or coloured here. The state is one object; attributes, controls and the
 * address are three ways to set it. Classic script: it works from disk.
 */
(() => {
  "use strict";

  document.documentElement.classList.add("js"); // the pages say so early; a page of somebody else may not
  const { attention, row, teaching, player: settings } = window.vitattn;
  const { load, painted, reflect, beginning, putAddress, copyLink, tell, awaited, ownNames, writer } = window.vitattn.element;
  const { take, check, atFirst, withOpening, write } = window.vitattn.address;
  if (!attention) throw new Error("attention.js has not come"); // the figure goes on as a still, see arrival.py
  const grid = row.places();
  const { prefix: PREFIX, tokens: TOKENS, tokenOf, wordsOf } = grid;
  const NAMES = settings.names;
  // Choices that the back button takes back; the others only replace the address.
  const HISTORIC = ["photo", "stage", "query", "head"];
  // What a new pass depends on; the rest only reads the pass.
  const WHOLE = [56.8, 37]; // rem that the widest scene takes, with what stands above it
  const OF_THE_PASS = ["photo", "scale", "position", "mix", "axis", "dropped", "bug"];
  // What moves the film only: no mark is drawn anew for it.
  const OF_THE_FILM = ["at", "speed"];
  const SCRIPTS = new URL(".", document.currentScript.src).href;
  const ASSETS = new URL(".", document.currentScript.src).href.replace(/javascripts\/$/, "assets/");

  // A photograph of the reader's own is in this page alone.
  const LIMITS = { ...settings, isHere: (photo) => Boolean(window.vitattn.photos[photo]) };

  // Photographs -----------------------------------------------------------------------------------

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

  /** Paint a small map; with the bug "offset" as the photograph is painted. See grid.js. */
  window.vitattn.paintMap = (map, weights, { bug = "", ...how }) => {
    grid.paintMap(map, weights, { ...how, onPatches: row.onGrid(weights, bug) });
  };

  /** Where the mark of a row stands on the photograph. */
  const place = (token) => `translate(${row.corner(token).join(" ")})`;

  /** Let the browser do what it has to before the next piece of work. */
  const breath = () => new Promise((resolve) => setTimeout(resolve));

  // The element -----------------------------------------------------------------------------------

  // Of the film: a button or a key, and what it does.
  const FILM = { "play": "toggle", "step-on": "on", "step-back": "back", "k": "toggle", "l": "on", "j": "back" };
  const players = [];
  let segment = null; // one part of a unit bar, as it was drawn

  class VitPlayer extends HTMLElement {
    static observedAttributes = NAMES;

    /** The current pass: X, U, Q, K, V, P, S, A, O, M, Y, W, G, F, Z as nested arrays. */
    pass = null;

    #state = { ...settings.defaults };
    #table = LIMITS; // with what the markup says
    #busy = null; // until the pass is there
    #key = null; // the key pointed at, or null for the strongest one
    #shown = null; // what the marks show now
    #frame = 0; // the frame that they are drawn anew for, 0: they show what they should
    #coming = 0; // choices that are answered and not drawn yet
    #isDue = true; // has more changed since the marks were filled than the key that is pointed at?
    #isNamed = false; // do the cells say the weights that are shown?
    #reflecting = false;
    #isOnPaper = false;
    #run = 0;
    #plates = new Map(); // the stage whose plate a mark stands in, or null
    #parts = new Map(); // fold: its part
    #film = null; // see film.js
    #cells = null; // the grid, see grid.js
    #standard = new Map(); // photograph: its pass with nothing switched
    #used = null; // the control that was used last
    #write = writer();

    connectedCallback() {
      if (players.includes(this)) return;
      players.push(this);
      this.arrive?.(); // see arrival.py
      if (!this.querySelector(".va-scene")) this.innerHTML = players[0].innerHTML;
      ownNames(this, players.length);
      this.#collect();
      this.#listen();
      for (const hidden of this.querySelectorAll(".va-controls, .va-step-key, .va-speed, [data-action]")) hidden.hidden = false;
      for (const change of ["fullscreenchange", "resize"]) window.addEventListener(change, () => this.#grow());
      if (!document.fullscreenEnabled) this.querySelector("[data-action=full-screen]").hidden = true;
      for (const other of players) other.#showControls();
      const { table, state, wrong } = beginning(this, this.#ownsAddress, LIMITS);
      this.#table = table;
      this.#say(wrong);
      this.#state = state;
      this.#reflect();
      this.removeAttribute("playing"); // told, never asked
      this.#busy = this.#compute();
      this.#busy.then(() => this.#followFilm()).then(() => this.dispatchEvent(new Event("ready")));
    }

    attributeChangedCallback(name, before, value) {
      if (this.#reflecting || before === value || !players.includes(this)) return;
      const wrong = value === null ? null : take(name, value, this.#table).wrong;
      if (name === "at" || name === "stage") this.#film?.pause();
      this.set({ [name]: value === null || wrong ? this.#without(name) : value }, { wrong });
    }

    /** The value of a name that nobody gives. */
    #without(name) {
      return name === "photo" ? settings.defaults.photo : atFirst(this.#table, this.#state.photo)[name];
    }

    /** Has a stage been chosen? Until then the film begins at the first. */
    isChosen = false;

    /** While it is set, choosing a cell of the photograph calls it with that row, and picks no query. */
    picks = null;

    /** The line for answers that says something, or the one at the top. */
    get note() {
      return this.querySelector(".va-note:not(:empty)") ?? this.querySelector(":scope > .va-note");
    }

    /** The state as one object, a copy. */
    get state() {
      return { ...this.#state };
    }

    /** Everything the marks show, by name: see row.js. */
    get shown() {
      if (this.#frame) this.#draw({ pointed: true });
      return this.#shown;
    }

    /** The four sums of each patch of the photograph. */
    get sums() {
      return window.vitattn.photos[this.#state.photo].sums;
    }

    /** Is nothing of the mechanism switched? */
    get isStandard() {
      return OF_THE_PASS.every(
        (name) => name === "photo" || this.#state[name] === settings.defaults[name],
      );
    }

    /** The pass of this photograph with nothing switched, to compare with. */
    get standardPass() {
      if (!this.#standard.has(this.sums)) {
        this.#standard.set(this.sums, attention.run({ sums: this.sums, teaching }));
      }
      return this.#standard.get(this.sums);
    }

    /** Point at a key: its arithmetic is shown; null: at the strongest one. */
    point(token) {
      this.#point(token);
    }

    /** While it is printed every plate stands filled and whole; the film leaves the marks alone. */
    get isOnPaper() {
      return this.#isOnPaper;
    }

    set isOnPaper(isPrinted) {
      if (isPrinted) this.#film?.pause();
      this.#isOnPaper = isPrinted;
      this.#film?.follow();
      this.#draw({ pointed: true });
    }

    /** What the reader has chosen, in words: stage, head and photograph. */
    get chosen() {
      const { photo, stage, head } = this.#state;
      return {
        stage: settings.stages[stage],
        head: head === "mean" ? "mean of heads" : `head ${head}, ${settings.heads[head - 1]}`,
        photo: settings.photos[photo] ?? "Your photograph",
      };
    }

    /** Say the stage and its sentence to those who listen. */
    speak() {
      if (this.#shown) this.#speak();
    }

    /** Say something beside a control of the player, or at its top; an empty text takes it away. */
    tell(text, control = null) {
      tell(this, text, control);
    }

    /**
     * Change the state. Values that cannot be are refused with a note and change nothing.
     * @param {Object<string, string>} change names and values, as the attributes have them
     * @param {{fromAddress: boolean, replace: boolean, wrong: ?string, control: ?Element}} how the
     *   address says so already; the choice before is not worth going back to; why this is not what
     *   was asked for, to be said beside a control
     * @returns {Promise<void>} when the marks show it
     */
    async set(change, { fromAddress = false, replace = false, wrong = null, control = null } = {}) {
      const before = this.#state;
      const { state: taken, wrong: refused } = check(change, this.#table);
      if (refused) {
        this.tell(`Nothing is changed: ${refused}.`);
        this.#reflect();
        this.#showControls();
        return;
      }
      const state = { ...before, ...withOpening(taken, before, this.#table) };
      const changed = NAMES.filter((name) => state[name] !== before[name]);
      this.#say(wrong, control);
      if (changed.length === 0) return this.#reflect();
      this.#state = state;
      if (changed.includes("stage")) this.isChosen = true;
      if (changed.some((name) => ["photo", "query", "head"].includes(name))) this.#key = null;
      this.#reflect();
      const historic = changed.some((name) => HISTORIC.includes(name)) && !replace;
      const written = fromAddress ? null : this.#writeAddress(historic ? before : null);
      if (changed.some((name) => OF_THE_PASS.includes(name))) this.#busy = this.#compute();
      if (changed.every((name) => OF_THE_FILM.includes(name))) this.#showControls();
      else if (!this.#busy) this.#draw();
      while (this.#busy) await this.#busy;
      await this.#followFilm();
      await written;
      this.dispatchEvent(new Event("change"));
    }

    /** The address for somebody else: a photograph of one's own is in this page alone. */
    get addressToShare() {
      const photo = this.#state.photo === "own" ? this.#table.first.photo : this.#state.photo;
      return write({ ...this.#state, photo }, this.#table);
    }

    /** What is to be said of such an address where a photograph of one's own is shown. */
    get stays() {
      return this.#state.photo === "own" ? " Your own photograph is not in it: it stays in this page." : "";
    }

    /** The film, loaded at its first use; null, with a note, where its script cannot be had. */
    async film(control = null) {
      try {
        if (!this.#film) {
          const scripts = load(`${ASSETS}timeline.js`).then(() => load(`${SCRIPTS}film.js`));
          await awaited(scripts, this, "The film", control);
        }
      } catch (error) {
        this.tell(`${error.message}: there is no film yet. Press Play to try again.`, control);
        return null;
      }
      return (this.#film ??= window.vitattn.film(this));
    }

    async #followFilm() {
      if (Number(this.#state.at) < 1) await this.film();
      this.#film?.follow();
    }

    /** Compute the pass anew: the sums of the photograph have been replaced. */
    async renew() {
      this.#standard.clear();
      this.#busy = this.#compute();
      while (this.#busy) await this.#busy;
      this.dispatchEvent(new Event("change"));
    }

    /** The pass of this photograph with nothing switched, computed in pieces so that nothing waits. */
    async standard() {
      const { sums } = this;
      if (!this.#standard.has(sums)) {
        this.#standard.set(sums, await this.#inPieces(attention.steps({ sums, teaching }), () => true));
      }
      return this.#standard.get(sums);
    }

    /** Do a piece of work at a time while it is wanted; null once it is not. */
    async #inPieces(work, isWanted) {
      let piece = work.next();
      while (!piece.done) {
        await breath();
        if (!isWanted()) return null;
        piece = work.next();
      }
      return piece.value;
    }

    /** Take a key out of the softmax, or put it back. */
    async drop(token) {
      await this.set({ dropped: grid.toggled(this.#state.dropped, token) });
    }

    /** Put every switch back. */
    async reset() {
      const names = OF_THE_PASS.filter((name) => name !== "photo");
      await this.set(Object.fromEntries(names.map((name) => [name, settings.defaults[name]])));
    }

    /** Use one of the tools under the player: their script is loaded at the first use. */
    async #use(tool, control) {
      try {
        await awaited(load(`${SCRIPTS}tools.js`), this, "What this needs", control);
      } catch (error) {
        return this.tell(`${error.message}. Try once more.`, control);
      }
      return window.vitattn.tools[tool](this, this.addressToShare, control);
    }

    /** Open a fold: its script is loaded, and its part follows every change from then on. */
    async #open(fold) {
      const { part: name, late, needs = "" } = fold.dataset;
      const [note, body] = [".va-note", ".va-fold-body"].map((part) => fold.querySelector(`:scope > ${part}`));
      const own = [...needs.split(" ").filter(Boolean), name].map((script) => `${SCRIPTS}${script}.js`);
      const drawn = late === "" ? [`${ASSETS}fold-${name}.js`] : [];
      try {
        await awaited(Promise.all([...own, ...drawn].map(load)), this, "What stands here", body);
      } catch (error) {
        tell(this, `${error.message}. `, body);
        const again = Object.assign(document.createElement("button"), { type: "button", textContent: "Try again" });
        again.className = "va-button";
        again.addEventListener("click", () => this.#open(fold));
        return note.append(again);
      }
      if (note.firstElementChild) tell(this, "", body); // it was tried again
      if (!this.#parts.has(fold)) {
        body.hidden = false;
        if (late === "") {
          body.innerHTML = window.vitattn.folds[name];
          ownNames(body, players.indexOf(this) + 1);
          this.#showControls();
        }
        this.#parts.set(fold, parts[name](this, fold));
      }
      if (this.#shown) this.#parts.get(fold).draw(this.#shown);
    }

    /** Open a file that was dropped here, under the fold for it. */
    async openFile(file) {
      const fold = this.querySelector("[data-part=own-photo]");
      fold.open = true;
      await this.#open(fold);
      this.#parts.get(fold)?.open(file);
      fold.querySelector(".va-told")?.scrollIntoView({ block: "nearest" });
    }

    // The pass ------------------------------------------------------------------------------------

    async #compute() {
      const mine = ++this.#run;
      const { photo, scale, position, mix, axis, dropped, bug } = this.#state;
      const keys = dropped === "" ? [] : dropped.split(",").map(tokenOf);
      let sums;
      try {
        this.setAttribute("aria-busy", "true");
        sums = await awaited(sumsOf(photo), this, settings.photos[photo] ?? "The photograph", this.#used);
      } catch (error) {
        if (mine !== this.#run) return;
        this.removeAttribute("aria-busy");
        const how = { replace: true, wrong: error.message, control: this.#used };
        return this.set({ photo: settings.defaults.photo }, how);
      }
      const work = attention.steps({ sums, teaching, scale, position, mix, axis, dropped: keys, bug });
      const pass = await this.#inPieces(work, () => mine === this.#run);
      if (mine !== this.#run) return;
      this.pass = pass;
      this.#busy = null;
      if (this.isStandard) this.#standard.set(sums, pass);
      this.#draw();
      if (!this.#standard.has(sums)) {
        await this.standard();
        if (mine !== this.#run) return;
        this.#draw();
      }
      this.removeAttribute("aria-busy");
    }

    // The marks -----------------------------------------------------------------------------------

    /** Put the heads side by side into the plates: a reader who does not ask for them is spared them. */
    #setHeadsOut() {
      const late = this.querySelectorAll("template.va-late");
      for (const drawn of late) drawn.replaceWith(drawn.content);
      if (late.length > 0) this.#collect();
    }

    #collect() {
      const of = (kind) => [...this.querySelectorAll(`[data-${kind}]`)].map((mark) => [mark, mark.dataset[kind]]);
      const plateOf = (mark) => mark.closest(".va-plate")?.id.replace(/.*stage-/, "") ?? null;
      this.bound = ["t", "d", "paint", "x", "v", "w", "box", "level"].map((kind) => [kind, of(kind)]);
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
      this.changes = this.querySelector(".va-changed");
      this.live = this.querySelector(".va-unseen[aria-live]") ?? document.createElement("p"); // a copy has it
      this.live.textContent = "";
      this.live.className = "va-unseen";
      this.live.setAttribute("aria-live", "polite");
      this.append(this.live);
    }

    /** Fill the marks for what is picked; `pointed`: since they were filled, only the key has changed. */
    #draw({ pointed = false } = {}) {
      this.#isDue ||= !pointed;
      if (this.#coming > 0) return;
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      if (!this.pass || this.#busy) return; // what is picked meanwhile is drawn with the new pass
      if (this.#state.head === "mean") this.#setHeadsOut();
      const { photo, stage, query, head, range, scale, position, mix, axis, bug } = this.#state;
      const state = {
        ...{ photo, stage: this.#isOnPaper ? undefined : stage, range, scale, position, mix, axis, bug, query: tokenOf(query) },
        sums: window.vitattn.photos[photo].sums,
        ...{ head: head === "mean" ? 0 : Number(head), key: this.#key },
      };
      const shown = row.readRow(state, this.pass, this.#standard.get(this.sums) ?? null);
      this.#shown = shown;
      for (const [kind, marks] of this.bound) {
        for (const [mark, name] of marks) {
          const value = shown.values[name];
          if (value === undefined || !this.#isShown(mark)) continue;
          if (kind === "t") this.#write(mark, "text", value);
          else if (kind === "d") this.#write(mark, "d", value);
          else if (kind === "paint") {
            if (mark.innerHTML !== value) mark.innerHTML = value;
          } else if (kind === "v") this.#write(mark, "--v", value);
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
      this.#cells.paint(shown.levels);
      for (const [role, mark] of Object.entries(this.marks)) {
        this.#write(mark, "transform", place(shown[role]));
      }
      for (const bar of this.bars) if (this.#isShown(bar)) this.#drawSegments(bar, shown);
      this.flow.forEach((arrow, n) => {
        const [shaft, head_, width] = shown.arrows[n] ?? ["", "", "0"]; // a key without weight sends none
        const [casing, line, tip] = arrow.children;
        this.#write(arrow, "--w", width);
        this.#write(casing, "d", shaft);
        this.#write(line, "d", shaft);
        this.#write(tip, "d", head_);
      });
      for (const [fold, part] of this.#parts) if (fold.open) part.draw(shown);
      if (this.#isDue) {
        this.#isDue = false;
        this.#tellChanges();
        this.#showControls();
        this.#isNamed = false;
      }
      this.#film?.follow();
      if (!this.#isNamed) painted().then(() => this.#shown === shown && this.#nameCells());
    }

    /** Say what is off the standard, until it is reset. */
    #tellChanges() {
      const changes = Object.entries(settings.changes).map(([name, words]) => words[this.#state[name]]);
      const { dropped } = this.#state;
      const count = dropped === "" ? 0 : dropped.split(",").length;
      if (count === 1) changes.push(`key ${row.place(tokenOf(dropped))} dropped`);
      if (count > 1) changes.push(`${count} keys dropped`);
      this.#write(this.changes.querySelector("b"), "text", changes.filter(Boolean).join(" · "));
      if (this.changes.hidden !== this.isStandard) this.changes.hidden = this.isStandard;
    }

    /** A mark of another stage's plate is filled when that stage is chosen. */
    #isShown(mark) {
      const plate = this.#plates.get(mark);
      return plate === null || plate === this.#state.stage || this.#isOnPaper;
    }

    /**
     * Fill as many parts of a unit bar as there are; parts are copies of those that were drawn. One that
     * is not needed stays, unseen: to take it out costs a browser more than to hide it.
     */
    #drawSegments(bar, { segments, rangeEnd, query, key, total, barEnd }) {
      const along = (share) => `${((100 * share) / barEnd).toFixed(2)}%`;
      segment ??= bar.querySelector(".va-segment:not(.is-cls)").cloneNode(true);
      for (const spare of [...bar.children].slice(segments.length)) {
        this.#write(spare, "class", "va-spare");
        this.#write(spare.lastElementChild, "text", "");
      }
      while (bar.children.length < segments.length) {
        const part = segment.cloneNode(true);
        part.querySelector("use").setAttribute("href", `#${this.picture.id}`);
        bar.append(part);
      }
      segments.forEach(([token, x, width], n) => {
        const part = bar.children[n];
        const [block, thumb, number] = part.children;
        const [left, top] = row.corner(token);
        const kinds = ["va-segment", `w${Math.max(1, row.level(width, rangeEnd))}`];
        if (token < PREFIX) kinds.push("is-cls");
        if (token === query) kinds.push("is-query");
        if (token === key) kinds.push("is-key");
        for (const [kind, least] of Object.entries(settings.shapes.room)) if (width / barEnd < least) kinds.push(kind);
        const middle = along(x + width / 2);
        this.#write(part, "class", kinds.join(" "));
        this.#write(part, "data-token", String(token));
        this.#write(block, "x", along(x));
        this.#write(block, "width", along(width));
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
      const left = Math.max(0, total - start);
      const few = Object.entries(settings.shapes.room).filter(([, least]) => left / barEnd < least);
      this.#write(rest, "class", ["va-others", ...few.map(([kind]) => kind)].join(" "));
      this.#write(block, "x", along(start));
      this.#write(block, "width", along(left));
      for (const text of texts) this.#write(text, "x", along(start + left / 2));
    }

    /** Name every cell for those who listen: what it is, and its weight in the picked row. */
    #nameCells() {
      this.#isNamed = true;
      const weights = this.#state.head === "mean"
        ? attention.meanOfHeads(this.pass.A, this.#shown.query)
        : this.pass.A[Number(this.#state.head) - 1][this.#shown.query];
      const offset = this.#state.bug === "offset";
      this.#cells.name((token) => {
        const painted = offset && token >= PREFIX ? `, painted as ${weights[token - PREFIX].toFixed(3)}` : "";
        return `weight ${weights[token].toFixed(3)}${painted}`;
      }, this.#shown.query);
    }

    #showControls() {
      for (const input of this.querySelectorAll("input[type=radio]")) {
        const name = input.dataset.state ?? "stage";
        input.checked = input.value === this.#state[name];
      }
    }

    // Words ---------------------------------------------------------------------------------------

    #say(wrong, control = null) {
      this.tell(wrong ? `Shown is the default: ${wrong}.` : "", control);
    }

    /** One sentence for those who listen, once a change. */
    #speak() {
      const { stage, head, photo } = this.chosen;
      const sentence = this.querySelector(`.va-plate[id$="stage-${this.#state.stage}"] .va-say`);
      const picked = `${photo}, query ${this.#shown.values.query}, ${head}`;
      const words = `${stage}. ${picked}. ${sentence.textContent}`;
      if (this.live.textContent !== words) this.live.textContent = words;
    }

    // Address and attributes ----------------------------------------------------------------------

    get #ownsAddress() {
      return players[0] === this;
    }

    #reflect() {
      this.#reflecting = true;
      reflect(this, this.#state);
      this.#reflecting = false;
    }

    /** Write the state to the address; with the state before it makes an entry of the history. */
    #writeAddress(before) {
      if (this.#ownsAddress) return putAddress(this.#state, before, this.#table);
    }

    /** Take the state from the history or the address: at a link, or when the reader goes back. */
    async followAddress(kept) {
      const found = window.vitattn.element.followAddress(kept, this.#table);
      if (!found) return;
      const { state, wrong } = found;
      this.#film?.halt();
      await this.set(state, { fromAddress: true, wrong });
      this.#film?.follow();
      this.#speak();
    }

    // What the reader does ------------------------------------------------------------------------

    /** What the reader chooses is answered in the next frame; what follows from it is drawn after that. */
    async #choose(change, control = null) {
      this.#used = control;
      this.#coming += 1;
      if (change.query) this.#write(this.marks.query, "transform", place(tokenOf(change.query)));
      await painted();
      this.#coming -= 1;
      await this.set(change);
      if (this.#used === control) this.#used = null;
      if (this.#frame || this.#isDue) this.#draw({ pointed: true }); // pointed at, or chosen again, meanwhile
      this.#speak();
    }

    #pick(token) {
      if (this.picks) this.picks(token);
      else this.#choose({ query: wordsOf(token) });
    }

    #point(token) {
      if (token === this.#key) return;
      this.#key = token;
      this.#draw({ pointed: true });
    }

    /** Point with the next frame: a pointer on its way meets more keys than a screen shows. */
    #pointSoon(token) {
      if (token === this.#key) return;
      this.#key = token;
      this.#frame ||= requestAnimationFrame(() => this.#draw({ pointed: true }));
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
          if (input.dataset.state) this.#choose({ [input.dataset.state]: input.value }, input);
          else if (this.#film?.playing) this.#film.jump(input.value);
          else this.#choose({ stage: input.value, at: "1" });
        }
      });
      this.addEventListener("click", (event) => {
        const control = event.target.closest("[data-action]");
        const action = control?.dataset.action;
        if (event.target.matches(".va-stages input")) this.isChosen = true; // the one that is shown already, too
        if (action === "drop-key") this.#dropPointed();
        if (action === "reset") this.reset().then(() => this.#speak());
        if (action === "copy-link") copyLink(this.addressToShare).then((told) => this.tell(told + this.stays, control));
        if (action === "full-screen") this.#fillScreen(control);
        if (action === "close-keys") this.querySelector(".va-keys").close();
        if (["copy-embed", "save-plate", "show-keys"].includes(action)) this.#use(action, control);
        if (action in FILM) this.film(control).then((film) => film?.[FILM[action]]());
        if (action === "key-before") this.#stepKey(-1);
        if (action === "key-after") this.#stepKey(1);
      });
      this.#cells = new window.vitattn.Cells(this, grid, this.#write, {
        pick: (token) => this.#pick(token),
        point: (token) => this.#pointSoon(token),
        drop: (token) => this.drop(token).then(() => this.#speak()),
      });
      for (const [type, lit] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
        this.addEventListener(type, (event) => {
          const end = event.target.closest?.("[data-phrase], [data-mark]");
          this.#light(lit && end ? (end.dataset.phrase ?? end.dataset.mark) : null);
        });
      }
      this.addEventListener("keydown", (event) => {
        const written = event.target.matches("textarea, input:is([type=text], [type=search], [type=number])");
        if (event.key === "?" && !written && !event.ctrlKey && !event.metaKey) this.#use("show-keys", event.target);
        const free = !written && !event.target.matches("select") && !event.ctrlKey && !event.metaKey && !event.altKey;
        if (free && "jkl".includes(event.key)) this.film(event.target).then((film) => film?.[FILM[event.key]]());
      });
    }

    /** A phrase lights its mark, and a mark its phrase; what is not meant steps back. */
    #light(name) {
      if (name === null && !this.classList.contains("has-lit")) return;
      const plate = this.querySelector(`.va-plate[id$="stage-${this.#state.stage}"]`);
      for (const end of plate.querySelectorAll("[data-phrase], [data-mark]")) {
        end.classList.toggle("is-lit", name !== null && (end.dataset.phrase ?? end.dataset.mark) === name);
      }
      this.classList.toggle("has-lit", name !== null);
    }

    #stepKey(by) {
      const { head } = this.#state;
      const { query, key } = this.shown;
      const weights = head === "mean" ? attention.meanOfHeads(this.pass.A, query) : this.pass.A[head - 1][query];
      const ranked = row.orderByWeight(weights);
      const place = (ranked.indexOf(key) + by + TOKENS) % TOKENS;
      this.#point(ranked[place]);
    }

    /** Take the pointed key out, or put it back; it stays the one that is pointed at. */
    async #dropPointed() {
      const { key } = this.shown;
      await this.drop(key);
      this.#point(key);
      this.#speak();
    }

    /** Not in tools.js: a browser fills the screen only right after the reader asked for it. */
    async #fillScreen(control) {
      try {
        await (document.fullscreenElement ? document.exitFullscreen() : this.requestFullscreen());
      } catch {
        this.tell("This browser does not let the player fill the screen.", control);
      }
    }

    /** On a full screen everything grows, until the scene fills its width or its height. */
    #grow() {
      const fills = document.fullscreenElement === this;
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      const [across, down] = [window.innerWidth / WHOLE[0], window.innerHeight / WHOLE[1]];
      const zoom = fills ? Math.max(1, Math.min(across, down) / rem) : 1;
      this.style.zoom = zoom;
      this.style.setProperty("--zoom", zoom);
    }
  }

  customElements.define("vit-player", VitPlayer);

  /** On paper every plate stands filled, beside the photograph as its stage paints it. */
  function toPaper(player) {
    player.isOnPaper = true;
    for (const [name, words] of Object.entries(player.chosen)) {
      player.querySelector(`.va-chosen [data-chosen=${name}]`).textContent = words;
    }
    for (const plate of player.querySelectorAll(".va-plate")) {
      // Made for print only: a browser copies what a reference points to, again at each change.
      const here = plate.querySelector("noscript");
      if (!plate.querySelector(".va-print")) here.insertAdjacentHTML("afterend", here.textContent);
      plate.querySelector(".va-print > use").setAttribute("href", `#${player.grid.id}`);
    }
  }

  // A browser leaves the page for a file that is dropped on it, and with it what the reader has made.
  function answerDrop(event, answer) {
    if (!event.dataTransfer?.types.includes("Files") || event.target.closest?.("input[type=file]")) return;
    event.preventDefault();
    answer(players.find((player) => player.contains(event.target)));
  }
  window.addEventListener("dragover", (event) =>
    answerDrop(event, (player) => (event.dataTransfer.dropEffect = player ? "copy" : "none")),
  );
  window.addEventListener("drop", (event) =>
    answerDrop(event, (player) => {
      const { files } = event.dataTransfer;
      if (player && files.length > 0) player.openFile(files[0]);
    }),
  );

  window.addEventListener("beforeprint", () => players.forEach(toPaper));
  window.addEventListener("afterprint", () => {
    for (const repeat of document.querySelectorAll(".va-print")) repeat.remove();
    for (const player of players) player.isOnPaper = false;
  });

  window.vitattn.element.followLinks(() => players[0], LIMITS);
})();
