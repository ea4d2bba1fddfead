/** Pure. Cuts bytes into lines. A line is read only when it is whole, so a character may arrive in two pieces. */

export interface Lines {
  /** The lines that these bytes complete, without their ends. Undefined once one is longer than allowed. */
  push(piece: Uint8Array): string[] | undefined
  /** The bytes after the last line end. */
  rest(): string
}

const lineFeed = 0x0a

export const createLines = (longestBytes: number): Lines => {
  let pending: Uint8Array[] = []
  let pendingBytes = 0

  const takeWith = (last: Uint8Array): string => {
    const line = Buffer.concat([...pending, last]).toString('utf8')
    pending = []
    pendingBytes = 0
    return line
  }
  return {
    push(piece) {
      const lines: string[] = []
      let from = 0
      for (let at = piece.indexOf(lineFeed); at !== -1; at = piece.indexOf(lineFeed, from)) {
        lines.push(takeWith(piece.subarray(from, at)))
        from = at + 1
      }
      if (from < piece.length) pending.push(piece.subarray(from))
      pendingBytes += piece.length - from
      return pendingBytes > longestBytes ? undefined : lines
    },
    rest: () => takeWith(new Uint8Array()),
  }
}
