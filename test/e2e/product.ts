import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import type { Sandbox } from "../agents/sandbox.ts";
import { type Server, startServer } from "../host/server.ts";
import { openWorkbench, type Workbench } from "../host/workbench.ts";
import { until } from "../support/until.ts";

export type Product = {
  readonly vscode: Workbench;
  readonly server: Server;
  /** Plimsoll's item in the status bar, as text. */
  readonly gauge: () => Promise<string>;
  readonly gaugeShows: (words: string | RegExp, timeoutMs?: number) => Promise<string>;
  /** Runs a command in the shell of the shown terminal, which may lose keys while it is still starting. */
  readonly command: (words: string) => Promise<void>;
  /** Types words into the shown terminal and sends them once they are on its screen. */
  readonly enter: (words: string) => Promise<void>;
  /** Every record of every journal, oldest first. */
  readonly journal: () => Promise<readonly Step[]>;
  readonly close: () => Promise<void>;
};

const Report = z.object({ refused: z.object({ gate: z.string() }).optional() });

const Step = z.object({
  seq: z.number(),
  instanceId: z.string(),
  from: z.string(),
  to: z.string(),
  event: z
    .object({
      kind: z.string(),
      report: Report.optional(),
      result: z.object({ gate: z.string().optional() }).loose().optional(),
    })
    .loose(),
  ended: z.object({ outcome: z.string(), reason: z.string(), cleared: z.boolean() }).loose().optional(),
});
export type Step = z.infer<typeof Step>;

export type ProductOptions = {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False: VS Code runs without it until `installProduct`. */
  readonly installed?: boolean;
};

const gaugeId = "plimsoll.plimsoll.agents";

/** The built extension, installed into a real VS Code whose terminals find the sandbox's agents first. */
export async function openProduct(sandbox: Sandbox, options: ProductOptions = {}): Promise<Product> {
  const { settings = {}, installed = true } = options;
  const extension = await stageExtension();
  const PATH = [sandbox.bin, process.env["PATH"]].join(path.delimiter);
  const server = await startServer({ env: { PATH }, settings, installFolders: installed ? [extension] : [] });
  try {
    const vscode = await openWorkbench({ server, folder: sandbox.project });
    const gauge = async () => {
      const item = await vscode.statusItem(gaugeId);
      return item?.id.endsWith(gaugeId) ? item.text : "";
    };
    return {
      vscode,
      server,
      gauge,
      gaugeShows: (words, timeoutMs = 15_000) =>
        until(
          `${String(words)} in the gauge`,
          async () => {
            const text = await gauge();
            if (typeof words === "string" ? text.includes(words) : words.test(text)) return text;
            throw new Error(`it shows "${text}"`);
          },
          timeoutMs,
        ),
      async command(words) {
        await until("the command in the shell", async () => {
          await vscode.pressInTerminal("Control+u");
          await vscode.typeInTerminal(words);
          return vscode.terminalShows(new RegExp(`[$#] ${words}\\s*$`, "m"), 2000);
        });
        await vscode.pressInTerminal("Enter");
      },
      async enter(words) {
        await vscode.typeInTerminal(words);
        await vscode.terminalShows(words.slice(-12));
        await vscode.pressInTerminal("Enter");
      },
      journal: () => readJournals(server.dir),
      async close() {
        await vscode.close();
        await server.stop();
        await rm(path.dirname(extension), { recursive: true, force: true });
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** How a reset ended, and at which gate where one refused: `refused at prompt-box-empty`. */
export function endingOf({ ended, event }: Step): string | undefined {
  const gate = event.report?.refused?.gate ?? event.result?.gate;
  return ended === undefined || gate === undefined ? ended?.outcome : `${ended.outcome} at ${gate}`;
}

/** Installs it into a VS Code that runs already; a reload of the window starts it. */
export async function installProduct(server: Server): Promise<void> {
  const extension = await stageExtension();
  await server.install(extension);
  await rm(path.dirname(extension), { recursive: true, force: true });
}

/** What a .vsix would hold, unpacked. */
async function stageExtension(): Promise<string> {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), "plimsoll-ext-")), "extension");
  await mkdir(path.join(folder, "dist"), { recursive: true });
  for (const name of ["package.json", "media", "dist/extension.cjs", "dist/client.cjs", "dist/server.cjs"])
    await cp(name, path.join(folder, name), { recursive: true });
  return folder;
}

async function readJournals(dir: string): Promise<readonly Step[]> {
  const all = await readdir(dir, { recursive: true });
  const files = all.filter((name) => /plimsoll[^/]*\/journal\/[^/]+\.jsonl$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(path.join(dir, name), "utf8")));
  return texts.flatMap((text) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .flatMap((line) => Step.safeParse(JSON.parse(line)).data ?? []),
  );
}
