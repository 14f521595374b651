import assert from "node:assert/strict";
import grpc from "@grpc/grpc-js";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { LostError, UsageError } from "../src/errors.mjs";
import { takeSeat } from "../src/joining.mjs";
import { loadApi } from "../src/wire.mjs";

const CODE = "7KQM-2D9X-RT4W";
const home = mkdtempSync(join(tmpdir(), "euchre-joining-"));
after(() => rmSync(home, { recursive: true }));

/** A lobby that says what it is told to, and then gives a token. */
async function lobby(t, says = []) {
  const requests = [];
  const server = new grpc.Server();
  server.addService(loadApi("lobby").LobbyService.service, {
    ListOpenSeats() {},
    JoinMatch({ request }, answer) {
      requests.push(request);
      const code = says.shift();
      if (code === undefined) answer(null, { token: `token-of-${request.request_id.toString("hex")}` });
      else answer({ code, details: "so it is" });
    },
  });
  const port = await new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      (error ? reject(error) : resolve(bound)));
  });
  t.after(() => server.forceShutdown());
  return { address: `127.0.0.1:${port}`, requests };
}

const place = () => {
  const folder = mkdtempSync(join(home, "t-"));
  return { folder, tokenFile: join(folder, "t") };
};

test("the token is kept in a file of ours, and nothing beside it", async (t) => {
  const { address, requests } = await lobby(t);
  const { folder, tokenFile } = place();
  await takeSeat({ address, tls: {}, invitation: CODE, tokenFile });
  assert.equal(requests[0].code, CODE);
  assert.equal(readFileSync(tokenFile, "utf8"), `token-of-${requests[0].request_id.toString("hex")}\n`);
  assert.equal(statSync(tokenFile).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ["t"]);
});

test("a second start goes on with the token, and asks nobody", async () => {
  const { tokenFile } = place();
  writeFileSync(tokenFile, "mine\n");
  await takeSeat({ address: "127.0.0.1:1", tls: {}, invitation: CODE, tokenFile });
  assert.equal(readFileSync(tokenFile, "utf8"), "mine\n");
});

test("a lost answer is asked for again with the same request", async (t) => {
  const { address, requests } = await lobby(t, [grpc.status.UNAVAILABLE]);
  await takeSeat({ address, tls: {}, invitation: CODE, ...place() });
  assert.deepEqual(requests[0].request_id, requests[1].request_id);
  assert.equal(requests[0].request_id.length, 16);
});

test("a start after a stop asks with the request of before", async (t) => {
  const { address, requests } = await lobby(t, [grpc.status.RESOURCE_EXHAUSTED]);
  const { tokenFile } = place();
  const how = { address, tls: {}, invitation: CODE, tokenFile };
  await assert.rejects(takeSeat(how), LostError);
  assert.ok(existsSync(`${tokenFile}.request`));
  await takeSeat(how);
  assert.deepEqual(requests[0].request_id, requests[1].request_id);
});

test("a code that gives no seat is one sentence, and leaves nothing behind", async (t) => {
  for (const code of [grpc.status.NOT_FOUND, grpc.status.FAILED_PRECONDITION]) {
    const { address } = await lobby(t, [code]);
    const { folder, tokenFile } = place();
    await assert.rejects(takeSeat({ address, tls: {}, invitation: CODE, tokenFile }), (error) => {
      assert.ok(error instanceof UsageError);
      assert.equal(error.message, "the invitation gives no seat: so it is");
      return true;
    });
    assert.deepEqual(readdirSync(folder), []);
  }
});
