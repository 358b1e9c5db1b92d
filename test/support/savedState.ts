// The texts around a save: what Plimsoll's request asks for, and what a good agent writes.

export type SaveRequest = {
  /** Where the state is to be written, as the request names it. */
  readonly file: string;
  readonly code: string;
};

/** What the request asks for; undefined: this text asks for no state. */
export function requestIn(text: string): SaveRequest | undefined {
  const file = stateFileIn(text);
  const code = /check code:\s*([0-9a-f]{12})\b/i.exec(text)?.[1];
  return file === undefined || code === undefined ? undefined : { file, code };
}

/** The state file a text names: in quotes it may have spaces. */
export function stateFileIn(text: string): string | undefined {
  const quoted = /[`"]([^`"\n]*\.plimsoll[/\\][0-9a-f]{12}[/\\]state\.md)[`"]/.exec(text);
  return quoted?.[1] ?? /[^\s`"'()<>]*\.plimsoll[/\\][0-9a-f]{12}[/\\]state\.md/.exec(text)?.[0];
}

export const codeLine = (code: string): string => `<!-- plimsoll check code: ${code} -->`;

/** A state as a good agent writes it. What the person said stands in it word for word. */
export function stateText(code: string, said: readonly string[]): string {
  const quoted = said.slice(-20).map((words) => `- "${words.slice(0, 300).replaceAll("\n", " ")}"`);
  return `${codeLine(code)}

## Role and mission

I am the coding agent of this project. The person gives me one prompt at a time; I change the code, run what proves the
change, and report what I saw. The mission is what the prompts below ask for, in the order they came.

## Where things stand

The prompts up to here were answered, one after the other, and each answer was shown to the person. So far they said:

${quoted.length === 0 ? "- nothing yet" : quoted.join("\n")}

## Written, and verified

- Written: the answers to the prompts above. No file of the project was changed in this conversation besides this one.
- Verified: nothing was run. What an answer says about the code was read, not tested, and has to be looked at again before
  anything is built on it.

## In flight

- Nothing is half done: no edit is open, no command runs in the background, no review is waited for.

## Open tasks

1. Answer the next prompt of the person.
2. Run the tests before the first change, so that a failure can be told from one that was there already.

## Open questions, word for word

- None of the person's questions is open. None of mine is open.

## Standing orders

- Small changes, one purpose each; the tests are run before anything is called done.
- What is written here is what I know, not what I guess; what I did not look at is called that.
- The style of the code around a change is kept, and nothing is added that nobody asked for.
- Never answer a dialog for the person, never push, never delete what was not made here.

## Next action

Wait for the person's next prompt, and begin with the open tasks above.
`;
}

/** What a fresh agent says once it has read its brief: five lines. */
export const briefedText = `I have read the brief and the saved state.
Mission: this project, one prompt at a time.
Standing: everything asked so far was answered; nothing is half done.
Open: run the tests before the first change.
Next: I wait for your next prompt.`;
