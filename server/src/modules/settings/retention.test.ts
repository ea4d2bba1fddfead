import { describe, expect, it } from 'vitest'
import { declareRetention } from './retention.ts'
import type { SettingDefinition } from './setting.ts'

const declare = (howLong: number) => {
  const declared: SettingDefinition<never>[] = []
  const register = <Value>(definition: SettingDefinition<Value>) => {
    declared.push(definition as SettingDefinition<never>)
    return () => definition.fallback
  }
  return { declared, ...declareRetention({ register }, { what: 'events', howLong, setting: 'events.retention_days' }) }
}

describe('what is kept for a number of days', () => {
  it('may go once it is older', () => {
    expect(declare(30).before(new Date('2026-03-31T12:00:00Z'))).toEqual(new Date('2026-03-01T12:00:00Z'))
  })

  it('is kept forever with 0', () => {
    expect(declare(0).before(new Date())).toBeUndefined()
  })

  it('is a setting of whole days, up to a hundred years', () => {
    const [setting] = declare(30).declared
    expect(setting).toMatchObject({
      key: 'events.retention_days',
      sentence: 'Events older than this are deleted. 0 keeps them forever.',
    })
    for (const wrong of [-1, 1.5, 36_501, '30']) expect(setting?.schema.safeParse(wrong).success).toBe(false)
    expect(setting?.schema.safeParse(36_500).success).toBe(true)
  })
})
