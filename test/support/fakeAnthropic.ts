// Anthropic's Messages API, as much of it as Claude Code uses.
//   USAGE=150000        context size of the reply     OUT=10        output tokens
//   SAY=word            text of the reply             DELAY=3000    ms before the first word
//   TOOL:Name {json}    calls this tool once, then replies
//   ERR=429 | toolong   an HTTP error instead
// Plimsoll's own prompts it answers as an agent does, in the style of `saving`.
import path from "node:path";
import { z } from "zod";
import { type ApiRequest, type FakeModel, type Reply, type Step, startFakeModel } from "./fakeApi.ts";
import { type Act, type Next, nextAct, type SavingStyle, savingTokens, type Turn, taggedIn } from "./saving.ts";
import { amount, word } from "./steering.ts";

const partSchema = z.object({ type: z.string(), text: z.string().optional() });
const blockSchema = partSchema.extend({ content: z.union([z.string(), z.array(partSchema)]).optional() });
type Block = z.infer<typeof blockSchema>;
const bodySchema = z.object({
  model: z.string(),
  system: z.unknown().optional(),
  stream: z.boolean().default(false),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([z.string().transform((text): Block[] => [{ type: "text", text }]), z.array(blockSchema)]),
    }),
  ),
});
type Body = z.infer<typeof bodySchema>;

const COMPACTION = /^CRITICAL: Respond with TEXT ONLY/;
const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

export function startFakeAnthropic(): Promise<FakeModel> {
  let count = 0;
  return startFakeModel((request, style) => {
    count += 1;
    return reply(request, count, style);
  });
}

function reply(request: ApiRequest, n: number, style: SavingStyle): Reply {
  if (request.method === "POST" && request.path === "/v1/messages") {
    const body = bodySchema.safeParse(request.body);
    return body.success ? message(body.data, n, style) : failure(400, `fake: ${body.error.message}`);
  }
  if (request.path === "/v1/messages/count_tokens") {
    return { kind: "json", status: 200, body: { input_tokens: Math.ceil(JSON.stringify(request.body).length / 4) } };
  }
  if (request.path === "/") return { kind: "json", status: 200, body: {} };
  return failure(404, `fake: no ${request.path}`);
}

function message(body: Body, n: number, style: SavingStyle): Reply {
  const turn = turnOf(body);
  const next = nextAct(turn, style);
  if (next !== undefined) return respond(body, n, played(body, turn, next, n));
  const text = turn.prompt;
  const error = word(text, "ERR");
  const size = amount(text, "USAGE", 1000);
  if (error === "toolong") return failure(400, `prompt is too long: ${size} tokens > 200000 maximum`);
  if (error) return failure(Number(error), `fake error ${error}`);

  const summary = COMPACTION.test(text) ? "<analysis>fake</analysis>\n<summary>fake summary</summary>" : undefined;
  const tool = turn.results.length > 0 ? undefined : toolCall(text);
  // A DELAY inside the JSON belongs to the prompt of a sub-agent.
  const delay = tool && JSON.stringify(tool.input).includes("DELAY=") ? 0 : amount(text, "DELAY", 0);
  const say = summary ?? word(text, "SAY") ?? `ok ${n}`;
  return respond(body, n, { say, ...(tool ? { tool } : {}), delay, size, output: amount(text, "OUT", 10) });
}

type Tool = { readonly name: string; readonly input: unknown };
type Answer = {
  readonly say: string;
  readonly tool?: Tool;
  readonly delay: number;
  readonly size: number;
  readonly output: number;
};

