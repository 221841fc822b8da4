"""What a figure does until its scripts are there, and when one of them does not come.

The words and the small script stand in the page itself: a script that says that scripts are missing
must not be one of them. Until the element is there, what it drives rests (`inert`). When a script
fails, or all are slow, the figure is put as it is for readers without JavaScript, and says why. The
element calls `arrive` as it begins, and everything is as if it had come at once.
"""

import json

from figures_src.kit.elements import tag

SLOW = 6000  # ms without the element, until the figure goes on without it

# What only the element's script can answer, as the style sheet hides it where no script runs.
DRIVEN = ".va-controls,.va-step-key,.va-speed,.va-fold,[data-action],.va-phrase,.va-head-map input"

ON_ITS_WAY = "The scripts of this figure are on their way; until they are here its controls rest."
LATE = "The scripts of this figure are slow to come."
MISSING = "{} could not be loaded. Reload the page to try again."

_SCRIPT = """
(function () {
  var figure = document.currentScript.previousElementSibling;
  var told = TOLD;
  var note = figure.querySelector(":scope > .va-note");
  var now = figure.querySelector(".va-now");
  var rest = now && now.textContent;
  var stage = figure.getAttribute("stage");
  var stages = figure.querySelector(".va-stages");
  var driven = Array.from(figure.querySelectorAll(told.driven));
  var missing = "";
  var style = null;

  function wait(on) {
    figure.classList.toggle("is-waiting", on);
    driven.forEach(function (part) { part.inert = on; });
    if (stages) stages.inert = on;
    if (now) now.textContent = on ? told.on_its_way : rest;
    else note.textContent = on ? told.on_its_way : "";
  }

  function goOn(words) {
    wait(false);
    figure.classList.add("is-still");
    figure.querySelectorAll(".va-phrase").forEach(function (phrase) { phrase.inert = true; });
    var calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    note.textContent = words + " " + (calm ? told.still_calm : told.still);
    var unscripted = figure.previousElementSibling;
    if (style || !unscripted || unscripted.localName !== "noscript") return;
    figure.removeAttribute("stage"); // now the stage list's buttons say which one is chosen
    unscripted.insertAdjacentHTML("afterend", unscripted.textContent);
    style = unscripted.nextElementSibling;
  }

  function fail(event) {
    var script = event.target.localName === "script" ? event.target.src : event.filename;
    var own = Array.from(figure.parentNode.querySelectorAll(figure.localName + " ~ script[src]"));
    if (!own.some(function (one) { return one.src === script; })) return;
    if (missing && event.message) event.preventDefault(); // it lacks what the missing one brings
    missing = missing || script.split("/").pop();
    goOn(told.missing.replace("{}", missing));
  }

  var timer = setTimeout(function () { goOn(told.late); }, told.slow);
  addEventListener("error", fail, true);
  figure.arrive = function () {
    clearTimeout(timer);
    removeEventListener("error", fail, true);
    wait(false);
    figure.classList.remove("is-still");
    note.textContent = "";
    if (!style) return;
    style.remove();
    figure.querySelectorAll(".va-asked input").forEach(function (box) { box.checked = false; });
    var chosen = stages.querySelector(":checked");
    figure.setAttribute("stage", chosen.defaultChecked ? stage : chosen.value);
  };
  wait(true);
})();
"""


def script(*, still: str, still_calm: str) -> str:
    """Return the script that stands right behind the figure's element, before the element's own.

    `still` says what the figure can do without scripts, `still_calm` where nothing may move.
    """
    settings = {
        "driven": DRIVEN,
        "slow": SLOW,
        "on_its_way": ON_ITS_WAY,
        "late": LATE,
        "missing": MISSING,
        "still": still,
        "still_calm": still_calm,
    }
    return tag("script", _SCRIPT.replace("TOLD", json.dumps(settings, ensure_ascii=False)))
