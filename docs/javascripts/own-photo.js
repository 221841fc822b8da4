/**
 * The fold "Your own photograph": open or drop a file, choose a square of it, compute its rows.
 *
 * The file is read and drawn in the page; nothing leaves it. A square of exactly 224 × 224 pixels is
 * taken as it is, pixel by pixel. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const { attention, teaching } = window.vitattn;
  const SIDE = teaching.grid.width;
  const MOST_BYTES = 60e6;
  const MOST_PIXELS = 64e6;
  const WORKING = 2048; // the shorter side of what is kept of a large photograph, in pixels
  const LEAST = 56; // the smallest square to choose, where the photograph has as much
  const PREVIEW = 960; // the longer side of the drawing under the square

  /** A sentence for the reader, not a fault of the page. */
  class Told extends Error {}

  // What a file is --------------------------------------------------------------------------------

  const latin = (bytes, from, to) => String.fromCharCode(...bytes.subarray(from, to));

  /** The kind of a file by its first bytes, or "". */
  function kindOf(bytes) {
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return "JPEG";
    if (latin(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return "PNG";
    if (latin(bytes, 0, 4) === "GIF8") return "GIF";
    if (latin(bytes, 0, 4) === "RIFF" && latin(bytes, 8, 12) === "WEBP") return "WebP";
    if (latin(bytes, 0, 2) === "BM") return "BMP";
    if (["II*\0", "MM\0*"].includes(latin(bytes, 0, 4))) return "TIFF";
    if (latin(bytes, 4, 8) === "ftyp") {
      const brand = latin(bytes, 8, 12);
      return brand.startsWith("avi") ? "AVIF" : /^(hei|hev|mif)/.test(brand) ? "HEIC" : "video";
    }
    return /<svg[\s>]/i.test(latin(bytes, 0, 2000)) ? "SVG" : "";
  }

  /** Where a text stands in bytes, or −1. */
  function indexOf(bytes, text, from = 0) {
    const wanted = [...text].map((sign) => sign.charCodeAt(0));
    for (let at = bytes.indexOf(wanted[0], from); at >= 0; at = bytes.indexOf(wanted[0], at + 1)) {
      if (wanted.every((byte, n) => bytes[at + n] === byte)) return at;
    }
    return -1;
  }

  /** Does a file stop before its picture does? Browsers show such a picture in part. */
  function endsTooEarly(kind, bytes) {
    if (kind === "PNG") return indexOf(bytes, "IEND") < 0;
    if (kind === "WebP") return new DataView(bytes.buffer).getUint32(4, true) + 8 > bytes.length;
    if (kind !== "JPEG") return false;
    let at = 2; // from segment to segment; the last one is followed by the coded picture
    while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
      at += bytes[at + 1] === 0xff ? 1 : 2 + bytes[at + 2] * 256 + bytes[at + 3];
    }
    return indexOf(bytes, "\xff\xd9", at) < 0;
  }

  /** Does a file hold more than one picture, one after another? */
  function isAnimated(kind, bytes) {
    if (kind === "PNG") {
      const control = indexOf(bytes, "acTL");
      return control >= 0 && control < indexOf(bytes, "IDAT");
    }
    if (kind === "WebP") return latin(bytes, 12, 16) === "VP8X" && (bytes[20] & 2) > 0;
    if (kind === "AVIF") return latin(bytes, 8, 12) === "avis";
    if (kind !== "GIF") return false;
    const first = indexOf(bytes, "\x21\xf9\x04"); // what stands before each picture of an animation
    return first >= 0 && indexOf(bytes, "\x21\xf9\x04", first + 1) >= 0;
  }

  const megapixels = (count) => `${Math.round(count / 1e6)} million pixels`;

  /** The file's picture as a bitmap, and what is to be said about it; throws Told. */
  async function pictureOf(file) {
    const { name } = file;
    if (file.size === 0) throw new Told(`${name} is empty: there are no bytes in it.`);
    if (file.size > MOST_BYTES) {
      throw new Told(`${name} has ${Math.round(file.size / 1e6)} MB; this page takes up to ${MOST_BYTES / 1e6} MB.`);
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const kind = kindOf(bytes);
    if (kind === "SVG") {
      throw new Told(`${name} is an SVG: a drawing without pixels of its own. Save it as PNG and open that.`);
    }
    if (kind === "" || kind === "video") {
      throw new Told(`${name} is not a picture: its bytes are not those of a JPEG, PNG, WebP, AVIF or GIF.`);
    }
    if (endsTooEarly(kind, bytes)) throw new Told(`${name} ends too early: a part of the ${kind} is missing.`);
    const [width, height] = await sizeOf(file, kind);
    if (width * height > MOST_PIXELS) {
      throw new Told(
        `${name} is ${width} × ${height} pixels; this page takes up to ${megapixels(MOST_PIXELS)}. Make it smaller first.`,
      );
    }
    const bitmap = await decoded(file, kind);
    const notes = [];
    if (isAnimated(kind, bytes)) notes.push("It moves; the first frame is used.");
    return { bitmap, notes };
  }

  const unreadable = (file, kind) =>
    new Told(
      kind === "HEIC" || kind === "TIFF" || kind === "AVIF"
        ? `${file.name} is ${kind}, which this browser cannot read. Save it as JPEG or PNG and open that.`
        : `${file.name} says it is a ${kind}, but it is damaged: the browser cannot read it.`,
    );

  /** Width and height, before anything is decoded. */
  async function sizeOf(file, kind) {
    const address = URL.createObjectURL(file);
    const image = new Image();
    try {
      await new Promise((resolve, reject) => {
        image.onload = resolve;
        image.onerror = reject;
        image.src = address;
      });
      return [image.naturalWidth, image.naturalHeight];
    } catch {
      throw unreadable(file, kind);
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  /** The pixels as they stand in the file, turned as its EXIF says; a large picture made smaller. */
  async function decoded(file, kind) {
    const asIs = { imageOrientation: "from-image", colorSpaceConversion: "none" };
    let bitmap;
    try {
      bitmap = await createImageBitmap(file, asIs);
    } catch {
      throw unreadable(file, kind);
    }
    const shorter = Math.min(bitmap.width, bitmap.height);
    if (shorter <= WORKING) return bitmap;
    const small = await createImageBitmap(bitmap, {
      resizeWidth: Math.round((bitmap.width * WORKING) / shorter),
      resizeHeight: Math.round((bitmap.height * WORKING) / shorter),
      resizeQuality: "high",
    });
    bitmap.close();
    return small;
  }

  // The square ------------------------------------------------------------------------------------

  /** Draw a square of the bitmap at 224 × 224 on white: its pixels, an address, was it transparent? */
  function drawn(bitmap, { x, y, side }) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    const brush = canvas.getContext("2d", { willReadFrequently: true, colorSpace: "srgb" });
    brush.imageSmoothingEnabled = side !== SIDE;
    brush.imageSmoothingQuality = "high";
    brush.drawImage(bitmap, x, y, side, side, 0, 0, SIDE, SIDE);
    const before = brush.getImageData(0, 0, SIDE, SIDE).data;
    let clear = false;
    for (let n = 3; n < before.length && !clear; n += 4) clear = before[n] < 255;
    if (clear) {
      brush.globalCompositeOperation = "destination-over";
      brush.fillStyle = "white";
      brush.fillRect(0, 0, SIDE, SIDE);
    }
    return { pixels: brush.getImageData(0, 0, SIDE, SIDE).data, url: canvas.toDataURL("image/png"), clear };
  }

  window.vitattn.part("own-photo", (player, fold) => {
    const find = (selector) => fold.querySelector(selector);
    const told = find(".va-told");
    const input = find("input[type=file]");
    const sliders = Object.fromEntries(["side", "x", "y"].map((name) => [name, find(`[data-square=${name}]`)]));
    let bitmap = null;
    let notes = [];
    let square = null;
    let name = "";
    let later; // the timer of the next pass
    let opening = 0;

    const range = (value, least, most) => Math.max(least, Math.min(most, Math.round(value)));

    /** A square that lies inside the photograph, as near to the asked one as it can be. */
    function inside({ x, y, side }) {
      const shorter = Math.min(bitmap.width, bitmap.height);
      const whole = range(side, Math.min(LEAST, shorter), shorter);
      return { side: whole, x: range(x, 0, bitmap.width - whole), y: range(y, 0, bitmap.height - whole) };
    }

    function centred() {
      const side = Math.min(bitmap.width, bitmap.height);
      return { side, x: Math.floor((bitmap.width - side) / 2), y: Math.floor((bitmap.height - side) / 2) };
    }

    /** Show the photograph, not moving, under the square. */
    function preview() {
      const canvas = find("canvas");
      const by = Math.min(1, PREVIEW / Math.max(bitmap.width, bitmap.height));
      canvas.width = Math.max(1, Math.round(bitmap.width * by));
      canvas.height = Math.max(1, Math.round(bitmap.height * by));
      const brush = canvas.getContext("2d");
      brush.imageSmoothingQuality = "high";
      brush.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      find(".va-own-frame").setAttribute("viewBox", `0 0 ${bitmap.width} ${bitmap.height}`);
    }

    /** Move the square's marks and sliders to where it is. */
    function mark() {
      const { x, y, side } = square;
      const [width, height] = [bitmap.width, bitmap.height];
      find(".va-outside").setAttribute("d", `M0 0H${width}V${height}H0zM${x} ${y}v${side}h${side}v${-side}z`);
      for (const frame of fold.querySelectorAll(".va-own-frame rect")) {
        for (const [key, value] of Object.entries({ x, y, width: side, height: side })) frame.setAttribute(key, value);
      }
      const shorter = Math.min(width, height);
      find(".va-own-frame").dataset.free = `${side < width ? "x" : ""}${side < height ? "y" : ""}`;
      const ranges = { side: [Math.min(LEAST, shorter), shorter], x: [0, width - side], y: [0, height - side] };
      for (const [key, slider] of Object.entries(sliders)) {
        [slider.min, slider.max] = ranges[key];
        slider.value = square[key];
        slider.disabled = ranges[key][0] === ranges[key][1];
        find(`[data-square-is=${key}]`).textContent = `${square[key]} px`;
      }
    }

    /** Draw the square, and let the player compute with it. */
    async function take() {
      const { pixels, url, clear } = drawn(bitmap, square);
      window.vitattn.photos.own = { sums: attention.patchSums(pixels, teaching.grid), url };
      offer();
      if (player.state.photo === "own") await player.renew();
      else await player.set({ photo: "own" });
      const size = `${square.side} × ${square.side} pixels of ${name}`;
      const how = square.side === SIDE ? "as they are" : `drawn at ${SIDE} × ${SIDE}`;
      const more = [...notes];
      if (clear) more.push("Its transparent parts are shown on white.");
      if (square.side < SIDE) more.push("It was enlarged, so neighbouring patches look alike.");
      say([`The player shows ${size}, ${how}.`, ...more].join(" "));
    }

    const say = (text) => {
      if (told.textContent !== text) told.textContent = text;
    };

    function move(to, { now = false } = {}) {
      square = inside(to);
      mark();
      clearTimeout(later);
      later = setTimeout(take, now ? 0 : 120);
    }

    /** A choice beside the other photographs, so that one can go back and forth. */
    function offer() {
      const others = [...player.querySelectorAll("input[data-state=photo]")];
      if (others.some((other) => other.value === "own")) return;
      const last = others.at(-1).parentElement;
      const label = last.cloneNode(true);
      Object.assign(label.querySelector("input"), { value: "own", checked: false });
      label.querySelector("span").textContent = "Yours";
      last.after(label);
    }

    async function open(file) {
      const mine = ++opening;
      say(`Reading ${file.name} …`);
      try {
        const found = await pictureOf(file);
        if (mine !== opening) return found.bitmap.close();
        bitmap?.close();
        ({ bitmap, notes } = found);
        name = file.name;
        find(".va-own").hidden = false;
        preview();
        move(centred(), { now: true });
      } catch (error) {
        if (mine !== opening) return;
        if (!(error instanceof Told)) throw error;
        say(error.message);
      }
    }

    input.addEventListener("change", (event) => {
      event.stopPropagation();
      if (input.files.length > 0) open(input.files[0]);
      input.value = ""; // so that the same file can be opened again
    });
    fold.addEventListener("input", (event) => {
      const key = event.target.dataset.square;
      if (!key) return;
      const value = Number(event.target.value);
      if (key !== "side") return move({ ...square, [key]: value });
      const grown = (value - square.side) / 2; // about its middle
      move({ side: value, x: square.x - grown, y: square.y - grown });
    });
    fold.addEventListener("click", (event) => {
      if (event.target.closest("[data-do=centre]")) move(centred());
    });

    // Dragging the square; the place that was taken hold of stays under the pointer.
    const frame = find(".va-own-frame");
    let held = null;
    const at = (event) => {
      const box = frame.getBoundingClientRect();
      return [
        ((event.clientX - box.left) / box.width) * bitmap.width,
        ((event.clientY - box.top) / box.height) * bitmap.height,
      ];
    };
    frame.addEventListener("pointerdown", (event) => {
      const [x, y] = at(event);
      held = [x - square.x, y - square.y];
      event.target.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    frame.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [x, y] = at(event);
      move({ ...square, x: x - held[0], y: y - held[1] });
    });
    for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, () => (held = null));

    // Dropping: anywhere on the player while the fold is open.
    const holdsFile = (event) => fold.open && event.dataTransfer?.types.includes("Files");
    player.addEventListener("dragover", (event) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      fold.classList.add("is-over");
    });
    player.addEventListener("dragleave", () => fold.classList.remove("is-over"));
    player.addEventListener("drop", (event) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      fold.classList.remove("is-over");
      const { files } = event.dataTransfer;
      if (files.length > 0) open(files[0]);
    });

    input.disabled = false;
    return { draw() {} };
  });
})();
