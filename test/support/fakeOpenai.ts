// OpenAI's Responses API, as much of it as Codex uses.
//   USAGE=150000   input tokens of the reply     OUT= REASON= CACHED=   other token counts
//   SAY=word       text of the reply             DELAY=3000             ms before the first word
//   STREAM=5x200   5 words, one every 200 ms
//   TOOL:command   (rest of the line) runs this once, then replies; ESC_TOOL: asks to leave the sandbox
//   ERR=overflow | ratelimit | 500   an error instead
// Plimsoll's own prompts it answers as an agent does, in the style of `saving`.
import { z } from "zod";
import { type ApiRequest, type FakeModel, type Reply, type Step, startFakeModel } from "./fakeApi.ts";
import { type Act, nextAct, savingTokens, type Turn, taggedIn } from "./saving.ts";
import { amount, word } from "./steering.ts";

const itemSchema = z.object({
  type: z.string().default("message"),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(z.object({ text: z.string().default("") }))]).optional(),
  output: z.unknown().optional(),
});
const bodySchema = z.object({
  input: z.array(itemSchema),
  tools: z.array(z.object({ type: z.string(), name: z.string().optional() })).default([]),
});
type Body = z.infer<typeof bodySchema>;
type Item = z.infer<typeof itemSchema>;

const COMPACTION = /CONTEXT CHECKPOINT COMPACTION|create a handoff summary/i;

export function startFakeOpenai(): Promise<FakeModel> {
  let count = 0;
  let lastSize = 1000;
  return startFakeModel((request, style) => {
    count += 1;
    if (request.method === "GET" && request.path.endsWith("/models")) {
      const model = { id: "gpt-fake", object: "model", owned_by: "fake" };
      return { kind: "json", status: 200, body: { object: "list", data: [model], models: [] } };
    }
    const body = bodySchema.safeParse(request.body);
    if (!request.path.endsWith("/responses") || !body.success) return notFound(request);
    const turn = turnOf(body.data.input);
    const estimate = 1000 + Math.round(JSON.stringify(request.body).length / 4);
    const next = nextAct(turn, style);
    if (next !== undefined) {
      lastSize = next.tokens ?? savingTokens(turn, estimate);
      return answer(count, next.delayMs, played(body.data, next.act, count), usageOf("OUT=0", lastSize));
    }
    // A compaction is measured against the conversation it compacts.
    const size = COMPACTION.test(turn.prompt) ? lastSize : amount(turn.prompt, "USAGE", estimate);
    lastSize = size;
    return respond(body.data, turn, size, count);
  });
}

function turnOf(input: readonly Item[]): Turn {
  const at = input.findLastIndex(isPrompt);
  const prompts = input.filter(isPrompt).map(textOf);
  const results = input.slice(at + 1).filter((item) => item.type.endsWith("_output"));
  return {
    prompt: prompts.at(-1) ?? "",
    results: results.map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output ?? ""))),
    said: prompts.slice(0, -1).filter((text) => !/^[<#]/.test(text) && taggedIn(text) === undefined),
  };
}

const isPrompt = (item: Item): boolean => item.role === "user" && item.type === "message";

function textOf({ content = "" }: Item): string {
  return typeof content === "string" ? content : content.map((part) => part.text).join("\n");
}

function played(body: Body, act: Act, n: number): Step[] {
  return act.kind === "say" ? spoken(act.text, n) : whole(shellCall(body, commandFor(act), false, n));
}

function commandFor(act: Exclude<Act, { kind: "say" }>): string {
  switch (act.kind) {
    case "read":
      return `cat '${act.file}'`;
    case "write": {
      const lines = act.text.replace(/\n$/, "").split("\n");
      const patch = [`*** Add File: ${act.file}`, ...lines.map((line) => `+${line}`)].join("\n");
      return `apply_patch <<'PLIMSOLL_END'\n*** Begin Patch\n${patch}\n*** End Patch\nPLIMSOLL_END`;
    }
    case "shell":
      return act.command;
  }
}

