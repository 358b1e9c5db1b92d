const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

const ROUND = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

/**
 * Digest by which a prompt is compared with what we typed (R50): sha-256, hex, of the text without any white space,
 * because agents and pastes differ in line ends and padding. Written out because core and adapters are pure: no node.
 */
export function digestOf(text: string): string {
  return sha256Hex(utf8(text.replace(/\s+/gu, "")));
}

function sha256Hex(bytes: Uint8Array): string {
  const padded = pad(bytes);
  const hash = new Uint32Array(INITIAL);
  const words = new Uint32Array(64);
  for (let start = 0; start < padded.length; start += 64) compress(hash, words, padded, start);
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  return padded;
}

function compress(hash: Uint32Array, words: Uint32Array, block: Uint8Array, start: number): void {
  const view = new DataView(block.buffer, block.byteOffset + start, 64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(i * 4);
  for (let i = 16; i < 64; i += 1) {
    const near = at(words, i - 15);
    const far = at(words, i - 2);
    const first = rotate(near, 7) ^ rotate(near, 18) ^ (near >>> 3);
    const second = rotate(far, 17) ^ rotate(far, 19) ^ (far >>> 10);
    words[i] = at(words, i - 16) + first + at(words, i - 7) + second;
  }
  const state = Uint32Array.from(hash);
  for (let i = 0; i < 64; i += 1) {
    const a = at(state, 0);
    const e = at(state, 4);
    const choice = (e & at(state, 5)) ^ (~e & at(state, 6));
    const majority = (a & at(state, 1)) ^ (a & at(state, 2)) ^ (at(state, 1) & at(state, 2));
    const high = at(state, 7) + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + at(ROUND, i) + at(words, i);
    const low = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    state.copyWithin(1, 0, 7);
    state[4] = at(state, 4) + high;
    state[0] = high + low;
  }
  for (let i = 0; i < 8; i += 1) hash[i] = at(hash, i) + at(state, i);
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/** UTF-8 without `TextEncoder`, which is no part of the language that core is compiled against. */
function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x1_0000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return Uint8Array.from(bytes);
}
