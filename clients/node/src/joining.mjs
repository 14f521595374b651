/** A seat taken with an invitation code: the token is kept in a file, and the bot plays with it. */
import grpc from "@grpc/grpc-js";
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { TOLD_EVERY_MS, noWord } from "./connection.mjs";
import { LostError, UsageError } from "./errors.mjs";
import { LONGEST_LINE, readNamed } from "./state.mjs";
import { lobbyService, statusName } from "./wire.mjs";

const REQUEST_ID_BYTES = 16;
const PATIENCE_MS = 10_000;
const TOTAL_MS = 60_000;
const PAUSE_MS = 500;
const OURS = new Set(["INVALID_ARGUMENT", "NOT_FOUND", "FAILED_PRECONDITION"]);

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

function write(path, text) {
  try {
    writeFileSync(path, `${text}\n`, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${error.code}`);
  }
}

/** The request's id, drawn the first time and kept until the token is there. */
function requestId(path) {
  if (!existsSync(path)) write(path, randomBytes(REQUEST_ID_BYTES).toString("hex"));
  const text = readNamed(path, "the request", { most: LONGEST_LINE }).toString("utf8").trim();
  if (!/^[0-9a-f]{32}$/.test(text)) {
    throw new UsageError(`${path} is no request of ours: remove it, and try again`);
  }
  return Buffer.from(text, "hex");
}

function asked(service, request) {
  return new Promise((resolve, reject) => {
    service.JoinMatch(request, { deadline: Date.now() + PATIENCE_MS }, (error, answer) =>
      (error ? reject(error) : resolve(answer.token)));
  });
}

async function tokenOf(service, request, address, say) {
  const end = Date.now() + TOTAL_MS;
  let toldAt = null;
  for (;;) {
    try {
      return await asked(service, request);
    } catch (error) {
      const code = statusName(error.code);
      if (OURS.has(code)) throw new UsageError(`the invitation gives no seat: ${error.details}`);
      const fault = `${code}: ${error.details}`;
      const now = Date.now();
      if (error.code !== grpc.status.UNAVAILABLE || now > end) throw new LostError(fault);
      if (toldAt === null || now - toldAt >= TOLD_EVERY_MS) {
        say(noWord(address, fault, end - now, toldAt !== null));
        toldAt = now;
      }
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Take the seat of an invitation, unless the token file is there already.
 *
 * Whoever is stopped between the request and the token gets the same one at the next start.
 */
export async function takeSeat({ address, tls, invitation, tokenFile }, say = () => {}) {
  if (invitation === undefined || existsSync(tokenFile)) return;
  const request = `${tokenFile}.request`;
  const part = `${tokenFile}.part`;
  const service = lobbyService(address, tls);
  try {
    const asks = { code: invitation, request_id: requestId(request) };
    write(part, await tokenOf(service, asks, address, say));
  } catch (error) {
    if (error instanceof UsageError) rmSync(request, { force: true });
    throw error;
  } finally {
    service.close();
  }
  renameSync(part, tokenFile);
  rmSync(request, { force: true });
}
