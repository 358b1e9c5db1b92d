import type { AgentId } from "../../server/protocol/agents.ts";
import type { Settings } from "../../server/protocol/settings.ts";
import type { TypeRefusal } from "../../server/protocol/terminals.ts";
import { lookAtBox } from "../screen/box.ts";
import type { Mirror } from "../screen/mirror.ts";
import type { TerminalPort, TypingTerminal } from "../terminals.ts";
import type { AgentProcesses } from "./agentProcess.ts";

/** What the person allows now. */
export type Guard = { readonly paused: boolean; readonly mode: Settings["mode"]; readonly trusted: boolean };

export type Target = {
  readonly terminalId: string;
  readonly agent: AgentId;
  readonly agentPid: number;
  readonly shellPid: number;
};

export function guardRefusal(guard: Guard): TypeRefusal | undefined {
  if (guard.mode === "gauge") return "mode";
  if (!guard.trusted) return "trust";
  return guard.paused ? "paused" : undefined;
}

export type Standing =
  | {
      readonly kind: "stands";
      readonly terminal: TypingTerminal["terminal"];
      readonly mirror: Mirror;
      readonly birth: string;
    }
  | { readonly kind: "refused"; readonly reason: TypeRefusal };

/** Whether the terminal, the agent in its foreground and the view of its screen are there, at this instant. */
export function standing(terminals: TerminalPort, processes: AgentProcesses, target: Target): Standing {
  const found = running(terminals, processes, target);
  if (found.kind === "refused") return found;
  const screen = found.open.screen();
  if (screen.kind === "none") return refused("not-observable");
  return { kind: "stands", terminal: found.open.terminal, mirror: screen.mirror, birth: found.birth };
}

type Running =
  | { readonly kind: "runs"; readonly open: TypingTerminal; readonly birth: string }
  | { readonly kind: "refused"; readonly reason: TypeRefusal };

/** Whether the terminal and the agent in its foreground are there, seen or not. */
export function running(terminals: TerminalPort, processes: AgentProcesses, target: Target): Running {
  const found = openTerminal(terminals, target);
  if (found.kind === "refused") return found;
  const birth = processes.birthIn(target.shellPid, target.agentPid);
  return birth === undefined ? refused("agent-gone") : { kind: "runs", open: found.open, birth };
}

export type Opened =
  | { readonly kind: "open"; readonly open: TypingTerminal }
  | { readonly kind: "refused"; readonly reason: TypeRefusal };

export function openTerminal(terminals: TerminalPort, target: Target): Opened {
  const open = terminals.terminalOf(target.terminalId);
  if (open === undefined || open.terminal.exitStatus !== undefined) return refused("terminal-closed");
  return open.shellPid() === target.shellPid ? { kind: "open", open } : refused("agent-gone");
}

/** Why nothing may be pasted into what the screen shows; undefined where the prompt box is empty. */
export function pasteRefusal(mirror: Mirror, agent: AgentId): TypeRefusal | undefined {
  const look = lookAtBox(mirror, agent);
  if (look.kind === "size-unknown") return "not-observable";
  if (look.kind === "unsettled") return "changed";
  if (look.box.kind === "none") return "box-not-found";
  if (look.box.shellMode) return "shell-mode";
  return look.box.empty ? undefined : "box-not-empty";
}

const refused = (reason: TypeRefusal) => ({ kind: "refused", reason }) as const;
