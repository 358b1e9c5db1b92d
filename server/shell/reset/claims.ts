import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Owner } from "../../protocol/steps.ts";
import { draftEnd, ensurePrivateDir, publishOnce, readPrivate, removeFile } from "../secureFiles.ts";

/**
 * One claim per agent across all windows and workers of this machine (R121). A claim whose owner is dead may be taken
 * over. Two extension hosts of one window are two owners.
 *
 * The claims of an agent are numbered files, and the highest number holds. To take a claim is to make the next number,
 * which the file system grants to one process only; to let go is to make the next number with nobody in it. The highest
 * file is never removed, so numbers only rise: whoever was slow, and makes a number that was used and removed before,
 * finds a higher one and has lost. A list taken while files come and go may miss some of them; the newest few stay, so
 * that it would have to miss them all. A file has all its text from its first moment: what cannot be read is broken,
 * not half written.
 */
export type Claims = {
  /** True for the one that may act. Throws where the folder cannot be used. */
  readonly take: (instanceId: string) => Promise<boolean>;
  /** This process still holds it; to be asked again right before typing. */
  readonly held: (instanceId: string) => boolean;
  readonly release: (instanceId: string) => void;
  /** Another live process holds it. */
  readonly heldElsewhere: (instanceId: string) => Promise<boolean>;
};

/** `holder` is absent where it was let go or cannot be read. */
type Top = { readonly number: number; readonly holder?: Owner };

/** Another takes it over between our look and our try at most so often; then it is not ours. */
const tries = 100;
/** Newest numbers of an agent that stay. */
const keptNumbers = 8;
/** A claim that nobody holds, and a draft whose maker died, are removed so long afterwards, ms. */
const keptMs = 30 * 24 * 60 * 60_000;

const free = "free";

export function openClaims(storageDir: string, owner: Owner, isAlive: (owner: Owner) => Promise<boolean>): Claims {
  const dir = join(storageDir, "claims");
  const fileOf = (instanceId: string, number: number) => join(dir, `${safeName(instanceId)}.${number}.claim`);
  const isMine = (holder: Owner | undefined) => holder?.pid === owner.pid && holder.birth === owner.birth;

  const numbersOf = (instanceId: string): readonly number[] => familiesIn(dir).get(safeName(instanceId)) ?? [];

  function topOf(instanceId: string): Top {
    if (!existsSync(dir)) return { number: 0 };
    const number = Math.max(0, ...numbersOf(instanceId));
    const holder = number === 0 ? undefined : holderIn(fileOf(instanceId, number));
    return holder === undefined ? { number } : { number, holder };
  }

  /** True where this made the number, and it is the highest. */
  function make(instanceId: string, number: number, text: string): boolean {
    if (!publishOnce(fileOf(instanceId, number), text)) return false;
    const numbers = numbersOf(instanceId);
    if (Math.max(...numbers) > number) {
      removeFile(fileOf(instanceId, number));
      return false;
    }
    for (const lower of numbers) if (lower <= number - keptNumbers) removeFile(fileOf(instanceId, lower));
    return true;
  }

  /** What nobody holds since long ago, the highest number last. */
  async function removeOld(): Promise<void> {
    for (const name of readdirSync(dir))
      if (name.endsWith(draftEnd) && isOld(join(dir, name))) removeFile(join(dir, name));
    for (const [name, numbers] of familiesIn(dir)) {
      const top = fileOf(name, Math.max(...numbers));
      if (!isOld(top)) continue;
      const holder = holderIn(top);
      if (holder !== undefined && (await isAlive(holder))) continue;
      for (const number of numbers.toSorted((a, b) => a - b)) removeFile(fileOf(name, number));
    }
  }

  return {
    async take(instanceId) {
      ensurePrivateDir(dir);
      await removeOld();
      for (let tried = 0; tried < tries; tried += 1) {
        const { number, holder } = topOf(instanceId);
        if (isMine(holder)) return true;
        if (holder !== undefined && (await isAlive(holder))) return false;
        if (make(instanceId, number + 1, JSON.stringify(owner))) return true;
      }
      return false;
    },
    held: (instanceId) => isMine(topOf(instanceId).holder),
    release(instanceId) {
      const { number, holder } = topOf(instanceId);
      if (isMine(holder)) make(instanceId, number + 1, free);
    },
    async heldElsewhere(instanceId) {
      const { holder } = topOf(instanceId);
      return holder !== undefined && !isMine(holder) && (await isAlive(holder));
    },
  };
}

const safeName = (instanceId: string): string => instanceId.replace(/[^\w-]/g, "_");

/** The numbers of each agent's claims. */
function familiesIn(dir: string): Map<string, number[]> {
  const families = new Map<string, number[]>();
  for (const file of readdirSync(dir)) {
    const [, name, number] = /^(.*)\.(\d+)\.claim$/.exec(file) ?? [];
    if (name !== undefined) families.set(name, [...(families.get(name) ?? []), Number(number)]);
  }
  return families;
}

/** Who stands in a claim. It may still have its draft's name beside its own. */
function holderIn(file: string): Owner | undefined {
  const text = readPrivate(file, 2);
  if (text === undefined || text === free) return undefined;
  try {
    const parsed = Owner.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function isOld(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs >= keptMs;
}
