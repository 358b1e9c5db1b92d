/** `01a22e88-b46c`: the least of a thread id by which it can be told from another. */
const leastCharacters = 13;

/**
 * The thread id at the beginning of a terminal's title, as far as it is shown: Codex cuts it after 29 characters and puts
 * `...` there. For an instant after `/clear` there is none.
 */
export function threadIdIn(title: string): string | undefined {
  const found = /^([0-9a-f]{8}-[0-9a-f]{4}[0-9a-f-]*)(?:\.{3}|…)?(?:\s|$)/.exec(title)?.[1];
  return found !== undefined && found.length >= leastCharacters && found.length <= 36 ? found : undefined;
}
