"""The scripts of the folds under the player, run in the embedded engine on passes of attention.js."""

from functools import cache
from typing import Any

from figures_src.player.page_scripts import of_docs
from figures_src.player.state import DEFAULTS
from tests.player.passes import Engine, Request
from vitattn_core.teaching import GRID

State = dict[str, str]
SWITCHES = ("scale", "position", "mix", "axis", "bug")

# What player.js gives the folds and has no page here: rows in words. Their part that fills marks is not run.
PLAYER = """
vitattn.words = vitattn.row.places();
vitattn.part = () => {};
globalThis.setTimeout = (next) => void Promise.resolve().then(next);
"""

# What the tests ask for. The passes are kept, since they are large; JSON knows no infinity.
ASK = """
vitattn.ask = {
  kept: new Map(),
  pass(request) {
    const key = JSON.stringify(request);
    const { photo, ...switches } = request;
    const { teaching, photos, attention } = vitattn;
    const run = () => attention.run({ sums: photos[photo].sums, teaching, ...switches });
    if (!this.kept.has(key)) this.kept.set(key, run());
    return this.kept.get(key);
  },
  wholeRow(request, told, columns) {
    const { linesOf, sumsOf, sorted, csv, written } = vitattn.wholeRow;
    const picked = { ...told, pass: this.pass(request) };
    const lines = linesOf(picked);
    const order = (column, descending) => sorted(lines, { column, descending }).map(({ key }) => key);
    return {
      columns: Object.keys(lines[0]),
      texts: lines.map((line) => columns.map((name) => written(name, line[name]))),
      orders: columns.map((name) => [false, true].map((descending) => order(name, descending))),
      sums: sumsOf(lines, picked),
      file: csv(lines, picked),
    };
  },
  compared(request, told) {
    const [standard, pass] = [this.pass({ photo: request.photo }), this.pass(request)];
    return vitattn.whatIf.compared(standard, pass, told);
  },
  guess(state, name) {
    const [{ sums }, standardPass] = [vitattn.photos[state.photo], this.pass({ photo: state.photo })];
    const player = { state, sums, standardPass };
    const it = vitattn.guess.facts(player);
    this.answer = { failed: "no answer has come" };
    (async () => ({ asked: vitattn.guess.asked[name](it), ...(await vitattn.guess.solve[name](it, null)) }))()
      .then((answer) => (this.answer = answer), (error) => (this.answer = { failed: String(error) }));
  },
  answered() {
    return this.answer;
  },
};
"""


@cache
def folds() -> Engine:
    """The engine with the scripts of the folds."""
    return Engine(
        [
            *of_docs("numbers", "grid", "address", "row-words", "row", "element"),
            ("what player.js gives the folds", PLAYER),
            *of_docs("whole-row", "what-if", "guess"),
            ("what the tests ask for", ASK),
        ]
    )


def token_of(word: str) -> int:
    """The row of the sequence that an address names."""
    return 0 if word == "cls" else GRID.token(*map(int, word.split(".")))


def request_of(state: State) -> Request:
    """The pass of a whole state, as attention.js is asked for it."""
    dropped = [token_of(word) for word in state["dropped"].split(",") if word]
    return {
        "photo": state["photo"],
        "dropped": dropped,
        **{name: state[name] for name in SWITCHES},
    }


def head_of(state: State) -> int:
    """The head from 1; 0 is the mean of heads."""
    return 0 if state["head"] == "mean" else int(state["head"])


def whole_row(state: State, columns: list[str]) -> dict[str, Any]:
    """What whole-row.js makes of a state: the texts of these columns, orders, sums and the file."""
    teaching = folds().evaluate(
        "({ v: vitattn.teaching.value_channels, k: vitattn.teaching.key_channels })"
    )
    head = head_of(state)
    channels = teaching["k"][head - 1] if state["mix"] == "k" and head else teaching["v"]
    told = {**state, "head": head, "query": token_of(state["query"]), "channels": channels}
    return folds().call("ask.wholeRow", request_of(state), told, columns)


def compared(state: State) -> dict[str, Any]:
    """What what-if.js makes of a state: both rows, the end of their range, and the texts by name."""
    told = {"state": state, "head": head_of(state), "query": token_of(state["query"])}
    return folds().call("ask.compared", request_of(state), told)


def guessed(change: State, name: str) -> dict[str, Any]:
    """What guess.js asks about a state and answers: asked, truth, fill, maps."""
    folds().call("ask.guess", DEFAULTS | change, name)
    answer: dict[str, Any] = folds().call("ask.answered")
    assert "failed" not in answer, answer
    return answer
