/**
 * What the plates say of a picked row in words: each sentence is true of the state that it is said of.
 *
 * A largest number is named only where one is largest, pixels and place only where the row has them, and
 * nothing is read where every key is taken out. The words of a switch alone are those of switch_words.py. Nothing
 * here reads or writes the page. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const { attention } = window.vitattn;
  const { fixed, isWhole, ties, largestAt } = window.vitattn.numbers;
  const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  const ALIKE = 1e-9; // weights no further apart than this are alike

  /**
   * The words that depend on what is switched, on the row that is picked, and on its weights.
   * @param {Object} state as readRow has it
   * @param {Object} pass
   * @param {number[]} a the weights of the row
   * @param {number[]} ranked keys, the strongest first
   * @param {{settings: Object, prefix: number, named: function(number): string, joined: function(): string}} of
   *   what the page knows: its settings, and how a key and the joined outputs are called
   */
  function wordsOf(state, pass, a, ranked, { settings, prefix, named, joined }) {
    const words = {};
    for (const [name, choice, names] of settings.switch_words) {
      for (const [bound, pair] of Object.entries(names)) words[bound] = pair[Number(state[name] === choice)];
    }
    const isCls = state.query < prefix;
    const isEmpty = !a.some((weight) => weight > 0);
    const { same } = settings.shapes;
    words["joined.of"] = state.bug === "merge" ? joined() : settings.joined;
    words["words.largest"] = largestAt(a, ranked[0], named, same);
    Object.assign(words, ofTheRow(state, isCls));
    Object.assign(words, ofTheShares(state, pass, a, isEmpty, settings));
    Object.assign(words, ofTheMixture(state, a, ranked, isEmpty, settings.shapes));
    Object.assign(words, ofTheHeads(state, pass, isCls, isEmpty));
    return words;
  }

  /** Whence a row comes, before it meets another. */
  function ofTheRow({ position, bug }, isCls) {
    const isPlaced = position === "on";
    if (isCls) {
      return {
        "words.patch": "",
        "words.becomes": "stands in front of them as",
        "words.of": ", and has ",
        "words.pixels": "no pixels",
        "words.channels": "none from pixels",
        "words.constant": "",
        "place.words": isPlaced ? "none from a place" : "none from a place, which is left out for all",
        "words.still": "one that marks it, and eleven that are still 0",
        "words.content": "of its own",
        "words.position": "for no place",
      };
    }
    return {
      "words.patch": "The patch ",
      "words.becomes": "becomes",
      "words.of": ": ",
      "words.pixels": "its pixels",
      "words.channels": "four from its pixels",
      "words.constant": " and a constant",
      "words.still": isPlaced ? "three that are still 0" : "seven that are still 0",
      "words.content": "from the pixels",
      "words.position": isPlaced ? "from the place" : "from no place",
    };
  }

  /** What becomes of the scores. */
  function ofTheShares({ axis }, pass, a, isEmpty, { empty }) {
    const kept = pass.masked[0].reduce((keys, row) => row.map((score, j) => keys[j] || Number.isFinite(score)), []);
    const count = kept.filter(Boolean).length;
    if (isEmpty) return { whole: empty };
    if (axis === "keys" || count === kept.length) return {};
    return { whole: count === 1 ? "one whole, that of the only key" : `${count} different wholes, one a key that takes part` };
  }

  /** What flows into the row, and from where. */
  function ofTheMixture({ query, axis }, a, ranked, isEmpty, { arrows: most, same }) {
    const others = ranked.filter((token) => token !== query && a[token] > 0);
    const own = isEmpty ? "" : a[query] > 0 ? ", its own too" : ", but nothing of its own";
    const words = {
      "words.flow": isEmpty ? "cannot flow in: every key is taken out" : "flow in by weight",
      "words.own": own,
      "words.arrows": arrowsOf(others.map((token) => a[token]), most, same),
    };
    if (isEmpty) words.settle = "The line across lies at 0, the output of";
    else if (axis === "queries" && isWhole(a)) {
      words.settle = "The widths sum to 1 in this row, so that the line across is their weighted mean, the output of";
    }
    return words;
  }

  /** Which keys the arrows come from; `weights` of the other keys that have any, falling. */
  function arrowsOf(weights, most, same) {
    const count = weights.length;
    if (count === 0) return "none, since no other key has any weight";
    if (count === 1) return "the only other key that has any weight";
    if (count <= most) return `the ${COUNTS[count]} other keys that have any weight`;
    if (weights[0] - weights.at(-1) <= same) return `${COUNTS[most]} of ${count} other keys, all of the same weight`;
    const isTie = weights[most - 1] - weights[most] <= same;
    return isTie ? `${COUNTS[most]} other keys that no key outweighs` : `the ${COUNTS[most]} strongest other keys`;
  }

  /** What the heads have read, and what W_O makes of it. */
  function ofTheHeads({ query, bug, mix, position, axis }, pass, isCls, isEmpty) {
    const rows = pass.A.map((head) => head[query]);
    const isMissing = pass.masked[0][query].some((score) => !Number.isFinite(score));
    const alike = (one, other) => one.every((weight, key) => Math.abs(weight - other[key]) <= ALIKE);
    const [pairs, count] = [[[0, 1], [0, 2], [1, 2]].filter(([g, h]) => alike(rows[g], rows[h])), rows.length];
    const way = pairs.length === 0 ? "each in its own way" : pairs.length === count ? "all three alike" : "two of them alike";
    const words = {
      "words.heads": isEmpty ? "have nothing to read, since every key is taken out" : `have read the photograph, ${way}`,
      "words.maps": isEmpty ? "no small map is coloured" : "each small map is coloured up to its own largest weight",
      "words.read": isEmpty ? "nothing, since every key is taken out" : "what it has read",
    };
    return { ...words, ...ofTheDifference({ bug, mix, position, axis, isMissing }, isCls, isEmpty, words["words.read"]) };
  }

  /** What diff says of the row, the difference of what heads 1 and 2 have read, and what its two terms are. */
  function ofTheDifference({ bug, mix, position, axis, isMissing }, isCls, isEmpty, read) {
    const told = (diff, kind, around) => ({ "words.diff": diff, "words.kind": kind, "words.around": around });
    const plain = ["head 1", "head 2"];
    if (bug === "merge") {
      const diff = "but three rows of one head stand where three heads should, so diff says nothing of this row.";
      return { ...told(diff, "in the place of head 1", "in the place of head 2"), "words.read": isEmpty ? read : "what other rows have read" };
    }
    if (isEmpty) return told("diff = 0 minus 0, for nothing has been read.", ...plain);
    if (mix === "k") {
      const diff = "diff = what head 1 mixes minus what head 2 mixes; keys say nothing of looks.";
      return told(diff, ...plain);
    }
    const why = [
      isCls && "nothing surrounds CLS",
      position === "off" && "without position nothing is near",
      axis === "queries" && "the widths are no shares",
      isMissing && "keys are taken out",
    ].find(Boolean);
    if (why) return told(`diff = what head 1 reads minus what head 2 reads; ${why}.`, ...plain);
    return told("diff = what my kind looks like minus what surrounds me.", "head 1: my kind", "head 2: around me");
  }

  /** Which product is the largest, if one is. */
  function ofTheProducts(products, key, name, same) {
    const [count, most] = [ties(products, same), fixed(attention.largest(products), 2)];
    if (count === products.length) return `All ${count} are the same, ${most}.`;
    if (count > 1) return `The largest, ${most}, are those of ${count} keys.`;
    return `The largest, ${most}, is that of ${name(key)}.`;
  }

  window.vitattn.rowWords = Object.freeze({ wordsOf, ofTheProducts });
})();
