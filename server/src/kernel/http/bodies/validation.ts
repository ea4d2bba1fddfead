/** Holds what came against its schema, and says field by field what is wrong. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { z } from 'zod'
import { AppError } from '../../errors.ts'

type HttpPart = 'body' | 'query'

/** Nobody mends more at a time, and a body can be wrong in 50,000 places. */
const maxProblems = 100

const problemsOf = (error: z.ZodError, part: string): FieldProblem[] =>
  error.issues.slice(0, maxProblems).map((issue) => ({
    loc: [part, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))],
    msg: issue.message,
    type: issue.code,
  }))

/** Throws `validation_failed`. */
export const parseWith = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: HttpPart = 'body',
): z.output<Schema> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new AppError('validation_failed', { problems: problemsOf(result.error, part) })
}

/** One thing that is wrong with a body, where no schema says it. */
export const problem = (path: (string | number)[], msg: string, type: string): AppError =>
  new AppError('validation_failed', { problems: [{ loc: ['body', ...path], msg, type }] })

/** For Fastify, which wants problems answered rather than thrown. */
export const validatorCompiler =
  ({ schema, httpPart }: { schema: z.ZodType; httpPart?: string | undefined }) =>
  (value: unknown) => {
    try {
      return { value: parseWith(schema, value, httpPart === 'querystring' ? 'query' : 'body') }
    } catch (error) {
      return { error }
    }
  }
