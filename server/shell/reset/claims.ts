import { join } from "node:path";
import { Owner } from "../../protocol/steps.ts";
import { createOnce, ensurePrivateDir, readPrivate, removeFile } from "../secureFiles.ts";

/**
 * One claim per agent across all windows and workers of this machine: a file that only one process can make (R121). A
 * claim whose owner is dead may be taken over.
 */
export type Claims = {
  /** True for the one that may act. Throws where the folder cannot be used. */
  readonly take: (instanceId: string) => Promise<boolean>;
  readonly release: (instanceId: string) => void;
  /** Another live process holds it. */
  readonly heldElsewhere: (instanceId: string) => Promise<boolean>;
};

export function openClaims(storageDir: string, owner: Owner, isAlive: (owner: Owner) => Promise<boolean>): Claims {
  const dir = join(storageDir, "claims");
  const fileOf = (instanceId: string) => join(dir, `${instanceId.replace(/[^\w-]/g, "_")}.claim`);
  const isMine = (holder: Owner | undefined) => holder?.pid === owner.pid && holder.birth === owner.birth;

  return {
    async take(instanceId) {
      ensurePrivateDir(dir);
      const file = fileOf(instanceId);
      if (createOnce(file, JSON.stringify(owner))) return true;
      const holder = holderOf(file);
      if (isMine(holder)) return true;
      if (holder !== undefined && (await isAlive(holder))) return false;
      removeFile(file);
      return createOnce(file, JSON.stringify(owner));
    },
    release(instanceId) {
      const file = fileOf(instanceId);
      if (isMine(holderOf(file))) removeFile(file);
    },
    async heldElsewhere(instanceId) {
      const holder = holderOf(fileOf(instanceId));
      return holder !== undefined && !isMine(holder) && (await isAlive(holder));
    },
  };
}

/** Who holds a claim; undefined where nobody does or the file says nothing that can be read. */
function holderOf(file: string): Owner | undefined {
  const text = readPrivate(file);
  if (text === undefined) return undefined;
  try {
    const parsed = Owner.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
