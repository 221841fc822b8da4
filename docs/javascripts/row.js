/**
 * The picked row as the reader sees it: a state and its pass in; every text, path and level out.
 *
 * It runs in the page and, unmodified, when the page is built: figures_src/player/row.py fills the
 * plates with what it says. Nothing here reads or writes the page.
 * Classic script: it works from disk.
 */
(() => {
  "use strict";

  const { attention } = window.vitattn;
  const { MINUS, plain, fixed, read, weightText, operand, worked, workedAll, chain, readouts } = window.vitattn.numbers;
  const { wordsOf, ofTheProducts } = window.vitattn.rowWords;
  const settings = () => window.vitattn.player;
  const grid = () => window.vitattn.teaching.grid;

  /** The places of the photograph's grid. */
  const places = () => (cached ??= window.vitattn.places({ ...grid(), ...settings().shapes }));
  let cached = null;

  // Shapes ----------------------------------------------------------------------------------------

  /** The upper left corner [x, y] of a row's cell in the photograph's panel. */
  function corner(token) {
    return places().corner(token);
  }

  /** One path of a square for each number of this sign; area is size, a full cell at `axis`. */
  function squares(numbers, sign, axis) {
    const { cell, nothing } = settings().shapes;
    let path = "";
    numbers.forEach((number, token) => {
      if (!(number * sign > nothing)) return;
      const side = cell * Math.min(1, Math.sqrt(Math.abs(number) / axis));
      const [x, y] = corner(token).map((start) => plain(start + (cell - side) / 2, 1));
      const edge = plain(side, 1);
      path += `M${x} ${y}h${edge}v${edge}h-${edge}z`;
    });
    return path;
  }

  /** One path of a cross over the cell of each row. */
  function crosses(tokens) {
    const { cell, cross } = settings().shapes;
    const arm = cell - 2 * cross;
    const at = (token) => corner(token).map((edge) => edge + cross).join(" ");
    return tokens.map((token) => `M${at(token)}l${arm} ${arm}m0 -${arm}l-${arm} ${arm}`).join("");
  }

  /** One path of a tick for each finite number, in the axis's own units. */
  function ticks(numbers) {
    return numbers.filter(Number.isFinite).map((number) => `M${plain(number, 2)} 0v1`).join("");
  }

  /** One path of a stick for each finite number, as high as told (0 to 1), from the foot up. */
  function sticks(numbers, heights) {
    const drawn = (number, j) => Number.isFinite(number) && heights[j] >= 0.0005;
    return numbers
      .map((number, j) => (drawn(number, j) ? `M${plain(number, 2)} 1v${plain(-heights[j], 4)}` : ""))
      .join("");
  }

  /** e^(s − top) from the left end of the axis to `top`. */
  function curve(top, axis) {
    const points = Array.from({ length: 60 }, (_, n) => -axis + ((top + axis) * n) / 59);
    return "M" + points.map((s) => `${plain(s, 2)} ${plain(1 - Math.exp(s - top), 4)}`).join("L");
  }

  /** How far an axis reaches: the first of the axes, from `least` up, that holds all numbers. */
  function axisOf(numbers, least) {
    const { axes } = settings().shapes;
    let most = least;
    for (const number of numbers) {
      if (Number.isFinite(number)) most = Math.max(most, Math.abs(number));
    }
    return axes.find((axis) => axis >= most) ?? axes.at(-1);
  }

  /** All rows, the largest first; in the order of the sequence where only rounding tells them apart. */
  function orderByWeight(weights) {
    const { same } = settings().shapes;
    return attention.ranking(weights.map((weight) => Math.round(weight / same)));
  }

  /** The rows in the order of the unit bar: CLS first, then falling. */
  function barOrder(ranked) {
    const { prefix } = grid();
    const front = Array.from({ length: prefix }, (_, token) => token);
    return [...front, ...ranked.filter((token) => token >= prefix)];
  }

  /** The segments [token, start, width] of the unit bar that are drawn one by one. */
  function segments(weights, ordered) {
    const { collected } = settings().shapes;
    let start = 0;
    const shown = ordered.filter((token) => token < grid().prefix || weights[token] >= collected);
    return shown.map((token) => {
      const segment = [token, start, weights[token]];
      start += weights[token];
      return segment;
    });
  }

  /** A staircase in bar order: each key as wide as its weight and as high as its value. */
  function strip(weights, values, ordered) {
    let [path, x] = ["M0 0", 0];
    for (const token of ordered) {
      if (weights[token] >= 0.0002) {
        path += `V${plain(-values[token], 3)}H${plain(x + weights[token], 4)}`;
      }
      x += weights[token];
    }
    return path + "V0z";
  }

  /** The part of the strips that one key fills, from their top to their foot. */
  function band(weights, token, ordered) {
    const { strip: reach } = settings().shapes;
    const before = ordered.slice(0, ordered.indexOf(token));
    const start = attention.sum(before.map((other) => weights[other]));
    const width = plain(weights[token], 4);
    return `M${plain(start, 4)} ${-reach}h${width}v${2 * reach}h-${width}z`;
  }

  /** Arrows [shaft, head, width] from the strongest other keys to the query; without a weight, none. */
  function arrows(query, weights, ranked) {
    const { arrows: most, widest } = settings().shapes;
    const others = ranked.filter((token) => token !== query && weights[token] > 0).slice(0, most);
    return others.map((t) => arrow(t, query, (widest * weights[t]) / weights[others[0]]));
  }

  /** A bent shaft from the middle of the key's cell, and a head at the rim of the query's. */
  function arrow(key, query, width) {
    const { cell, rim } = settings().shapes;
    const [[x0, y0], [x1, y1]] = [key, query].map((t) => corner(t).map((edge) => edge + cell / 2));
    const bend = [(x0 + x1) / 2 + 0.16 * (y1 - y0), (y0 + y1) / 2 - 0.16 * (x1 - x0)];
    const reach = Math.hypot(x1 - bend[0], y1 - bend[1]);
    const [ux, uy] = [(x1 - bend[0]) / reach, (y1 - bend[1]) / reach];
    const tip = [x1 - rim * ux, y1 - rim * uy];
    const [long, half] = [3 + width, 1.5 + 0.8 * width];
    const end = [tip[0] - long * ux, tip[1] - long * uy];
    const left = [end[0] - half * uy, end[1] + half * ux];
    const right = [end[0] + half * uy, end[1] - half * ux];
    const at = (point) => point.map((number) => plain(number, 1)).join(" ");
    return [
      `M${x0.toFixed(1)} ${y0.toFixed(1)}Q${at(bend)} ${at(end)}`,
      `M${at(tip)}L${at(left)}L${at(right)}z`,
      plain(width, 3),
    ];
  }

  /** A signed bar's length, −1 to 1. */
  function bar(number, reach) {
    return plain(Math.max(-1, Math.min(1, number / reach)), 3);
  }

  /** Where a number stands on an axis from −reach to reach. */
  function alongAxis(number, reach) {
    return Number.isFinite(number) ? `${plain(50 + (50 * number) / reach, 2)}%` : "0%";
  }

  /**
   * The weights that are painted on the patches, in their order; with the bug "offset" the row's
   * first numbers as they come, so that CLS's lies on patch (0,0).
   */
  function onGrid(weights, bug) {
    const { prefix, patches } = grid();
    return bug === "offset" ? weights.slice(0, patches) : weights.slice(prefix);
  }

  /** The paint level of a weight on the range 0 to `end`; 0: not painted. */
  function level(weight, end) {
    return places().level(weight, end);
  }

  // The row ---------------------------------------------------------------------------------------

  /** "CLS" or "(row,column)". */
  function place(token) {
    return places().place(token);
  }

  /** The place, and what is seen there if the photograph has a name for it. */
  function named(photo, token) {
    const name = settings().named[photo]?.[place(token)];
    return name ? `${place(token)}, ${name}` : place(token);
  }

  /** The spread of numbers: the root of their mean squared distance from their mean. */
  function spread(numbers) {
    const mean = attention.sum(numbers) / numbers.length;
    return Math.sqrt(attention.sum(numbers.map((n) => (n - mean) ** 2)) / numbers.length);
  }

  /**
   * Everything the plates show of one row.
   * @param {{photo: string, query: number, head: number, key: ?number, range: string, scale: string,
   *   position: string, mix: string, axis: string, bug: string, stage: ?string}} state query and key
   *   as sequence rows, head from 1, 0 for the mean of heads; with a stage, only what it shows is
   *   written
   * @param {Object} pass as attention.run returns it
   * @param {?Object} standard the pass with nothing switched, to compare with; null: it is not there yet
   * @returns {{query: number, key: number, values: Object<string, string>, levels: number[],
   *   rangeEnd: number, segments: Array, total: number, barEnd: number, arrows: Array}} the unit bar
   *   ends at barEnd: at 1, or at the row's sum, `total`, if that is more
   */
  function readRow(state, pass, standard = pass) {
    const mean = state.head === 0;
    const i = state.query;
    const a = mean ? attention.meanOfHeads(pass.A, i) : pass.A[state.head - 1][i];
    const ranked = orderByWeight(a);
    const key = state.key ?? ranked.find((token) => token !== i);
    const rangeEnd = state.range === "fit" ? attention.largest(a) : largestOfAll(pass, state.head);
    const ordered = barOrder(ranked);
    const shown = segments(a, ordered);
    const total = attention.sum(a);
    const barEnd = total > 1 + settings().shapes.nothing ? total : 1;
    const rest = Math.max(0, total - attention.sum(shown.map(([, , width]) => width)));
    const { strip: reach } = settings().shapes;
    const under = { head: pass.Q[0][0].length, model: pass.X[0].length, off: 1 }[state.scale];
    const values = {
      query: place(i),
      "query.named": named(state.photo, i),
      key: place(key),
      "key.named": named(state.photo, key),
      "key.rank": String(1 + ranked.indexOf(key)),
      weight: weightText(a[key]),
      "weight.own": weightText(a[i]),
      "range.end": weightText(rangeEnd),
      ...readouts(a),
      "rest.count": String(a.length - shown.length),
      rest: fixed(rest, 3),
      divisor: state.scale === "off" ? "1" : `√${under}`,
      "divisor.value": fixed(Math.sqrt(under), Number.isInteger(Math.sqrt(under)) ? 0 : 3),
      taken: crosses(pass.masked[0][i].flatMap((score, token) => (Number.isFinite(score) ? [] : token))),
      "bar.end": barEnd === 1 ? "1" : fixed(barEnd, 3),
      "box.strip": `0 ${-reach} ${plain(barEnd, 4)} ${2 * reach}`,
      ...movedValues(state, standard, pass),
      ...saidOf(state, pass, a, ranked),
      ...rowwiseValues(state, pass),
      ...(mean ? meanValues(state, pass, key) : headValues(state, pass, key, a, ordered)),
    };
    const painted = [...a.slice(0, grid().prefix), ...onGrid(a, state.bug)];
    return {
      ...{ query: i, key, values, rangeEnd, segments: shown, total, barEnd },
      levels: painted.map((weight) => level(weight, rangeEnd)),
      arrows: arrows(i, a, ranked),
    };
  }

  /** How far the head's output (mean: all heads') and the row that leaves have moved, in old lengths. */
  function movedValues({ head, query }, standard, pass) {
    const output = ({ O }) => (head === 0 ? O : [O[head - 1]]).flatMap((rows) => rows[query]);
    const moved = (read) => {
      if (!standard) return "…";
      const change = attention.relativeChange(read(standard), read(pass));
      return Number.isFinite(change) ? fixed(change, 3) : "–";
    };
    return { "delta.output": moved(output), "delta.row": moved(({ Z }) => Z[query]) };
  }

  /** The words of the state: see row-words.js. */
  function saidOf(state, pass, a, ranked) {
    return wordsOf(state, pass, a, ranked, {
      ...{ settings: settings(), prefix: grid().prefix, named: (token) => named(state.photo, token) },
      joined: () => scrambled(state.query, pass.O),
    });
  }

  /** Whose outputs a row gets where heads are merged by reshape without transpose. */
  function scrambled(query, outputs) {
    const [heads, tokens] = [outputs.length, outputs[0].length];
    const rows = new Map();
    for (let n = heads * query; n < heads * (query + 1); n++) {
      const head = 1 + Math.floor(n / tokens);
      rows.set(head, [...(rows.get(head) ?? []), place(n % tokens)]);
    }
    const parts = [...rows].map(([head, places]) => `head ${head} at ${places.join(", ")}`);
    return `outputs of ${parts.join(", of ")}`;
  }

  /** The largest weight of a head over all queries; head 0: of the mean of heads. */
  function largestOfAll(pass, head) {
    if (head > 0) return attention.largest(pass.A[head - 1].map(attention.largest));
    const rows = pass.A[0].map((_, i) => attention.largest(attention.meanOfHeads(pass.A, i)));
    return attention.largest(rows);
  }

  /** Does this state show one of some stages? Without a stage it shows all of them. */
  const shows = ({ stage }, ...stages) => stage === undefined || stages.includes(stage);

  /**
   * What one head shows: q, k and v of the row, its products, scores and mixture. What only some stages
   * show is written for them alone: a pick waits for it.
   */
  function headValues(state, pass, j, a, ordered) {
    const [h, i] = [state.head - 1, state.query];
    const at = (...stages) => shows(state, ...stages);
    const [P, S, s] = [pass.P[h][i], pass.S[h][i], pass.masked[h][i]];
    const mixed = (state.mix === "k" ? pass.K : pass.V)[h];
    const over = (key) => (state.axis === "keys" ? i : key);
    const top = pass.top[h][over(j)];
    const [axis, axisS] = [axisOf(P, 12), axisOf([...s, top], 6)];
    const withLine = at("scores", "scale", "mask", "softmax", "mix");
    const line = withLine ? lineOf({ pass, h, i, j, a, P, S, s, mixed, over, top }) : null;
    const one = { pass, state, h, i, j, a, ordered, P, S, s, mixed, over, top, axis, axisS, line };
    return {
      product: fixed(P[j], 2),
      scaled: fixed(S[j], 2),
      ...(pass.total[h][over(j)] === 0 ? { "top.words": "for no score is left", "words.m": "" } : {}),
      ...(at("qkv") ? { ...queryLine(pass, h, i), ...ownValues(one) } : {}),
      ...(at("qkv", "scores", "mix") ? channelNames(one) : {}),
      ...(at("qkv", "scores") ? queryValues(one) : {}),
      ...(at("scores", "scale", "mask") ? axisValues("products", axis) : {}),
      ...(at("scores", "scale") ? productValues(one) : {}),
      ...(at("scores") ? scoresValues(one) : {}),
      ...(at("scale") ? scaleValues(one) : {}),
      ...(at("mask") ? maskValues(one) : {}),
      ...(at("softmax") ? softmaxValues(one) : {}),
      ...(at("mix") ? mixValues(one) : {}),
      ...(withLine ? chainValues(one) : {}),
    };
  }

  const least = (numbers) => -attention.largest(numbers.map((number) => -number));

  /** An object of values, one for each of the head's four channels. */
  function eachChannel(count, written) {
    return Object.assign({}, ...Array.from({ length: count }, (_, c) => written(c)));
  }

  /** What a head's channel of the mixture is called: a value's, or a key's where keys are mixed. */
  function mixedName({ mix }, h, c) {
    const { key_channels, value_channels } = window.vitattn.teaching;
    return mix === "k" ? key_channels[h][c] : value_channels[c];
  }

  function channelNames({ h, state }) {
    const { key_channels } = window.vitattn.teaching;
    return eachChannel(key_channels[h].length, (c) => ({
      [`channel.${c}`]: key_channels[h][c],
      [`mixed.${c}`]: mixedName(state, h, c),
    }));
  }

  function ownValues({ pass, h, i }) {
    const [k, v] = [pass.K[h][i], pass.V[h][i]];
    return eachChannel(k.length, (c) => ({
      [`own.k.${c}`]: fixed(k[c], 2),
      [`own.v.${c}`]: fixed(v[c], 2),
      [`bar.own.k.${c}`]: bar(k[c], 6.6),
      [`bar.own.v.${c}`]: bar(v[c], 6.6),
    }));
  }

  function queryValues({ pass, h, i, j, line }) {
    const [q, k] = [pass.Q[h][i], pass.K[h][j]];
    return eachChannel(q.length, (c) => ({
      [`q.${c}`]: fixed(q[c], 2),
      ...(line ? { [`qk.${c}`]: line.terms[c] } : {}),
      [`bar.q.${c}`]: bar(q[c], 6.6),
      [`bar.k.${c}`]: bar(k[c], 6.6),
      [`bar.qk.${c}`]: bar(q[c] * k[c], 12),
    }));
  }

  function productValues({ P, i, j, axis }) {
    return {
      "ticks.products": ticks(P),
      "product.largest": fixed(attention.largest(P), 2),
      "product.least": fixed(least(P), 2),
      "product.own": fixed(P[i], 2),
      "x.product.own": alongAxis(P[i], axis),
      "x.product": alongAxis(P[j], axis),
    };
  }

  function scoresValues({ state, P, axis }) {
    const { nothing, same } = settings().shapes;
    const above = P.filter((number) => number > nothing).length;
    const below = P.filter((number) => number < -nothing).length;
    const zero = P.length - above - below;
    const name = (key) => named(state.photo, key);
    return {
      "products.above": String(above),
      "words.lie": above === 1 ? "product lies" : "products lie",
      "products.below": String(below),
      "words.zero": zero === 0 ? "" : `, ${zero} ${zero === 1 ? "is" : "are"} zero (no square)`,
      "words.products": ofTheProducts(P, orderByWeight(P)[0], name, same),
      "squares.products.above": squares(P, 1, axis),
      "squares.products.below": squares(P, -1, axis),
    };
  }

  function scaleValues({ P, S, i, j, axis }) {
    return {
      "score.largest": fixed(attention.largest(S), 2),
      "score.least": fixed(least(S), 2),
      "scaled.own": fixed(S[i], 2),
      "products.spread": fixed(spread(P), 2),
      "scores.spread": fixed(spread(S), 2),
      "x.scaled.own": alongAxis(S[i], axis),
      "x.scaled": alongAxis(S[j], axis),
      "squares.scores.above": squares(S, 1, axis),
      "squares.scores.below": squares(S, -1, axis),
      "ticks.scores": ticks(S),
    };
  }

  function maskValues({ state, pass, h, i, j, S, s, axis }) {
    const kept = s.filter(Number.isFinite);
    const taken = s.map((_, key) => key).filter((key) => !Number.isFinite(s[key]));
    const free = state.axis === "keys" && attention.softmax([S]).weights[0];
    const weights = taken.map((key) => (free ? free[key] : shareOfQuery(pass.S[h], i, key)));
    const shown = s.map((score) => (Number.isFinite(score) ? score : 0));
    return {
      "kept.count": String(kept.length),
      "taken.count": String(taken.length),
      "taken.share": fixed(attention.sum(weights), 3),
      ...keptWords(kept, taken),
      masked: told(s[j]),
      "masked.own": told(s[i]),
      "x.masked": alongAxis(s[j], axis),
      "x.masked.own": alongAxis(s[i], axis),
      "height.masked": stands(s[j]),
      "height.masked.own": stands(s[i]),
      "squares.masked.above": squares(shown, 1, axis),
      "squares.masked.below": squares(shown, -1, axis),
      "ticks.masked": ticks(s),
    };
  }

  /** What is said of the keys that take part, and of those that do not. */
  function keptWords(kept, taken) {
    const ends = ["No score stays", "The only score that stays: "];
    return {
      "words.kept": kept.length === 1 ? "key" : "keys",
      "words.part": kept.length === 1 ? "takes part" : "take part",
      "words.taken": taken.length === 1 ? "key" : "keys",
      "words.are": taken.length === 1 ? "is" : "are",
      "words.ends": ends[kept.length] ?? "Smallest and largest score that stays: ",
      "words.and": kept.length > 1 ? " and " : "",
      "kept.least": kept.length > 0 ? fixed(least(kept), 2) : "",
      "kept.largest": kept.length > 1 ? fixed(attention.largest(kept), 2) : "",
    };
  }

  function softmaxValues({ pass, h, i, j, s, over, top, axisS, line }) {
    const exponentials = s.map((score, key) => Math.exp(score - pass.top[h][over(key)]));
    const isEmpty = pass.total[h][over(j)] === 0;
    return {
      top: line.top,
      total: line.total,
      exponential: line.exponential,
      "exponential.own": weightText(exponentials[i]),
      "height.exponential": plain(exponentials[j], 4),
      "height.exponential.own": plain(exponentials[i], 4),
      "x.exponential.own": alongAxis(s[i], axisS),
      "x.exponential": alongAxis(s[j], axisS),
      ...axisValues("scores", axisS),
      sticks: sticks(s, exponentials),
      curve: isEmpty ? "" : curve(top, axisS),
    };
  }

  function mixValues({ pass, h, i, j, a, ordered, mixed }) {
    const o = pass.O[h][i];
    return {
      "band.query": band(a, i, ordered),
      "band.key": band(a, j, ordered),
      ...eachChannel(o.length, (c) => ({
        [`o.${c}`]: fixed(o[c], 2),
        [`level.${c}`]: plain(-o[c], 3),
        [`strip.${c}`]: strip(a, attention.column(mixed, c), ordered),
      })),
    };
  }

  /** The arithmetic line of the key, from q·k to its share of the mixture. */
  function lineOf({ pass, h, i, j, a, P, S, s, mixed, over, top }) {
    return chain({
      ...{ q: pass.Q[h][i], k: pass.K[h][j], value: mixed[j], product: P[j], score: S[j] },
      ...{ takenOut: !Number.isFinite(s[j]), divisor: pass.divisor, top },
      ...{ total: pass.total[h][over(j)], weight: a[j] },
    });
  }

  function chainValues({ line, s, j }) {
    return {
      "line.product": line.product,
      "line.score": line.score,
      "line.masked": Number.isFinite(s[j]) ? line.score : `${MINUS}∞`,
      "line.top": line.top,
      "line.power": line.power,
      "line.over": line.over,
      "line.exponential": line.exponential,
      "line.total": line.total,
      "line.weight": line.weight,
      ...Object.fromEntries(Object.entries(line.signs).map(([name, text]) => [`line.sign.${name}`, text])),
      ...eachChannel(line.q.length, (c) => ({
        [`line.q.${c}`]: line.q[c],
        [`line.k.${c}`]: line.k[c],
        [`line.av.${c}`]: line.weighted[c],
      })),
    };
  }

  /** A score after the mask: −∞ for a key that is taken out. */
  function masked(score) {
    return Number.isFinite(score) ? fixed(score, 2) : `${MINUS}∞`;
  }

  /** A score as a label on its axis; −∞ stands nowhere on it, and says so. */
  function told(score) {
    return Number.isFinite(score) ? masked(score) : `${masked(score)}, off the axis`;
  }

  /** The height of a key's mark on the axis of the mask: none for a key that is out. */
  function stands(score) {
    return Number.isFinite(score) ? "1" : "0";
  }

  /** What a query gets of a key where the softmax runs over the queries. */
  function shareOfQuery(scores, query, key) {
    return attention.softmax([attention.column(scores, key)]).weights[0][query];
  }

  /** The view box of an axis from −reach to reach, and the five numbers under it. */
  function axisValues(name, reach) {
    const values = { [`box.${name}`]: `${-reach} 0 ${2 * reach} 1` };
    [-1, -0.5, 0, 0.5, 1].forEach((part, n) => {
      values[`axis.${name}.${n}`] = fixed(part * reach, 0);
    });
    return values;
  }

  /** The heads side by side: the model forms no mean of them. */
  function meanValues(state, pass, j) {
    const i = state.query;
    const axis = axisOf(pass.P.flatMap((head) => head[i]), 12);
    const values = { ...axisValues("heads", axis), scaled: "–" };
    pass.P.forEach((_, h) => {
      const [P, S, s] = [pass.P[h][i], pass.S[h][i], pass.masked[h][i]];
      Object.assign(values, {
        [`h${h}.ticks.masked`]: ticks(s),
        [`h${h}.masked`]: masked(s[j]),
        [`h${h}.masked.own`]: masked(s[i]),
        [`x.h${h}.masked`]: alongAxis(s[j], axis),
        [`x.h${h}.masked.own`]: alongAxis(s[i], axis),
        [`height.h${h}.masked`]: stands(s[j]),
        [`height.h${h}.masked.own`]: stands(s[i]),
        [`h${h}.ticks.products`]: ticks(P),
        [`h${h}.ticks.scores`]: ticks(S),
        [`h${h}.product`]: fixed(P[j], 2),
        [`h${h}.product.own`]: fixed(P[i], 2),
        [`h${h}.scaled`]: fixed(S[j], 2),
        [`h${h}.scaled.own`]: fixed(S[i], 2),
        [`x.h${h}.product`]: alongAxis(P[j], axis),
        [`x.h${h}.product.own`]: alongAxis(P[i], axis),
        [`x.h${h}.scaled`]: alongAxis(S[j], axis),
        [`x.h${h}.scaled.own`]: alongAxis(S[i], axis),
        [`h${h}.weight`]: fixed(pass.A[h][i][j], 4),
      });
      pass.O[h][i].forEach((number, c) => {
        values[`h${h}.mixed.${c}`] = mixedName(state, h, c);
        values[`h${h}.o.${c}`] = fixed(number, 2);
        values[`bar.h${h}.o.${c}`] = bar(number, 6.6);
        for (const name of ["q", "k", "v"]) {
          const own = pass[name.toUpperCase()][h][i][c];
          values[`h${h}.${name}.${c}`] = fixed(own, 2);
          values[`bar.h${h}.${name}.${c}`] = bar(own, 6.6);
        }
      });
    });
    const written = pass.P.map((_, h) => read(values[`h${h}.weight`]));
    values["mean.weight"] = fixed(attention.sum(written) / written.length, 4);
    return values;
  }

  // The row alone, and its heads joined -----------------------------------------------------------

  // The rows of twelve channels that a stage shows, each number with a bar.
  const CHANNELS = {
    embed: ["content", "position", "X"],
    norm: ["U"],
    heads: ["joined", "M"],
    residual: ["M", "Y"],
    mlp: ["Z"],
  };

  /** Every name of the stages patches, embed, norm, heads, residual and mlp that the state shows. */
  function rowwiseValues(state, pass) {
    const i = state.query;
    const { reach, tokens } = settings().rowwise;
    const base = state.bug === "residual" ? pass.U[i] : pass.X[i];
    const values = {
      token: String(i),
      "token.sum": counted(i),
      "x.token": `${plain((100 * (i + 0.5)) / tokens, 2)}%`,
      "grid.columns": String(grid().columns),
      ...(shows(state, "patches") ? pixelValues(state.sums, i) : {}),
      ...(shows(state, "norm") ? normValues(pass.X[i], pass.U[i]) : {}),
      ...(shows(state, "heads") ? { ...mapValues(pass, i, state.bug), ...joinedNames(state, pass) } : {}),
      ...(shows(state, "residual") ? riseValues(pass, i, base, reach) : {}),
      ...(shows(state, "mlp") ? mlpValues(pass, i) : {}),
    };
    const shown = Object.keys(CHANNELS).filter((stage) => shows(state, stage));
    for (const name of new Set(shown.flatMap((stage) => CHANNELS[stage]))) {
      const numbers = name === "position" ? addedPlace(pass, i) : pass[name][i];
      numbers.forEach((number, c) => {
        values[`${name}.${c}`] = fixed(number, 2);
        values[`bar.${name}.${c}`] = bar(number, reach);
      });
    }
    // Numbers that are worked with stand as they are needed: with these texts every sum adds up.
    return { ...values, ...lineValues(state, pass, base) };
  }

  /** The residual's three bars a channel, on one axis. */
  function riseValues(pass, i, base, reach) {
    const rise = axisOf([...base, ...pass.Y[i]], reach);
    const values = {};
    for (const [name, numbers] of Object.entries({ base, M: pass.M[i], Y: pass.Y[i] })) {
      numbers.forEach((number, c) => (values[`rise.${name}.${c}`] = plain(number / rise, 3)));
    }
    base.forEach((number, c) => {
      const [[before, added]] = worked([number, pass.M[i][c]], ([a, b]) => a + b, pass.Y[i][c]);
      Object.assign(values, { [`base.${c}`]: before, [`added.${c}`]: added });
    });
    return values;
  }

  /** The sequence row, and how it is counted from the patch's place. */
  function counted(i) {
    const { prefix, columns } = grid();
    if (i < prefix) return String(i);
    const [line, column] = [Math.floor((i - prefix) / columns), (i - prefix) % columns];
    return `${i} = ${prefix} + ${columns} × ${line} + ${column}`;
  }

  /** What was added to the row for its place: nothing in a pass without position. */
  function addedPlace(pass, i) {
    return pass.X[i].map((number, c) => number - pass.content[i][c]);
  }

  /** Mean colours of the patch, from 0 to 255; CLS has none. */
  function pixelValues(sums, i) {
    const { prefix, patch, centre } = grid();
    const names = ["red", "green", "blue", "centre", "rim"];
    let means = null;
    if (i >= prefix) {
      const [red, green, blue, middle] = sums[i - prefix];
      const [all, inside] = [patch ** 2, (centre[1] - centre[0]) ** 2];
      const rim = (red + green + blue - middle) / (3 * (all - inside));
      means = [red / all, green / all, blue / all, middle / (3 * inside), rim];
    }
    const values = {};
    names.forEach((name, n) => {
      values[`pixels.${name}`] = means ? fixed(means[n], 1) : "–";
      values[`bar.pixels.${name}`] = means ? bar(means[n], 255) : "0";
    });
    return values;
  }

  function normValues(x, u) {
    const { norm_axis: reach } = settings().rowwise;
    const mean = attention.sum(x) / x.length;
    const width = spread(x);
    return {
      "norm.mean": fixed(mean, 2),
      "norm.spread": fixed(width, 2),
      "norm.ticks.x": ticks(x),
      "norm.ticks.centred": ticks(x.map((number) => number - mean)),
      "norm.ticks.u": ticks(u),
      ...axisValues("norm", reach),
    };
  }

  /** What the joined numbers are called: a channel and its head, or no head where they are of other rows. */
  function joinedNames(state, pass) {
    const [width, tokens] = [pass.O[0][0].length, pass.X.length];
    const names = pass.joined[0].map((_, n) => {
      if (state.bug !== "merge") return mixedName(state, Math.floor(n / width), n % width) + "¹²³"[Math.floor(n / width)];
      const h = Math.floor((state.query * pass.joined[0].length + n) / (tokens * width));
      return mixedName(state, h, n % width);
    });
    return Object.fromEntries(names.map((name, n) => [`joined.name.${n}`, name]));
  }

  /** A small map of each head's row of weights, up to the largest of them. */
  function mapValues(pass, i, bug) {
    const values = {};
    pass.A.forEach((head, h) => {
      const end = attention.largest(head[i]);
      values[`map.${h}`] = places().paint(onGrid(head[i], bug), end);
      values[`map.${h}.largest`] = weightText(end);
      values[`map.${h}.cls`] = weightText(head[i][0]);
    });
    return values;
  }

  function mlpValues(pass, i) {
    const { channels, mlp } = window.vitattn.teaching;
    const [diff, last] = [channels.indexOf("diff"), channels.indexOf("out")];
    const into = (unit, n) => ({
      compute: ([d, o]) => mlp.w_1[diff][n] * d + mlp.w_1[last][n] * o + mlp.b_1[n],
      result: pass.H[i][unit],
    });
    const [[normed, out], before] = workedAll([pass.W[i][diff], pass.W[i][last]], mlp.working.map(into));
    const values = { "mlp.diff": normed, "mlp.out": out, "mlp.written": fixed(pass.F[i][last], 2) };
    const reach = axisOf(mlp.working.map((unit) => pass.H[i][unit]), 6);
    const points = Array.from({ length: 97 }, (_, n) => -reach + (2 * reach * n) / 96);
    const curved = points.map((x) => `${plain(x, 2)} ${plain(-attention.gelu(x), 2)}`);
    values["mlp.curve"] = `M${curved.join("L")}`;
    values["box.gelu"] = `${-reach} ${-reach} ${2 * reach} ${(reach * 7) / 6}`;
    mlp.working.forEach((unit, n) => {
      values[`mlp.before.${unit}`] = before[n];
      values[`x.mlp.before.${unit}`] = alongAxis(pass.H[i][unit], reach);
      values[`height.mlp.${unit}`] = plain(pass.G[i][unit] / reach, 4);
    });
    return { ...values, ...axisValues("mlp", reach) };
  }

  /** The arithmetic lines of these stages: one channel each, worked through; M is added to `base`. */
  function lineValues(state, pass, base) {
    const i = state.query;
    const { channels, W_O, mlp } = window.vitattn.teaching;
    const [light, place, diff, last] = ["light", "cos_row", "diff", "out"].map((name) =>
      channels.indexOf(name),
    );
    const gain = W_O[0][diff];
    const steps = {
      embed: () => {
        const added = addedPlace(pass, i)[place];
        return worked([pass.content[i][place], added], ([a, b]) => a + b, pass.X[i][place]);
      },
      norm: () => {
        const x = pass.X[i];
        const mean = attention.sum(x) / x.length;
        return worked([x[light], mean, spread(x)], ([a, b, c]) => (a - b) / c, pass.U[i][light]);
      },
      heads: () => {
        const width = pass.O[0][i].length;
        const terms = [0, 1].flatMap((h) => pass.joined[i].slice(h * width, h * width + 3));
        const compute = (six) => gain * attention.sum(six.slice(0, 3)) - gain * attention.sum(six.slice(3));
        return worked(terms, compute, pass.M[i][diff]);
      },
      residual: () => worked([base[diff], pass.M[i][diff]], ([a, b]) => a + b, pass.Y[i][diff]),
      mlp: () => {
        const units = mlp.working.map((unit) => pass.G[i][unit]);
        const ways = [
          { compute: attention.sum, result: pass.Z[i][last] },
          { compute: ([, ...written]) => attention.sum(written), result: pass.F[i][last] },
        ];
        const [texts, [result]] = workedAll([pass.Y[i][last], ...units], ways);
        mlp.working.forEach((unit, n) => (values[`mlp.after.${unit}`] = texts[n + 1]));
        return [texts, result];
      },
    };
    const values = { "line.heads.gain": fixed(gain, 1) };
    for (const [stage, work] of Object.entries(steps)) {
      if (!shows(state, stage)) continue;
      const [inputs, result] = work();
      const isFirst = (n) => n === 0 || (stage === "heads" && n === 3); // behind a bracket that opens
      inputs.forEach((text, n) => (values[`line.${stage}.${n}`] = isFirst(n) ? text : operand(text)));
      values[`line.${stage}`] = result;
      if (stage === "norm") Object.assign(values, { "norm.mean": inputs[1], "norm.spread": inputs[2] });
    }
    if (shows(state, "embed")) {
      const added = addedPlace(pass, i);
      pass.content[i].forEach((number, c) => {
        const [[content, position]] = worked([number, added[c]], ([a, b]) => a + b, pass.X[i][c]);
        Object.assign(values, { [`content.${c}`]: content, [`position.${c}`]: position });
      });
    }
    return values;
  }

  /** The line of stage qkv: the first number of q, from the entries of W_Q that are not 0. */
  function queryLine(pass, h, i) {
    const { channels, W_Q } = window.vitattn.teaching;
    const factors = W_Q[h].map((into) => into[0]);
    const used = channels.map((_, c) => c).filter((c) => factors[c] !== 0);
    const compute = (inputs) => attention.sum(inputs.map((number, n) => number * factors[used[n]]));
    const [inputs, result] = worked(used.map((c) => pass.U[i][c]), compute, pass.Q[h][i][0]);
    const terms = inputs.map((text, n) => {
      const factor = operand(fixed(factors[used[n]], 1));
      return `${text} × ${factor} (${channels[used[n]].replace("_", " ")})`;
    });
    return { "line.qkv.terms": terms.join(" + "), "line.qkv": result };
  }

  window.vitattn.row = Object.freeze({
    ...{ readRow, orderByWeight, corner, place, named, fixed, level, places, onGrid, scrambled },
  });
})();
