import type { Clock } from "../screen/clock.ts";

/** Without an answer in this time the window is not there, and a key would be kept and pressed whenever it comes back. */
const roundTripMs = 250;

/** Whether the workbench answers now. */
export function answersInTime(clock: Clock, roundTrip: () => PromiseLike<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(roundTripMs, () => resolve(false));
    const settle = (isThere: boolean) => {
      timer.cancel();
      resolve(isThere);
    };
    roundTrip().then(
      () => settle(true),
      () => settle(false),
    );
  });
}
