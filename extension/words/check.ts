import type { GateAnswer } from "../../server/protocol/messages.ts";
import type { AgentView } from "../../server/protocol/view.ts";
import { choiceTitles } from "./choices.ts";
import { nameOf } from "./fullness.ts";
import { plain, unslanted } from "./plain.ts";

export type CheckRow =
  | { readonly kind: "heading"; readonly label: string }
  | { readonly kind: "row"; readonly label: string; readonly detail?: string };

const parts = [
  { verdict: "no", heading: "in the way", icon: "✗" },
  { verdict: "not-yet", heading: "not yet", icon: "…" },
  { verdict: "yes", heading: "in order", icon: "✓" },
] as const;

/** Without the click itself: Check is asked before it. */
const asked = (answers: readonly GateAnswer[]): readonly GateAnswer[] =>
  answers.filter(({ gate }) => gate !== "approved-for-this");

export function checkTitle(agent: AgentView, answers: readonly GateAnswer[]): string {
  const many = (verdict: GateAnswer["verdict"]) => asked(answers).filter((answer) => answer.verdict === verdict).length;
  const [no, notYet] = [many("no"), many("not-yet")];
  const name = nameOf(agent);
  const click = `a click on ${choiceTitles.reset}`;
  if (no > 0) return `${name}: ${click} would be refused now`;
  return notYet > 0 ? `${name}: ${click} would wait` : `${name}: ${click} would go ahead`;
}

/** What refuses comes first, then what time will answer, then the rest. */
export const checkRows = (answers: readonly GateAnswer[]): readonly CheckRow[] =>
  parts.flatMap(({ verdict, heading, icon }) => {
    const rows = asked(answers)
      .filter((answer) => answer.verdict === verdict)
      .map(({ question, reason, remedy }): CheckRow => {
        const detail = [reason, remedy]
          .map((text) => unslanted(text ?? "", 200))
          .filter(Boolean)
          .join(" · ");
        return { kind: "row", label: `${icon} ${plain(question, 120)}`, ...(detail === "" ? {} : { detail }) };
      });
    return rows.length === 0 ? [] : [{ kind: "heading", label: heading } as const, ...rows];
  });

/** All of it, uncut. */
export const checkText = (title: string, answers: readonly GateAnswer[]): string =>
  [
    `# ${title}`,
    ...checkRows(answers).map((row) =>
      row.kind === "heading"
        ? `\n## ${row.label}\n`
        : `- ${row.label}${row.detail === undefined ? "" : `  \n  ${row.detail}`}`,
    ),
    "",
  ].join("\n");
