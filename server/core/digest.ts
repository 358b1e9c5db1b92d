import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Digest by which a prompt is compared with what we typed (R50): sha-256, hex, of the text without any white space,
 * because agents and pastes differ in line ends and padding. A library, because core and adapters are pure: no node.
 */
export const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text.replace(/\s+/gu, ""))));
