import { describe, expect, it } from 'vitest'
import { initialMark, initialValue } from './initial-value.ts'

const person = { name: 'Ana Ruiz', email: 'ana@example.test' }

describe('what a field starts with', () => {
  it('is what it holds, or what we know about the recipient', () => {
    expect(initialValue({ id: 'a', type: 'NAME', value: null }, person)).toBe('Ana Ruiz')
    expect(initialValue({ id: 'a', type: 'NAME', value: 'Ana R.' }, person)).toBe('Ana R.')
    expect(initialValue({ id: 'a', type: 'DATE', value: null }, person)).toBeNull()
    expect(initialValue({ id: 'a', type: 'TEXT', value: null }, person)).toBeNull()
  })

  it('is the signature that was given to another field of the same kind', () => {
    const given = { typed: 'Ana Ruiz' }
    const fields = [
      { id: 'a', type: 'INITIALS' as const, value: { typed: 'AR' } },
      { id: 'b', type: 'SIGNATURE' as const, value: given },
    ]
    expect(initialMark({ id: 'c', type: 'SIGNATURE', value: null }, fields)).toBe(given)
    expect(initialMark({ id: 'c', type: 'SIGNATURE', value: null }, fields.slice(0, 1))).toBeUndefined()
  })
})
