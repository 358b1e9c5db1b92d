import type * as z from "zod";
import type { PressEnter, TypeLine } from "../../server/protocol/messages.ts";
import type { TypeRefusal } from "../../server/protocol/terminals.ts";

export type Order<M extends { params: z.ZodType }> = z.output<M["params"]>;
export type Answer<M extends { result: z.ZodType }> = z.output<M["result"]>;

/** Before the first byte. */
export const refusedToType = (reason: TypeRefusal): Answer<typeof TypeLine> => ({
  outcome: "refused",
  reason,
  wrote: false,
  erased: false,
});

export const refusedToPress = (reason: TypeRefusal, stillShown?: number): Answer<typeof PressEnter> => ({
  outcome: "refused",
  reason,
  ...(stillShown === undefined ? {} : { stillShown }),
});
