/** What a newcomer reads in the demo's window. */
export const tryThis = `# Try Plimsoll

The terminal below runs a **demo agent**: it looks like Claude Code, but no model, network or account is behind it.
Everything here is in a temporary folder that is gone when you stop \`npm start\`.

1. Click into the terminal, type \`hello\`, press Enter. Plimsoll's gauge in the status bar (at the bottom) shows 40k.
2. Do it five more times: 64k, 102k, 162k, 222k (the gauge changes its colour), 282k: over the line. Plimsoll asks.
   Or take the short way: \`USAGE=290000\`.
3. Choose **Save & Clear** and read what it says it will do. It asks the agent to save where it stands (look into the folder
   \`.plimsoll\`), checks what it wrote, pastes \`/clear\`, looks whether the prompt box shows exactly that, presses Enter, and
   looks on disk whether a new conversation began. Then it tells the new conversation to read what was saved.
4. The result says how much it was and is. **Undo** there brings the old conversation back.
5. Say hello a few times more, then run *Plimsoll: Compact Context…* from the command palette (F1).

Worth trying, too:

- *Plimsoll: Save, Clear, Then…* opens a page for what the new conversation should do first.
- *Plimsoll: Review First…* shows you what was saved before anything is cleared; your edits count.
- Leave a half-written prompt in the box and run *Plimsoll: Save and Clear…*: it refuses, and leaves your draft alone.
- \`DELAY=20000\` makes a long turn. Save and clear during it: Plimsoll waits for its end.
- Click the gauge for a menu; *Plimsoll: Check* asks every gate and types nothing.
- \`/exit\` ends the demo agent, \`claude\` starts it again.
`;
