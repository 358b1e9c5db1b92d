import type { ResumeRules } from "../resume.ts";

/** Codex's command line (0.171). `-c` and `--search` turn its daemon off: they must be given again (facts/reset A, D). */
export const codexResume: ResumeRules = {
  kept: [
    { names: ["-m", "--model"], hasValue: true },
    { names: ["-s", "--sandbox"], hasValue: true },
    { names: ["-a", "--ask-for-approval"], hasValue: true },
    { names: ["-C", "--cd"], hasValue: true },
    { names: ["-p", "--profile"], hasValue: true },
    { names: ["-c", "--config"], hasValue: true },
    { names: ["--add-dir"], hasValue: true },
    { names: ["--enable"], hasValue: true },
    { names: ["--disable"], hasValue: true },
    { names: ["--no-daemon"], hasValue: false },
    { names: ["--no-alt-screen"], hasValue: false },
    { names: ["--search"], hasValue: false },
    { names: ["--full-auto"], hasValue: false },
    { names: ["--dangerously-bypass-approvals-and-sandbox"], hasValue: false },
  ],
  dropped: [
    { names: ["--last"], hasValue: false },
    { names: ["--all"], hasValue: false },
  ],
};
