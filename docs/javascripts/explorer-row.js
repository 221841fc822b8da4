/**
 * One row of the trained model as the reader sees it: a state, its queries and keys in; every text and
 * level out.
 *
 * It runs in the page (explorer.js) and at build (figures_src/explorer/values.py). Nothing here reads or writes
 * the page. Classic script: it works from disk.
 *
 * @typedef {{Q: ArrayLike<number>[], K: ArrayLike<number>[], mean: ArrayLike<number>}} Head queries and
 *   keys (N, d_h) of a head, K less its mean
 */
(() => {
  "use strict";

  const { attention } = window.vitattn;
  const { MINUS, fixed, weightText, chain, readouts, ties, largestAt } = window.vitattn.numbers;
  const SAME = 1e-12; // weights this near are the same but for rounding
  const settings = () => window.vitattn.explorer;
  const grid = () => (cached ??= window.vitattn.places(settings().grid));
  let cached = null;

  /** What the products are divided by is the root of this. */
  const under = (divisor) => ({ head: settings().head_width, model: settings().width, none: 1 })[divisor];

  /** The keys that a state takes out, as rows of the sequence. */
  const droppedOf = ({ dropped }) => (dropped === "" ? [] : dropped.split(",").map(grid().tokenOf));

  /**
   * Rows of weights of a head, for some queries.
   * @param {Head} head
   * @param {number[]} queries rows of the sequence
   * @returns {{weights: number[][], top: number[], total: number[], S: number[][]}} one a query
   */
  function rowsOf({ Q, K }, queries, state) {
    const S = attention.scale(attention.products(queries.map((i) => Q[i]), K), under(state.divisor));
    const keys = droppedOf(state);
    const keep = Array.from({ length: grid().tokens }, (_, token) => !keys.includes(token));
    return { ...attention.softmax(keys.length ? attention.hide(S, keep) : S), S };
  }

  /** The row of one head, or the mean of several: a display choice, no model forms it. */
  function weightsOf(heads, query, state) {
    const rows = heads.map((head) => rowsOf(head, [query], state).weights);
    return rows.length > 1 ? attention.meanOfHeads(rows, 0) : rows[0][0];
  }

  /** How far a patch's row looks on the photograph, in pixels; null for the row of CLS, or none on patches. */
  function distance(weights, query) {
    const { prefix, corner } = grid();
    const onPatches = attention.sum(weights.slice(prefix));
    if (query < prefix || onPatches === 0) return null;
    const [x, y] = corner(query);
    const parts = weights.map((weight, token) => {
      if (token < prefix) return 0;
      const [left, top] = corner(token);
      return weight * Math.hypot(left - x, top - y);
    });
    return attention.sum(parts) / onPatches;
  }

  /** Names in words: "a", "a and b", "a, b and c". */
  const listed = (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);

  /** What the row reads most from: as many keys as outweigh all others, three at most. */
  function sentence(weights, ranked, query) {
    const { place } = grid();
    const weighing = ranked.filter((key) => weights[key] > 0);
    const told = (key) => `${key === query ? "itself" : place(key)} ${weightText(weights[key])}`;
    const who = place(query);
    if (weighing.length === 0) return `${who} reads from no key: every key is taken out.`;
    if (weighing.length <= settings().named_most) {
      return `${who} reads from ${listed(weighing.map(told))}, and from no other key.`;
    }
    const outweighs = (n) => weights[weighing[n - 1]] - weights[weighing[n]] > SAME;
    const count = [3, 2, 1].map((n) => Math.min(n, settings().named_most)).find(outweighs);
    if (count) return `${who} reads most from ${listed(weighing.slice(0, count).map(told))}.`;
    const alike = ties(weights, SAME);
    const what = alike === weighing.length ? `from ${alike} keys alike` : `most from ${alike} keys alike`;
    return `${who} reads ${what}: ${weightText(weights[weighing[0]])} each.`;
  }

  /**
   * Everything the marks show of a row, but for the pointed key.
   * @param {Object<string, string>} state as the element's attributes have it
   * @param {Head[]} heads the head that is picked, or all of them for their mean
   * @param {?number} most the end of the colour range; null: the row's own largest weight
   * @returns {{query: number, weights: number[], ranked: number[], levels: number[],
   *   values: Object<string, string>}}
   */
  function readRow(state, heads, most = null) {
    const { place, level, tokenOf } = grid();
    const query = tokenOf(state.query);
    const weights = weightsOf(heads, query, state);
    const ranked = attention.ranking(weights.map((weight) => Math.round(weight / SAME)));
    const end = most ?? attention.largest(weights);
    const far = distance(weights, query);
    return {
      ...{ query, weights, ranked },
      levels: weights.map((weight) => level(weight, end)),
      values: {
        ...readouts(weights),
        layer: state.layer,
        head: state.head === "mean" ? "mean of heads" : `head ${state.head}`,
        query: place(query),
        say: sentence(weights, ranked, query),
        "largest.at": largestAt(weights, ranked[0], place, SAME),
        distance: far === null ? "–" : fixed(far, 0),
        "range.end": weightText(end),
      },
    };
  }

  /**
   * The arithmetic of a key: its score is that of the key as it was, the mean key included.
   * @param {{query: number, weights: number[], ranked: number[]}} shown as readRow gives it
   * @param {?number} pointed the key; null: the strongest one that is not the query itself
   * @returns {{key: number, isOut: boolean, values: Object<string, string>}}
   */
  function readKey(state, heads, { query, weights, ranked }, pointed = null) {
    const { place } = grid();
    const key = pointed ?? ranked.find((other) => other !== query);
    const isOut = droppedOf(state).includes(key);
    const values = { key: place(key), weight: weightText(weights[key]), score: "–" };
    if (state.head === "mean") return { key, isOut, values };
    const [one] = heads;
    const { top, total, S } = rowsOf(one, [query], state);
    const root = Math.sqrt(under(state.divisor));
    const added = attention.dot(one.Q[query], one.mean) / root; // the same for every key of the row
    const score = S[0][key] + added;
    const line = chain({
      ...{ q: [], k: [], value: [], product: score * root, score, takenOut: isOut, divisor: root },
      ...{ top: top[0] + added, total: total[0], weight: weights[key] },
    });
    values.score = fixed(score, 2);
    values.divisor = state.divisor === "none" ? "1" : `√${under(state.divisor)}`;
    for (const name of ["product", "score", "power", "exponential", "over", "weight"]) values[`line.${name}`] = line[name];
    for (const [name, text] of Object.entries(line.signs)) values[`line.sign.${name}`] = text;
    values["line.out"] = isOut ? `taken out: ${MINUS}∞` : "";
    return { key, isOut, values };
  }

  /** What stands under the small map of a head: its share of CLS, and the end of its colours. */
  function mapValues(n, weights, end) {
    return { [`map.${n}.cls`]: weightText(weights[0]), [`map.${n}.largest`]: weightText(end) };
  }

  window.vitattn.explorerRow = Object.freeze({ rowsOf, weightsOf, readRow, readKey, mapValues, sentence });
})();
