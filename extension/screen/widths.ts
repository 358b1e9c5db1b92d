import type { IUnicodeVersionProvider } from "@xterm/headless";

/**
 * How many cells a character takes, as both agents and VS Code's own terminal count: two for an emoji and for East Asian
 * characters, none for a mark or a joiner. The headless terminal's own table is of Unicode 6, where an emoji takes one: the
 * cell beside it then keeps what stood there before.
 */
export const agentWidths: IUnicodeVersionProvider = { version: "agents", wcwidth, charProperties };

const known = new Map<number, 0 | 1 | 2>();

function wcwidth(codepoint: number): 0 | 1 | 2 {
  if (codepoint < 0x20 || (codepoint >= 0x7f && codepoint < 0xa0)) return 0;
  if (codepoint < 0x300) return 1;
  const before = known.get(codepoint);
  if (before !== undefined) return before;
  const width = measured(codepoint);
  known.set(codepoint, width);
  return width;
}

function measured(codepoint: number): 0 | 1 | 2 {
  const character = String.fromCodePoint(codepoint);
  if (/^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u.test(character)) return 0;
  if (/^\p{Regional_Indicator}$/u.test(character)) return 1;
  return /^\p{Emoji_Presentation}$/u.test(character) || isEastAsian(codepoint) ? 2 : 1;
}

const eastAsian: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const isEastAsian = (codepoint: number): boolean =>
  eastAsian.some(([first, last]) => codepoint >= first && codepoint <= last);

/** What the next character has to know of the one before, beside its width. */
const plain = 0;
const pictograph = 1;
const joiner = 2;

const zeroWidthJoiner = 0x200d;
const emojiStyle = 0xfe0f;

/** A number made of what is known, the width and whether the character joins the one before it into one cell. */
function charProperties(codepoint: number, preceding: number): number {
  const width = wcwidth(codepoint);
  const widthBefore = (preceding >> 1) & 3;
  const before = preceding >> 3;
  const isPictograph = codepoint >= 0x300 && /^\p{Extended_Pictographic}$/u.test(String.fromCodePoint(codepoint));
  const isTone = codepoint >= 0x1f3fb && codepoint <= 0x1f3ff;
  const joins = widthBefore > 0 && (width === 0 || isTone || (isPictograph && before === joiner));
  if (!joins) return pack(isPictograph ? pictograph : plain, width, false);
  const widened = codepoint === emojiStyle && before === pictograph ? 2 : widthBefore;
  return pack(codepoint === zeroWidthJoiner ? joiner : before, widened, true);
}

const pack = (state: number, width: number, joins: boolean): number => (state << 3) | (width << 1) | (joins ? 1 : 0);
