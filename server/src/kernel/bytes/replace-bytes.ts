/** The bytes with every occurrence of a pattern replaced; the same object if there is none. */
export const replaceBytes = (bytes: Buffer, pattern: Buffer, replacement: Buffer): Buffer => {
  let at = bytes.indexOf(pattern)
  if (at === -1) return bytes
  const parts: Buffer[] = []
  let from = 0
  for (; at !== -1; at = bytes.indexOf(pattern, from)) {
    parts.push(bytes.subarray(from, at), replacement)
    from = at + pattern.length
  }
  return Buffer.concat([...parts, bytes.subarray(from)])
}
