import type { ResetView } from "../../protocol/view.ts";
import type { Reset } from "./types.ts";

/** What people see of an open reset; undefined where none is open. */
export function resetView(state: Reset): ResetView | undefined {
  switch (state.phase) {
    case "none":
      return undefined;
    case "armed":
      return { ...base(state, state.since), phase: "armed", cancellable: true, waitsFor: state.waitsFor };
    case "prepared":
      return { ...base(state, state.order.at), phase: "prepared", cancellable: true };
    case "claimed":
    case "dispatched":
      return { ...base(state, state.order.at), phase: state.phase, cancellable: false };
    case "confirming":
      return { ...base(state, state.pressedAt), phase: "confirming", cancellable: false };
    case "handed-over":
      return { ...base(state, state.since), phase: "handed-over", cancellable: true };
    case "needs-reconcile":
      return { ...base(state, state.since), phase: "needs-reconcile", cancellable: true };
  }
}

const base = ({ order }: Exclude<Reset, { phase: "none" }>, since: number) => ({
  resetId: order.resetId,
  command: order.command,
  since,
});
