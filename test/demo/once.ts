// The demo as a person would go through it, driven in a headless browser: every step says what it saw.
import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { projectSlug } from "../../server/agents/claude/sessions.ts";
import type { Server } from "../host/server.ts";
import { openWorkbench, type Workbench } from "../host/workbench.ts";
import { until } from "../support/until.ts";
import type { Demo } from "./prepare.ts";
import type { Steps } from "./steps.ts";

const gaugeId = "plimsoll.plimsoll.agents";
const growth = ["40k", "64k", "102k", "162k", "222k", "282k"];

export type Once = { readonly server: Server; readonly demo: Demo; readonly pictures: string; readonly steps: Steps };

/** Throws at the first step that does not work; a picture of it is beside the others then. */
export async function goThrough({ server, demo, pictures, steps }: Once): Promise<void> {
  const { step } = steps;
  await mkdir(pictures, { recursive: true });
  let vscode: Workbench | undefined;
  try {
    await step("VS Code shows the demo's folder", async () => {
      vscode = await openWorkbench({ server, folder: demo.project });
      return "";
    });
    if (vscode !== undefined) await visit(vscode);
  } catch (error) {
    await vscode?.screenshot(path.join(pictures, "failed.png")).catch(() => undefined);
    throw error;
  } finally {
    await vscode?.close();
  }

  async function visit(vscode: Workbench): Promise<void> {
    let pictured = 0;
    const picture = async (name: string) => {
      pictured += 1;
      // A toast fades in: what it says is to be legible.
      await vscode.page.screenshot({ path: path.join(pictures, `${pictured}-${name}.png`), animations: "disabled" });
    };
    const gauge = (words: string) =>
      until(`"${words}" in the gauge`, async () => {
        const text = (await vscode.statusItem(gaugeId))?.text ?? "";
        if (text.includes(words)) return text;
        throw new Error(`it shows "${text}"`);
      });
    const prompt = async (words: string) => {
      await vscode.typeInTerminal(words);
      await vscode.terminalShows(`❯ ${words}`);
      await vscode.pressInTerminal("Enter");
    };
    const grow = async (figures: readonly string[]) => {
      const shown: string[] = [];
      for (const figure of figures) {
        await prompt("hello");
        shown.push(await gauge(figure));
      }
      return shown.at(-1) ?? "";
    };
    const ending = async (words: RegExp) => {
      const seen = new Set<string>();
      const look = async () => {
        const texts = await vscode.toasts();
        for (const text of texts) seen.add(text);
        return texts.find((text) => words.test(text));
      };
      return until("the end of it", look, 60_000).catch(() => {
        throw new Error(`only this was said: ${[...seen].join(" | ")}`);
      });
    };
    const confirm = async (button: string, says: readonly string[], name: string) => {
      const dialog = await vscode.dialog();
      for (const words of says) if (!dialog.includes(words)) throw new Error(`the dialog says: ${dialog}`);
      await picture(name);
      await vscode.dialogButton(button);
    };

    await step("the demo agent started by itself in a terminal", async () => {
      await vscode.terminalShows("DEMO", 60_000);
      const shown = await gauge("no reading yet");
      await picture("started");
      return shown;
    });
    for (const figure of growth)
      await step(`a prompt, and the gauge shows ${figure}`, async () => {
        const shown = await grow([figure]);
        if (figure === growth[0] || figure === growth.at(-2)) await picture(`gauge-${figure}`);
        return shown;
      });
    await step("over the line, Plimsoll asks", async () => {
      const question = await vscode.toast("282k");
      await picture("question");
      return question;
    });
    await step("Save & Clear, and a dialog says what will be typed", async () => {
      await vscode.toastButton("282k", "Save & Clear");
      await confirm("Save & Clear", ["/clear", ".plimsoll/", "Undo"], "dialog");
      return "";
    });
    await step("it saves, is cleared and briefed", async () => {
      await gauge("saving…");
      await picture("progress");
      const result = await ending(/282k → \d+k/);
      await picture("result");
      const saved = await savedIn(demo);
      const conversations = await conversationsOf(demo);
      if (conversations !== 2) throw new Error(`there are ${conversations} conversations on disk, not 2`);
      await vscode.terminalShows("I have read the brief");
      return `${result} ${saved}`;
    });
    await step("Undo, and the old conversation is back", async () => {
      await vscode.toastButton("282k →", "Undo");
      const result = await ending(/back in the old conversation/);
      const after = await gauge("282k");
      await picture("undone");
      return `${result} Gauge: ${after}`;
    });
    await step("Save & Clear from the gauge's menu", async () => {
      await vscode.palette("Notifications: Clear All Notifications");
      await vscode.clickStatus(gaugeId);
      await vscode.quickPickRows();
      await picture("menu");
      await vscode.quickPickChoose("Save & Clear…");
      await confirm("Save & Clear", ["/clear"], "dialog-again");
      // Its own saving made it a little bigger.
      return ending(/283k → \d+k/);
    });
    await step("three prompts in the new conversation", () => grow(["33k", "53k", "86k"]));
    await step("Compact from the command palette, and the agent is compacted", async () => {
      await vscode.palette("Plimsoll: Compact Context…");
      await confirm("Compact", ["/compact"], "compact-dialog");
      const result = await ending(/86k → /);
      const after = await gauge("23k");
      await picture("compacted");
      return `${result} Gauge: ${after}`;
    });
  }
}

/** Where the agent has saved what stands in its first line. */
async function savedIn({ project }: Demo): Promise<string> {
  const folder = path.join(project, ".plimsoll");
  const [id = ""] = (await readdir(folder)).filter((name) => /^[0-9a-f]{12}$/.test(name));
  const file = path.join(folder, id, "state.md");
  const [first = ""] = (await readFile(file, "utf8")).split("\n");
  if (!first.includes("check code")) throw new Error(`its first line is: ${first}`);
  return path.relative(project, file);
}

async function conversationsOf({ config, project }: Demo): Promise<number> {
  const folder = path.join(config, "projects", projectSlug(project));
  return (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).length;
}
