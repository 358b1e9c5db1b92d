import type { TurnState } from "../core/conversation.ts";

/** Working that is seen so long after an Escape is work that it did not end, ms. */
const seenAgainMs = 3000;

/**
 * One Escape at a time (DESIGN §7): to an idle agent it would open the rewind menu, and a second one right after the
 * first as well. So none goes out unless the agent was seen working, and none again before it was seen working again.
 */
export function createEscapes() {
  const sent = new Map<string, number>();
  return {
    /** Why no Escape may go out now; undefined: it may. */
    refusal(instanceId: string, turn: TurnState["kind"]): string | undefined {
      if (turn !== "working" && turn !== "tool-pending" && turn !== "stalled") return "the agent is not working";
      return sent.has(instanceId) ? "an Escape was sent already, and it was not seen working since" : undefined;
    },
    sent(instanceId: string, at: number): void {
      sent.set(instanceId, at);
    },
    saw(instanceId: string, turn: TurnState["kind"], at: number): void {
      const since = sent.get(instanceId);
      if (since !== undefined && turn === "working" && at - since >= seenAgainMs) sent.delete(instanceId);
    },
  };
}
