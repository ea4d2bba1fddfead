/** Reads a refusal by hand: the schema library is too large for the web's first page, and this must never throw. */
import type { FieldProblem } from '../errors.ts'

export interface Refusal {
  status: number
  code: string
  /** A sentence, or the problems of single fields. */
  sentence: string | undefined
  problems: FieldProblem[]
  requestId: string | undefined
  retryAfterSec: number | undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isErrorBody = (value: unknown): value is { detail: unknown; code: string; request_id?: string } =>
  isObject(value) && typeof value.code === 'string' && 'detail' in value

const isFieldProblem = (value: unknown): value is FieldProblem =>
  isObject(value) && Array.isArray(value.loc) && typeof value.msg === 'string'

/** Undefined where the reply isn't one of ours, such as a proxy's page. */
export const readRefusal = async (reply: Response): Promise<Refusal | undefined> => {
  const body: unknown = await reply.json().catch(() => undefined)
  if (!isErrorBody(body)) return undefined
  const { detail, code, request_id } = body
  const retryAfter = Number(reply.headers.get('retry-after') ?? Number.NaN)
  return {
    status: reply.status,
    code,
    sentence: typeof detail === 'string' ? detail : undefined,
    problems: Array.isArray(detail) ? detail.filter(isFieldProblem) : [],
    requestId: request_id ?? requestIdOf(reply),
    retryAfterSec: Number.isFinite(retryAfter) ? retryAfter : undefined,
  }
}

export const requestIdOf = (reply: Response): string | undefined => reply.headers.get('x-request-id') ?? undefined