function respond(body: Body, n: number, { say, tool, delay, size, output }: Answer): Reply {
  const content = [{ type: "text", text: say }, ...(tool ? [{ type: "tool_use", id: `toolu_fake${n}`, ...tool }] : [])];
  const usage = usageOf(size, output);
  const end = { stop_reason: tool ? "tool_use" : "end_turn", stop_sequence: null };
  const whole = { id: `msg_fake${n}`, type: "message", role: "assistant", model: body.model, content, ...end, usage };
  if (!body.stream) return { kind: "json", status: 200, body: whole };
  const start = { ...whole, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const steps: Step[] = [
    step("message_start", { message: start }),
    step("ping", {}),
    ...waiting(delay),
    ...content.flatMap(blockSteps),
    step("message_delta", { delta: end, usage }),
    step("message_stop", {}),
  ];
  return { kind: "events", steps };
}

/** The CLI merges user messages, so this looks at blocks; what a tool answered counts as after the prompt. */
function turnOf(body: Body): Turn {
  const said: string[] = [];
  let results: string[] = [];
  for (const block of body.messages.filter((entry) => entry.role === "user").flatMap((entry) => entry.content)) {
    const text = (block.text ?? "").replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trim();
    if (block.type === "tool_result") results.push(resultText(block));
    if (block.type !== "text" || text === "") continue;
    said.push(text);
    results = [];
  }
  const prompt = said.pop() ?? "";
  return { prompt, results, said: said.filter((text) => !text.startsWith("<") && taggedIn(text) === undefined) };
}

function resultText({ content = "" }: Block): string {
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
}

function played(body: Body, turn: Turn, { act, delayMs, tokens }: Next, n: number): Answer {
  const say = act.kind === "say" ? act.text : `step ${n}`;
  const tool = toolFor(act, workingDirectory(body));
  const size = tokens ?? savingTokens(turn, 1000);
  return { say, ...(tool ? { tool } : {}), delay: delayMs, size, output: 10 };
}

/** Claude Code's own tools; they want absolute paths. */
function toolFor(act: Act, cwd: string): Tool | undefined {
  switch (act.kind) {
    case "read":
      return { name: "Read", input: { file_path: path.resolve(cwd, act.file) } };
    case "write":
      return { name: "Write", input: { file_path: path.resolve(cwd, act.file), content: act.text } };
    case "shell":
      return { name: "Bash", input: { command: act.command, description: "save" } };
    case "say":
      return undefined;
  }
}

/** As Claude Code tells the model. */
function workingDirectory(body: Body): string {
  const told = JSON.stringify([body.system, body.messages]);
  return /[Ww]orking directory: ([^\\"]+)/.exec(told)?.[1]?.trim() ?? "/";
}

function toolCall(text: string): Tool | undefined {
  const [, name, json] = /\bTOOL:(\w+)\s*(\{.*\})/s.exec(text) ?? [];
  return name && json ? { name, input: JSON.parse(json) } : undefined;
}

/** Context size = input + cache read + cache creation, as Anthropic reports it. */
function usageOf(size: number, output: number): Readonly<Record<string, unknown>> {
  const input = Math.min(size, 10);
  const creation = Math.min(Math.floor(size / 10), size - input);
  return {
    input_tokens: input,
    cache_creation_input_tokens: creation,
    cache_read_input_tokens: size - input - creation,
    output_tokens: output,
    service_tier: "standard",
  };
}

function blockSteps(block: { readonly type: string; readonly [key: string]: unknown }, index: number): Step[] {
  const isText = block.type === "text";
  const delta = isText
    ? { type: "text_delta", text: block["text"] }
    : { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) };
  return [
    step("content_block_start", { index, content_block: isText ? { ...block, text: "" } : { ...block, input: {} } }),
    step("content_block_delta", { index, delta }),
    step("content_block_stop", { index }),
  ];
}

function waiting(delay: number): Step[] {
  const parts = Math.floor(delay / 250);
  return [...Array.from({ length: parts }, () => [250, step("ping", {})]).flat(), delay % 250];
}

function step(type: string, data: Readonly<Record<string, unknown>>): { readonly type: string } {
  return { type, ...data };
}

function failure(status: number, text: string): Reply {
  const type = ERROR_TYPES[status] ?? "invalid_request_error";
  return { kind: "json", status, body: { type: "error", error: { type, message: text } } };
}
