// A process of its own, because the agents run in a network namespace: prints the times of every reset as JSON.
import { resetTimes, type Times } from "../soak/reliability.ts";
import { runResets, subjectKinds } from "../soak/runResets.ts";

const all: Record<string, readonly Times[]> = {};
for (const kind of subjectKinds) all[kind] = resetTimes(await runResets(kind, Number(process.argv[2]), 3000));
process.stdout.write(`${JSON.stringify(all)}\n`);
process.exit(0);
