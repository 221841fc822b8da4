/**
 * One attention pass in the page: every number of the player is computed here, for any photograph.
 *
 * The functions have the names of vitattn_core (NumPy) and do the same arithmetic in float64; a
 * test holds every number to the core's within 1e-9. Nothing here reads or writes the page, and no
 * function changes what it is given.
 *
 * Shapes: N = 197 rows of the sequence (CLS first, then the patches row by row), D = 12 channels,
 * h = 3 heads of d_h = 4. A matrix is an array of rows. Classic script: it works from disk.
 *
 * @typedef {number[]} Row             one row: its channels, or its weights over all keys
 * @typedef {number[][]} Matrix        [row][channel], or [query][key]
 * @typedef {number[][][]} Heads       [head][row][channel], or [head][query][key]
 * @typedef {"keys" | "queries"} Axis  what a softmax runs over; a model's runs over the keys
 */
(() => {
  "use strict";

  // Linear algebra --------------------------------------------------------------------------------

  /**
   * The product a·b: multiply channel by channel, add up.
   * @param {Row} a (d)
   * @param {Row} b (d)
   * @returns {number}
   */
  function dot(a, b) {
    let product = 0;
    for (let c = 0; c < a.length; c++) product += a[c] * b[c];
    return product;
  }

  /**
   * The sum a + b, channel by channel.
   * @param {Row} a (d)
   * @param {Row} b (d)
   * @returns {Row} (d)
   */
  function add(a, b) {
    return a.map((number, c) => number + b[c]);
  }

  /**
   * Columns become rows.
   * @param {Matrix} matrix (n, m)
   * @returns {Matrix} (m, n)
   */
  function transpose(matrix) {
    return matrix[0].map((_, c) => column(matrix, c));
  }

  /**
   * One column of a matrix. Of weights it is what every query gives to one key ("read by"); that
   * need not sum to 1.
   * @param {Matrix} matrix (n, m)
   * @param {number} c
   * @returns {Row} (n)
   */
  function column(matrix, c) {
    const numbers = new Array(matrix.length);
    for (let i = 0; i < matrix.length; i++) numbers[i] = matrix[i][c];
    return numbers;
  }

  /**
   * rows · weight + bias: the same matrix for every row.
   * @param {Matrix} rows (N, in)
   * @param {Matrix} weight (in, out); a checkpoint stores the transpose
   * @param {Row} [bias] (out)
   * @returns {Matrix} (N, out)
   */
  function linear(rows, weight, bias) {
    const columns = transpose(weight);
    const mapped = rows.map((row) => columns.map((into) => dot(row, into)));
    return bias ? mapped.map((row) => add(row, bias)) : mapped;
  }

  // From the photograph to the rows ---------------------------------------------------------------

  /**
   * What the pass needs to know of a photograph: four whole numbers a patch. The patch embedding of
   * the teaching weights is a function of these sums, so the exact pixels need not be loaded.
   * @param {ArrayLike<number>} pixels red, green, blue, opacity of every pixel (0 to 255), as in
   *   ImageData.data; opacity is not read
   * @param {{width: number, patch: number, rows: number, columns: number, centre: number[]}} grid
   *   in pixels and patches; centre [from, to) is the middle of a patch, down and across
   * @returns {Matrix} (patches, 4): red, green and blue over the patch, all three over its centre
   */
  function patchSums(pixels, { width, patch, rows, columns, centre: [from, to] }) {
    const sums = Array.from({ length: rows * columns }, () => [0, 0, 0, 0]);
    for (let y = 0; y < rows * patch; y++) {
      for (let x = 0; x < columns * patch; x++) {
        const four = sums[Math.floor(y / patch) * columns + Math.floor(x / patch)];
        const start = 4 * (y * width + x);
        const down = y % patch;
        const across = x % patch;
        const inside = down >= from && down < to && across >= from && across < to;
        for (let colour = 0; colour < 3; colour++) {
          four[colour] += pixels[start + colour];
          if (inside) four[3] += pixels[start + colour];
        }
      }
    }
    return sums;
  }

  /**
   * The patch embedding, written as a map from the four sums: p E + b = matrix · sums + offset.
   * @param {Matrix} sums (patches, 4)
   * @param {{matrix: Matrix, offset: Row}} fromSums (D, 4) and (D)
   * @returns {Matrix} (patches, D)
   */
  function embed(sums, { matrix, offset }) {
    return sums.map((patch) => matrix.map((channel, c) => dot(channel, patch) + offset[c]));
  }

  /**
   * The position table. A patch's place is a part for its grid row plus a part for its grid column;
   * no channel belongs to both.
   * @param {{cls: Row, rows: Matrix, columns: Matrix}} position (D), (14, D), (14, D)
   * @returns {Matrix} (N, D)
   */
  function positionTable({ cls, rows, columns }) {
    return [cls, ...rows.flatMap((row) => columns.map((place) => add(row, place)))];
  }

  // One row alone ---------------------------------------------------------------------------------

  /**
   * Move a row to mean 0 and stretch it to variance 1 (divided by D, not D − 1).
   * The teaching weights have gain 1 and shift 0, so neither stands here.
   * @param {Row} row (D)
   * @param {number} eps added to the variance, inside the root
   * @returns {Row} (D)
   */
  function layerNorm(row, eps) {
    const mean = sum(row) / row.length;
    const centred = row.map((number) => number - mean);
    const variance = dot(centred, centred) / row.length;
    const spread = Math.sqrt(variance + eps);
    return centred.map((number) => number / spread);
  }

  /**
   * x · Φ(x), Φ the normal distribution function: the exact GELU, not the tanh form.
   * @param {number} x
   * @returns {number}
   */
  function gelu(x) {
    return x * 0.5 * (1 + erf(x / Math.SQRT2));
  }

  /**
   * The error function, good to 1e-12 and better. JavaScript has none, and the formula that is
   * usually copied (Abramowitz & Stegun 7.1.26) is off by up to 1.4e-7.
   * Rational approximations and their coefficients: W. J. Cody, Rational Chebyshev approximations
   * for the error function, Mathematics of Computation 23 (1969), 631–637.
   * @param {number} x
   * @returns {number} from −1 to 1
   */
  function erf(x) {
    const size = Math.abs(x);
    const square = x * x;
    if (size <= 0.46875) return x * ratio(ERF_SMALL, square);
    let rest = Math.exp(-square); // what is missing to 1
    if (size <= 4) {
      rest *= ratio(ERFC_MIDDLE, size);
    } else {
      const inverse = 1 / square;
      rest *= (1 / Math.sqrt(Math.PI) - inverse * ratio(ERFC_LARGE, inverse)) / size;
    }
    return Math.sign(x) * (1 - rest);
  }

  /**
   * One polynomial divided by another.
   * @param {{above: Row, below: Row}} polynomials coefficients, the highest power first
   * @param {number} x
   * @returns {number}
   */
  function ratio({ above, below }, x) {
    return polynomial(above, x) / polynomial(below, x);
  }

  /**
   * A polynomial's value, by Horner's rule.
   * @param {Row} coefficients the highest power first
   * @param {number} x
   * @returns {number}
   */
  function polynomial(coefficients, x) {
    let value = 0;
    for (const coefficient of coefficients) value = value * x + coefficient;
    return value;
  }

  // |x| ≤ 0.46875: erf(x) = x · ratio(x²)
  const ERF_SMALL = {
    above: [
      1.85777706184603153e-1, 3.1611237438705656, 1.13864154151050156e2, 3.77485237685302021e2,
      3.20937758913846947e3,
    ],
    below: [
      1, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3,
    ],
  };
  // 0.46875 < |x| ≤ 4: 1 − erf(|x|) = exp(−x²) · ratio(|x|)
  const ERFC_MIDDLE = {
    above: [
      2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 6.61191906371416295e1,
      2.98635138197400131e2, 8.8195222124176909e2, 1.71204761263407058e3, 2.05107837782607147e3,
      1.23033935479799725e3,
    ],
    below: [
      1, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
      3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3,
    ],
  };
  // |x| > 4: 1 − erf(|x|) = exp(−x²) / |x| · (1/√π − ratio(1/x²) / x²)
  const ERFC_LARGE = {
    above: [
      1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
      1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4,
    ],
    below: [
      1, 2.56852019228982242, 1.87295284992346047, 5.27905102951428412e-1, 6.05183413124413191e-2,
      2.33520497626869185e-3,
    ],
  };

  // Attention, one head ---------------------------------------------------------------------------

  /**
   * q·k of every query with every key.
   * @param {Matrix} q (N, d_h)
   * @param {Matrix} k (N, d_h)
   * @returns {Matrix} (N, N) as [query][key]
   */
  function products(q, k) {
    return q.map((query) => {
      const row = new Array(k.length);
      for (let j = 0; j < k.length; j++) row[j] = dot(query, k[j]);
      return row;
    });
  }

  /**
   * Divide products by √d_h, so that their spread does not grow with the head's width.
   * @param {Matrix} unscaled (N, N)
   * @param {number} headWidth d_h
   * @returns {Matrix} (N, N)
   */
  function scale(unscaled, headWidth) {
    const divisor = Math.sqrt(headWidth);
    return unscaled.map((row) => {
      const scores = new Array(row.length);
      for (let j = 0; j < row.length; j++) scores[j] = row[j] / divisor;
      return scores;
    });
  }

  /**
   * Take keys out: −∞ before the softmax becomes a weight of exactly 0 after it.
   * @param {Matrix} scores (N, N) as [query][key]
   * @param {boolean[]} keep (N), true = this key takes part
   * @returns {Matrix} (N, N)
   */
  function hide(scores, keep) {
    return scores.map((row) => row.map((score, key) => (keep[key] ? score : -Infinity)));
  }

  /**
   * Turn scores into weights that sum to 1 over the keys, e^(s − top) / Σ e^(s − top).
   * The largest score is subtracted so that exp cannot overflow; it cancels in the quotient.
   * A row that is all −∞ has no distribution: its weights are 0, and so are its top and total.
   * @param {Matrix} scores (N, N) as [query][key]
   * @param {Axis} [axis] "queries" lets every column sum to 1 instead: a mistake, for comparison
   * @returns {{weights: Matrix, top: Row, total: Row}} (N, N); the number that was subtracted and
   *   the sum of exponentials, one a query, or one a key where the softmax runs over queries
   */
  function softmax(scores, axis = "keys") {
    if (axis === "queries") {
      const turned = softmax(transpose(scores));
      return { ...turned, weights: transpose(turned.weights) };
    }
    const softened = { weights: [], top: [], total: [] };
    for (const row of scores) {
      const top = largest(row) === -Infinity ? 0 : largest(row);
      const weights = new Array(row.length);
      for (let j = 0; j < row.length; j++) weights[j] = Math.exp(row[j] - top);
      const total = sum(weights);
      if (total > 0) for (let j = 0; j < row.length; j++) weights[j] /= total;
      softened.weights.push(weights);
      softened.top.push(top);
      softened.total.push(total);
    }
    return softened;
  }

  /**
   * The weighted sum of all values, one for each query.
   * @param {Matrix} weights (N, N) as [query][key]
   * @param {Matrix} values (N, d_h)
   * @returns {Matrix} (N, d_h)
   */
  function mix(weights, values) {
    const channels = transpose(values);
    return weights.map((row) => channels.map((channel) => dot(row, channel)));
  }

  // Heads together --------------------------------------------------------------------------------

  /**
   * Put the heads' outputs side by side, head by head.
   * @param {Heads} outputs (h, N, d_h)
   * @returns {Matrix} (N, h·d_h)
   */
  function mergeHeads(outputs) {
    return outputs[0].map((_, i) => outputs.flatMap((head) => head[i]));
  }

  /**
   * Join the heads as people ship it by mistake: the numbers are read off in the order in which they
   * lie, head by head and row by row, so that most rows get three rows' outputs of one head.
   * @param {Heads} outputs (h, N, d_h)
   * @returns {Matrix} (N, h·d_h)
   */
  function mergeByReshape(outputs) {
    const numbers = outputs.flat(2);
    const width = numbers.length / outputs[0].length;
    return outputs[0].map((_, i) => numbers.slice(i * width, (i + 1) * width));
  }

  /**
   * Give every unit of the MLP its place. Only the units that work are computed: the others have
   * nothing but zeros, so what goes in is 0, GELU(0) is 0, and nothing comes out.
   * @param {Matrix} rows (N, working)
   * @param {{units: number, working: number[]}} mlp how many units there are, and which work
   * @returns {Matrix} (N, units)
   */
  function allUnits(rows, { units, working }) {
    return rows.map((row) => {
      const all = new Array(units).fill(0);
      working.forEach((unit, u) => (all[unit] = row[u]));
      return all;
    });
  }

  // The pass --------------------------------------------------------------------------------------

  /** The switches of a pass, each with its choices; a model has the first ones. */
  const SWITCHES = Object.freeze({
    scale: Object.freeze(["head", "model", "off"]), // divide by √d_h, by √D, by nothing
    position: Object.freeze(["on", "off"]), // add the position table, or leave it out
    mix: Object.freeze(["v", "k"]), // mix values, or keys in their place
    axis: Object.freeze(["keys", "queries"]), // over what the softmax runs
  });

  /** The bugs that are no switch: see vitattn_core.mistakes, where each is one line of the core. */
  const BUGS = Object.freeze([
    "merge", // heads joined by reshape, without transpose
    "mask", // the polarity of the mask inverted: only the dropped keys take part
    "residual", // LN(X) is added to, not X
    "offset", // a row of weights painted one patch too far; no number of the pass changes
  ]);

  /**
   * Return the switches of a pass, with the standard where the request is silent.
   * @param {Object} request as for run
   * @returns {{scale: string, position: string, mix: string, axis: Axis}}
   * @throws {RangeError} for a choice that a switch does not have
   */
  function switches(request) {
    const chosen = {};
    for (const [name, choices] of Object.entries(SWITCHES)) {
      chosen[name] = request[name] ?? choices[0];
      if (!choices.includes(chosen[name])) {
        throw new RangeError(`run: ${name}: got ${chosen[name]}, takes ${choices.join(", ")}`);
      }
    }
    return chosen;
  }

  /**
   * Return which keys take part.
   * @param {number[]} dropped sequence rows
   * @param {number} tokens N
   * @returns {boolean[]} (N), true = this key takes part
   * @throws {RangeError} for anything but a row of the sequence
   */
  function kept(dropped, tokens) {
    for (const token of dropped) {
      if (!Number.isInteger(token) || token < 0 || token >= tokens) {
        throw new RangeError(`run: dropped: got ${token}, takes rows 0 to ${tokens - 1}`);
      }
    }
    return Array.from({ length: tokens }, (_, token) => !dropped.includes(token));
  }

  /**
   * Run a photograph through the block: Y = X + MHA(LN(X)), Z = Y + MLP(LN(Y)).
   *
   * The result has every array of the core's Trace but the pixels, under the same names:
   * content, position, X, U, M, Y, W, F, Z (N, D) · joined (N, h·d_h) · H, G (N, 48) ·
   * Q, K, V, O (h, N, d_h) · P, S, masked, A (h, N, N) as [head][query][key]. `masked` is S where
   * no key is dropped. To show the softmax: `divisor`, and `top` and `total` (h, N), one a query,
   * or one a key where the softmax runs over the queries.
   *
   * @param {Object} request
   * @param {Matrix} request.sums (patches, 4), as patchSums gives them
   * @param {Object} request.teaching the weights: window.vitattn.teaching
   * @param {"head" | "model" | "off"} [request.scale] divide by √d_h, by √D, by nothing
   * @param {"on" | "off"} [request.position] add the position table, or leave it out
   * @param {"v" | "k"} [request.mix] mix values, or keys in their place
   * @param {Axis} [request.axis] over what the softmax runs
   * @param {number[]} [request.dropped] sequence rows that take no part as keys
   * @param {"" | "merge" | "mask" | "residual" | "offset"} [request.bug] one of BUGS; "mask" acts on
   *   dropped keys, and "offset" on the painted map alone
   * @returns {Object} the pass
   * @throws {RangeError} for a switch, a key, a bug or a number of patches that there is not
   */
  function run(request) {
    const pass = steps(request);
    for (;;) {
      const { done, value } = pass.next();
      if (done) return value;
    }
  }

  /**
   * The pass of `run` in pieces, so that a page may do other things in between: each call of
   * next() does one piece, and the last one returns the pass.
   * @param {Object} request as for run
   * @returns {Generator<undefined, Object>}
   */
  function* steps(request) {
    const { sums, teaching, dropped = [], bug = "" } = request;
    const { grid, eps, mlp } = teaching;
    const on = switches(request);
    const keep = kept(dropped, grid.tokens).map((part) => (bug === "mask" ? !part : part));
    if (bug !== "" && !BUGS.includes(bug)) {
      throw new RangeError(`run: bug: got ${bug}, takes ${BUGS.join(", ")}`);
    }
    if (sums.length !== grid.patches) {
      throw new RangeError(`run: sums: got ${sums.length} patches, takes ${grid.patches}`);
    }
    const width = { head: teaching.head_width, model: teaching.channels.length, off: 1 }[on.scale];

    const content = [teaching.cls, ...embed(sums, teaching.from_sums)];
    const position = positionTable(teaching.position);
    const X = on.position === "on" ? content.map((row, i) => add(row, position[i])) : content;
    yield;

    const U = X.map((row) => layerNorm(row, eps));
    yield;
    const Q = teaching.W_Q.map((weight) => linear(U, weight));
    yield;
    const K = teaching.W_K.map((weight) => linear(U, weight));
    const V = teaching.W_V.map((weight) => linear(U, weight));
    yield;

    const [P, S, masked, A, O, top, total] = Array.from({ length: 7 }, () => []);
    for (let head = 0; head < teaching.heads.length; head++) {
      P[head] = products(Q[head], K[head]);
      yield;
      S[head] = on.scale === "off" ? P[head] : scale(P[head], width);
      masked[head] = dropped.length > 0 ? hide(S[head], keep) : S[head];
      yield;
      const softened = softmax(masked[head], on.axis);
      A[head] = softened.weights;
      top[head] = softened.top;
      total[head] = softened.total;
      yield;
      O[head] = mix(A[head], on.mix === "v" ? V[head] : K[head]);
      yield;
    }

    const joined = bug === "merge" ? mergeByReshape(O) : mergeHeads(O);
    const M = linear(joined, teaching.W_O);
    const base = bug === "residual" ? U : X; // the raw row, not the normed one
    const Y = base.map((row, i) => add(row, M[i]));
    yield;

    const W = Y.map((row) => layerNorm(row, eps));
    const before = linear(W, mlp.w_1, mlp.b_1); // (N, working)
    const after = before.map((row) => row.map(gelu));
    yield;
    const F = linear(after, mlp.w_2);
    const Z = Y.map((row, i) => add(row, F[i]));
    const [H, G] = [allUnits(before, mlp), allUnits(after, mlp)];

    const divisor = Math.sqrt(width);
    return {
      ...{ content, position, X, U, Q, K, V, P, S, masked, A, O, joined, M, Y, W, H, G, F, Z },
      ...{ divisor, top, total },
    };
  }

  // Reading a row ---------------------------------------------------------------------------------

  /**
   * The sum of a row: 1 for a row of weights, unless the softmax ran over the queries.
   * @param {Row} row (N)
   * @returns {number}
   */
  function sum(row) {
    let total = 0;
    for (let j = 0; j < row.length; j++) total += row[j];
    return total;
  }

  /**
   * The largest number of a row; −∞ where there is none.
   * @param {Row} row (N)
   * @returns {number}
   */
  function largest(row) {
    let most = -Infinity;
    for (let j = 0; j < row.length; j++) if (row[j] > most) most = row[j];
    return most;
  }

  /**
   * The entropy −Σ a ln a of a row of weights, in nats. Weights that do not sum to 1 are divided by
   * their sum first; a row of zeros has entropy 0.
   * @param {Row} row (N)
   * @returns {number} from 0 to ln N
   */
  function entropy(row) {
    const total = sum(row) || 1;
    const shares = row.map((weight) => weight / total).filter((share) => share > 0);
    return sum(shares.map((share) => -share * Math.log(share)));
  }

  /**
   * Over how many keys a row is spread: exp of its entropy, the number of equal weights that would
   * be as uncertain.
   * @param {Row} row (N)
   * @returns {number} from 1 to N; 0 for a row of zeros
   */
  function effectiveKeys(row) {
    return sum(row) > 0 ? Math.exp(entropy(row)) : 0;
  }

  /**
   * Sequence rows by weight, the strongest first; equal weights in the order of the sequence.
   * @param {Row} row (N)
   * @returns {number[]} (N) sequence rows
   */
  function ranking(row) {
    return row.map((_, token) => token).sort((a, b) => row[b] - row[a] || a - b);
  }

  /**
   * The mean of the heads' weights for one query. A display choice: no model forms it.
   * @param {Heads} weights (h, N, N)
   * @param {number} query sequence row
   * @returns {Row} (N)
   */
  function meanOfHeads(weights, query) {
    const rows = weights.map((head) => head[query]);
    return transpose(rows).map((ofHeads) => sum(ofHeads) / rows.length);
  }

  /**
   * How much two rows of weights differ: half the sum of all differences.
   * @param {Row} a (N)
   * @param {Row} b (N)
   * @returns {number} from 0, the same, to 1, nothing in common (for rows that sum to 1)
   */
  function totalVariation(a, b) {
    return sum(a.map((weight, key) => Math.abs(weight - b[key]))) / 2;
  }

  /**
   * How far an output has moved, in units of its old length; 0 where nothing moved.
   * @param {Row} before (d)
   * @param {Row} after (d)
   * @returns {number} 0.3 is a change of 30 %; Infinity where the old length was 0
   */
  function relativeChange(before, after) {
    const moved = after.map((number, c) => number - before[c]);
    const distance = Math.sqrt(dot(moved, moved));
    return distance === 0 ? 0 : distance / Math.sqrt(dot(before, before));
  }

  (window.vitattn ??= {}).attention = Object.freeze({
    ...{ SWITCHES, BUGS, run, steps },
    ...{ patchSums, embed, positionTable, layerNorm, linear },
    ...{ products, scale, hide, softmax, mix, mergeHeads, allUnits, gelu, erf },
    ...{ dot, sum, largest, column, entropy, effectiveKeys, ranking },
    ...{ meanOfHeads, totalVariation, relativeChange },
  });
})();
