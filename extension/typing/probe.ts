import type { AgentId } from "../../server/protocol/agents.ts";
import type { ScreenFacts } from "../../server/protocol/terminals.ts";
import { type BoxLook, lookAtBox } from "../screen/box.ts";
import type { Clock } from "../screen/clock.ts";
import type { TerminalPort } from "../terminals.ts";
import { shownUpToNow } from "./watch.ts";

type Parts = { readonly terminals: TerminalPort; readonly clock: Clock; readonly connected: () => Promise<boolean> };

/** What the screen of one terminal shows now, without its text. */
export async function probeScreen(
  { terminals, clock, connected }: Parts,
  { terminalId, agent }: { readonly terminalId: string; readonly agent: AgentId },
): Promise<ScreenFacts> {
  const before = terminals.terminalOf(terminalId)?.screen();
  const shown = before?.kind === "mirrored" ? shownUpToNow(before.mirror) : undefined;
  const [isThere] = await Promise.all([connected(), shown]);
  const open = terminals.terminalOf(terminalId);
  const shellPid = open?.shellPid();
  const known = {
    terminalOpen: open !== undefined && open.terminal.exitStatus === undefined,
    connected: isThere,
    ...(shellPid === undefined ? {} : { shellPid }),
  };
  const nothing = { ...known, observable: false, box: "none", sequence: 0, freshSinceOwnWrite: false } as const;
  const screen = open?.screen();
  if (screen === undefined) return nothing;
  if (screen.kind === "none") return { ...nothing, why: screen.why };
  const look = lookAtBox(screen.mirror, agent);
  if (look.kind === "size-unknown") return { ...nothing, why: "size-unknown" };
  const lastChunkAt = screen.mirror.lastChunkAt();
  return {
    ...known,
    observable: true,
    box: boxFact(look),
    sequence: screen.mirror.sequence(),
    freshSinceOwnWrite: screen.mirror.freshSinceOwnWrite(),
    ...(lastChunkAt === undefined ? {} : { quietForMs: Math.max(0, clock.now() - lastChunkAt) }),
  };
}

function boxFact(look: BoxLook): ScreenFacts["box"] {
  if (look.kind !== "read" || look.box.kind === "none") return "none";
  if (look.box.shellMode) return "shell-mode";
  return look.box.empty ? "empty" : "draft";
}
