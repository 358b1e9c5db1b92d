import assert from "node:assert/strict";
import { claudeResume } from "../../../server/agents/claude/resume.ts";
import { codexResume } from "../../../server/agents/codex/resume.ts";
import { resumeArguments } from "../../../server/agents/resume.ts";

const kept = (rules: Parameters<typeof resumeArguments>[0], ...old: string[]) => {
  const plan = resumeArguments(rules, old);
  return plan.kind === "arguments" ? plan.arguments.join(" ") : `unknown ${plan.flag}`;
};

describe("resuming an agent with the flags it had", () => {
  it("repeats what says how it works", () => {
    assert.equal(
      kept(claudeResume, "--permission-mode", "acceptEdits", "--model=sonnet", "--dangerously-skip-permissions"),
      "--permission-mode acceptEdits --model=sonnet --dangerously-skip-permissions",
    );
    assert.equal(kept(codexResume, "--no-daemon", "-m", "gpt", "-c", "a=b"), "--no-daemon -m gpt -c a=b");
  });

  it("leaves out which conversation it was, and the prompt it was started with", () => {
    assert.equal(kept(claudeResume, "--resume", "some-id", "--model", "opus", "do this"), "--model opus");
    assert.equal(kept(claudeResume, "-c", "--fork-session", "-r"), "");
    assert.equal(kept(codexResume, "resume", "some-id", "-s", "read-only"), "-s read-only");
    assert.equal(kept(codexResume, "resume", "--last"), "");
  });

  it("stops at a flag it does not know: leaving it out could change what the agent may do", () => {
    assert.equal(kept(claudeResume, "--model", "opus", "--brand-new"), "unknown --brand-new");
  });
});
