#!/usr/bin/env node
/** A bot that plays a legal action picked by a hash, the same one in every language. */
import { createHash } from "node:crypto";
import { run } from "../src/index.mjs";

/** The action that the hash of seed, match, seq and seat picks. */
export function pick(seed, legal, { match, seq, seat }) {
  const sorted = [...legal].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const digest = createHash("sha256").update(`${seed}/${match}/${seq}/${seat}`).digest();
  return sorted[digest.readUInt32BE(0) % sorted.length];
}

if (process.argv[1]?.endsWith("random.mjs")) {
  await run(null, {
    name: "node-random",
    flags: { seed: { type: "string", default: "0" } },
    usage: "  --seed S             another seed gives another game (0)\n",
    prepare: ({ seed }) => (_view, legal, about) => pick(seed, legal, about),
  });
}
