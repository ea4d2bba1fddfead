/** Finds a file's type by its first bytes. Its name and the type its sender claims are not believed. */

/** As many bytes are looked at. */
export const typeBytes = 4096

type Test = (head: Buffer) => boolean

/** The bytes at an offset, as text of one character each. */
const has =
  (at: number, ...choices: string[]): Test =>
  (head) =>
    choices.some((bytes) => head.toString('latin1', at, at + bytes.length) === bytes)

const all =
  (...tests: Test[]): Test =>
  (head) =>
    tests.every((test) => test(head))

/** Those below a space that text holds: tab, line feed, form feed, carriage return, escape. */
const textControls = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])

/** Bytes that are UTF-8 without other control characters, as far as they go. */
const isText: Test = (head) => {
  if (head.some((byte) => byte < 0x20 && !textControls.has(byte))) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Some writers put a byte order mark or an empty line first. */
const isPdf: Test = (head) => /^(\xef\xbb\xbf)?\s{0,16}%PDF-\d/.test(head.toString('latin1', 0, 64))

/** Frames of MPEG audio, layers II and III. */
const isMpegFrame: Test = ([first = 0, second = 0]) => first === 0xff && (second & 0xe6) === 0xe2

const tests = {
  'application/pdf': isPdf,
  'image/png': has(0, '\x89PNG\r\n\x1a\n'),
  'image/jpeg': has(0, '\xff\xd8\xff'),
  'image/gif': has(0, 'GIF87a', 'GIF89a'),
  'image/webp': all(has(0, 'RIFF'), has(8, 'WEBP')),
  'audio/wav': all(has(0, 'RIFF'), has(8, 'WAVE')),
  'audio/ogg': has(0, 'OggS\0'),
  'audio/flac': has(0, 'fLaC'),
  'audio/mp4': has(4, 'ftypM4A ', 'ftypM4B '),
  'video/mp4': has(4, 'ftypiso', 'ftypmp4', 'ftypavc1', 'ftypM4V ', 'ftypdash', 'ftypMSNV', 'ftypcmfc', 'ftyphlsf'),
  'video/webm': all(has(0, '\x1a\x45\xdf\xa3'), (head) => head.subarray(0, 64).includes('webm')),
  'audio/mpeg': (head) => has(0, 'ID3')(head) || isMpegFrame(head),
  'application/zip': has(0, 'PK\x03\x04', 'PK\x05\x06'),
  'text/plain': isText,
} as const satisfies Record<string, Test>

export type FileType = keyof typeof tests

/** Undefined where the bytes tell nothing. Office files are `application/zip`, all kinds of text `text/plain`. */
export const detectFileType = (head: Buffer): FileType | undefined =>
  (Object.keys(tests) as FileType[]).find((type) => tests[type](head))
