import type { Instance } from "../../core/instance.ts";
import { known, type Lookup, type Processes, type ProcessFacts } from "../processes/process.ts";
import { rootOf } from "../processes/tree.ts";
import type { DiscoverRequest, Shell } from "./discover.ts";
import { isClaudeProcess } from "./discoverClaude.ts";
import { commandOf } from "./discoverCodexProcess.ts";

/** An agent process and where it runs. */
export type Placed = { readonly facts: ProcessFacts; readonly place: Instance["place"]; readonly shell?: Shell };

const isAgent = (process: ProcessFacts): boolean => isClaudeProcess(process) || commandOf(process)?.kind === "terminal";
/** The program on a terminal that shows another's screen. */
const isMultiplexerClient = ({ name }: ProcessFacts): boolean =>
  /^(tmux: client|tmux|screen|zellij|dtach|abduco)$/.test(name);
/** The program that owns the terminals behind it; it is nobody's child. */
const isMultiplexer = ({ name, argv }: ProcessFacts): boolean =>
  /^(tmux: server|zellij|dtach|abduco|screen)$/.test(name) || /^SCREEN$/.test(argv[0] ?? "");

/** The agents below the terminals' shells, below the multiplexers these show, and below the extension host. */
export async function placed(processes: Processes, request: DiscoverRequest): Promise<Lookup<readonly Placed[]>> {
  if (request.wholeMachine === true) return everywhere(processes, request);
  const shells = new Map(request.shells.map((shell) => [shell.shellPid, shell]));
  const roots = [...shells.keys(), ...(request.hostPid === undefined ? [] : [request.hostPid])];
  const walked = await processes.under(roots, isAgent);
  if (walked.kind !== "known") return walked;
  const servers = walked.value.some(isMultiplexerClient) ? await multiplexersOf(processes) : known([]);
  if (servers.kind !== "known") return servers;
  const behind = await processes.under(servers.value, isAgent);
  if (behind.kind !== "known") return behind;
  const here = sorted(walked.value, shells, request.hostPid);
  const seen = new Set(here.map((agent) => agent.facts.pid));
  const muxed = behind.value.filter((process) => isAgent(process) && !seen.has(process.pid));
  return known([...here, ...muxed.map((facts) => ({ facts, place: "multiplexer" as const }))]);
}

function sorted(
  walked: readonly ProcessFacts[],
  shells: ReadonlyMap<number, Shell>,
  hostPid: number | undefined,
): readonly Placed[] {
  const byPid = new Map(walked.map((process) => [process.pid, process]));
  const roots = new Set([...shells.keys(), ...(hostPid === undefined ? [] : [hostPid])]);
  return walked.filter(isAgent).flatMap((facts): readonly Placed[] => {
    const root = rootOf(facts, byPid, roots) ?? -1;
    const shell = shells.get(root);
    if (shell === undefined) return [{ facts, place: "panel" }];
    // On another terminal than its shell: something in between (a multiplexer, `script`) owns the screen.
    const isOwnTty = facts.tty === byPid.get(root)?.tty;
    if (!isOwnTty && facts.tty === undefined) return [];
    return [isOwnTty ? { facts, place: "terminal", shell } : { facts, place: "multiplexer" }];
  });
}

/** All processes are looked through, but only while a terminal of ours shows a multiplexer. */
async function multiplexersOf(processes: Processes): Promise<Lookup<readonly number[]>> {
  const all = await processes.all();
  return all.kind === "known" ? known(all.value.filter(isMultiplexer).map((process) => process.pid)) : all;
}

async function everywhere(processes: Processes, request: DiscoverRequest): Promise<Lookup<readonly Placed[]>> {
  const all = await processes.all();
  if (all.kind !== "known") return all;
  const byPid = new Map(all.value.map((process) => [process.pid, process]));
  const agents = all.value.filter(isAgent);
  const isNested = (facts: ProcessFacts) => agents.some((other) => other !== facts && isAbove(other, facts, byPid));
  const shells = new Map(request.shells.map((shell) => [shell.shellPid, shell]));
  return known(
    agents
      .filter((facts) => !isNested(facts))
      .map((facts): Placed => {
        const shell = shells.get(rootOf(facts, byPid, new Set(shells.keys())) ?? -1);
        const isMuxed = all.value.some((process) => isMultiplexer(process) && isAbove(process, facts, byPid));
        return {
          facts,
          place: isMuxed ? "multiplexer" : shell ? "terminal" : "elsewhere",
          ...(shell && !isMuxed ? { shell } : {}),
        };
      }),
  );
}

const isAbove = (above: ProcessFacts, process: ProcessFacts, byPid: ReadonlyMap<number, ProcessFacts>): boolean =>
  rootOf(byPid.get(process.parent) ?? above, byPid, new Set([above.pid])) !== undefined && process.parent !== 0;
