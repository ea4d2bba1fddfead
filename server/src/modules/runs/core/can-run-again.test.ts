import { describe, expect, it } from 'vitest'
import { canRunAgain } from './can-run-again.ts'

const once = { max_attempts: 1 }

describe('a node whose outcome a crash left unknown (P3)', () => {
  it.each([
    ['http_request', { method: 'POST' }],
    ['http_request', { method: 'DELETE' }],
    ['tool', {}],
    ['agent', { tools: ['emit_event', 'builtin:time'] }],
  ] as const)('is done once at most where it may not be retried: %s %j', (type, config) => {
    expect(canRunAgain({ type, config }, once)).toBe(false)
    expect(canRunAgain({ type, config }, { max_attempts: 2 })).toBe(true)
    expect(canRunAgain({ type, config }, { initial_delay_ms: 5 })).toBe(true)
    expect(canRunAgain({ type, config }, undefined)).toBe(true)
  })

  it.each([
    ['http_request', {}],
    ['agent', { tools: ['emit_event'] }],
    ['agent', {}],
    ['subworkflow', {}],
  ] as const)('is done again where that changes nothing outside: %s %j', (type, config) => {
    expect(canRunAgain({ type, config }, once)).toBe(true)
  })
})
