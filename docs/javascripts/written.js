/**
 * Numbers as the reader sees them, and the arithmetic line of one key: the mirror of written.py and
 * chain.py of figures_src. Nothing here reads or writes the page. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const MINUS = "\u2212";
  const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  /** A number for a mark: `digits` decimals, and no minus before zero. */
  function plain(number, digits) {
    const text = number.toFixed(digits);
    return Number(text) === 0 ? text.replace("-", "") : text;
  }

  /** A number with `digits` decimals and a true minus. */
  function fixed(number, digits) {
    return plain(number, digits).replace("-", MINUS);
  }

  /**
   * A positive number with `digits` significant digits, and all those before the point; ·10 to a power
   * if tiny.
   */
  function significant(number, digits) {
    if (number === 0) return "0";
    const [mantissa, exponent] = number.toExponential(digits - 1).split("e");
    const power = Number(exponent);
    if (power < -5) return `${mantissa}·10⁻${String(-power).replace(/\d/g, (d) => RAISED[d])}`;
    return power < digits ? fixed(Number(`${mantissa}e${power}`), digits - 1 - power) : fixed(number, 0);
  }

  /** The number that was written. */
  function read(text) {
    const [mantissa, raised] = text.replace(MINUS, "-").split("·10⁻");
    if (raised === undefined) return Number(mantissa);
    return Number(`${mantissa}e-${raised.replace(/./g, (d) => RAISED.indexOf(d))}`);
  }

  // The arithmetic line (chain.py) ----------------------------------------------------------------

  const MOST = 9;
  const TIE = 1e-9; // this near to the middle between two written numbers, either may be written

  /** The fewest digits from `start` up with which the written step holds. */
  function fewest(start, holds) {
    for (let digits = start; digits < MOST; digits++) if (holds(digits)) return digits;
    return MOST;
  }

  /** Whether a number is written as `text`, and would still be a hair above or below. */
  function surely(number, write, text) {
    return [1 - TIE, 1 + TIE].every((by) => write(number * by) === text);
  }

  /** The written numbers of one key, with as many digits as make the line add up. */
  function chain({ q, k, value, product, score, takenOut, divisor, top, total, weight }) {
    const exponential = takenOut ? 0 : Math.exp(score - top);
    const aDigits = weight >= 0.1 ? 3 : 2;
    const writtenWeight = significant(weight, aDigits);
    const eDigits = fewest(2, (digits) => {
      if (total === 0) return true; // every key is taken out: nothing is divided
      const shown = read(significant(exponential, digits)) / read(significant(total, digits));
      return surely(shown, (number) => significant(number, aDigits), writtenWeight);
    });
    const writtenE = significant(exponential, eDigits);
    const exponentiates = (digits) => {
      const shown = Math.exp(read(fixed(score, digits)) - read(fixed(top, digits)));
      return surely(shown, (number) => significant(number, eDigits), writtenE);
    };
    const sDigits = takenOut ? 2 : fewest(2, exponentiates);
    const writtenScore = fixed(score, sDigits);
    const scales = (digits) => {
      const shown = read(fixed(product, digits)) / divisor;
      return surely(shown, (number) => fixed(number, sDigits), writtenScore);
    };
    const pDigits = fewest(2, scales);
    const writtenProduct = fixed(product, pDigits);
    const qDigits = fewest(2, (digits) => {
      let shown = 0;
      for (let c = 0; c < q.length; c++) shown += read(fixed(q[c], digits)) * read(fixed(k[c], digits));
      return surely(shown, (number) => fixed(number, pDigits), writtenProduct);
    });
    return {
      q: q.map((number) => fixed(number, qDigits)),
      k: k.map((number) => fixed(number, qDigits)),
      product: writtenProduct,
      score: writtenScore,
      top: fixed(top, sDigits),
      exponential: writtenE,
      total: significant(total, eDigits),
      weight: writtenWeight,
      weighted: value.map((number) => fixed(weight * number, 2)),
    };
  }

  /** A written number as it stands after a sign: in brackets if it is negative. */
  function operand(text) {
    return text.startsWith(MINUS) ? `(${text})` : text;
  }

  /** Inputs and result as written: computing with the written inputs gives the written result. */
  function worked(inputs, compute, result) {
    const written = fixed(result, 2);
    const holds = (digits) => {
      const computed = compute(inputs.map((number) => read(fixed(number, digits))));
      return surely(computed, (number) => fixed(number, 2), written);
    };
    const digits = fewest(2, holds);
    return [inputs.map((number) => fixed(number, digits)), written];
  }

  /**
   * What is read off any row of weights, whatever the model.
   * @param {number[]} weights (N) CLS first
   * @returns {Object<string, string>} row.sum, weight.largest, cls.share, entropy, keys
   */
  function readouts(weights) {
    const { sum, largest, entropy, effectiveKeys } = window.vitattn.attention;
    return {
      "row.sum": fixed(sum(weights), 3),
      "weight.largest": fixed(largest(weights), 3),
      "cls.share": fixed(weights[0], 3),
      entropy: fixed(entropy(weights), 2),
      keys: fixed(effectiveKeys(weights), 1),
    };
  }

  (window.vitattn ??= {}).written = Object.freeze({
    ...{ MINUS, plain, fixed, significant, read, chain, operand, worked, readouts },
  });
})();
