import type { OurText } from "../../server/agents/composer.ts";
import type { AgentId } from "../../server/protocol/agents.ts";
import { type Line, lineText } from "../../server/protocol/lines.ts";
import type { TypeRefusal } from "../../server/protocol/terminals.ts";
import { digestOf, pastable } from "./personText.ts";

/** The texts that this window holds for a person. */
export type Held = { readonly textOf: (textId: string) => string | undefined };

export type Text =
  | { readonly kind: "text"; readonly ours: OurText }
  | { readonly kind: "refused"; readonly reason: TypeRefusal };

/** What is to be pasted for a line, or why nothing is: asked before the first byte. */
export function textOf(agent: AgentId, line: Line, held: Held): Text {
  switch (line.kind) {
    case "held":
      return heldText(held.textOf(line.textId), line.digest);
    case "carried": {
      const text = pastable(line.text);
      return text.trimStart().startsWith("/") ? refused("text-command") : personText(text);
    }
    default:
      return { kind: "text", ours: { kind: "line", text: lineText(agent, line) } };
  }
}

/** One that begins with `/` is a command of the person's own choosing. */
function heldText(text: string | undefined, digest: string): Text {
  return text === undefined || digestOf(text) !== digest ? refused("text-unknown") : personText(pastable(text));
}

/** `!` at the beginning would turn the prompt box of either agent into a shell. */
function personText(text: string): Text {
  if (text === "") return refused("text-unknown");
  return text.trimStart().startsWith("!") ? refused("shell-mode") : { kind: "text", ours: { kind: "person", text } };
}

const refused = (reason: TypeRefusal) => ({ kind: "refused", reason }) as const;
