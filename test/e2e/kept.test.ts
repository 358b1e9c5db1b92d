import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { until } from "../support/until.ts";
import { endingOf, openProduct, type Product } from "./product.ts";
import { prepareSubject, type Subject, type SubjectKind } from "./subjects.ts";

/** What a record says of what an agent may do and which model it uses. */
const ClaudeRecord = z.object({
  type: z.string(),
  sessionId: z.string().optional(),
  permissionMode: z.string().optional(),
  message: z.object({ model: z.string().optional() }).loose().optional(),
});
const CodexRecord = z.object({
  type: z.literal("turn_context"),
  payload: z.object({
    model: z.string(),
    approval_policy: z.unknown(),
    sandbox_policy: z.object({ type: z.string() }).loose(),
  }),
});

type Kept = { readonly mode: string; readonly model: string };

/** What README and question say is kept, of the version that is installed here: by what the agent itself records. */
const kinds: readonly SubjectKind[] = ["Claude Code", "Codex without its daemon"];
for (const kind of kinds)
  describe(`What ${kind} keeps over a clear`, function () {
    this.timeout(120_000);

    let dir: string;
    let subject: Subject;
    let product: Product;

    before(async () => {
      dir = await mkdtemp(path.join(tmpdir(), "plimsoll-kept-"));
      subject = await prepareSubject(kind, dir);
      product = await openProduct(subject.sandbox);
      await product.vscode.openTerminal();
      await product.command(subject.command);
      await product.vscode.terminalShows(subject.ready, 40_000);
    });
    after(async () => {
      await product?.close();
      await subject?.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    /** By conversation, oldest first. */
    async function kept(): Promise<readonly Kept[]> {
      const folder = subject.transcripts;
      const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
      const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
      const conversations = texts.map((text) => {
        const records = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as unknown]));
        return { at: records.map(timeOf).find((at) => at > 0) ?? 0, kept: ofRecords(records) };
      });
      return conversations.toSorted((a, b) => a.at - b.at).map((one) => one.kept);
    }

    it("is its permissions and its model", async () => {
      await product.enter(subject.prompt(50_000));
      await product.gaugeShows("50k");
      await product.vscode.palette("Plimsoll: Save and Clear…");
      await product.vscode.dialogButton("Save & Clear");
      const ending = await until(
        "the end",
        async () => (await product.journal()).flatMap((step) => endingOf(step) ?? [])[0],
        60_000,
      );
      assert.equal(ending, "confirmed");
      await product.enter(subject.prompt(51_000));
      await product.gaugeShows("51k");
      const [before, after] = await kept();
      assert.ok(before !== undefined && after !== undefined && before.mode !== "" && before.model !== "");
      assert.deepEqual(after, before);
    });
  });

const timeOf = (record: unknown): number => {
  const at = z.object({ timestamp: z.string() }).safeParse(record).data?.timestamp;
  return at === undefined ? 0 : Date.parse(at);
};

function ofRecords(records: readonly unknown[]): Kept {
  let [mode, model] = ["", ""];
  for (const record of records) {
    const claude = ClaudeRecord.safeParse(record).data;
    mode = claude?.permissionMode ?? mode;
    model = claude?.message?.model ?? model;
    const codex = CodexRecord.safeParse(record).data?.payload;
    if (codex === undefined) continue;
    mode = `${String(codex.approval_policy)} ${codex.sandbox_policy.type}`;
    ({ model } = codex);
  }
  return { mode, model };
}
