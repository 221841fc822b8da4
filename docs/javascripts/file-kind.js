/**
 * What a file is, by its bytes: its kind, whether it stops too early, whether it moves, and how large
 * its picture is where the first bytes say so. Pure functions of a Uint8Array: nothing here reads or
 * writes the page. Each kind is walked through as its own structure goes, piece by piece: a text
 * inside a file may say anything. Classic script: it works from disk.
 */
(() => {
  "use strict";

  const latin = (bytes, from, to) => String.fromCharCode(...bytes.subarray(from, to));
  const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

  // Kinds -----------------------------------------------------------------------------------------

  const STARTS = [
    ["\xff\xd8\xff", "JPEG"],
    ["\x89PNG\r\n\x1a\n", "PNG"],
    ["GIF87a", "GIF"],
    ["GIF89a", "GIF"],
    ["BM", "BMP"],
    ["II*\0", "TIFF"],
    ["MM\0*", "TIFF"],
    ["\0\0\x01\0", "icon"],
    ["\0\0\x02\0", "icon"],
    ["\xff\x0a", "JPEG XL"],
    ["\0\0\0\x0cJXL ", "JPEG XL"],
    ["\0\0\0\x0cjP  ", "JPEG 2000"],
    ["8BPS", "Photoshop file"],
    ["%PDF", "PDF"],
    ["PK\x03\x04", "archive"],
    ["\x1aE\xdf\xa3", "video"],
  ];
  const HEIC = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"];
  const HEIF = ["mif1", "mif2", "msf1"]; // says how pictures are kept, not how they are coded

  /** The kind of a file by its first bytes, or "". */
  function kindOf(bytes) {
    const found = STARTS.find(([start]) => latin(bytes, 0, start.length) === start);
    if (found) return found[1];
    if (latin(bytes, 0, 4) === "RIFF") return latin(bytes, 8, 12) === "WEBP" ? "WebP" : "video";
    if (latin(bytes, 4, 8) === "ftyp") {
      const [brand, ...others] = brandsOf(bytes);
      const isAvif = (name) => name === "avif" || name === "avis";
      if (isAvif(brand) || (HEIF.includes(brand) && others.some(isAvif))) return "AVIF";
      return HEIC.includes(brand) ? "HEIC" : HEIF.includes(brand) ? "HEIF" : "video";
    }
    return textKindOf(bytes);
  }

  /** The brands of an ISO media file: the one it is, and those it can be read as. */
  function brandsOf(bytes) {
    const end = Math.min(bytes.length, view(bytes).getUint32(0));
    const brands = [latin(bytes, 8, 12)];
    for (let at = 16; at + 4 <= end; at += 4) brands.push(latin(bytes, at, at + 4));
    return brands;
  }

  /** Of a text that is markup: "SVG" or "web page", by the first element that stands in it. */
  function textKindOf(bytes) {
    const wide = { "\xff\xfe": "utf-16le", "\xfe\xff": "utf-16be" }[latin(bytes, 0, 2)] ?? "utf-8";
    const text = new TextDecoder(wide).decode(bytes.subarray(0, 65536));
    const before = /^(?:\s|<\?[^]*?\?>|<!--[^]*?-->)*/; // prolog and comments
    const rest = text.replace(before, "");
    if (/^<!doctype\s+html/i.test(rest)) return "web page";
    const element = rest.replace(/^<!doctype[^[>]*(?:\[[^]*?\]\s*)?>/i, "").replace(before, "");
    const name = /^<(?:[\w-]+:)?([a-z][\w-]*)[\s/>]/i.exec(element)?.[1].toLowerCase();
    if (name === "svg") return "SVG";
    return ["html", "head", "body", "script", "title", "meta", "div", "p"].includes(name) ? "web page" : "";
  }

  // Structures ------------------------------------------------------------------------------------

  /** The chunks of a PNG: {name, start, end} of the data of each; it ends where the file does. */
  function* chunksOf(bytes) {
    for (let at = 8; at + 8 <= bytes.length; ) {
      const name = latin(bytes, at + 4, at + 8);
      if (!/^[A-Za-z]{4}$/.test(name)) return;
      const end = at + 8 + view(bytes).getUint32(at);
      yield { name, start: at + 8, end };
      at = end + 4;
    }
  }

  /** The boxes of an ISO media file: {name, end}; a box without an end lasts as long as the file. */
  function* boxesOf(bytes) {
    for (let at = 0; at + 8 <= bytes.length; ) {
      let size = view(bytes).getUint32(at);
      if (size === 1 && at + 16 <= bytes.length) size = Number(view(bytes).getBigUint64(at + 8));
      if (size !== 0 && size < 8) return;
      const end = size === 0 ? bytes.length : at + size;
      yield { name: latin(bytes, at + 4, at + 8), end };
      at = end;
    }
  }

  /** Where a chain of a GIF's blocks ends that begins at a place; Infinity: later than the file. */
  function afterBlocks(bytes, at) {
    while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at];
    return at < bytes.length ? at + 1 : Infinity;
  }

  /** The places in a GIF where its pictures end, one after another. */
  function* picturesOf(bytes) {
    const tableOf = (flags) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
    for (let at = 13 + tableOf(bytes[10]); at < bytes.length; ) {
      if (bytes[at] === 0x21) at = afterBlocks(bytes, at + 2); // an extension
      else if (bytes[at] === 0x2c) yield (at = afterBlocks(bytes, at + 11 + tableOf(bytes[at + 9])));
      else return; // the trailer
    }
  }

  /** The segments of a JPEG up to its first picture: {marker, start, end} of what each holds. */
  function* segmentsOf(bytes, at = 2) {
    while (at + 4 <= bytes.length && bytes[at] === 0xff) {
      if (bytes[at + 1] === 0xff) at += 1; // fill
      else {
        const end = at + 2 + bytes[at + 2] * 256 + bytes[at + 3];
        yield { marker: bytes[at + 1], start: at + 4, end };
        if (bytes[at + 1] === 0xda) return;
        at = end;
      }
    }
  }

  // Does it end too early? ------------------------------------------------------------------------

  /** Does a file stop before its picture does? Browsers show such a picture in part, or not at all. */
  function endsTooEarly(kind, bytes) {
    const { length } = bytes;
    if (kind === "PNG") {
      const chunks = [...chunksOf(bytes)];
      const isBroken = chunks.length > 0 && chunks.at(-1).end + 12 <= length; // goes on, with what is no chunk
      return !isBroken && !chunks.some(({ name }) => name === "IEND");
    }
    if (kind === "WebP") return length < 12 || view(bytes).getUint32(4, true) + 8 > length;
    if (kind === "AVIF") return [...boxesOf(bytes)].some(({ end }) => end > length) || ![...boxesOf(bytes)].some(({ name }) => name === "mdat");
    if (kind === "GIF") return (picturesOf(bytes).next().value ?? Infinity) > length;
    if (kind === "BMP") return length < bitmapEnd(bytes);
    if (kind === "JPEG") return !hasWholePicture(bytes);
    return false;
  }

  /** Where the pixels of a BMP end, as its header says. */
  function bitmapEnd(bytes) {
    if (bytes.length < 38) return Infinity;
    const data = view(bytes);
    const [start, header] = [data.getUint32(10, true), data.getUint32(14, true)];
    if (header === 12) {
      const [width, height, , bits] = [18, 20, 22, 24].map((at) => data.getUint16(at, true));
      return start + Math.ceil((bits * width) / 32) * 4 * height;
    }
    const [width, height] = [data.getInt32(18, true), Math.abs(data.getInt32(22, true))];
    const [bits, packing, size] = [data.getUint16(28, true), data.getUint32(30, true), data.getUint32(34, true)];
    const isPlain = packing === 0 || packing === 3 || packing === 6;
    return start + (isPlain ? Math.ceil((bits * width) / 32) * 4 * height : size);
  }

  /**
   * Does a JPEG hold its whole picture? With a mark at its end it does; that of a cut file may be
   * missing while all blocks are there, so without one they are counted. Of a progressive picture,
   * whose last scan only makes it finer, the mark is asked for.
   */
  function hasWholePicture(bytes) {
    const segments = [...segmentsOf(bytes)];
    const scan = segments.at(-1);
    if (scan?.marker !== 0xda || scan.end > bytes.length) return false;
    for (let at = bytes.indexOf(0xff, scan.end); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
      if (bytes[at + 1] === 0xd9) return true;
    }
    const frame = segments.find(({ marker }) => marker === 0xc0 || marker === 0xc1);
    return frame !== undefined && countsEveryBlock(bytes, segments, frame, scan);
  }

  /** The words of a Huffman table, "length:code" to symbol; ITU-T T.81, annex C. */
  function wordsOf(bytes, start) {
    const words = new Map();
    let [code, at] = [0, start + 16];
    for (let length = 1; length <= 16; length++, code <<= 1) {
      for (let n = 0; n < bytes[start + length - 1]; n++) words.set((length << 16) | code++, bytes[at++]);
    }
    return { words, end: at };
  }

  /** Read a sequential JPEG's coded blocks to the last one: T.81, annex F.2, without the values. */
  function countsEveryBlock(bytes, segments, frame, scan) {
    const tables = {};
    let restart = 0;
    for (const { marker, start, end } of segments) {
      if (marker === 0xdd) restart = bytes[start] * 256 + bytes[start + 1];
      for (let at = start; marker === 0xc4 && at < end; ) {
        const table = wordsOf(bytes, at + 1);
        tables[bytes[at]] = table.words;
        at = table.end;
      }
    }
    const [height, width] = [1, 3].map((at) => bytes[frame.start + at] * 256 + bytes[frame.start + at + 1]);
    const parts = Array.from({ length: bytes[frame.start + 5] }, (_, n) => {
      const at = frame.start + 6 + 3 * n;
      return { id: bytes[at], across: bytes[at + 1] >> 4, down: bytes[at + 1] & 15 };
    });
    const [across, down] = ["across", "down"].map((way) => Math.max(...parts.map((part) => part[way])));
    const order = Array.from({ length: bytes[scan.start] }, (_, n) => {
      const at = scan.start + 1 + 2 * n;
      const part = parts.find(({ id }) => id === bytes[at]);
      return { ...part, first: tables[bytes[at + 1] >> 4], others: tables[16 | (bytes[at + 1] & 15)] };
    });
    if (order.length < parts.length) return false; // further scans follow
    const isAlone = order.length === 1;
    const blocks = ([side, own, most]) => Math.ceil(isAlone ? Math.ceil((side * own) / most) / 8 : side / (8 * most));
    const count = blocks([width, order[0].across, across]) * blocks([height, order[0].down, down]);

    let [at, hold, left] = [scan.end, 0, 0]; // the byte that comes next; bits that are held
    const bit = () => {
      if (left === 0) {
        if (at >= bytes.length || (bytes[at] === 0xff && bytes[at + 1] !== 0)) throw new RangeError("no more bits");
        hold = bytes[at];
        at += bytes[at] === 0xff ? 2 : 1;
        left = 8;
      }
      return (hold >> --left) & 1;
    };
    const symbol = (table) => {
      for (let [length, code] = [1, bit()]; length <= 16; length++, code = (code << 1) | bit()) {
        const found = table.get((length << 16) | code);
        if (found !== undefined) return found;
      }
      throw new RangeError("no such word");
    };
    const skip = (bits) => {
      for (let n = 0; n < bits; n++) bit();
    };
    const block = ({ first, others }) => {
      skip(symbol(first));
      for (let k = 1; k < 64; k++) {
        const found = symbol(others);
        if (found === 0) return;
        k += found >> 4;
        skip(found & 15);
      }
    };
    try {
      for (let unit = 0; unit < count; unit++) {
        if (restart > 0 && unit > 0 && unit % restart === 0) {
          left = 0;
          if (bytes[at] !== 0xff || (bytes[at + 1] & 0xf8) !== 0xd0) return false;
          at += 2;
        }
        for (const part of order) for (let n = isAlone ? 1 : part.across * part.down; n > 0; n--) block(part);
      }
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  // Does it move? ---------------------------------------------------------------------------------

  /** Does a file hold more than one picture, to be shown one after another? */
  function isAnimated(kind, bytes) {
    if (kind === "PNG") {
      const before = [];
      for (const chunk of chunksOf(bytes)) {
        if (chunk.name === "IDAT") break;
        before.push(chunk);
      }
      const control = before.find(({ name }) => name === "acTL");
      return control !== undefined && view(bytes).getUint32(control.start) > 1;
    }
    if (kind === "WebP") return latin(bytes, 12, 16) === "VP8X" && (bytes[20] & 2) > 0;
    if (kind === "AVIF") return brandsOf(bytes)[0] === "avis";
    return kind === "GIF" && [...picturesOf(bytes)].length > 1;
  }

  (window.vitattn ??= {}).fileKind = Object.freeze({ kindOf, endsTooEarly, isAnimated });
})();
