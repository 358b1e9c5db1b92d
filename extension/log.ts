import { type LogOutputChannel, window } from "vscode";

/**
 * The one channel: ids, numbers, fixed words. Never the content of a prompt, an answer, a terminal or a file.
 * `category: sentence`.
 */
export const createLog = (): LogOutputChannel => window.createOutputChannel("Plimsoll", { log: true });

/** What may be said of a failure: its kind. A message may carry what the failing program was reading. */
export const kindOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
