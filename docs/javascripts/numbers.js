/**
 * Numbers as the reader sees them, and the arithmetic line of one key. figures_src/kit/numbers.py writes
 * numbers in the same way. Nothing here reads or writes the page. Classic script: it works from disk.
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

  // The arithmetic line ---------------------------------------------------------------------------

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

  /** A weight: three decimals, or two digits that count where three decimals would say next to nothing. */
  function weightText(weight) {
    return weight >= 0.01 ? fixed(weight, 3) : significant(weight, 2);
  }

  /** What a row of exponentials sums to: two decimals, or three digits that count. */
  function totalText(total) {
    return total >= 1 ? fixed(total, 2) : weightText(total);
  }

  /** What stands before a result: "=" where computing with the written terms gives it as written, else "≈". */
  function sign(computed, write, text) {
    return surely(computed, write, text) ? "=" : "≈";
  }

  /**
   * The written numbers of one key. The sum q·k is made of as many digits as it needs; after a division
   * or an exponential, whose terms are rounded, a sign says whether they give the result to the digit.
   */
  function chain({ q, k, value, product, score, takenOut, divisor, top, total, weight }) {
    const two = (number) => fixed(number, 2);
    const exponential = takenOut ? 0 : Math.exp(score - top);
    const terms = q.map((number, c) => number * k[c]);
    const tDigits = fewest(2, (digits) => {
      const shown = terms.reduce((sum, number) => sum + read(fixed(number, digits)), 0);
      return surely(shown, two, two(product));
    });
    const qDigits = fewest(2, (digits) => {
      const shown = q.map((number, c) => read(fixed(number, digits)) * read(fixed(k[c], digits)));
      const each = shown.every((number, c) => surely(number, (n) => fixed(n, tDigits), fixed(terms[c], tDigits)));
      const sum = shown.reduce((all, number) => all + number, 0);
      return each && surely(sum, two, two(product));
    });
    const texts = {
      ...{ product: two(product), score: two(score), top: two(top) },
      ...{ exponential: weightText(exponential), total: totalText(total), weight: weightText(weight) },
    };
    const shown = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, read(text)]));
    const power = takenOut ? 0 : Math.exp(shown.score - shown.top);
    const isEmpty = total === 0;
    return {
      ...texts,
      top: isEmpty ? "–" : texts.top,
      power: takenOut ? `${MINUS}∞` : `s ${MINUS} ${operand(texts.top)}`,
      over: isEmpty ? "no score is left:" : `÷ ${texts.total}`,
      terms: terms.map((number) => fixed(number, tDigits)),
      q: q.map((number) => fixed(number, qDigits)),
      k: k.map((number) => fixed(number, qDigits)),
      weighted: value.map((number) => fixed(weight * number, 2)),
      signs: {
        score: sign(shown.product / divisor, two, texts.score),
        exponential: sign(power, weightText, texts.exponential),
        weight: total === 0 ? "=" : sign(shown.exponential / shown.total, weightText, texts.weight),
      },
    };
  }

  /** A written number as it stands after a sign: in brackets if it is negative. */
  function operand(text) {
    return text.startsWith(MINUS) ? `(${text})` : text;
  }

  /**
   * Inputs and results as written, [inputs, results]: computing with the written inputs gives every
   * written result. Each result has its own way, {compute, result, write}; it has two decimals unless
   * `write` says otherwise.
   */
  function workedAll(inputs, ways) {
    const two = (number) => fixed(number, 2);
    const holds = (digits) => {
      const shown = inputs.map((number) => read(fixed(number, digits)));
      return ways.every(({ compute, result, write = two }) => surely(compute(shown), write, write(result)));
    };
    const digits = fewest(2, holds);
    const results = ways.map(({ result, write = two }) => write(result));
    return [inputs.map((number) => fixed(number, digits)), results];
  }

  /** Inputs and one result as written: computing with the written inputs gives the written result. */
  function worked(inputs, compute, result) {
    const [texts, [written]] = workedAll(inputs, [{ compute, result }]);
    return [texts, written];
  }

  /** Whether a row sums to 1, but for rounding: only then are its weights shares, and have an entropy. */
  const isWhole = (weights) => Math.abs(window.vitattn.attention.sum(weights) - 1) <= 1e-9;

  /**
   * What is read off any row of weights, whatever the model; of a row that does not sum to 1, no entropy.
   * @param {number[]} weights (N) CLS first
   * @returns {Object<string, string>} row.sum, weight.largest, cls.share, entropy, keys
   */
  function readouts(weights) {
    const { sum, largest, entropy, effectiveKeys } = window.vitattn.attention;
    return {
      "row.sum": fixed(sum(weights), 3),
      "weight.largest": weightText(largest(weights)),
      "cls.share": weightText(weights[0]),
      entropy: isWhole(weights) ? fixed(entropy(weights), 2) : "–",
      keys: isWhole(weights) ? fixed(effectiveKeys(weights), 1) : "–",
    };
  }

  /** How many numbers are as large as the largest; `same`: no further apart is the same but for rounding. */
  const ties = (numbers, same) => {
    const most = window.vitattn.attention.largest(numbers);
    return numbers.filter((number) => most - number <= same).length;
  };

  /**
   * Where the largest of some numbers is: at one key, at several, or everywhere.
   * @param {number[]} numbers (N)
   * @param {number} key of the first of the largest
   * @param {function(number): string} name what a key is called
   */
  function largestAt(numbers, key, name, same) {
    const count = ties(numbers, same);
    if (count === numbers.length) return "everywhere";
    return count === 1 ? `at ${name(key)}` : `at ${name(key)} and ${count - 1} more`;
  }

  (window.vitattn ??= {}).numbers = Object.freeze({
    ...{ MINUS, plain, fixed, significant, read, weightText, totalText, sign, chain, operand, worked, workedAll },
    ...{ isWhole, readouts, ties, largestAt },
  });
})();
