import { deepEqual, equal, match, ok } from "node:assert/strict";
import { z } from "zod";
import { startFakeAnthropic } from "../support/fakeAnthropic.ts";
import type { FakeModel } from "../support/fakeApi.ts";
import { startFakeOpenai } from "../support/fakeOpenai.ts";
import { lastRequestText } from "../support/requestText.ts";
import { codeLine } from "../support/savedState.ts";
import { nextAct, type SavingStyle } from "../support/saving.ts";

const id = "0123456789ab";
const code = "fedcba987654";
const folder = `/home/dev/proj/.plimsoll/${id}`;
const save = `[plimsoll save ${id}] Read .plimsoll/${id}/request.md and do what it says now, as the last step of this turn.`;
const brief = `[plimsoll brief ${id}] This is automatic. Read .plimsoll/${id}/brief.md and the file it names, and wait.`;
const request = `# Save\n\nWrite ${folder}/state.md\n\ncheck code: ${code}\n`;
const numbered = request.replaceAll(/^/gm, "7\t");
const said = ["the codeword is WALRUS USAGE=210000"];

/** What the model does until it has nothing more to do; every tool answers with the request. */
function acts(style: SavingStyle, prompt = save, result = numbered) {
  const results: string[] = [];
  for (;;) {
    const next = nextAct({ prompt, results, said }, style);
    if (next === undefined || next.act.kind === "say") return { results: results.length, ending: next?.act };
    results.push(result);
    done.push(next.act);
  }
}
const done: Exclude<NonNullable<ReturnType<typeof nextAct>>["act"], { kind: "say" }>[] = [];
const written = () => done.flatMap((act) => (act.kind === "write" ? [act] : []));

describe("a fake model that is asked to save", () => {
  beforeEach(() => {
    done.length = 0;
  });

  it("reads the request, writes a state with the code and what was said, and says so", () => {
    deepEqual(acts("well").ending, { kind: "say", text: "Saved." });
    const [first, second] = done;
    deepEqual(first, { kind: "read", file: `.plimsoll/${id}/request.md` });
    ok(second?.kind === "write" && second.text.length >= 1500);
    equal(second.file, `${folder}/state.md`);
    equal(second.text.split("\n")[0], codeLine(code));
    match(second.text, /WALRUS/);
  });

  it("finds a state file whose path has spaces, when it is quoted", () => {
    acts("well", save, request.replace(`${folder}/state.md`, `\`/home/my dev${folder}/state.md\``));
    equal(written()[0]?.file, `/home/my dev${folder}/state.md`);
  });

  for (const [style, check] of [
    ["echo", () => equal(written()[0]?.text, `${codeLine(code)}\n${request}`)],
    ["small", () => ok((written()[0]?.text.length ?? 1000) < 1000)],
    ["wrong-code", () => match(written()[0]?.text ?? "", /^<!-- plimsoll check code: 0{12} -->\n/)],
    ["none", () => equal(done.length, 0)],
    ["keeps-working", () => equal(done.length, 6)],
    ["grows", () => ok((written()[1]?.text.length ?? 0) > (written()[0]?.text.length ?? 0))],
    ["link", () => match(JSON.stringify(done.at(-1)), /ln -s/)],
    ["outside", () => match(JSON.stringify(done.at(-1)), /mv .* && ln -s/)],
  ] as const)
    it(`can save in the style ${style}`, () => {
      acts(style);
      check();
    });

  it("asks something at its end, where it should", () => {
    match(JSON.stringify(acts("asks").ending), /\?"}$/);
  });

  it("says that there is no request when it can't be read", () => {
    match(JSON.stringify(acts("well", save, "no such file").ending), /no request/);
    deepEqual(written(), []);
  });

  it("takes no other prompt for one of Plimsoll's", () => {
    equal(acts("well", `Give this a title: ${save}`).ending, undefined);
  });
});

const Block = z.looseObject({ type: z.string(), text: z.string().optional(), input: z.unknown().optional() });
const Message = z.looseObject({
  content: z.array(Block),
  stop_reason: z.string(),
  usage: z.record(z.string(), z.unknown()),
});

describe("the fake model APIs, asked to save", () => {
  let api: FakeModel;
  afterEach(() => api.stop());

  async function post(path: string, body: unknown): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, { method: "POST", body: JSON.stringify(body) });
    return answer.text();
  }
  const claude = async (messages: readonly unknown[]) => {
    const system = " - Primary working directory: /home/dev/proj\n - Platform: linux";
    return Message.parse(JSON.parse(await post("/v1/messages", { model: "m", system, messages, tools: [{}] })));
  };
  const codex = async (input: readonly unknown[]) => {
    const tools = [{ type: "function", name: "exec_command" }];
    return post("/v1/responses", { instructions: "You are Codex", input, tools });
  };
  const user = (content: unknown) => ({ role: "user", content });

  it("Anthropic's: absolute paths, and a context as big as before", async () => {
    api = await startFakeAnthropic();
    const talk = [user(said[0]), { role: "assistant", content: "ok" }, user(save)];
    const first = await claude(talk);
    equal(first.stop_reason, "tool_use");
    deepEqual(first.content[1]?.input, { file_path: `${folder}/request.md` });
    equal(first.usage["cache_read_input_tokens"], 188_990);
    const result = { type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: numbered }] };
    const second = await claude([...talk, { role: "assistant", content: first.content }, user([result])]);
    match(JSON.stringify(second.content[1]), /state\.md".*WALRUS.*"name":"Write"/);
    match(lastRequestText(api.requests), /check code: fedcba987654/);
  });

  it("Anthropic's: what the style says, from now on, and what SAVE_USAGE says", async () => {
    api = await startFakeAnthropic();
    api.saving = "none";
    const answer = await claude([user("go USAGE=210000 SAVE_USAGE=250000"), user(save)]);
    equal(answer.stop_reason, "end_turn");
    equal(answer.usage["cache_creation_input_tokens"], 25_000);
  });

  it("Anthropic's: a small context after a brief", async () => {
    api = await startFakeAnthropic();
    const answer = await claude([user(brief)]);
    deepEqual(answer.content[1]?.input, { file_path: `${folder}/brief.md` });
    equal(answer.usage["cache_creation_input_tokens"], 1900);
  });

  it("OpenAI's: commands of the shell", async () => {
    api = await startFakeOpenai();
    const prompt = { type: "message", ...user([{ type: "input_text", text: save }]) };
    const before = { type: "message", ...user([{ type: "input_text", text: said[0] }]) };
    match(await codex([before, prompt]), /cat '\.plimsoll\/0123456789ab\/request\.md'/);
    const output = { type: "function_call_output", call_id: "c", output: `Chunk ID: 1\nOutput:\n${request}` };
    const second = await codex([before, prompt, { type: "function_call" }, output]);
    match(second, /\*\*\* Add File: \/home\/dev\/proj\/\.plimsoll\/0123456789ab\/state\.md/);
    match(second, /"input_tokens":210000/);
    match(lastRequestText(api.requests), /WALRUS/);
  });

  it("OpenAI's: a request for a title is no conversation", async () => {
    api = await startFakeOpenai();
    const title = `Generate a concise, single-line task title of at most 36 characters.\n\nUser prompt:\n${save}`;
    await codex([{ type: "message", ...user("hello WALRUS") }]);
    match(await codex([{ type: "message", ...user(title) }]), /fake reply/);
    match(lastRequestText(api.requests), /WALRUS/);
  });
});
