import type * as z from "zod";
import { claudeResume } from "../../agents/claude/resume.ts";
import { codexResume } from "../../agents/codex/resume.ts";
import { resumeArguments } from "../../agents/resume.ts";
import { type PrepareReconnect, ResumeArgument } from "../../protocol/messages.ts";
import type { Processes } from "../processes/process.ts";
import { turnOfWatched, type Watched } from "../watched.ts";

type Answer = z.output<typeof PrepareReconnect.result>;

/** How this agent's conversation is resumed after its `/exit`: same conversation, same flags; or why not now. */
export async function prepareReconnect(
  processes: Processes | undefined,
  watched: Watched | undefined,
): Promise<Answer> {
  const refused = (reason: string, remedy: string): Answer => ({ outcome: "refused", reason, remedy });
  if (watched === undefined) return refused("the agent has ended", "Start it again in the terminal.");
  const { agent, pid, birth, conversationId, terminalId, binding, transcript } = watched.instance;
  if (terminalId === undefined) return refused("it does not run in a terminal of this window", "Use its own window.");
  if (watched.terminal?.stream.kind === "held")
    return refused("its prompt box can be seen already", "Nothing to reconnect.");
  if (conversationId === undefined || binding === "ambiguous")
    return refused("its conversation is not known for certain", "Run *Plimsoll: Bind Terminal to Conversation…*.");
  if (transcript === undefined) return refused("nothing was said yet, so there is nothing to resume", "Start it anew.");
  const turn = turnOfWatched(watched);
  if (turn.kind !== "idle") return refused("its turn has not ended", "Wait until the agent is idle.");
  const process = await processes?.one(pid);
  if (process?.kind !== "known" || process.value.birth !== birth)
    return refused("its process could not be looked at", "Exit and resume it yourself.");
  const rules = agent === "claude" ? claudeResume : codexResume;
  const plan = resumeArguments(rules, argumentsAfterProgram(process.value.argv));
  if (plan.kind === "unknown-flag")
    return refused(`it was started with ${plan.flag}, which Plimsoll cannot repeat`, "Exit and resume it yourself.");
  if (!plan.arguments.every((argument) => ResumeArgument.safeParse(argument).success))
    return refused("an argument it was started with cannot be repeated safely", "Exit and resume it yourself.");
  return { outcome: "ready", agent, terminalId, conversationId, arguments: [...plan.arguments] };
}

/** Without the program, and without the script where a runtime is the program. */
const argumentsAfterProgram = (argv: readonly string[]): readonly string[] =>
  /(^|[\\/])node(\.exe)?$/.test(argv[0] ?? "") ? argv.slice(2) : argv.slice(1);
