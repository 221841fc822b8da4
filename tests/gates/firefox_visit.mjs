// One visit of Firefox to the built site, for what differs there: see check_firefox.py, which starts it.
//   node tests/gates/firefox_visit.mjs <firefox> <address of the site> <JSON: {formulas, files, widths}>
// Prints one JSON list of faults on its last line.
import puppeteer from "puppeteer-core";

const [program, site, told] = process.argv.slice(2);
const { formulas, files, widths } = JSON.parse(told);
const faults = [];
const browser = await puppeteer.launch({ browser: "firefox", executablePath: program, headless: true });
const page = await browser.newPage();
page.on("pageerror", (error) => faults.push(`error: ${error.message}`));

const size = (width) => page.setViewport({ width, height: 800 });

/** What of the open search lies outside the window, and whether it has moved the page. */
const outside = (heading) => {
  const found = [];
  const parts = ".md-search__inner, .md-search__form, .md-search__scrollwrap, .md-search__options button, .md-search-result__link";
  for (const one of document.querySelectorAll(parts)) {
    const { left, right } = one.getBoundingClientRect();
    if (left < -0.5 || right > innerWidth + 0.5) found.push(`${one.className}: ${left} to ${right} of ${innerWidth}`);
  }
  const { left, top } = document.querySelector(".md-content h1").getBoundingClientRect();
  if (scrollX !== 0 || Math.abs(left - heading[0]) > 0.5 || Math.abs(top - heading[1]) > 0.5) found.push("the page has moved");
  return found;
};
const heading = () => page.evaluate(() => {
  const { left, top } = document.querySelector(".md-content h1").getBoundingClientRect();
  return [left, top];
});

async function search(width, style = "") {
  await size(width);
  await page.goto(`${site}/masks.html`);
  if (style) await page.addStyleTag({ content: style });
  const before = await heading();
  if (width < 960) await page.click(".md-header__button[for=__search]");
  else await page.click(".md-search__input");
  await page.keyboard.type("softmax");
  await page.waitForSelector(".md-search-result__link");
  // The box is as wide as it gets once its transition has ended.
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState === "finished"));
  return page.evaluate(outside, before);
}

/** Roots that hang below what stands in them or leave a gap; marks that have left their formula's line. */
const broken = () => {
  const found = [];
  const here = location.pathname.split("/").at(-1);
  for (const root of document.querySelectorAll("article msqrt")) {
    if (!root.checkVisibility()) continue;
    const em = parseFloat(getComputedStyle(root).fontSize);
    const [outer, inner] = [root.getBoundingClientRect(), root.lastElementChild.getBoundingClientRect()];
    const [gap, below] = [(outer.right - inner.right) / em, (outer.bottom - inner.bottom) / em];
    if (gap > 0.1 || below > 0.2) found.push(`${here}: √${root.textContent}: gap ${gap.toFixed(2)}, below ${below.toFixed(2)}`);
  }
  for (const one of document.querySelectorAll("article .va-kept-together:has(> math)")) {
    if (one.checkVisibility() && one.getClientRects().length > 1) found.push(`${here}: “${one.textContent}” stands on two lines`);
  }
  return found;
};

for (const width of widths) for (const fault of await search(width)) faults.push(`search at ${width} px: ${fault}`);
const pushed = ".md-search__inner { right: auto !important; left: 100vw !important; }";
if ((await search(1280, pushed)).length === 0) faults.push("a search pushed out of the window on purpose was not seen");

for (const name of formulas) {
  await size(360);
  await page.goto(`${site}/${name}`);
  await page.evaluate(() => document.fonts.ready.then(() => true));
  faults.push(...(await page.evaluate(broken)));
}

// The film plays, and goes on from one moment to the next.
await size(1280);
await page.goto(`${site}/index.html`);
await page.waitForFunction(() => document.querySelector("vit-player").pass);
await page.click("[data-action=play]");
const moments = new Set();
for (let n = 0; n < 3; n += 1) {
  const before = await page.evaluate(() => [document.querySelector("vit-player").state].map(({ stage, at }) => `${stage} ${at}`)[0]);
  moments.add(before);
  await page.waitForFunction(
    (told) => [document.querySelector("vit-player").state].map(({ stage, at }) => `${stage} ${at}`)[0] !== told, {}, before);
}
if (moments.size < 3) faults.push(`the film stands still: ${[...moments]}`);
await page.click("[data-action=play]");
if (await page.evaluate(() => document.querySelector("vit-player").hasAttribute("playing"))) faults.push("the film does not pause");

// Files of one's own: each becomes the photograph, or is told why not.
await page.click("[data-part=own-photo] > summary");
await page.waitForFunction(() => document.querySelector("[data-part=own-photo] .va-told"));
await page.waitForSelector("[data-part=own-photo] input[type=file]:enabled");
const input = await page.$("[data-part=own-photo] input[type=file]");
for (const { path, name, own } of files) {
  await page.evaluate(() => document.querySelector("vit-player").set({ photo: "chelsea" }));
  await input.uploadFile(path);
  await page.waitForFunction((name) => {
    const said = document.querySelector(".va-told").textContent;
    return said.includes(name) && !said.startsWith("Reading");
  }, {}, name);
  if (own) await page.waitForFunction(() => document.querySelector("vit-player").state.photo === "own").catch(() => {});
  const { photo, said } = await page.evaluate(() => ({
    photo: document.querySelector("vit-player").state.photo,
    said: document.querySelector(".va-told").textContent,
  }));
  if ((photo === "own") !== own) faults.push(`${name}: photo=${photo}; “${said}”`);
}

await browser.close();
console.log(JSON.stringify(faults));
