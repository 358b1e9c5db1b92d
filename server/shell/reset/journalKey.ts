import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createOnce, messageOf, readPrivateBytes } from "../secureFiles.ts";

const keyBytes = 32;

/**
 * Signs a journal line together with the one before it (R236). It tells that our own records are whole and in order, not
 * where they came from: any program of this account could read the key (R234).
 */
export type Key = {
  /** Names the key, and says nothing else of it. */
  readonly id: string;
  readonly sign: (previous: string, body: string) => string;
  readonly fits: (previous: string, body: string, mac: string) => boolean;
};

/**
 * The key in a journal folder, made by whoever comes first and shared by all workers. A lost or broken one is never
 * replaced by itself: what was signed with it could no longer be told from what was tampered with. Throws the reason.
 */
export function loadKey(dir: string): Key {
  const path = join(dir, "key");
  const bytes = read(path) ?? make(path, dir);
  if (bytes.length !== keyBytes)
    throw new Error(
      `the key of the journals (${path}) has ${bytes.length} bytes instead of ${keyBytes}, so they cannot be checked: ` +
        `put the key back, or move ${dir} away to begin anew`,
    );
  const sign = (previous: string, body: string) => createHmac("sha256", bytes).update(previous).update(body);
  return {
    id: createHash("sha256").update(bytes).digest("hex").slice(0, 8),
    sign: (previous, body) => sign(previous, body).digest("hex"),
    fits(previous, body, mac) {
      const given = Buffer.from(mac, "hex");
      const right = sign(previous, body).digest();
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}

function make(path: string, dir: string): Buffer {
  if (hasSigned(dir)) {
    // Another worker may have made it, and signed with it, since we looked.
    const bytes = read(path);
    if (bytes !== undefined) return bytes;
    throw new Error(
      `the key of the journals (${path}) is missing, so they cannot be checked: put it back, or move ${dir} away to begin anew`,
    );
  }
  createOnce(path, randomBytes(keyBytes));
  return read(path) ?? Buffer.alloc(0);
}

function read(path: string): Buffer | undefined {
  try {
    return readPrivateBytes(path);
  } catch (error) {
    throw new Error(`the key of the journals cannot be used (${messageOf(error)})`);
  }
}

/** Whether something was signed with a key before; what cannot be looked at may have been. */
function hasSigned(dir: string): boolean {
  return readdirSync(dir).some((name) => {
    if (!name.endsWith(".jsonl")) return false;
    try {
      return readFileSync(join(dir, name), "utf8").startsWith('{"v":2,');
    } catch {
      return true;
    }
  });
}
