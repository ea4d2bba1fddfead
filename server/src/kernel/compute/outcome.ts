/** The result of a computation, or the error that its caller sees. */
import { type ErrorCode, errorTable } from '@chancery/contract/errors.ts'
import { AppError } from '../errors.ts'
import type { PoolEnding } from './pool.ts'

export const toOutcome = (name: string, ending: PoolEnding): unknown => {
  switch (ending.end) {
    case 'done':
      return ending.value
    case 'failed':
      if (isCode(ending.code)) throw new AppError(ending.code, { detail: ending.message })
      throw new Error(`The computation ${name} failed: ${ending.name}: ${ending.message}`)
    case 'deadline':
      throw new AppError('computation_too_long')
    case 'memory':
    case 'too large':
      throw new AppError('computation_too_large')
    case 'refused':
      throw new AppError('too_many_requests', { retryAfterSec: 1 })
    case 'stopped':
      throw new AppError('not_ready')
    case 'crash':
      throw new Error(`The thread of the computation ${name} ended unexpectedly.`)
  }
}

const isCode = (code: string | undefined): code is ErrorCode => code !== undefined && Object.hasOwn(errorTable, code)
