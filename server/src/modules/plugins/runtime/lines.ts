/** Cuts a stream of bytes into lines, whatever the pieces are. */
export const createLineReader = (onLine: (line: string) => void): ((bytes: Uint8Array) => void) => {
  let rest: Uint8Array[] = []
  return (bytes) => {
    let from = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      const last = bytes.subarray(from, at)
      const line = rest.length === 0 ? last : Buffer.concat([...rest, last])
      rest = []
      from = at + 1
      onLine(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString())
    }
    // A copy, because the sender may use the memory again.
    if (from < bytes.length) rest.push(Uint8Array.from(bytes.subarray(from)))
  }
}

/** `<number> <word> <rest>` */
export const cutLine = (line: string): { number: number; word: string; rest: string } => {
  const one = line.indexOf(' ')
  const two = line.indexOf(' ', one + 1)
  return { number: Number(line.slice(0, one)), word: line.slice(one + 1, two), rest: line.slice(two + 1) }
}
