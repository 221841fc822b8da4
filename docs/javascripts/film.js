/**
 * The film of a player: twelve chapters, one a stage, each a set of paused animations on one clock.
 *
 * What moves, when and from where is data (figures_src/film, told as vitattn.timeline); here the
 * animations are made of it for the picked row, set to a moment, or let run. A chapter ends as its
 * plate: then every animation is taken away. Loaded when the reader first plays, steps or opens a
 * moment inside a stage. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const { row, timeline, teaching } = window.vitattn;
  const { defaults } = window.vitattn.player;
  const { prefix, columns, tokens } = teaching.grid;
  const STAGES = Object.keys(timeline.chapters);
  const TELL = 2000; // within a chapter state and address say the moment so often, in ms: it costs a frame or two
  const NAMED = /\{([\w.]+)\}/g; // a value of the row
  const THIN = 3; // a stick that is laid down, in pixels
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** A frame's value with the row's values in place of their names. */
  const filled = (text, values) => text.replace(NAMED, (_, name) => values[name].replace("\u2212", "-"));

  /** Has the row every value that some frames name? The mean of heads has no product of its own. */
  const isKnown = (frames, values) =>
    frames.flatMap(Object.values).every((text) => [...text.matchAll(NAMED)].every(([, name]) => values[name]));

  const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const isShown = ({ width, height }) => width > 0 || height > 0;
  const pixels = (...lengths) => lengths.map((length) => `${length.toFixed(2)}px`).join(" ");

  /** The pieces of a path by key: a square lies on its cell, a tick is one of `kept`, in order. */
  function apart(path, kept) {
    return (path.match(/M[^M]+/g) ?? []).map((piece, n) => {
      const square = /^M(\S+) (\S+)h([\d.]+)/.exec(piece);
      if (!square) return [kept[n], piece];
      const [x, y, side] = square.slice(1).map(Number);
      const [cell, line] = [x, y].map((edge) => Math.floor((edge + side / 2) / teaching.grid.patch));
      return [line < 0 ? 0 : prefix + line * columns + cell, piece];
    });
  }

  /**
   * The animations of a mark, [keyframes, timing]: pieces of several properties that go together are
   * one. An animation lasts as long as its mark moves, so that a mark at rest costs no frame.
   */
  function animations(pieces) {
    const groups = new Map();
    const begun = new Set();
    for (const piece of [...pieces].sort((a, b) => a.start - b.start)) {
      const { prop, start, ms, values } = piece;
      const isFirst = !begun.has(prop);
      begun.add(prop);
      const key = [start, ms, values.length, isFirst].join();
      if (!groups.has(key)) {
        const frames = Array.from({ length: values.length + 1 }, () => ({ easing: "ease-in-out" }));
        groups.set(key, [frames, { delay: start, duration: ms, fill: isFirst ? "both" : "forwards" }]);
      }
      const [frames] = groups.get(key);
      const name = prop.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
      const rest = piece.rest ?? timeline.natural[prop] ?? values[0];
      [...values, rest].forEach((value, n) => (frames[n][name] = value));
    }
    return [...groups.values()];
  }

  class Film {
    playing = false;

    #player;
    #made = ""; // what the animations were made for
    #animations = [];
    #undo = []; // takes away what was put into the plate
    #length = 1; // of the chapter, in milliseconds
    #begins = []; // [start, end, step] of its steps
    #visits = []; // [time, key]
    #visited = null;
    #stepping = false; // stop at the chapter's end
    #zero = 0; // when the chapter would have begun, on the page's clock
    #time = 0; // where it stands
    #told = ""; // `at` as the film has told it
    #said = []; // the step that is spoken of, and the row it is spoken of
    #ended = ""; // the stage at whose end it has stopped
    #isMaking = false;
    #speed = 1;
    #frame = 0; // the frame that is asked for

    constructor(player) {
      this.#player = player;
      this.now = player.querySelector(".va-now");
      this.rest = this.now.textContent;
      this.button = player.querySelector("[data-action=play]");
      document.addEventListener("visibilitychange", () => document.hidden && this.pause());
      const far = new IntersectionObserver(([seen]) => seen.isIntersecting || this.pause(), { rootMargin: "30%" });
      far.observe(player);
      this.width = player.clientWidth;
      new ResizeObserver(([{ contentRect }]) => {
        this.width = Math.round(contentRect.width);
        this.follow();
      }).observe(player);
    }

    // What the reader does ------------------------------------------------------------------------

    /**
     * Play from here, or pause. It goes on with the next chapter where it has stopped at an end, and
     * plays the stage that was picked; an untouched player, or one at its end, begins at the first.
     */
    toggle() {
      if (this.playing) return this.pause();
      const { stage, at } = this.#player.state;
      if (Number(at) < 1) return this.#start({}, false);
      const untouched = !this.#player.isChosen && stage === defaults.stage;
      const first = untouched || (this.#ended === stage && stage === STAGES.at(-1));
      return this.#start({ stage: first ? STAGES[0] : this.#ended === stage ? this.#next(1) : stage, at: "0" }, false);
    }

    /** The chapter of a stage from its beginning, while it plays. */
    jump(stage) {
      this.#told = "";
      return this.#player.set({ stage, at: "0" });
    }

    /** To the end of this chapter, or through the next one; it stops there. */
    async on() {
      const { at } = this.#player.state;
      const inside = Number(at) < 1;
      const last = this.#next(1) === this.#player.state.stage;
      if (last && !inside) return;
      if (!calm.matches && !this.#stepping) {
        if (this.playing) {
          this.#stepping = true;
          return;
        }
        return this.#start(inside ? {} : { stage: this.#next(1), at: "0" }, true);
      }
      this.pause();
      await this.#goTo(inside ? this.#player.state.stage : this.#next(1));
    }

    /** To the end of the chapter before. */
    async back() {
      this.pause();
      const isFirst = this.#player.state.stage === STAGES[0];
      await this.#goTo(this.#next(-1), isFirst ? "0" : "1");
    }

    async #goTo(stage, at = "1") {
      this.#ended = stage;
      await this.#player.set({ stage, at }, { replace: true });
      this.#player.speak();
    }

    /** Stop where it stands; with reduced motion at the end of a step. */
    pause() {
      if (!this.playing) return;
      const time = calm.matches ? this.#still(this.#clock()) : Math.min(this.#clock(), this.#length);
      this.#setPlaying(false);
      this.#time = time;
      this.#tell();
      this.follow();
    }

    /** Stop, and leave the state and its address to what comes instead. */
    halt() {
      if (this.playing) this.#setPlaying(false);
    }

    #next(by) {
      const n = STAGES.indexOf(this.#player.state.stage) + by;
      return STAGES[Math.max(0, Math.min(STAGES.length - 1, n))];
    }

    async #start(change, stepping) {
      this.#stepping = stepping;
      this.#setPlaying(true);
      this.#told = "";
      this.#bringIntoView();
      await this.#player.set(change, { replace: true });
      if (!this.playing) return; // paused meanwhile
      this.follow();
      this.#player.speak();
      this.#tick();
    }

    /** Where the scene ends below the screen, put the controls at its top. */
    #bringIntoView() {
      const [controls, scene] = [".va-transport", ".va-scene"].map((part) => this.#player.querySelector(part));
      if (scene.getBoundingClientRect().bottom <= innerHeight) return;
      if (controls.getBoundingClientRect().top < parseFloat(getComputedStyle(controls).scrollMarginTop)) return;
      controls.scrollIntoView({ block: "start", behavior: calm.matches ? "instant" : "smooth" });
    }

    #setPlaying(playing) {
      this.playing = playing;
      this.#stepping &&= playing;
      this.#player.toggleAttribute("playing", playing);
      this.button.lastElementChild.textContent = playing ? "Pause" : "Play";
    }

    // The clock -----------------------------------------------------------------------------------

    #clock() {
      return (document.timeline.currentTime - this.#zero) * this.#speed;
    }

    /** Let everything run from a time of the chapter on. */
    #run(time) {
      this.#speed = Number(this.#player.state.speed);
      this.#zero = document.timeline.currentTime - time / this.#speed;
      this.#time = time;
      if (calm.matches) return this.#set(this.#still(time));
      for (const animation of this.#animations) {
        animation.playbackRate = this.#speed;
        animation.startTime = this.#zero;
      }
      this.#show(time);
    }

    #set(time) {
      for (const animation of this.#animations) {
        animation.pause();
        animation.currentTime = time;
      }
      this.#show(time);
    }

    /** The end of the step that a time falls into. */
    #still(time) {
      return this.#begins.find(([, end]) => time < end)?.[1] ?? this.#length;
    }

    #tick = () => {
      cancelAnimationFrame(this.#frame); // Play may be pressed again before the first frame: one clock
      if (!this.playing) return;
      this.#frame = requestAnimationFrame(this.#tick);
      if (!this.#made) return; // the pass is being computed
      const time = this.#clock();
      if (time >= this.#length) return this.#end();
      const isNext = calm.matches && this.#still(time) !== this.#still(this.#time);
      if (isNext) this.#set(this.#still(time));
      if (isNext || time - Number(this.#told) * this.#length >= TELL * this.#speed) {
        this.#time = time;
        this.#tell();
      }
      this.#show(calm.matches ? this.#still(time) : time);
    };

    /** At the end of a chapter: stop, or go on with the next. */
    #end() {
      const next = this.#next(1);
      if (!this.#stepping && next !== this.#player.state.stage) {
        this.#told = ""; // else a chapter whose moments were never told would end where it begins
        this.#player.set({ stage: next, at: "0" }, { replace: true });
        this.#player.speak();
        return;
      }
      this.#time = this.#length;
      this.#ended = this.#player.state.stage;
      this.#setPlaying(false);
      this.#tell();
      this.follow();
      this.#player.speak();
    }

    #tell() {
      this.#told = String(Number(Math.min(1, this.#time / this.#length).toFixed(3)));
      this.#player.set({ at: this.#told }, { replace: true });
    }

    // The marks -----------------------------------------------------------------------------------

    /** Show the moment that the state names; the player calls it after every change. */
    follow() {
      const { state, shown } = this.#player;
      if (!shown || this.#isMaking) return;
      if (state.stage !== this.#ended) this.#ended = "";
      if (this.#player.isOnPaper || (Number(state.at) >= 1 && !this.playing)) {
        this.#clear();
        this.#said = [];
        this.now.textContent = this.rest;
        return;
      }
      const { stage, query, head, range } = state;
      const key = timeline.chapters[stage].some((step) => step.visits) ? "" : shown.key;
      const made = [stage, query, head, range, key, this.width, this.#stamp()].join();
      const isNew = made !== this.#made;
      if (isNew) {
        this.#clear();
        this.#make(stage);
        this.#made = made;
      }
      if (!this.playing) {
        this.#time = Number(state.at) * this.#length;
        return this.#set(this.#time);
      }
      const moved = state.at !== this.#told;
      this.#told = state.at;
      if (moved) this.#run(Number(state.at) * this.#length);
      else if (isNew || Number(state.speed) !== this.#speed) this.#run(Math.min(this.#clock(), this.#length));
    }

    /** A number that is another one for another pass. */
    #stamp() {
      if (this.pass !== this.#player.pass) {
        this.pass = this.#player.pass;
        this.passes = (this.passes ?? 0) + 1;
      }
      return this.passes;
    }

    #clear() {
      this.#isMaking = true;
      this.#made = "";
      for (const animation of this.#animations) animation.cancel();
      for (const undo of this.#undo.reverse()) undo();
      [this.#animations, this.#undo] = [[], []];
      if (this.#visited !== null) {
        this.#visited = null;
        this.#player.point(null);
      }
      this.#visits = [];
      this.#isMaking = false;
    }

    /** What is said and which key is met at a time. */
    #show(time) {
      const { shown, state } = this.#player;
      const [, , step] = this.#begins.find(([, end]) => time < end) ?? this.#begins.at(-1);
      if (this.#said[0] !== step || this.#said[1] !== shown) {
        this.#said = [step, shown];
        const say = (shown.query < prefix && step.cls) || (state.head === "mean" && step.mean) || step.say;
        const words = say.replace(NAMED, (_, name) => shown.values[name]);
        if (this.now.textContent !== words) this.now.textContent = words;
      }
      const visit = this.#visits.findLast(([at]) => at <= time);
      const key = !visit || visit[1] < 0 ? null : visit[1];
      if (key === this.#visited) return;
      this.#visited = key;
      this.#player.point(key);
    }

    /** Make the animations of a chapter; where marks come from is measured before any of them moves. */
    #make(stage) {
      const steps = timeline.chapters[stage];
      let begin = 0;
      this.#begins = steps.map((step) => [begin, (begin += step.ms), step]);
      this.#length = begin + timeline.rest;
      this.#begins.at(-1)[1] = this.#length;
      this.#visits = this.#begins.flatMap(([start, , step]) => (step.visits ?? []).map(([at, key]) => [start + at, key]));
      const plate = this.#player.querySelector(`.va-plate[id$="stage-${stage}"]`);
      const places = [this.#player.querySelector(".va-panel-photo"), plate];
      this.find = (marks) => places.flatMap((place) => [...place.querySelectorAll(marks)]);
      const moving = new Map(); // mark: the pieces of its properties
      for (const [start, , { moves }] of this.#begins) {
        for (const move of moves) for (const [mark, piece] of this.#pieces(move, start)) {
          if (!moving.has(mark)) moving.set(mark, []);
          moving.get(mark).push(piece);
        }
      }
      for (const [mark, pieces] of moving) {
        for (const [frames, timing] of animations(pieces)) this.#animate(mark, frames, timing);
      }
      if (this.#visits.length > 0) this.#walk();
      const label = this.#player.querySelector(`.va-stages [value=${stage}]`).parentElement;
      label.classList.add("is-filling");
      this.#undo.push(() => label.classList.remove("is-filling"));
      this.#animate(label, { transform: ["scaleX(0)", "scaleX(1)"] }, { pseudoElement: "::after" });
    }

    #animate(mark, frames, how = {}) {
      const animation = mark.animate(frames, { duration: this.#length, fill: "both", ...how });
      animation.pause();
      animation.persist(); // a later one of the same mark would have it thrown away
      this.#animations.push(animation);
    }

    /** [mark, {prop, start, ms, values}] of a move, for every mark it names. */
    #pieces(move, begin) {
      const { values } = this.#player.shown;
      const found = this.find(move.marks);
      const start = (n) => begin + (move.start ?? 0) + n * (move.stagger ?? 0);
      if (!isKnown(move.frames ?? [], values)) return [];
      const framed = (mark, at, frames = move.frames ?? []) =>
        [...new Set(frames.flatMap(Object.keys))].map((prop) => [
          mark,
          { prop, start: at, ms: move.ms, values: frames.map((frame) => filled(frame[prop], values)) },
        ]);
      if (move.own) {
        const [, , at] = move.parts.find(([, end]) => this.#player.shown.query < end);
        return found.flatMap((mark) => framed(mark, at));
      }
      if (move.parts) return found.flatMap((path) => this.#parts(path, move.parts)).flatMap(([part, at]) => framed(part, at));
      if (move.copy) {
        const copies = found.map((path) => this.#ticks(path, move.copy === "kept"));
        return copies.flatMap((copy) => framed(copy, start(0)).map(([mark, piece]) => [mark, { ...piece, rest: piece.values.at(-1) }]));
      }
      if (move.lay) return found.flatMap((mark, n) => this.#lay(mark, start(n), move.ms));
      if (!move.source) return found.flatMap((mark, n) => framed(mark, start(n)));
      const sources = this.find(move.source);
      return found.flatMap((mark, n) => {
        const source = sources[sources.length === found.length ? n : 0];
        const from = this.#from(mark, source, move);
        const frames = move.frames ?? [{ opacity: "0" }, { opacity: "1" }];
        const came = Object.keys(from).map((prop) => [mark, { prop, start: start(n), ms: move.ms, values: [from[prop]] }]);
        return [...came, ...framed(mark, start(n), frames)];
      });
    }

    /** How far a mark is from where it comes from, in its own units. */
    #from(mark, source, { along, zoom }) {
      const [here, there] = [mark, source].map((end) => end.getBoundingClientRect());
      if (!isShown(here) || !isShown(there)) return {};
      const [[x, y], [fromX, fromY]] = [here, there].map(centre);
      const units = mark.ownerSVGElement ? mark.parentElement.getScreenCTM() : { a: 1, d: 1 };
      const translate = pixels(along === "y" ? 0 : (fromX - x) / units.a, (fromY - y) / units.d);
      return zoom ? { translate, scale: (there.width / here.width).toFixed(4) } : { translate };
    }

    /** The paths that stand in for one that appears in parts, [path, time]; the whole is hidden meanwhile. */
    #parts(path, parts) {
      const { pass } = this.#player;
      const all = Array.from({ length: tokens }, (_, token) => token);
      const scores = path.dataset.d.endsWith("masked") && pass.masked[0][this.#player.shown.query];
      const pieces = apart(path.getAttribute("d"), scores ? all.filter((token) => Number.isFinite(scores[token])) : all);
      path.setAttribute("visibility", "hidden");
      this.#undo.push(() => path.removeAttribute("visibility"));
      return parts.map(([first, end, at]) => {
        const shapes = pieces.filter(([token]) => token >= first && token < end).map(([, piece]) => piece);
        return [this.#copy(path, shapes.join("")), at];
      });
    }

    /** A copy of a path with a tick for each score that takes part, or for each that is taken out. */
    #ticks(path, kept) {
      const { pass, state, shown } = this.#player;
      const head = Number(state.head) - 1;
      const scores = (pass.S[head]?.[shown.query] ?? []).filter(
        (_, key) => Number.isFinite(pass.masked[head][shown.query][key]) === kept,
      );
      return this.#copy(path, scores.map((score) => `M${score.toFixed(2)} 0v1`).join(""));
    }

    #copy(path, shape) {
      const copy = path.cloneNode();
      copy.removeAttribute("data-d");
      copy.removeAttribute("visibility");
      copy.setAttribute("d", shape);
      path.after(copy);
      this.#undo.push(() => copy.remove());
      return copy;
    }

    /** A part of the unit bar: first the stick of its key, then laid end to end, then as long as its share. */
    #lay(block, start, ms) {
      const { pass, state, shown } = this.#player;
      const plot = this.find('[data-d="sticks"]')[0].ownerSVGElement;
      const [axis, bar, own] = [plot, block.ownerSVGElement, block].map((mark) => mark.getBoundingClientRect());
      const appears = [block, { prop: "opacity", start, ms: 1, values: ["0"] }];
      if (state.head === "mean" || !isShown(axis)) {
        return [appears, [block, { prop: "scale", start, ms: ms / 3, values: ["0 1"] }]];
      }
      const { token } = block.parentElement.dataset;
      const [h, i] = [Number(state.head) - 1, shown.query];
      const score = pass.masked[h][i][token] ?? -Infinity; // the rest has no stick of its own
      const top = pass.top[h][state.axis === "keys" ? i : token];
      const { x, width } = plot.viewBox.baseVal;
      const thin = (THIN / own.height).toFixed(4);
      const stood = Number.isFinite(score)
        ? { x: axis.left + ((score - x) / width) * axis.width, long: Math.exp(score - top) * axis.height, turn: "-90deg" }
        : { x: axis.left, long: token === undefined ? axis.width / 2 : 0, turn: "0deg" };
      // All sticks together are as long as the bar once it is divided; longer ones would leave the plate.
      const whole = state.axis === "keys" ? Math.min(1, (axis.height * pass.total[h][i]) / bar.width) : 1;
      const { a: grown } = block.ownerSVGElement.getScreenCTM(); // by the reader's size of text
      const laid = pixels(((own.left - bar.left) * (whole - 1)) / grown, 0);
      const flat = `${whole.toFixed(4)} ${thin}`;
      const props = {
        translate: [pixels((stood.x - own.left) / grown, (axis.bottom - own.bottom) / grown), laid, laid],
        rotate: [stood.turn, "0deg", "0deg"],
        scale: [`${(stood.long / Math.max(own.width, 0.01)).toFixed(4)} ${thin}`, flat, flat],
      };
      return [appears, ...Object.entries(props).map(([prop, values]) => [block, { prop, start, ms, values }])];
    }

    /** The key's mark goes from key to key as they are met. */
    #walk() {
      const { shown } = this.#player;
      const at = (key) => `translate(${row.corner(key < 0 ? shown.key : key).map((edge) => `${edge}px`).join(", ")})`;
      const frames = this.#visits.flatMap(([time, key], n) => {
        const [, from] = this.#visits[Math.max(0, n - 1)];
        const [next] = this.#visits[n + 1] ?? [this.#length];
        const there = time + Math.min(300, 0.7 * (next - time));
        return [[time, from], [there, key]].map(([ms, stop]) => ({ offset: ms / this.#length, transform: at(stop) }));
      });
      frames.push({ offset: 1, transform: frames.at(-1).transform });
      this.#animate(this.find(".va-mark.is-key")[0], frames);
    }
  }

  window.vitattn.film = (player) => new Film(player);
})();
