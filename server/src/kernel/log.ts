/** Structured logs. Anything that looks like a credential is cut out before it is written. */
import { type Logger, pino } from 'pino'
import { activeSpan } from './spans/span.ts'

export type Log = Logger

const secretFields = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'otp',
  'key',
  'setupKey',
  'secret',
  'authorization',
  'cookie',
]

/** An error's own words and nothing that hangs on it: drivers attach whole connections, passwords included. */
const asWritten = (problem: unknown): unknown => {
  if (!(problem instanceof Error)) return problem
  const { name, message, stack } = problem
  const { code } = problem as { code?: unknown }
  const cause = problem.cause === undefined ? {} : { cause: asWritten(problem.cause) }
  return { name, message, ...(typeof code === 'string' && { code }), stack, ...cause }
}

/** So that a line is found from a trace, and the trace from the line. */
const traceOfLine = (): object => {
  const context = activeSpan()?.context
  return context ? { trace_id: context.traceId, span_id: context.spanId } : nothing
}
const nothing = {}

export const createLog = (level: string, destination?: { write(line: string): void }): Log =>
  pino(
    {
      level,
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[secret]' },
      serializers: { err: asWritten },
      base: null,
      mixin: traceOfLine,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    destination ?? pino.destination(1),
  )
