/** Pure. The boxes of an MP4 file: each has a size and a type, and may hold others. */
interface BoxHead {
  type: string
  size: number
  headBytes: number
}

export interface Box {
  type: string
  body: Buffer
  whole: Buffer
}

/** Undefined where none begins. Size 0, up to the end of the file, is only allowed for the sound, which comes last then. */
export const boxAt = (bytes: Buffer, at: number): BoxHead | undefined => {
  if (at + 8 > bytes.length) return undefined
  const short = bytes.readUInt32BE(at)
  const isLong = short === 1
  if (isLong && at + 16 > bytes.length) return undefined
  const headBytes = isLong ? 16 : 8
  const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short
  if (size < headBytes) return undefined
  return { type: bytes.toString('latin1', at + 4, at + 8), size, headBytes }
}

export const boxesIn = (bytes: Buffer): Box[] => {
  const found: Box[] = []
  for (let at = 0; ; ) {
    const box = boxAt(bytes, at)
    if (!box || at + box.size > bytes.length) return found
    const whole = bytes.subarray(at, at + box.size)
    found.push({ type: box.type, body: whole.subarray(box.headBytes), whole })
    at += box.size
  }
}

export const boxIn = (bytes: Buffer | undefined, ...path: string[]): Box | undefined => {
  let box: Box | undefined
  for (const type of path) {
    const inside: Buffer | undefined = box ? box.body : bytes
    box = inside && boxesIn(inside).find((one) => one.type === type)
    if (!box) return undefined
  }
  return box
}