function respond(body: Body, turn: Turn, size: number, n: number): Reply {
  const { prompt: text, results } = turn;
  const isCompaction = COMPACTION.test(text);
  const error = isCompaction ? undefined : word(text, "ERR");
  if (error === "overflow") {
    const message = "Your input exceeds the context window of this model.";
    const failed = { id: `resp_${n}`, status: "failed", error: { code: "context_length_exceeded", message } };
    return { kind: "events", steps: [created(n), step("response.failed", { response: failed })] };
  }
  if (error) return failure(error === "ratelimit" ? 429 : Number(error) || 500);

  const delay = results.length > 0 ? 0 : amount(text, "DELAY", 0);
  return answer(n, delay, outputSteps(body, turn, size, n), usageOf(text, size));
}

function created(n: number): Step {
  return step("response.created", { response: { id: `resp_${n}`, object: "response", status: "in_progress" } });
}

function answer(n: number, delay: number, output: readonly Step[], usage: Readonly<Record<string, unknown>>): Reply {
  const completed = { id: `resp_${n}`, object: "response", status: "completed", output: [], usage };
  return { kind: "events", steps: [created(n), delay, ...output, step("response.completed", { response: completed })] };
}

function outputSteps(body: Body, { prompt: text, results }: Turn, size: number, n: number): Step[] {
  if (body.input.some((item) => item.type === "compaction_trigger")) {
    return whole({ type: "compaction", id: `cmp_${n}`, encrypted_content: btoa("fake summary") });
  }
  const isCompaction = COMPACTION.test(text);
  const [, escalate, command] = /\b(ESC_)?TOOL:\s*(.+)/.exec(text) ?? [];
  if (command && results.length === 0 && !isCompaction) {
    return whole(shellCall(body, command, escalate !== undefined, n));
  }
  const say = isCompaction ? "fake summary" : `${word(text, "SAY") ?? "ok"} (fake reply ${n}, ${size} tokens)`;
  const [, words = "0", everyMs = "0"] = (!isCompaction && /\bSTREAM=(\d+)x(\d+)/.exec(text)) || [];
  return spoken(say, n, Number(words), Number(everyMs));
}

/** A message, after so many single words, one every so many ms. */
function spoken(say: string, n: number, words = 0, everyMs = 0): Step[] {
  const item = { type: "message", role: "assistant", id: `msg_${n}` };
  const delta = (text: string) =>
    step("response.output_text.delta", { item_id: item.id, output_index: 0, content_index: 0, delta: text });
  return [
    step("response.output_item.added", { output_index: 0, item: { ...item, content: [] } }),
    ...Array.from({ length: words }, (_, at) => [everyMs, delta(`w${at} `)]).flat(),
    delta(say),
    step("response.output_item.done", {
      output_index: 0,
      item: { ...item, content: [{ type: "output_text", text: say, annotations: [] }] },
    }),
  ];
}

function whole(item: Readonly<Record<string, unknown>>): Step[] {
  return [
    step("response.output_item.added", { output_index: 0, item }),
    step("response.output_item.done", { output_index: 0, item }),
  ];
}

/** Codex offers one of several shell tools, depending on version and platform. */
function shellCall(body: Body, command: string, escalate: boolean, n: number): Readonly<Record<string, unknown>> {
  const offered = body.tools.map((tool) => tool.name ?? tool.type);
  const name = ["exec_command", "shell_command"].find((known) => offered.includes(known)) ?? "shell";
  const input = {
    exec_command: { cmd: command },
    shell_command: { command },
    shell: { command: ["bash", "-lc", command] },
  }[name];
  const ask = escalate ? { sandbox_permissions: "require_escalated", justification: "fake approval test" } : {};
  const argument = JSON.stringify({ ...input, ...ask });
  return { type: "function_call", id: `fc_${n}`, call_id: `call_${n}`, name, arguments: argument };
}

function usageOf(text: string, size: number): Readonly<Record<string, unknown>> {
  const output = amount(text, "OUT", 50);
  return {
    input_tokens: size,
    input_tokens_details: { cached_tokens: amount(text, "CACHED", 0) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: amount(text, "REASON", 0) },
    total_tokens: size + output,
  };
}

function step(type: string, data: Readonly<Record<string, unknown>>): { readonly type: string } {
  return { type, ...data };
}

function failure(status: number): Reply {
  const type = status === 429 ? "usage_limit_reached" : "server_error";
  return { kind: "json", status, body: { error: { type, code: null, message: `fake ${status}` } } };
}

function notFound(request: ApiRequest): Reply {
  return { kind: "json", status: 404, body: { error: { message: `fake: no ${request.path}` } } };
}
