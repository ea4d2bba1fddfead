/** Reads DER from strangers: definite lengths only, nothing beyond the end, a bounded depth. Pure. */

export interface DerNode {
  tag: number
  content: Buffer
  /** Tag, length and content. */
  raw: Buffer
}

export class DerError extends Error {}

/** The first value in the bytes; what follows it is ignored, as padding after a signature is. */
export const readDer = (bytes: Buffer): DerNode => readAt(bytes, 0)

/** The values inside a constructed value. */
export const childrenOf = ({ content }: Pick<DerNode, 'content'>): DerNode[] => {
  const children: DerNode[] = []
  for (let at = 0; at < content.length; ) {
    const child = readAt(content, at)
    children.push(child)
    at += child.raw.length
  }
  return children
}

/** The n-th value inside; refuses to go on where it is missing. */
export const childAt = (node: Pick<DerNode, 'content'>, index: number): DerNode => {
  const child = childrenOf(node)[index]
  if (!child) throw new DerError('a value is missing')
  return child
}

export const oidOf = ({ tag, content }: DerNode): string => {
  if (tag !== 0x06 || content.length === 0) throw new DerError('this is no object identifier')
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    if (arc > Number.MAX_SAFE_INTEGER / 128) throw new DerError('an object identifier is too long')
    arc = arc * 128 + (byte & 0x7f)
    if ((byte & 0x80) !== 0) continue
    arcs.push(arc)
    arc = 0
  }
  const [head = 0, ...rest] = arcs
  const first = Math.min(2, Math.floor(head / 40))
  return [first, head - first * 40, ...rest].join('.')
}

/** UTCTime or GeneralizedTime, in UTC. */
export const timeOf = ({ tag, content }: DerNode): Date => {
  const text = content.toString('latin1')
  const digits = tag === 0x17 ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(digits)
  if (!parts) throw new DerError('this is no time')
  const [, year, month, day, hour, minute, second, fraction = ''] = parts
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`)
  if (Number.isNaN(at.getTime())) throw new DerError('this is no time')
  return at
}

const readAt = (bytes: Buffer, start: number): DerNode => {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) throw new DerError('it ends too early')
  if ((tag & 0x1f) === 0x1f) throw new DerError('long tags are not used here')
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || lengthBytes > 4) throw new DerError('its length is not definite')
  if (start + 2 + lengthBytes > bytes.length) throw new DerError('it ends too early')
  const length =
    lengthBytes === 0 ? first : bytes.subarray(start + 2, start + 2 + lengthBytes).readUIntBE(0, lengthBytes)
  const from = start + 2 + lengthBytes
  const to = from + length
  if (to > bytes.length) throw new DerError('it ends too early')
  return { tag, content: bytes.subarray(from, to), raw: bytes.subarray(start, to) }
}
