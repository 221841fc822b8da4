/**
 * The fold "Guess first": a question, the reader's guess, and what the pass says beside it.
 *
 * figures_src/player/folds/guess.py has drawn the words and one paper for all maps; every answer is computed
 * here, from the standard pass of the photograph. Nothing is kept. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const { attention, row, teaching, words, player: settings } = window.vitattn;
  const { rows: ROWS, columns: COLUMNS, prefix: PREFIX } = settings.grid;
  const TAPS = 5;
  const LIKE = 0.1; // rows are alike if at most this share of the weight stands elsewhere
  const SAME = 1e-9; // numbers no further apart than this are the same but for rounding

  const { fixed } = row;
  const percent = (share) => (Number.isFinite(share) ? `${fixed(100 * share, 1)}%` : "no finite share");
  const keysOf = (weights) => fixed(attention.effectiveKeys(weights), 1);
  const topOf = (weights) => fixed(attention.largest(weights), 3);
  const vector = (numbers) => numbers.map((number) => fixed(number, 2)).join(", ");

  /** Run a pass in pieces, so that the page stays alive. */
  async function settled(request) {
    const work = attention.steps({ teaching, ...request });
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  // What is asked about ---------------------------------------------------------------------------

  /** The facts a question is about: fixed while it stands, whatever the reader does meanwhile. */
  function facts(player) {
    const { photo, query, head } = player.state;
    const pass = player.standardPass;
    const h = head === "mean" ? 0 : Number(head) - 1;
    return { photo, sums: player.sums, pass, i: words.tokenOf(query), h, a: pass.A[h][words.tokenOf(query)] };
  }

  const named = ({ photo }, token) => row.named(photo, token);
  const headOf = (h) => `${h + 1}, ${settings.heads[h]}`;
  const isPatch = (token) => token >= PREFIX;

  /** The patch that the picked row reads from most, itself apart: its own row is not on screen. */
  function partner({ a, i }) {
    return row.orderByWeight(a).find((token) => isPatch(token) && token !== i);
  }

  /** The two patches that change places: the picked one and the one it reads from least. */
  function pairOf({ a, i }) {
    const ranked = row.orderByWeight(a).filter((token) => isPatch(token) && token !== i);
    return isPatch(i) ? [i, ranked.at(-1)] : [ranked[0], ranked.at(-1)];
  }

  /** What stands in the question itself. */
  const asked = {
    five: (it) => ({ place: named(it, partner(it)), head: headOf(it.h), word: words.wordsOf(partner(it)) }),
    off: (it) => ({ place: named(it, it.i) }),
    model: (it) => ({ place: named(it, it.i) }),
    keys: (it) => ({ place: named(it, it.i) }),
    column: (it) => ({ place: named(it, it.i), head: headOf(it.h) }),
    mean: (it) => ({ place: named(it, it.i) }),
    position: (it) => ({ place: named(it, it.i) }),
    swap(it) {
      const [place, other] = pairOf(it);
      return { place: named(it, place), other: named(it, other) };
    },
    drop(it) {
      const [first] = row.orderByWeight(it.a);
      const weight = fixed(it.a[first], 3);
      const told = { "first.weight": weight, "first.word": words.wordsOf(first) };
      return { place: named(it, it.i), first: named(it, first), ...told };
    },
  };

  // Answers ---------------------------------------------------------------------------------------

  /** The row when its products are divided by something else: how its spread and order change. */
  function divided({ pass, h, i, a }, divisor) {
    const [before, scores] = [pass.S[h][i], pass.P[h][i].map((product) => product / divisor)];
    const after = attention.softmax([scores]).weights[0];
    const ranked = attention.ranking(before);
    const swapped = ranked.some((token, n) => n > 0 && scores[token] > scores[ranked[n - 1]]);
    const change = attention.effectiveKeys(after) - attention.effectiveKeys(a);
    const way = change < -SAME ? "sharper" : change > SAME ? "flatter" : "same";
    return {
      truth: `${way}-${swapped ? "changed" : "kept"}`,
      fill: {
        ...{ "keys.before": keysOf(a), "keys.after": keysOf(after) },
        ...{ "top.before": topOf(a), "top.after": topOf(after) },
      },
      maps: [{ weights: a, query: i }, { weights: after, query: i }],
    };
  }

  /** The row without one key, and how far its output moves. */
  function without({ pass, h, i }, token) {
    const keep = pass.S[h][i].map((_, key) => key !== token);
    const [weights] = attention.softmax(attention.hide([pass.S[h][i]], keep)).weights;
    const [output] = attention.mix([weights], pass.V[h]);
    return { weights, moved: attention.relativeChange(pass.O[h][i], output) };
  }

  /** How far each row of attention's output differs between two passes. */
  function changes(one, other) {
    return one.M.map((numbers, i) => Math.hypot(...numbers.map((number, c) => number - other.M[i][c])));
  }

  const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

  const solve = {
    five(it, guess) {
      const i = partner(it);
      const a = it.pass.A[it.h][i];
      const best = row.orderByWeight(a).filter(isPatch).slice(0, TAPS);
      const share = (tokens) => fixed(attention.sum(tokens.map((token) => a[token])), 3);
      return {
        truth: String(it.h + 1),
        fill: {
          best: share(best),
          cls: fixed(attention.sum(a.slice(0, PREFIX)), 3),
          list: best.map((token) => `${named(it, token)} ${fixed(a[token], 3)}`).join("; "),
          caught: share(guess ?? []),
          hits: String((guess ?? []).filter((token) => best.includes(token)).length),
        },
        maps: [{ weights: a, query: i, rings: guess ?? [] }],
      };
    },
    off: (it) => divided(it, 1),
    model: (it) => divided(it, Math.sqrt(teaching.channels.length)),
    async keys(it) {
      const { pass, h, i, a, sums } = it;
      const other = await settled({ sums, mix: "k" });
      const apart = attention.largest(other.A[h][i].map((weight, key) => Math.abs(weight - a[key])));
      const moved = attention.relativeChange(pass.O[h][i], other.O[h][i]);
      const [rowMoves, outputMoves] = [apart > SAME, moved > SAME];
      const truth = rowMoves ? (outputMoves ? "both" : "row") : outputMoves ? "output" : "neither";
      return {
        truth,
        fill: {
          ...{ o: vector(pass.O[h][i]), k: vector(other.O[h][i]) },
          ...{ moved: percent(moved), apart: apart === 0 ? "0" : apart.toExponential(0) },
        },
        maps: [{ weights: a, query: i }, { weights: other.A[h][i], query: i }],
      };
    },
    column({ pass, h, i, a }) {
      const column = attention.column(pass.A[h], i);
      const sum = attention.sum(column);
      return {
        truth: sum > 1 + SAME ? "more" : sum < 1 - SAME ? "less" : "one",
        fill: { sum: fixed(sum, 2), "row.sum": fixed(attention.sum(a), 2) },
        maps: [{ weights: a, query: i }, { weights: column, query: i }],
      };
    },
    mean({ pass, i }) {
      const rows = pass.A.slice(0, 2).map((head) => head[i]);
      const mean = attention.meanOfHeads(pass.A.slice(0, 2), i);
      const apart = attention.totalVariation(rows[0], mean);
      return {
        truth: apart <= LIKE ? "both" : "neither",
        fill: {
          ...{ tv: percent(apart), "keys.mean": keysOf(mean) },
          ...{ "keys.1": keysOf(rows[0]), "keys.2": keysOf(rows[1]) },
        },
        maps: [...rows, mean].map((weights) => ({ weights, query: i })),
      };
    },
    async position({ pass, i, sums }) {
      const other = await settled({ sums, position: "off" });
      const moved = pass.A.map((head, h) => attention.totalVariation(head[i], other.A[h][i]));
      const most = moved.indexOf(attention.largest(moved));
      const [before, after] = [pass.A[most][i], other.A[most][i]];
      const fill = { most: String(most + 1), "keys.before": keysOf(before), "keys.after": keysOf(after) };
      moved.forEach((share, h) => (fill[`tv.${h + 1}`] = percent(share)));
      return {
        truth: String(most + 1),
        fill,
        maps: [{ weights: before, query: i }, { weights: after, query: i }],
      };
    },
    async swap(it) {
      const [one, other] = pairOf(it);
      const swapped = [...it.sums];
      swapped[one - PREFIX] = it.sums[other - PREFIX];
      swapped[other - PREFIX] = it.sums[one - PREFIX];
      const off = changes(
        await settled({ sums: it.sums, position: "off" }),
        await settled({ sums: swapped, position: "off" }),
      );
      const on = changes(it.pass, await settled({ sums: swapped }));
      const count = (moved) => moved.filter((distance) => distance > SAME).length;
      const onlyThose = off.every((distance, i) => distance > SAME === [one, other].includes(i));
      return {
        truth: onlyThose ? "two" : count(off) === 0 ? "none" : count(off) === off.length ? "all" : "some",
        fill: {
          ...{ "count.off": String(count(off)), "count.on": String(count(on)) },
          half: percent(median(on) / (attention.largest(on) || 1)),
        },
        maps: [off, on].map((moved) => ({
          weights: moved.map((distance) => (distance > SAME ? distance : 0)),
          rings: [one, other],
        })),
      };
    },
    drop(it) {
      const [first, second] = row.orderByWeight(it.a);
      const [one, two] = [first, second].map((token) => without(it, token));
      return {
        truth: "",
        share: one.moved,
        fill: {
          ...{ percent: percent(one.moved), second: named(it, second) },
          ...{ "second.weight": fixed(it.a[second], 3), "second.percent": percent(two.moved) },
        },
        maps: [{ weights: it.a, query: it.i, rings: [first] }, { weights: one.weights, query: it.i, rings: [first] }],
      };
    },
  };

  window.vitattn.guess = Object.freeze({ facts, asked, solve });

  // Maps ------------------------------------------------------------------------------------------

  const where = (token) => {
    if (!isPatch(token)) return "CLS";
    return `patch row ${Math.floor((token - PREFIX) / COLUMNS)}, column ${(token - PREFIX) % COLUMNS}`;
  };

  const place = (mark, token) => mark.setAttribute("transform", `translate(${row.corner(token).join(" ")})`);

  /** The marks of one map, copied from the paper; cells are as many as there are rows. */
  function paperOf(template, player, svg) {
    const sheet = template.content.firstElementChild.cloneNode(true);
    const [photograph, lines, cls, cell, label, query, ring] = sheet.children;
    photograph.setAttribute("href", player.querySelector(".va-picture").getAttribute("href"));
    const cells = Array.from({ length: PREFIX + ROWS * COLUMNS }, (_, token) => {
      const copy = cell.cloneNode(true);
      const [x, y] = row.corner(token);
      copy.setAttribute("x", x);
      copy.setAttribute("y", y);
      return copy;
    });
    query.setAttribute("display", "none");
    svg.replaceChildren(photograph, lines, cls, ...cells, label, query);
    return { svg, photograph, cells, query, ring, rings: [] };
  }

  /** Paint a row of weights from 0 to `end` on a map, and name its strongest rows for those who listen. */
  function paint(paper, { weights, query, rings = [] }, end) {
    paper.photograph.setAttribute("class", "va-dim");
    paper.cells.forEach((cell, token) => {
      const level = row.level(weights[token], end);
      cell.setAttribute("class", level ? `va-guess-cell w${level}` : "va-guess-cell");
    });
    if (query === undefined) paper.query.setAttribute("display", "none");
    else {
      paper.query.removeAttribute("display");
      place(paper.query, query);
    }
    markRings(paper, rings);
    const strongest = row.orderByWeight(weights).slice(0, 5);
    const told = strongest.map((token) => `${where(token)}: ${fixed(weights[token], 3)}`).join("; ");
    paper.svg.setAttribute("aria-label", `Map. Strongest: ${told}.`);
  }

  function markRings(paper, tokens) {
    for (const ring of paper.rings) ring.remove();
    paper.rings = tokens.map((token) => {
      const ring = paper.ring.cloneNode(true);
      place(ring, token);
      return ring;
    });
    paper.svg.append(...paper.rings);
  }

  /** Make a map's patches cells of a grid that can be tapped; `told` is called at each change. */
  function tappable(paper, told) {
    const taps = [];
    const patches = paper.cells.slice(PREFIX);
    const groups = Array.from({ length: ROWS }, (_, r) => {
      const group = document.createElementNS(paper.svg.namespaceURI, "g");
      group.setAttribute("role", "row");
      group.append(...patches.slice(r * COLUMNS, (r + 1) * COLUMNS));
      return group;
    });
    for (const cls of paper.cells.slice(0, PREFIX)) cls.remove();
    paper.svg.insertBefore(document.createElementNS(paper.svg.namespaceURI, "g"), paper.query).append(...groups);
    paper.svg.setAttribute("aria-multiselectable", "true");
    const cellAt = (event) => patches.indexOf(event.target.closest(".va-guess-cell"));
    const stand = (n) => patches.forEach((cell, m) => cell.setAttribute("tabindex", m === n ? "0" : "-1"));
    const show = () => {
      markRings(paper, taps);
      patches.forEach((cell, n) => cell.setAttribute("aria-selected", String(taps.includes(PREFIX + n))));
    };
    const toggle = (n) => {
      const token = PREFIX + n;
      if (taps.includes(token)) taps.splice(taps.indexOf(token), 1);
      else if (taps.length < TAPS) taps.push(token);
      else return told(taps, true);
      show();
      told(taps, false);
    };
    patches.forEach((cell, n) => {
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-label", where(PREFIX + n));
    });
    stand(0);
    show();
    paper.svg.addEventListener("click", (event) => {
      const n = cellAt(event);
      if (n < 0 || paper.locked) return;
      stand(n);
      patches[n].focus({ preventScroll: true });
      toggle(n);
    });
    paper.svg.addEventListener("keydown", (event) => {
      const n = cellAt(event);
      if (n < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      const column = n % COLUMNS;
      const next = {
        ArrowLeft: column > 0 ? n - 1 : n,
        ArrowRight: column < COLUMNS - 1 ? n + 1 : n,
        ArrowUp: n >= COLUMNS ? n - COLUMNS : n,
        ArrowDown: n + COLUMNS < patches.length ? n + COLUMNS : n,
        Home: n - column,
        End: n - column + COLUMNS - 1,
        PageUp: column,
        PageDown: patches.length - COLUMNS + column,
        Enter: n,
        " ": n,
      }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Enter" || event.key === " ") return paper.locked || toggle(n);
      stand(next);
      patches[next].focus();
    });
    const clear = () => {
      taps.length = 0;
      show();
    };
    return { taps, clear };
  }

  // The fold --------------------------------------------------------------------------------------

  window.vitattn.part("guess", (player, fold) => {
    const template = fold.querySelector("template");
    const heard = fold.querySelector("[data-heard]");
    const sections = [...fold.querySelectorAll("[data-question]")];
    const papers = new Map();
    let section = null; // the question that stands there
    let it = null; // what it is about
    let answered = false;
    let basis = ""; // the state it was asked in
    let tapping = null;

    const id = () => section.dataset.question;
    const find = (selector) => section.querySelector(selector);
    const all = (selector) => [...section.querySelectorAll(selector)];
    const paperFor = (svg) => {
      if (!papers.has(svg)) papers.set(svg, paperOf(template, player, svg));
      return papers.get(svg);
    };
    const fill = (texts) => {
      for (const slot of all("[data-fill]")) slot.textContent = texts[slot.dataset.fill] ?? slot.textContent;
    };
    const now = () => {
      const { photo, query, head } = player.state;
      return [photo, query, head].join();
    };

    /** Show a question that was not answered yet, about the row that is picked now. */
    function ask() {
      it = facts(player);
      basis = now();
      answered = false;
      fill(asked[id()]?.(it) ?? {});
      find(".va-answer").hidden = true;
      find(".va-before").hidden = false;
      for (const choice of all("[data-choice]")) {
        choice.setAttribute("aria-pressed", "false");
        choice.removeAttribute("aria-disabled");
        choice.classList.remove("is-guess", "is-right");
        choice.querySelector("small").textContent = "";
      }
      const slider = find("input");
      if (slider) {
        slider.disabled = false;
        slider.value = "50";
        slider.parentElement.querySelector(".va-slider-value").textContent = "50%";
        find(".va-guess-scale").hidden = true;
      }
      const grid = find("[data-taps]");
      if (!grid) return;
      const paper = paperFor(grid);
      tapping ??= tappable(paper, (taps, full) => {
        const words_ = `${taps.length} of ${TAPS} tapped`;
        find("[data-count]").textContent = full ? `${words_}: tap one of them to take it back` : words_;
        heard.textContent = find("[data-count]").textContent;
      });
      paper.locked = false;
      tapping.clear();
      find("[data-count]").textContent = `0 of ${TAPS} tapped`;
      paper.query.removeAttribute("display");
      place(paper.query, partner(it));
    }

    /** Show what the pass says beside the guess; null: the reader only asked to be shown. */
    async function answer(guess) {
      const about = it;
      const here = section;
      const { share, percent: written } = section.dataset;
      const found = share
        ? { truth: "", share: Number(share), fill: { percent: written }, maps: [] }
        : await solve[id()](it, guess);
      if (it !== about || section !== here) return;
      answered = true;
      fill({ ...asked[id()]?.(it), ...found.fill });
      for (const because of all("[data-because]")) because.hidden = because.dataset.because !== found.truth;
      const said = find("[data-said]");
      if (said) said.hidden = guess === null;
      const left = find(".va-before").contains(document.activeElement);
      find(".va-before").hidden = true;
      find(".va-answer").hidden = false;
      const svgs = all("[data-map]");
      const end = Math.max(...found.maps.map(({ weights }) => attention.largest(weights))); // to compare
      found.maps.forEach((map, n) => paint(paperFor(svgs[n]), map, end));
      const verdicts = {
        choice: () => verdictOfChoice(guess, found.truth),
        slider: () => verdictOfSlider(guess, found),
        tap: () => {
          paperFor(find("[data-taps]")).locked = true;
          return "";
        },
      };
      find("[data-verdict]").textContent = verdicts[section.dataset.kind]();
      if (left) find(".va-gap").focus({ preventScroll: true });
      else heard.textContent = find(".va-gap").innerText;
    }

    function verdictOfChoice(guess, truth) {
      const wordsOf = (value) => find(`[data-choice="${value}"] span`).textContent;
      for (const choice of all("[data-choice]")) {
        const [isGuess, isRight] = [guess, truth].map((value) => choice.dataset.choice === value);
        choice.setAttribute("aria-pressed", String(isGuess));
        choice.setAttribute("aria-disabled", "true");
        choice.classList.toggle("is-guess", isGuess);
        choice.classList.toggle("is-right", isRight);
        choice.querySelector("small").textContent =
          isGuess && isRight ? "your guess, and so it is" : isGuess ? "your guess" : isRight ? "so it is" : "";
      }
      if (guess === null) return `${wordsOf(truth)}.`;
      if (guess === truth) return `As you said: ${wordsOf(truth)}.`;
      return `You said: ${wordsOf(guess)}. The pass says: ${wordsOf(truth)}.`;
    }

    function verdictOfSlider(guess, { share, fill: { percent: written } }) {
      find("input").disabled = true;
      const scale = find(".va-guess-scale");
      scale.hidden = false;
      for (const [name, value] of [["guess", guess], ["truth", share]]) {
        const mark = scale.querySelector(`[data-at=${name}]`);
        mark.toggleAttribute("hidden", value === null);
        const at = Math.max(0, Math.min(100, 100 * value));
        mark.setAttribute("x", `${fixed(at, 2)}%`);
        mark.setAttribute("text-anchor", at < 16 ? "start" : at > 84 ? "end" : "middle");
      }
      if (guess === null) return `It is ${written}.`;
      return `You said ${fixed(100 * guess, 0)}%; it is ${written}.`;
    }

    function choose(name) {
      section = sections.find((other) => other.dataset.question === name);
      for (const other of sections) other.hidden = other !== section;
      for (const pick of fold.querySelectorAll("[data-ask]")) {
        pick.setAttribute("aria-pressed", String(pick.dataset.ask === name));
      }
      heard.textContent = "";
      ask();
    }

    /** Set the player to the state that shows the answer. */
    function see() {
      const texts = asked[id()](it);
      const change = Object.entries(JSON.parse(section.dataset.see)).map(([name, value]) => [
        name,
        value.replace(/\[([\w.]+)\]/, (_, slot) => texts[slot]),
      ]);
      player.set(Object.fromEntries(change));
      player.scrollIntoView({ block: "start" });
    }

    fold.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.ask) return choose(button.dataset.ask);
      if (button.dataset.choice && !answered) return answer(button.dataset.choice);
      const action = {
        show: () => answer(null),
        compare: () => compare(),
        again: () => {
          ask();
          (find("[data-taps] [tabindex='0']") ?? find("[data-choice], input")).focus();
        },
        see: () => see(),
      }[button.dataset.do];
      action?.();
    });
    fold.addEventListener("input", (event) => {
      const slider = event.target;
      slider.parentElement.querySelector(".va-slider-value").textContent = `${slider.value}%`;
    });

    function compare() {
      const slider = find("input");
      if (slider) return answer(Number(slider.value) / 100);
      if (tapping.taps.length === 0) {
        find("[data-count]").textContent = "Tap at least one patch, or ask to be shown.";
        heard.textContent = find("[data-count]").textContent;
        return;
      }
      answer([...tapping.taps]);
    }

    return {
      draw() {
        if (section === null) choose(sections[0].dataset.question);
        else if (!answered && basis !== now()) ask();
        else if (!answered && it.sums !== player.sums) ask();
      },
    };
  });
})();
