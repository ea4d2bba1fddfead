/** Which trace and which span of it, and how W3C Trace Context writes that in a header. Pure. */

export interface TraceContext {
  /** 32 lower-case hexadecimal digits. */
  traceId: string
  /** 16 of them. */
  spanId: string
  isSampled: boolean
}

/** Version 00 to fe; a later version may add fields at the end. */
const form = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const isZero = (id: string): boolean => /^0+$/.test(id)

/** Undefined for what is no `traceparent`. */
export const parseTraceparent = (header: string | undefined): TraceContext | undefined => {
  if (header === undefined || header.length > 256) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header) ?? []
  if (version === undefined || isZero(traceId) || isZero(spanId) || (version === '00' && more)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`

/**
 * The trace and the span that stand for something with a UUID: any server knows them from the id alone, so nothing is
 * stored to connect what several servers do for one event. Undefined where the id makes none.
 */
export const traceIdOf = (uuid: string): string | undefined => {
  const digits = uuid.replaceAll('-', '').toLowerCase()
  return /^[\da-f]{32}$/.test(digits) && !isZero(digits) ? digits : undefined
}

export const spanIdOf = (uuid: string): string | undefined => {
  const digits = traceIdOf(uuid)?.slice(16)
  return digits === undefined || isZero(digits) ? undefined : digits
}

/** Of what stands for it in its own trace: the target of a link. */
export const contextOf = (uuid: string, traceId = traceIdOf(uuid)): TraceContext | undefined => {
  const spanId = spanIdOf(uuid)
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId, isSampled: true }
}
