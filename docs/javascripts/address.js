/**
 * What a figure can be set to, and the addresses of its states: what a value may be, the sentence that
 * refuses another one, reading and writing. Nothing here reads or writes the page, and the build reads
 * the links of all pages with it too (links.py of figures_src). Classic script: it works from disk.
 *
 * @typedef {Object<string, string>} State
 * @typedef {{choices: string[], page_only: ?string} | {from: number, to: number, longest: number} |
 *   {places: string}} Limit
 *   what a value may be: one of some words, and one that a page may have and no address (`page_only`);
 *   a number in digits, with so many characters; "one" row of the sequence, or "some"
 * @typedef {Object} Table what figures_src tells of a figure, see limits.py
 * @property {string} name of the figure, as sentences and the history call it
 * @property {string} least what an address names that has nothing else to say
 * @property {string[]} names of its settings, in the order in which they are named
 * @property {State} defaults
 * @property {Object<string, State>} opens what a photograph opens with in place of some of them
 * @property {Object<string, Limit>} limits
 * @property {{rows: number, columns: number, prefix: number}} grid
 * @property {?function(string): boolean} isHere does this page have what only a page may have?
 * @property {?State} first what an address without a state leads to, if not the defaults
 */
(() => {
  "use strict";

  const REPEATED = 40; // characters of a refused value that a sentence repeats

  /** What was asked for, in a sentence. */
  function quoted(text, what = "value") {
    if (text === "") return `an empty ${what}`;
    const signs = Array.from(text.slice(0, 2 * REPEATED + 2)); // whole ones: half a pair cannot be written
    return `“${signs.slice(0, REPEATED).join("")}${signs.length > REPEATED ? "…" : ""}”`;
  }

  /** Words for a sentence: those before the last between commas, and the last. */
  const listed = (words) => [words.slice(0, -1).join(", "), words.at(-1)];

  // What a value may be ---------------------------------------------------------------------------

  /** The number as it is written in a state: 1.0, 01 and 1 are one number, and have one address. */
  function plainest(digits) {
    const [whole, part = ""] = digits.split(".");
    const [before, behind] = [whole.replace(/^0+/, "") || "0", part.replace(/0+$/, "")];
    return behind ? `${before}.${behind}` : before;
  }

  /** What is wrong with a number that should be in a range; null if nothing is. */
  function numberFault(text, { from, to, longest }) {
    const isMinusNought = text[0] === "-" && Number(text) === 0;
    if (!/^-?\d*\.?\d+$/.test(text) || isMinusNought) return `${quoted(text)} is not a number in digits`;
    if (text.length > longest) return `${quoted(text)} is longer than ${longest} characters`;
    return Number(text) >= from && Number(text) <= to ? null : `${quoted(text)} is outside`;
  }

  /** What is wrong with the rows that are named; null if nothing is. */
  function placesFault(words, tokenOf) {
    const named = new Set();
    for (const word of words) {
      if (tokenOf(word) === null) return `${quoted(word)} is neither`;
      if (named.has(word)) return `${quoted(word)} stands twice`;
      named.add(word);
    }
    return null;
  }

  /** What is wrong with one of a choice of words; null if nothing is. */
  function choiceFault(text, { choices, page_only: pageOnly }, isHere) {
    if (choices.includes(text) || (text === pageOnly && isHere?.(text))) return null;
    const stays = "your own photograph is not in the address, it stays in the page that has opened it";
    return text === pageOnly ? stays : `${quoted(text)} is none of them`;
  }

  /** What is wrong with a value, and the limit that says so: [limit, fault], fault null if nothing is. */
  function judge(text, limit, { grid, isHere }) {
    if (limit.choices) {
      const [others, last] = listed(limit.choices);
      return [`takes ${others} or ${last}`, choiceFault(text, limit, isHere)];
    }
    if (limit.places) {
      const { rows, columns, tokenOf } = window.vitattn.places(grid);
      const place = `takes cls or row.column from 0.0 to ${rows - 1}.${columns - 1}`;
      if (limit.places === "one") return [place, placesFault([text], tokenOf)];
      return [`${place}, each once, between commas`, placesFault(text.split(","), tokenOf)];
    }
    return [`goes from ${limit.from} to ${limit.to}`, numberFault(text, limit)];
  }

  /**
   * A value as a state has it, or why it is refused.
   * @returns {{value: string} | {wrong: string}}
   */
  function take(name, given, table) {
    if (!Object.hasOwn(table.limits, name)) {
      const [others, last] = listed(table.names);
      return { wrong: `the ${table.name} has ${others} and ${last}; ${quoted(name, "name")} is none of them` };
    }
    const [text, limit] = [String(given), table.limits[name]];
    if (text === table.defaults[name]) return { value: text };
    const [may, fault] = judge(text, limit, table);
    if (fault) return { wrong: `${name} ${may}; ${fault}` };
    return { value: limit.to === undefined ? text : plainest(text) };
  }

  /**
   * Some names with their values as a state has them, or why one is refused.
   * @returns {{state: State} | {wrong: string}}
   */
  function check(given, table) {
    const state = {};
    for (const [name, asked] of Object.entries(given)) {
      const { value, wrong } = take(name, asked, table);
      if (wrong) return { wrong };
      state[name] = value;
    }
    return { state };
  }

  // States ----------------------------------------------------------------------------------------

  /** The state that a photograph opens with. */
  const atFirst = ({ defaults, opens }, photo) => ({ ...defaults, photo, ...opens[photo] });

  /** The whole state, where some of it is given. */
  const whole = (given, table) => ({ ...atFirst(table, given.photo ?? table.defaults.photo), ...given });

  /** The whole state that is asked for, or the default and why it is not that one. */
  function wholeOr({ state, wrong }, table) {
    return wrong ? { state: { ...table.defaults }, wrong } : { state: whole(state, table) };
  }

  /**
   * A change of the state with what belongs to it: a photograph that is chosen opens with its own patch,
   * unless the reader has picked another one than that of the photograph before.
   */
  function withOpening(change, before, table) {
    if (!Object.hasOwn(change, "photo") || change.photo === before.photo) return change;
    const [old, opened] = [before.photo, change.photo].map((photo) => atFirst(table, photo));
    const follows = Object.keys(table.opens[table.defaults.photo]).filter((name) => before[name] === old[name]);
    return { ...Object.fromEntries(follows.map((name) => [name, opened[name]])), ...change };
  }

  // Addresses -------------------------------------------------------------------------------------

  /** The names and values of an address, or what is wrong with it. Names stand in it as they are. */
  function split(address) {
    const given = Object.create(null); // so that __proto__ is a name like others
    for (const part of address.replace(/^#/, "").split("&")) {
      const at = part.indexOf("=");
      if (at < 0) return { wrong: `an address has name=value between &; ${quoted(part, "part")} is not that` };
      const [name, value] = [part.slice(0, at), part.slice(at + 1)];
      if (Object.hasOwn(given, name)) {
        return { wrong: `an address has each name once; ${quoted(name, "name")} stands twice` };
      }
      try {
        given[name] = decodeURIComponent(value);
      } catch {
        return { wrong: `% begins a byte of UTF-8 in two hexadecimal digits; ${quoted(part)} cannot be read` };
      }
    }
    return { given };
  }

  /**
   * The state in the part of an address behind #, or the default and why it is not read.
   * @returns {{state: State, wrong: ?string}}
   */
  function read(address, table) {
    const { given, wrong } = split(address);
    return wholeOr(wrong ? { wrong } : check(given, table), table);
  }

  /**
   * The address of a state: what is as its photograph opens with is left out. Where nothing is left, and
   * an address that says nothing would not lead to this state (`isNamed`: nor to the figure), one is said.
   */
  function write(state, table, isNamed = false) {
    const { names, defaults, first = defaults } = table;
    const opened = { ...atFirst(table, state.photo), photo: defaults.photo };
    const said = names.filter((name) => state[name] !== opened[name]);
    const leadsElsewhere = names.some((name) => first[name] !== defaults[name]);
    if (said.length === 0 && (isNamed || leadsElsewhere)) said.push(table.least);
    return said.map((name) => `${name}=${encodeURIComponent(state[name]).replace(/%2C/g, ",")}`).join("&");
  }

  (window.vitattn ??= {}).address = Object.freeze({
    ...{ take, check, atFirst, whole, wholeOr, withOpening, read, write },
  });
})();
