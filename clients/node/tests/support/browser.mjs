/** A headless browser that a test drives through its debugging pipe, without a library. */

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const QUIET = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--disable-dev-shm-usage", "--remote-debugging-pipe",
];

/** The browser's program, or null where there is none. */
export function browserProgram() {
  return ["chromium", "chromium-browser", "google-chrome"].find(
    (name) => spawnSync(name, ["--version"]).status === 0,
  ) ?? null;
}

/** One tab of a browser of its own. */
export class Browser {
  constructor(program) {
    this.home = mkdtempSync(join(tmpdir(), "euchre-page-"));
    this.process = spawn(program, [...QUIET, `--user-data-dir=${this.home}`], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.asked = new Map();
    this.heard = [];
    this.next = 1;
    let rest = "";
    this.process.stdio[4].on("data", (piece) => {
      const messages = `${rest}${piece}`.split("\0");
      rest = messages.pop();
      for (const message of messages) this.hear(JSON.parse(message));
    });
  }

  hear(message) {
    if (message.id === undefined) {
      this.heard.push(message);
      return;
    }
    const { resolve, reject } = this.asked.get(message.id);
    this.asked.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }

  send(method, params = {}) {
    const id = this.next;
    this.next += 1;
    const answer = new Promise((resolve, reject) => { this.asked.set(id, { resolve, reject }); });
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return answer;
  }

  /** Open an address at a width and in a color scheme. */
  async open(url, { width = 1280, scheme = "light" } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    this.session = sessionId;
    await this.send("Emulation.setDeviceMetricsOverride", {
      width, height: 900, deviceScaleFactor: 1, mobile: false,
    });
    await this.send("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: scheme }],
    });
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await this.send(`${domain}.enable`);
    await this.send("Page.navigate", { url });
    await this.until("document.readyState === 'complete' && !!globalThis.euchreVerifier");
  }

  /** The value of an expression in the page. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression, returnByValue: true, awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "it threw");
    return result.value;
  }

  /** Ask again and again until an expression holds. */
  async until(expression, tries = 600) {
    for (let i = 0; i < tries; i += 1) {
      if (await this.value(expression)) return;
      await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
    throw new Error(`it never came to be: ${expression}`);
  }

  /** Choose a file in the page, and wait for its verdict; its exit is returned. */
  async choose(file) {
    await this.value("delete document.documentElement.dataset.exit");
    await this.fill("#file", [file]);
    await this.until("document.documentElement.dataset.exit !== undefined");
    return Number(await this.value("document.documentElement.dataset.exit"));
  }

  /** Give files to an input. */
  async fill(selector, files) {
    const { root } = await this.send("DOM.getDocument");
    const { nodeId } = await this.send("DOM.querySelector", { nodeId: root.nodeId, selector });
    await this.send("DOM.setFileInputFiles", { nodeId, files });
  }

  async press(key, code) {
    for (const type of ["keyDown", "keyUp"]) {
      await this.send("Input.dispatchKeyEvent", {
        type, key, code: key, windowsVirtualKeyCode: code, text: key === "Enter" ? "\r" : undefined,
      });
    }
  }

  /** What the page has asked the network for, beside itself. */
  fetched(url) {
    return this.heard.filter(({ method }) => method === "Network.requestWillBeSent")
      .map(({ params }) => params.request.url)
      .filter((asked) => asked !== url && !asked.startsWith("about:"));
  }

  /** What went wrong in the page's scripts. */
  complaints() {
    return this.heard.flatMap(({ method, params }) => {
      if (method === "Runtime.exceptionThrown") return [params.exceptionDetails.text];
      return method === "Log.entryAdded" && params.entry.level === "error" ? [params.entry.text] : [];
    });
  }

  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: true });
    return Buffer.from(data, "base64");
  }

  async close() {
    const gone = new Promise((resolve) => { this.process.once("exit", resolve); });
    await this.send("Browser.close").catch(() => this.process.kill());
    await gone;
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}
