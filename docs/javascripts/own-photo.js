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
  const END_OF_JPEG = new Uint8Array([0xff, 0xd9]);
  const LEAST = 56; // the smallest square to choose, where the photograph has as much
  const PREVIEW = 960; // the longer side of the drawing under the square

  /** A sentence for the reader, not a fault of the page. */
  class Told extends Error {}

  // The picture in a file --------------------------------------------------------------------------

  // What is no photograph, and what can be done about it.
  const OTHERS = {
    SVG: "an SVG: a drawing without pixels of its own. Save it as PNG and open that.",
    icon: "an icon: small pictures in several sizes. Save one as PNG and open that.",
    video: "a video or a sound. Save one picture of it as PNG and open that.",
    archive: "an archive: other files are in it. Take the photograph out and open that.",
    PDF: "a PDF: pages, not a picture. Save the picture as PNG and open that.",
    "Photoshop file": "a Photoshop file. Save it as PNG and open that.",
    "web page": "a web page, whatever its name says. Save the picture itself and open that.",
  };

  const megapixels = (count) => `${Math.round(count / 1e6)} million pixels`;

  /** The file's picture as a bitmap, and what is to be said about it; throws Told. */
  async function pictureOf(file) {
    const { name } = file;
    if (file.size === 0) {
      await bytesOf(file); // a folder may say that it has none
      throw new Told(`${name} is empty: there are no bytes in it.`);
    }
    if (file.size > MOST_BYTES) {
      throw new Told(`${name} has ${Math.round(file.size / 1e6)} MB; this page takes up to ${MOST_BYTES / 1e6} MB.`);
    }
    const bytes = await bytesOf(file);
    const { kindOf, endsTooEarly, isAnimated } = window.vitattn.fileKind; // its script may come after this one
    const kind = kindOf(bytes);
    if (kind === "") {
      throw new Told(`${name} is not a picture: its bytes are not those of a JPEG, PNG, WebP, AVIF or GIF.`);
    }
    if (Object.hasOwn(OTHERS, kind)) throw new Told(`${name} is ${OTHERS[kind]}`);
    if (endsTooEarly(kind, bytes)) throw new Told(`${name} ends too early: a part of the ${kind} is missing.`);
    // A browser takes no JPEG without the mark at its end, though the picture may all be there.
    const picture = kind === "JPEG" ? new File([file, END_OF_JPEG], name) : file;
    const bitmap = await decoded(picture, kind, await sizeOf(picture, kind));
    const notes = [];
    if (isAnimated(kind, bytes)) notes.push("It moves; the first frame is used.");
    return { bitmap, notes };
  }

  /** The bytes of a file; throws Told where it cannot be read. */
  async function bytesOf(file) {
    try {
      return new Uint8Array(await file.arrayBuffer());
    } catch {
      throw new Told(`${file.name} cannot be read: it is a folder, or it was moved, changed or deleted meanwhile.`);
    }
  }

  const unreadable = (file, kind) =>
    new Told(
      ["HEIC", "HEIF", "TIFF", "AVIF", "JPEG XL", "JPEG 2000"].includes(kind)
        ? `${file.name} is ${kind}, which this browser cannot read. Save it as JPEG or PNG and open that.`
        : `${file.name} says it is a ${kind}, but it is damaged: the browser cannot read it.`,
    );

  /**
   * Width and height, before anything is decoded; null where the host's content policy lets no picture
   * of the page's own memory be shown (img-src without blob:): then decoding will tell.
   */
  async function sizeOf(file, kind) {
    const address = URL.createObjectURL(file);
    const image = new Image();
    let isForbidden = false;
    const listen = (event) => (isForbidden ||= event.blockedURI.startsWith("blob"));
    document.addEventListener("securitypolicyviolation", listen);
    try {
      await new Promise((resolve, reject) => {
        image.onload = resolve;
        image.onerror = reject;
        image.src = address;
      });
      return [image.naturalWidth, image.naturalHeight];
    } catch {
      await new Promise((resolve) => setTimeout(resolve)); // what the policy says comes by itself
      if (isForbidden) return null;
      throw unreadable(file, kind);
    } finally {
      document.removeEventListener("securitypolicyviolation", listen);
      URL.revokeObjectURL(address);
    }
  }

  /** Throw Told for more pixels than the page takes. */
  function holdTo(name, [width, height]) {
    if (width * height <= MOST_PIXELS) return;
    const most = `this page takes up to ${megapixels(MOST_PIXELS)}`;
    throw new Told(`${name} is ${width} × ${height} pixels; ${most}. Make it smaller first.`);
  }

  /** The pixels as they stand in the file, turned as its EXIF says; a large picture made smaller. */
  async function decoded(file, kind, size) {
    if (size) holdTo(file.name, size);
    const asIs = { imageOrientation: "from-image", colorSpaceConversion: "none" };
    let bitmap;
    try {
      bitmap = await createImageBitmap(file, asIs);
    } catch {
      throw unreadable(file, kind);
    }
    holdTo(file.name, [bitmap.width, bitmap.height]);
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

  const UNSEEN =
    "The numbers are those of your photograph, but the photograph itself stays unseen: this host's " +
    "content policy (img-src) lets the page show no picture that it has drawn.";

  /** Does the browser show a picture that the page has drawn? */
  function isShown(url) {
    return new Promise((resolve) => {
      const image = Object.assign(new Image(), { onload: () => resolve(true), onerror: () => resolve(false) });
      image.src = url;
    });
  }

  window.vitattn.part("own-photo", (player, fold) => {
    const find = (selector) => fold.querySelector(selector);
    const told = find(".va-told");
    const input = find("input[type=file]");
    const hold = find(".va-own-hold");
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
      hold.dataset.free = `${side < width ? "x" : ""}${side < height ? "y" : ""}`;
      const share = (part, whole) => `${(100 * part) / whole}%`;
      Object.assign(hold.style, { left: share(x, width), top: share(y, height) });
      Object.assign(hold.style, { width: share(side, width), height: share(side, height) });
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
      if (!(await isShown(url))) more.push(UNSEEN);
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
        if (error instanceof Told) return say(error.message);
        say(`${file.name} could not be opened: ${error.message}.`);
        throw error;
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

    // Dragging the square; the place that was taken hold of stays under the pointer. A finger that is
    // drawn in a way in which the square cannot go scrolls the page.
    let held = null; // where the square was taken hold of, and where the pointer was then
    const at = (event) => {
      const box = find(".va-own-frame").getBoundingClientRect();
      return [
        ((event.clientX - box.left) / box.width) * bitmap.width,
        ((event.clientY - box.top) / box.height) * bitmap.height,
      ];
    };
    hold.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !event.isPrimary || hold.dataset.free === "") return;
      const [x, y] = at(event);
      held = { x: x - square.x, y: y - square.y, from: [event.clientX, event.clientY], stays: null };
      hold.setPointerCapture(event.pointerId);
      if (event.pointerType === "mouse") event.preventDefault(); // no text is chosen on the way
    });
    hold.addEventListener("pointermove", (event) => {
      if (!held || !event.isPrimary) return;
      if ((event.buttons & 1) === 0) return (held = null); // let go where nobody heard of it
      const [x, y] = at(event);
      move({ ...square, x: x - held.x, y: y - held.y });
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) hold.addEventListener(end, () => (held = null));
    hold.addEventListener("touchmove", (event) => {
      if (!held || event.touches.length > 1) return;
      const [across, down] = ["clientX", "clientY"].map((name, n) => Math.abs(event.touches[0][name] - held.from[n]));
      const { free } = hold.dataset;
      held.stays ??= free === "xy" || (free === "x" ? 2 * across >= down : 2 * down >= across);
      if (held.stays && event.cancelable) event.preventDefault();
    }, { passive: false });

    // Dropping: the player has opened the fold for a file that is dropped on it, see player.js.
    player.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && fold.classList.add("is-over"));
    for (const end of ["dragleave", "drop"]) player.addEventListener(end, () => fold.classList.remove("is-over"));

    input.disabled = false;
    return { draw() {}, open };
  });
})();
