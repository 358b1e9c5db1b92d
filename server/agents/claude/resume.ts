import type { ResumeRules } from "../resume.ts";

/** Claude Code's command line (2.1): what a resumed conversation is to be started with again. */
export const claudeResume: ResumeRules = {
  kept: [
    { names: ["--model"], hasValue: true },
    { names: ["--permission-mode"], hasValue: true },
    { names: ["--add-dir"], hasValue: true },
    { names: ["--settings"], hasValue: true },
    { names: ["--mcp-config"], hasValue: true },
    { names: ["--effort"], hasValue: true },
    { names: ["--dangerously-skip-permissions"], hasValue: false },
    { names: ["--allow-dangerously-skip-permissions"], hasValue: false },
    { names: ["--verbose"], hasValue: false },
  ],
  dropped: [
    { names: ["--resume", "-r"], hasValue: true },
    { names: ["--session-id"], hasValue: true },
    { names: ["--continue", "-c"], hasValue: false },
    { names: ["--fork-session"], hasValue: false },
  ],
};
