/**
 * A photograph's grid of patches, with CLS as a cell above it: places, paint, and the cells as a
 * widget for pointer and keyboard. The player and the explorer of the trained model both use it.
 * Classic script: it works from disk.
 */
(() => {
  "use strict";

  /**
   * The places of a grid, and what is drawn at them.
   * @param {{rows: number, columns: number, prefix: number, cell: number, cls_top: number,
   *   levels: number, unpainted: number}} sizes rows of the sequence that belong to no patch, the side
   *   of a cell and the top of CLS's in units of the panel, and the levels of paint
   */
  function places({ rows, columns, prefix, cell, cls_top: above, levels, unpainted }) {
    const tokens = prefix + rows * columns;
    const rowOf = (token) => Math.floor((token - prefix) / columns);
    const columnOf = (token) => (token - prefix) % columns;

    /** The sequence row that "cls" or "row.column" names, or null. */
    function tokenOf(words) {
      if (words === "cls") return prefix > 0 ? 0 : null;
      const found = /^(\d{1,3})\.(\d{1,3})$/.exec(words);
      if (!found) return null;
      const [r, c] = [Number(found[1]), Number(found[2])];
      if (r >= rows || c >= columns || words !== `${r}.${c}`) return null;
      return prefix + r * columns + c;
    }

    /** "cls" or "row.column" of a sequence row. */
    function wordsOf(token) {
      return token < prefix ? "cls" : `${rowOf(token)}.${columnOf(token)}`;
    }

    /** "CLS" or "(row,column)". */
    function place(token) {
      return token < prefix ? "CLS" : `(${rowOf(token)},${columnOf(token)})`;
    }

    /** A cell's name for those who listen. */
    function spoken(token) {
      return token < prefix ? "CLS" : `patch row ${rowOf(token)}, column ${columnOf(token)}`;
    }

    /** The value of `dropped` with this row taken out of it, or put into it. */
    function toggled(dropped, token) {
      const word = wordsOf(token);
      const keys = dropped === "" ? [] : dropped.split(",");
      return (keys.includes(word) ? keys.filter((key) => key !== word) : [...keys, word]).join(",");
    }

    /** The upper left corner [x, y] of a row's cell in the photograph's panel. */
    function corner(token) {
      return token < prefix ? [0, above] : [columnOf(token) * cell, rowOf(token) * cell];
    }

    /** The paint level of a weight on the range 0 to `end`; 0: not painted. */
    function level(weight, end) {
      if (end <= 0 || weight < unpainted * end) return 0;
      return Math.max(1, Math.min(levels - 1, Math.round((weight / end) * (levels - 1))));
    }

    /**
     * Patches painted with their weights on the range 0 to `end`: a path for each level that is met, the
     * levels of the cells, so that a row has one picture wherever it is drawn. Units: patches.
     */
    function paint(onPatches, end) {
      const paths = new Map();
      onPatches.forEach((weight, n) => {
        const found = level(weight, end);
        const square = `M${n % columns} ${Math.floor(n / columns)}h1v1h-1z`;
        if (found) paths.set(found, (paths.get(found) ?? "") + square);
      });
      return [...paths].map(([found, d]) => `<path d="${d}" class="w${found}"></path>`).join("");
    }

    /**
     * Paint a small map that figures_src drew (small_map.py): weights from 0 to `end`, in levels.
     * @param {Element} drawn [data-map]
     * @param {number[]} weights (N)
     * @param {{end: number, query: number, taken: string, onPatches: number[]}} how the frame's row, a
     *   path over the keys that are taken out, and what is painted on the patches if not their weights
     */
    function paintMap(drawn, weights, { end, query, taken = "", onPatches = weights.slice(prefix) }) {
      drawn.querySelector(".va-map-paint").innerHTML = paint(onPatches, end);
      const painted = prefix > 0 ? level(weights[0], end) : 0;
      drawn.querySelector("[data-cls]").setAttribute("class", painted ? `va-square w${painted}` : "va-square");
      drawn.querySelector("[data-taken]").setAttribute("d", taken);
      drawn.querySelector(".va-mark").setAttribute("transform", `translate(${corner(query).join(" ")})`);
    }

    /** Where a key of the keyboard leads from a row; undefined for a key that leads nowhere. */
    function next(token, key) {
      const [r, c] = [rowOf(token), columnOf(token)];
      const onGrid = token >= prefix;
      const at = (down, across) => prefix + down * columns + across;
      return {
        ArrowLeft: () => (onGrid && c > 0 ? token - 1 : token),
        ArrowRight: () => (onGrid && c < columns - 1 ? token + 1 : token),
        ArrowUp: () => (!onGrid ? token : r > 0 ? at(r - 1, c) : 0),
        ArrowDown: () => (!onGrid ? at(0, 0) : r < rows - 1 ? at(r + 1, c) : token),
        Home: () => (onGrid ? at(r, 0) : token),
        End: () => (onGrid ? at(r, columns - 1) : token),
        PageUp: () => 0,
        PageDown: () => at(rows - 1, onGrid ? c : 0),
      }[key]?.();
    }

    return Object.freeze({
      ...{ rows, columns, prefix, tokens, tokenOf, wordsOf, place, spoken, toggled, next },
      ...{ corner, level, paint, paintMap },
    });
  }

  const HELD = 400; // a finger that rests for so long points, in ms
  const STILL = 8; // pixels that a resting finger may move

  /** The cells of a photograph's panel as an ARIA grid: one of them is in the order of Tab. */
  class Cells {
    /**
     * @param {Element} element what the cells belong to
     * @param {Object} grid its places
     * @param {function(Element, string, string)} write writes an attribute where it has changed
     * @param {{pick: function(number), point: function(?number), drop: function(number)}} does what is
     *   done with a row that is chosen, pointed at (null: no longer), or to be taken out
     */
    constructor(element, grid, write, does) {
      this.grid = grid;
      this.write = write;
      this.does = does;
      this.panel = element.querySelector(".va-panel-photo");
      this.all = [...element.querySelectorAll(".va-cells [data-token]")];
      this.panel.setAttribute("role", "grid");
      for (const line of element.querySelectorAll(".va-cells > g")) line.setAttribute("role", "row");
      for (const cell of this.all) cell.setAttribute("role", "gridcell");
      const tokenAt = (event) => {
        const cell = event.target.closest?.(".va-cells [data-token]");
        return cell ? Number(cell.dataset.token) : null;
      };
      this.panel.addEventListener("click", (event) => {
        const token = tokenAt(event);
        if (token === null || (this.isPointing && event.detail > 0)) return; // the end of a drag picks nothing
        this.all[token].focus({ preventScroll: true });
        does.pick(token);
      });
      this.#followPointer(tokenAt);
      // Not on the grid: an SVG element that listens to focus gets into the order of Tab itself.
      element.addEventListener("focusin", (event) => {
        const token = tokenAt(event);
        if (token !== null && event.target.matches(":focus-visible")) does.point(token);
      });
      this.panel.addEventListener("keydown", (event) => this.#key(event, tokenAt(event)));
    }

    /**
     * A mouse, or a pen above the screen, points where it is. A finger or a pen on the screen points
     * once it has been held, or drawn sideways, and from then on keeps the page in its place; drawn up
     * or down it scrolls, as anywhere else. What it has pointed at stays when it leaves.
     */
    #followPointer(tokenAt) {
      const touches = (event) => event.pointerType === "touch" || (event.pointerType === "pen" && event.buttons > 0);
      let start = null; // where a finger was set down
      let held; // the timer of its press
      this.isPointing = false; // a finger points, or has pointed when it was lifted last
      const point = (token) => {
        if (token !== null) this.does.point(token);
      };
      const letGo = () => {
        clearTimeout(held);
        start = null;
      };
      this.panel.addEventListener("pointerdown", (event) => {
        letGo();
        this.isPointing = false;
        if (!event.isPrimary || !touches(event)) return;
        start = [event.clientX, event.clientY];
        const token = tokenAt(event);
        if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
        held = setTimeout(() => {
          this.isPointing = true;
          point(token);
        }, HELD);
      });
      this.panel.addEventListener("pointermove", (event) => {
        if (!touches(event)) return point(tokenAt(event));
        if (start === null || !event.isPrimary) return;
        const [across, down] = [event.clientX - start[0], event.clientY - start[1]].map(Math.abs);
        if (!this.isPointing && Math.max(across, down) < STILL) return;
        clearTimeout(held);
        this.isPointing ||= across > down;
        if (this.isPointing) point(tokenAt(event));
      });
      for (const end of ["pointerup", "pointercancel"]) this.panel.addEventListener(end, letGo);
      this.panel.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse" || (event.pointerType === "pen" && !this.isPointing)) this.does.point(null);
      });
      const stays = (event) => start !== null && this.isPointing && event.cancelable && event.preventDefault();
      this.panel.addEventListener("touchmove", stays, { passive: false });
      this.panel.addEventListener("contextmenu", (event) => start !== null && event.preventDefault());
    }

    /** Paint every cell at its level; 0: not painted. */
    paint(levels) {
      this.all.forEach((cell, token) => {
        this.write(cell, "class", levels[token] ? `va-square w${levels[token]}` : "va-square");
      });
    }

    /** Name every cell for those who listen, and say which one is picked. */
    name(told, picked) {
      const focus = this.all.find((cell) => cell === document.activeElement) ?? this.all[picked];
      this.all.forEach((cell, token) => {
        this.write(cell, "aria-label", `${this.grid.spoken(token)}, ${told(token)}`);
        this.write(cell, "aria-selected", String(token === picked));
        this.write(cell, "tabindex", cell === focus ? "0" : "-1");
      });
    }

    /** Arrow keys go from cell to cell and point; Enter or space picks; Delete takes out. */
    #key(event, token) {
      if (token === null || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        this.does.pick(token);
        return;
      }
      if (event.key === "Delete") {
        event.preventDefault();
        this.does.drop(token);
        return;
      }
      const there = this.grid.next(token, event.key);
      if (there === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const cell = this.all[there];
      for (const other of this.all) this.write(other, "tabindex", other === cell ? "0" : "-1");
      cell.focus();
    }
  }

  Object.assign((window.vitattn ??= {}), { places, Cells });
})();
