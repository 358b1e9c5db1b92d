import * as z from "zod";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.number().int().nonnegative();

/** What one look at the saved state found. Numbers and digests only: what stands in it is never kept (R98). */
export const StateLook = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["missing", "link", "outside", "not-a-file", "echo"]) }),
  z.strictObject({ kind: z.literal("too-large"), size }),
  z.strictObject({ kind: z.literal("unreadable"), why: z.string().max(200) }),
  z.strictObject({ kind: z.enum(["wrong-code", "too-small", "well-formed"]), size, digest }),
]);
export type StateLook = z.infer<typeof StateLook>;

/**
 * That the agent's knowledge reached disk: what was saved, and where in the transcript that was (DESIGN §8.2).
 * `toolCalls` as of the first look that saw this content: work after it makes the save untrue.
 */
export const Receipt = z.strictObject({
  digest,
  size,
  /** When it was found good, epoch ms. */
  at: z.number(),
  instanceId: z.string().max(300),
  conversationId: z.string().max(200),
  transcriptBytes: size,
  toolCalls: z.number().int(),
  /** Answers of the model when the save's own turn had ended; absent: it goes on. */
  answersAtEnd: z.number().int().exactOptional(),
  /** Record id of the person's last prompt; absent: there was none. */
  lastHumanId: z.string().max(200).exactOptional(),
});
export type Receipt = z.infer<typeof Receipt>;
