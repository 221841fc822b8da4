/**
 * The fold "The whole row": the picked row as a table of all its keys, to sort and to save, and beside
 * it the row and the column of the same patch.
 *
 * The marks are drawn by figures_src/player/folds/whole_row.py; the table's one line is copied for each key.
 * Everything waits for the next paint, so that the player answers first; then the lines in sight are
 * written, and the others in pieces. Loaded when the fold is first opened.
 */
(() => {
  "use strict";

  const { attention, player: settings, row, teaching } = window.vitattn;
  const { fixed, place } = row;
  const { totalText, largestAt } = window.vitattn.numbers;
  const { writeText } = window.vitattn.element;
  const PIECE = 24; // lines that are written at a time
  const LINE = 25; // height of a line, in pixels
  const DIGITS = { score: 2, top: 2, exponential: 4, total: 2, weight: 4, given: 3 };
  const SAME = 1e-12; // weights no further apart than this are the same but for rounding
  const MINUS_INFINITY = "−∞";

  const digitsOf = (name) => DIGITS[name.split(".")[0]];
  const written = (name, number) =>
    number === undefined ? "–" : Number.isFinite(number) ? fixed(number, digitsOf(name)) : MINUS_INFINITY;

  /**
   * The numbers of every key of a row: score after the mask, what is subtracted and what is divided by,
   * weight, and what the key gives; of the mean of heads only the weight.
   * @returns {Array<Object<string, number>>} (N), by the names of the columns
   */
  function linesOf({ pass, head, query, mix, axis }) {
    if (head === 0) return attention.meanOfHeads(pass.A, query).map((weight, key) => ({ key, weight }));
    const h = head - 1;
    const mixed = (mix === "k" ? pass.K : pass.V)[h];
    return pass.A[h][query].map((weight, key) => {
      const over = axis === "keys" ? query : key;
      const [product, score] = [pass.P[h][query][key], pass.masked[h][query][key]];
      const [top, total] = [pass.top[h][over], pass.total[h][over]];
      const line = { key, product, score, top, exponential: Math.exp(score - top), total, weight };
      mixed[key].forEach((value, c) => (line[`given.${c}`] = weight * value));
      return line;
    });
  }

  /** Sums of the columns that have one: of e^(s − m) only where one m is subtracted from all. */
  function sumsOf(lines, { head, axis }) {
    const of = (name) => attention.sum(lines.map((line) => line[name]));
    const sums = { weight: of("weight") };
    if (head === 0) return sums;
    if (axis === "keys") sums.exponential = of("exponential");
    teaching.value_channels.forEach((_, c) => (sums[`given.${c}`] = of(`given.${c}`)));
    return sums;
  }

  /** The lines in the order of a column; equal numbers as in the sequence. */
  function sorted(lines, { column, descending }) {
    const sign = descending ? -1 : 1;
    const compare = (a, b) => (a[column] === b[column] ? a.key - b.key : a[column] < b[column] ? -sign : sign);
    return [...lines].sort(compare);
  }

  /** The table as text, every number with all its digits. */
  function csv(lines, { photo, channels }) {
    const names = ["product", "score", "top", "exponential", "total", "weight"];
    const columns = [...names, ...channels.map((_, c) => `given.${c}`)].filter((name) => name in lines[0]);
    const titles = {
      ...{ top: "subtracted", total: "divided_by", exponential: "exp(score-subtracted)" },
      ...Object.fromEntries(channels.map((channel, c) => [`given.${c}`, `weight*${channel.replace(" ", "_")}`])),
    };
    const head = ["sequence_row", "patch_row", "patch_column", "name", ...columns.map((name) => titles[name] ?? name)];
    const body = lines.map((line) => {
      const [, r = "", c = "", name = ""] = /^\((\d+),(\d+)\)(?:, (.*))?$/.exec(row.named(photo, line.key)) ?? [];
      return [line.key, r, c, line.key < settings.grid.prefix ? "CLS" : name, ...columns.map((each) => line[each])];
    });
    return [head, ...body].map((cells) => cells.join(",")).join("\r\n") + "\r\n";
  }

  window.vitattn.wholeRow = Object.freeze({ linesOf, sumsOf, sorted, csv, written });

  window.vitattn.part("whole-row", (player, fold) => {
    const table = fold.querySelector(".va-row-table");
    const body = table.tBodies[0];
    const copy = body.rows[0].cloneNode(true);
    const columns = [...table.querySelectorAll("[data-sort]")].map((button) => button.dataset.sort);
    const box = fold.querySelector(".va-row-table-box");
    const says = (name) => fold.querySelector(`[data-say=${name}]`);
    const maps = Object.fromEntries(["from", "by"].map((name) => [name, fold.querySelector(`[data-map=${name}]`)]));
    const sort = { column: "weight", descending: true };
    const drawn = []; // of each line of the table: the line, and its texts
    let [told, lines, order, latest, scrolled, wanted] = [null, [], [], 0, 0, null];
    body.rows[0].remove();

    const write = (mark, text) => {
      if (mark.textContent !== text) writeText(mark, text);
    };

    /** Fill the fold after the next paint, with what is shown by then. */
    function draw(shown) {
      const waits = wanted !== null;
      wanted = shown;
      if (!waits) requestAnimationFrame(() => setTimeout(fill));
    }

    function fill() {
      const shown = wanted;
      wanted = null;
      const { pass, state } = player;
      const head = state.head === "mean" ? 0 : Number(state.head);
      const channels = state.mix === "k" && head > 0 ? teaching.key_channels[head - 1] : teaching.value_channels;
      told = { ...state, pass, head, query: shown.query, key: shown.key, channels };
      lines = linesOf(told);
      headings();
      sums();
      writeLines(() => drawMaps(shown));
    }

    function headings() {
      const { head, axis, query, photo, channels, mix } = told;
      const who = head === 0 ? "mean of heads" : `head ${head}, ${settings.heads[head - 1]}`;
      const top = head > 0 && axis === "keys" && lines[0].total > 0 ? ` m = ${fixed(lines[0].top, 2)} is subtracted from every score.` : "";
      write(says("lead"), `The row of ${row.named(photo, query)}; ${who}.${top}`);
      channels.forEach((channel, c) => {
        const small = table.querySelector(`[data-name="given.${c}"]`);
        write(small, channel);
        write(small.parentElement.querySelector("[data-mixed]"), mix === "k" ? "a·k" : "a·v");
      });
      for (const button of table.querySelectorAll("[data-sort]")) {
        const way = sort.descending ? "descending" : "ascending";
        button.closest("th").setAttribute("aria-sort", button.dataset.sort === sort.column ? way : "none");
      }
    }

    /** The last line: the sums that the plates show, from the table's own numbers. */
    function sums() {
      const found = sumsOf(lines, told);
      const digits = { weight: 3, exponential: 2 };
      for (const cell of table.querySelectorAll("[data-sum]")) {
        const { sum: name } = cell.dataset;
        const text = name === "exponential" ? totalText : (number) => fixed(number, digits[name] ?? 2);
        write(cell, name in found ? text(found[name]) : "–");
      }
    }

    /** Write the lines in sight, do what comes next, and write the others, a piece at a time. */
    function writeLines(next = () => {}) {
      const mine = ++latest;
      const column = told.head === 0 && sort.column !== "key" ? "weight" : sort.column;
      order = sorted(lines, { ...sort, column });
      const first = Math.min(drawn.length, Math.max(0, Math.floor(scrolled / LINE) - 2));
      const places = order.map((_, n) => (first + n) % order.length);
      const work = [next]; // once the lines in sight stand
      const go = () => {
        if (mine !== latest || !fold.open) return;
        if (places.length < order.length && work.length > 0) work.pop()();
        else places.splice(0, PIECE).forEach(writeLine);
        if (places.length > 0 || work.length > 0) setTimeout(go);
        else box.removeAttribute("aria-busy");
      };
      box.setAttribute("aria-busy", "true");
      go();
    }

    /** Write the nth line; lines that are not there yet are copied from the one that was drawn. */
    function writeLine(n) {
      while (drawn.length <= n) drawn.push(newLine());
      const [{ line, marks, texts }, numbers] = [drawn[n], order[n]];
      const where = place(numbers.key);
      const name = row.named(told.photo, numbers.key).slice(where.length + 2);
      const words = [where, name, ...columns.slice(1).map((column) => written(column, numbers[column]))];
      words.forEach((word, c) => {
        if (texts[c] === word) return;
        texts[c] = word;
        writeText(marks[c], word);
      });
      const kind = numbers.key === told.query ? "is-query" : numbers.key === told.key ? "is-key" : "";
      if (line.className !== kind) line.className = kind;
    }

    function newLine() {
      const line = copy.cloneNode(true);
      const [key, ...cells] = line.cells;
      const marks = [...key.children, ...cells];
      body.append(line);
      return { line, marks, texts: [] };
    }

    /** The row, and the column of the same patch. */
    function drawMaps(shown) {
      const { pass, head, query, axis, bug } = told;
      const from = lines.map(({ weight }) => weight);
      const heads = head === 0 ? pass.A : [pass.A[head - 1]];
      const by = from.map((_, i) => attention.sum(heads.map((weights) => weights[i][query])) / heads.length);
      const end = Math.max(attention.largest(from), attention.largest(by));
      window.vitattn.paintMap(maps.from, from, { end, query, bug, taken: shown.values.taken });
      window.vitattn.paintMap(maps.by, by, { end, query, bug });
      const strongest = (weights) => {
        const most = row.orderByWeight(weights)[0];
        return `largest ${fixed(weights[most], 3)} ${largestAt(weights, most, place, SAME)}`;
      };
      const about = (name, weights, words) =>
        write(maps[name].querySelector("span"), `${words} sum ${fixed(attention.sum(weights), 3)}, ${strongest(weights)}`);
      about("from", from, `row of ${place(query)}:`);
      about("by", by, `column of ${place(query)}:`);
      write(says("end"), fixed(end, 3));
      write(
        says("both"),
        axis === "keys"
          ? "A row is what one query reads, and sums to 1 unless every key is taken out. A column is what all queries read from one " +
              "key: nothing makes it sum to 1, so some patches are read by many and some by hardly any."
          : "With the softmax over the queries it is the column that sums to 1, unless its key is taken out, and " +
              "the row need not.",
      );
    }

    box.addEventListener("scroll", () => (scrolled = box.scrollTop), { passive: true });

    table.addEventListener("click", (event) => {
      const button = event.target.closest("[data-sort]");
      if (!button) return;
      const { sort: column } = button.dataset;
      sort.descending = sort.column === column ? !sort.descending : column !== "key";
      sort.column = column;
      box.scrollTop = scrolled = 0;
      headings();
      writeLines();
    });

    fold.querySelector("[data-do=csv]").addEventListener("click", () => {
      const { photo, query, head } = player.state;
      const url = URL.createObjectURL(new Blob([csv(lines, told)], { type: "text/csv;charset=utf-8" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = `vitattn-${photo}-${query}-head-${head}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    });

    return { draw };
  });
})();
