/** Sent with an edit of a reply: the server refuses it if the reply changed meanwhile. Works on plain HTTP too. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

export const contentHash = (content: string): string => bytesToHex(sha256(utf8ToBytes(content)))
