export type SpentTokens = {
  /** False where the token was spent before. */
  readonly spend: (token: string) => boolean;
};

/** A token dies within a second: after so many newer ones an old one is long too late anyway. */
const remembered = 1000;

export function createSpentTokens(): SpentTokens {
  const spent = new Set<string>();
  return {
    spend(token) {
      if (spent.has(token)) return false;
      spent.add(token);
      for (const oldest of spent) {
        if (spent.size <= remembered) break;
        spent.delete(oldest);
      }
      return true;
    },
  };
}
