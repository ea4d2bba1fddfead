/** One question of `chancery doctor`, and its answer. */
import type { Installation } from '../installation.ts'

export interface Finding {
  state: 'ok' | 'warning' | 'failed' | 'unused'
  /** What was found; for a problem also what to do. */
  what: string
}

export interface Check {
  name: string
  /** What it throws is a failure, with `advice`. */
  run(installation: Installation): Promise<Finding>
  advice: string
}

export const ok = (what: string): Finding => ({ state: 'ok', what })
export const unused = (what: string): Finding => ({ state: 'unused', what })
export const warning = (what: string): Finding => ({ state: 'warning', what })
export const failed = (what: string): Finding => ({ state: 'failed', what })

const limitMs = 15_000

/** Never rejects, and never takes long: with everything down, each check still says so for itself. */
export const answer = async (check: Check, installation: Installation): Promise<Finding> => {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(failed(`no answer within ${limitMs / 1000} seconds. ${check.advice}`)), limitMs)
  })
  const found = check.run(installation).catch((problem: unknown) => failed(`${reasonOf(problem)} ${check.advice}`))
  try {
    return await Promise.race([found, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

/** Connections to several addresses fail with no message of their own, and `fetch` has the reason in its cause. */
const reasonOf = (problem: unknown): string => {
  const { message, errors, cause } = problem as { message: string; errors?: Error[]; cause?: unknown }
  if (message === 'fetch failed' && cause) return reasonOf(cause)
  const text = message || (errors?.map((each) => each.message).join(', ') ?? 'it failed')
  return /[.!?]$/.test(text) ? text : `${text}.`
}
