/**
 * Put the verifier, the page's script and its style into one HTML file that needs nothing else.
 *
 * `node build.mjs` writes ../verify.html; a test holds that file equal to what is made here.
 */

import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const COMMAND = "if (await isCommand()) globalThis.process.exitCode = await main();\n";
const FOR_PAGE = "globalThis.euchreVerifier = "
  + "{ verify, parseKey, readReceipts, dealsVerified, dealtPositions, SEATS };\n";

/** The text of the page. */
export function page() {
  const verifier = read("../euchre-verify.mjs");
  if (!verifier.endsWith(COMMAND)) throw new Error("euchre-verify.mjs does not end as expected");
  const parts = {
    "/* the style */": read("page.css"),
    "/* the verifier */": verifier.replace(/^#!.*\n/, "").replace(COMMAND, FOR_PAGE),
    "/* the page */": read("page.mjs"),
  };
  return read("page.html").replace(/\/\* the \w+ \*\//g, (place) => {
    const part = parts[place];
    if (/<\/(script|style)/i.test(part)) throw new Error(`${place} would end its element`);
    return part.trimEnd();
  });
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("../verify.html", import.meta.url), page());
}
