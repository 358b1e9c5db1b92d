/** A step could not be done; the message is the sentence a person reads. */
export class StepFailed extends Error {}

export type Steps = {
  /** Does a step, and prints what it found and how long it took. */
  readonly step: (what: string, run: () => Promise<string>) => Promise<void>;
};

export function createSteps(print: (line: string) => void): Steps {
  return {
    async step(what, run) {
      const startedAt = performance.now();
      const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
      try {
        const found = await run();
        print(`ok   ${seconds()} s  ${what}${found === "" ? "" : `: ${found}`}`);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        print(`FAIL ${seconds()} s  ${what}`);
        throw new StepFailed(`"${what}" did not work: ${reason}`);
      }
    },
  };
}
