import { MarkdownString } from "vscode";
import { type CommandName, commandId, titles } from "./commandIds.ts";
import type { Model } from "./model.ts";
import { clock } from "./words/amounts.ts";
import { detailsOf } from "./words/details.ts";
import { byFullness, glyph, nameOf, productOf } from "./words/fullness.ts";
import { plain } from "./words/plain.ts";

const linked = [
  "showTerminal",
  "cancel",
  "report",
  "clearNow",
  "allowSaving",
  "reconnect",
  "bind",
  "resume",
  "doctor",
  "restartWorker",
  "showLog",
] as const;

/** The hover: every agent, most pressing first. Text that is not ours goes in through `appendText`. */
export function tooltip({ worker, view }: Model, now: number): MarkdownString {
  const hover = new MarkdownString("", true);
  hover.isTrusted = { enabledCommands: linked.map(commandId) };
  if (worker.kind !== "running") {
    hover.appendMarkdown("**Plimsoll's worker stopped.** Nothing is measured and nothing is typed meanwhile.\n\n");
    if (worker.kind === "down")
      say(hover, `Since ${clock(worker.since, now)}; it is started again by itself.`).appendMarkdown("\n\n");
    hover.appendMarkdown(`${link("restartWorker")} · ${link("showLog")}`);
    return hover;
  }
  const agents = byFullness(view?.agents ?? []);
  const waiting = agents.filter(({ turn }) => turn.kind === "waiting");
  const ordered = [...waiting, ...agents.filter((agent) => !waiting.includes(agent))];
  if (view?.paused) hover.appendMarkdown(`$(debug-pause) Typing is paused · ${link("resume")}\n\n`);
  for (const [index, agent] of ordered.entries()) {
    if (index > 0) hover.appendMarkdown("\n\n---\n\n");
    const symbol = glyph(agent);
    hover.appendMarkdown(symbol === undefined ? "**" : `${symbol} **`);
    say(hover, nameOf(agent, 40)).appendMarkdown("** · ");
    say(hover, [productOf(agent), plain(agent.version ?? "", 20)].filter(Boolean).join(" "));
    if (agent.terminalId !== undefined) hover.appendMarkdown(` · ${link("showTerminal", agent.instanceId)}`);
    for (const { text, link: name } of detailsOf(agent, now)) {
      say(hover.appendMarkdown("  \n"), text);
      if (name !== undefined) hover.appendMarkdown(` · ${link(name, agent.instanceId)}`);
    }
  }
  for (const problem of view?.problems ?? [])
    hover
      .appendMarkdown("\n\n$(warning) ")
      .appendText(plain(problem, 300))
      .appendMarkdown(` · ${link("doctor")}`);
  return hover;
}

/** Word by word, because `appendText` makes every space one that never breaks a line. */
function say(hover: MarkdownString, text: string): MarkdownString {
  for (const [index, word] of text.split(" ").entries()) hover.appendMarkdown(index === 0 ? "" : " ").appendText(word);
  return hover;
}

function link(name: CommandName & (typeof linked)[number], instanceId?: string): string {
  const title = titles[name].replace("Bind Terminal to Conversation…", "Bind…");
  const argument = instanceId === undefined ? "" : `?${encodeURIComponent(JSON.stringify([instanceId]))}`;
  return `[${title}](command:${commandId(name)}${argument})`;
}
