// The chart library: fetched when a chart is wanted, and kept from making code out of text, which the page forbids.

let ready = null;

/** Give `{vega, vegaLite, expr}`; `expr` reads expressions instead of compiling them. */
export function library() {
  ready ??= load().catch((error) => {
    ready = null;
    throw error;
  });
  return ready;
}

async function load() {
  await import("/vega.js");
  const { vega, vegaLite, vegaEmbed } = window;
  return { vega, vegaLite, expr: vega.expressionInterpreter ?? (await interpreterOf(vegaEmbed)) };
}

/** The bundle's interpreter is vegaEmbed's own; it hands it to the view, so we look at what a view is given. */
async function interpreterOf(vegaEmbed) {
  const box = document.createElement("div");
  Object.defineProperty(box, "innerHTML", { set() {} }); // it empties its box by markup, which the page forbids
  let found = null;
  class Found extends Error {}
  try {
    await vegaEmbed(box, { $schema: "https://vega.github.io/schema/vega/v6.json", marks: [] }, {
      ast: true, actions: false, defaultStyle: false, tooltip: false, mode: "vega",
      viewClass: class {
        constructor(_, { expr }) {
          found = expr;
          throw new Found();
        }
      },
    });
  } catch (error) {
    if (!(error instanceof Found)) throw error;
  }
  return found;
}
