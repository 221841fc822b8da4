// What a browser's reader view keeps of each page: how many of its parts stand there and in the article it extracts.
// node tests/reader_view.mjs page.html …  writes one JSON object: page → { kind: [on the page, kept] }
import { readFileSync } from "node:fs";
import { Readability } from "@mozilla/readability";
import { JSDOM, VirtualConsole } from "jsdom";

const KINDS = ["pre", "table", "tr", "table svg", "pre svg"];
const count = (root) => Object.fromEntries(KINDS.map((kind) => [kind, root.querySelectorAll(kind).length]));
const told = {};
for (const path of process.argv.slice(2)) {
  const open = (html) => new JSDOM(html, { url: "http://127.0.0.1/", virtualConsole: new VirtualConsole() }).window.document;
  const page = open(readFileSync(path, "utf8"));
  const before = count(page.querySelector("article"));
  const article = new Readability(page).parse();
  const after = count(open(article?.content ?? "").body);
  told[path] = Object.fromEntries(KINDS.map((kind) => [kind, [before[kind], after[kind]]]));
}
console.log(JSON.stringify(told));
