/**
 * The fold "What if …?": what one change does to the picked row, before and after it side by side.
 *
 * The marks are drawn by figures_src/player/folds/what_if.py. All numbers are those of two passes of
 * attention.js: the one with nothing switched, and the one that the player shows. Loaded when the
 * fold is first opened.
 */
(() => {
  "use strict";

  const { attention, player: settings, row, words } = window.vitattn;
  const { fixed, place } = row;
  const { isWhole, readouts, largestAt } = window.vitattn.numbers;
  const SAME = 1e-12; // weights this near are the same but for rounding
  const SWITCHES = ["scale", "position", "mix", "axis", "dropped", "bug"];

  /** The dropped keys of a state, as rows of the sequence. */
  const droppedOf = ({ dropped }) => (dropped === "" ? [] : dropped.split(",").map(words.tokenOf));

  /** The weights of the picked row: a head's, or the mean of heads. */
  function weightsOf(pass, { head, query }) {
    return head === 0 ? attention.meanOfHeads(pass.A, query) : pass.A[head - 1][query];
  }

  /** The output of the picked row: a head's, or all heads' one after the other. */
  function outputOf({ O }, { head, query }) {
    return (head === 0 ? O : [O[head - 1]]).flatMap((rows) => rows[query]);
  }

  /** Places in words: "(6,11)", "(6,11) and CLS", "these 5 keys". */
  function listed(tokens) {
    const places = tokens.map(place);
    if (places.length > 3) return `these ${places.length} keys`;
    return places.length > 1 ? `${places.slice(0, -1).join(", ")} and ${places.at(-1)}` : places[0];
  }

  /**
   * What a change does to the picked row, in one or two sentences.
   * @param {Object} told the state, with head 0 for the mean and query as a row of the sequence; the
   *   rows of weights `before` and `after`; how far the output and the row that leaves the block moved
   * @returns {string[]}
   */
  function consequence(told) {
    const changed = SWITCHES.filter((name) => told.state[name] !== settings.defaults[name]);
    if (changed.length === 0) {
      return ["Nothing is changed yet: both maps show the same row. Choose a change."];
    }
    const only = (name) => changed.length === 1 && changed[0] === name;
    return [ofTheRow(told, only), ofTheOutput(told, only)].filter(Boolean);
  }

  function ofTheRow({ state, query, head, before, after }, only) {
    const dropped = droppedOf(state);
    const sum = attention.sum(after);
    if (state.bug === "mask" && dropped.length === 0) {
      return "No key is dropped, so there is no mask to invert. Take a key out to see the bug.";
    }
    if (sum === 0) return "No key takes part: all weights are 0, and the output is 0.";
    if (state.axis === "queries") {
      const whose = dropped.length === 0 ? "each key’s weights sum" : "the weights of each key that takes part sum";
      const what = isWhole(after) ? "" : ": what it reads is no weighted mean";
      return `Now ${whose} to 1 over the 197 queries, and this row sums to ${fixed(sum, 3)}${what}.`;
    }
    if (state.bug === "mask") {
      const few = dropped.length === 1 ? "key that should be hidden takes" : "keys that should be hidden take";
      return `Only the ${few} part: ${listed(dropped)}.`;
    }
    if (state.bug === "offset") return paintedWrong(query, after);
    if (before.every((weight, key) => Math.abs(weight - after[key]) <= SAME)) {
      return "The painted row stays exactly as it was.";
    }
    if (only("dropped") && head > 0) {
      const share = attention.sum(dropped.map((key) => before[key]));
      const grown = fixed(100 * (1 / (1 - share) - 1), 1);
      const [others, each] =
        after.length - dropped.length === 1 ? ["the only other key", "its"] : ["the other keys", "each"];
      return `The ${fixed(share, 3)} of ${listed(dropped)} goes to ${others}: ${each} weight grows by ${grown}%.`;
    }
    const [keys, were] = [attention.effectiveKeys(after), attention.effectiveKeys(before)];
    const least = -attention.largest(after.map((weight) => -weight));
    if (attention.largest(after) - least <= SAME) {
      const who = head > 0 ? "this head no longer tells" : "their mean no longer tells";
      return `All ${after.length} weights are equal: ${who} one key from another.`;
    }
    const way = Math.abs(keys / were - 1) < 0.005 ? "about as flat" : keys > were ? "flatter" : "sharper";
    const moved = fixed(attention.totalVariation(before, after), 3);
    const order = only("scale") && head > 0 ? " The order of the keys is the same." : "";
    return (
      `The row is ${way}: as spread as ${fixed(keys, 1)} equal keys, before ${fixed(were, 1)}; ` +
      `${moved} of its weight has changed place.${order}`
    );
  }

  /** The bug "offset": what is painted where. */
  function paintedWrong(query, weights) {
    const { prefix } = settings.grid;
    const shown = query >= prefix ? query : prefix + 1;
    const [here, there] = [place(shown), place(shown - prefix)];
    return (
      `Every weight is painted one patch too far: on ${here} lies the ${fixed(weights[shown - prefix], 3)} ` +
      `of ${there}${shown > prefix ? `, on ${place(prefix)} that of CLS` : ""}.`
    );
  }

  function ofTheOutput({ state, query, head, pass, output, leaving }, only) {
    const whose = head === 0 ? "The outputs of the three heads" : "The output of this head";
    const [stay, move] = head === 0 ? ["stay", "move"] : ["stays", "moves"];
    if (leaving === 0 && output === 0) return "No number of the pass changes.";
    if (output === 0) {
      const what =
        state.bug === "merge"
          ? `joined wrongly: this row now holds the ${row.scrambled(query, pass.O)}`
          : "added to the normed row in place of the row itself";
      const are = head === 0 ? "are" : "is";
      return `${whose} ${stay} as before, but ${are} ${what}. The row that leaves the block moves by ${by(leaving)} its length.`;
    }
    const [its, hold] = head === 0 ? ["their", "They hold"] : ["its", "It holds"];
    const what = only("mix") ? ` ${hold} what rows show to be matched, not what they give.` : "";
    return `${whose} ${move} by ${by(output)} ${its} length, the row that leaves the block by ${by(leaving)} its own.${what}`;
  }

  /** A relative change in words, before "its length": 0.302 is "30% of", 11.04 is "11.0 times". */
  function by(change) {
    if (!Number.isFinite(change)) return "more than";
    return change < 2 ? `${fixed(100 * change, change < 0.1 ? 1 : 0)}% of` : `${fixed(change, 1)} times`;
  }

  /**
   * What stands beside the maps, and what is painted on them, from the two passes.
   * @param {Object} standard the pass with nothing switched
   * @param {Object} pass the pass of the state
   * @param {Object} picked the state, query and head of the row, head 0 for the mean
   * @returns {{rows: number[][], end: number, texts: Object<string, string>}} the weights before and
   *   after, where their common range ends, and the texts by name
   */
  function compared(standard, pass, { state, query, head }) {
    const rows = [standard, pass].map((each) => weightsOf(each, { head, query }));
    const end = Math.max(...rows.map(attention.largest));
    const texts = {};
    rows.forEach((weights, n) => {
      const strongest = row.orderByWeight(weights)[0];
      texts[`sum.${n}`] = fixed(attention.sum(weights), 3);
      const where = largestAt(weights, strongest, place, SAME);
      texts[`largest.${n}`] = `${fixed(weights[strongest], 3)} ${where}`;
      for (const name of ["entropy", "keys"]) texts[`${name}.${n}`] = readouts(weights)[name];
      texts[`cls.${n}`] = fixed(weights[0], 3);
    });
    const [before, after] = [standard, pass].map((each) => outputOf(each, { head, query }));
    const output = attention.relativeChange(before, after);
    const leaving = attention.relativeChange(standard.Z[query], pass.Z[query]);
    texts["moved.output"] = Number.isFinite(output) ? fixed(output, 3) : "–";
    texts["moved.row"] = fixed(leaving, 3);
    texts.end = fixed(end, 3);
    const told = { state, query, head, pass, before: rows[0], after: rows[1], output, leaving };
    texts.consequence = consequence(told).join(" ");
    return { rows, end, texts };
  }

  window.vitattn.whatIf = Object.freeze({ compared, consequence });

  window.vitattn.part("what-if", (player, fold) => {
    const said = new Map([...fold.querySelectorAll("[data-say]")].map((mark) => [mark.dataset.say, mark]));
    const does = (name) => fold.querySelector(`[data-do=${name}]`);
    const bugs = [...fold.querySelectorAll("[data-setting]")];
    const list = fold.querySelector(".va-dropped");
    const chip = list.querySelector("template").content.firstElementChild;
    const maps = ["standard", "changed"].map((name) => fold.querySelector(`[data-map=${name}]`));
    let [latest, wanted] = [0, null];

    const write = (name, text) => {
      const mark = said.get(name);
      if (mark.textContent !== text) mark.textContent = text;
    };

    /** Fill the fold after the next paint, with what is shown by then: the player answers first. */
    function draw(shown) {
      const waits = wanted !== null;
      wanted = shown;
      if (!waits) requestAnimationFrame(() => setTimeout(fill));
    }

    function fill() {
      const [mine, shown] = [++latest, wanted];
      wanted = null;
      player.standard().then((standard) => mine === latest && compare(shown, standard));
    }

    /** Fill the fold: both maps, the numbers, the sentences, and what is pressed. */
    function compare(shown, standard) {
      const { pass, state } = player;
      const { query } = shown;
      const head = state.head === "mean" ? 0 : Number(state.head);
      const { rows, end, texts } = compared(standard, pass, { state, query, head });
      const bug = state.bug;
      window.vitattn.paintMap(maps[0], rows[0], { end, query });
      window.vitattn.paintMap(maps[1], rows[1], { end, query, bug, taken: shown.values.taken });
      const changes = player.querySelector(".va-changed b").textContent;
      maps[1].querySelector("figcaption span").textContent = changes || "nothing yet";
      for (const [name, text] of Object.entries(texts)) write(name, text);
      const who = head === 0 ? "mean of heads" : `head ${head}, ${settings.heads[head - 1]}`;
      write("lead", `The row of ${shown.values["query.named"]}; ${who}.`);
      press(shown, state);
    }

    /** The controls that are no radio buttons. */
    function press(shown, state) {
      const dropped = droppedOf(state);
      write("key", shown.values["key.named"]);
      write("weight", shown.values.weight);
      does("drop").textContent = dropped.includes(shown.key) ? "Put it back" : "Take it out";
      does("put-all-back").hidden = dropped.length === 0;
      write("dropped", dropped.length === 0 ? "no key" : `${dropped.length} of ${pass().length}; choose one to put it back`);
      for (const button of bugs) {
        const { setting, value } = button.dataset;
        button.setAttribute("aria-pressed", String(state[setting] === value));
      }
      const chips = list.querySelectorAll("li");
      chips.forEach((each, n) => n >= dropped.length && each.remove());
      dropped.forEach((token, n) => {
        const button = (chips[n] ?? list.appendChild(chip.cloneNode(true))).firstElementChild;
        button.textContent = `${row.named(state.photo, token)} ×`;
        button.setAttribute("aria-label", `Put ${row.named(state.photo, token)} back`);
        button.dataset.token = String(token);
      });
    }

    const pass = () => player.pass.A[0];

    /** Take keys out by choosing patches of the photograph, until it is switched off. */
    function picking(on) {
      player.picks = on ? (token) => player.drop(token) : null;
      player.classList.toggle("is-picking", on);
      does("pick").setAttribute("aria-pressed", String(on));
      player.querySelector(".va-picking").hidden = !on;
      if (!on) return;
      for (const part of [".va-panel-photo", ".va-picking"]) player.querySelector(part).scrollIntoView({ block: "nearest" });
    }

    fold.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const { do: what, setting, value, token } = button.dataset;
      const { key } = player.shown;
      if (what === "drop") player.drop(key).then(() => player.point(key));
      if (what === "put-back") putBack(Number(token));
      if (what === "put-all-back") player.set({ dropped: "" }).then(() => does("drop").focus());
      if (what === "pick") picking(!player.picks);
      if (setting) chooseBug(setting, value);
    });

    /** Put a key back; the focus goes to the next one in the list. */
    async function putBack(token) {
      const place = droppedOf(player.state).indexOf(token);
      await player.drop(token);
      const left = list.querySelectorAll("button");
      (left[Math.min(place, left.length - 1)] ?? does("drop")).focus();
    }

    /** A bug is a toggle; an inverted mask needs a dropped key, so the pointed one is taken out. */
    function chooseBug(setting, value) {
      const { state } = player;
      if (state[setting] === value) return player.set({ [setting]: settings.defaults[setting] });
      const needsKey = value === "mask" && state.dropped === "";
      return player.set({
        [setting]: value,
        ...(needsKey ? { dropped: words.wordsOf(player.shown.key) } : {}),
      });
    }

    // The sentences are read out while the reader works in this fold, not at every other change.
    fold.addEventListener("focusin", () => said.get("consequence").setAttribute("aria-live", "polite"));
    fold.addEventListener("focusout", () => said.get("consequence").setAttribute("aria-live", "off"));
    fold.addEventListener("toggle", () => !fold.open && picking(false));
    player.querySelector(".va-picking button").addEventListener("click", () => picking(false));
    player.addEventListener("keydown", (event) => event.key === "Escape" && player.picks && picking(false));
    return { draw };
  });
})();
