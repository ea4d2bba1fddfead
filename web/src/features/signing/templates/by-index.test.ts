import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { byIndex } from './by-index.ts'

describe('problems of people in a list', () => {
  it('are named after the person’s position, and others stay as they are', () => {
    const schema = byIndex(z.object({ title: z.string().min(1), people: z.array(z.object({ email: z.email() })) }))
    const parsed = schema.safeParse({ title: '', people: [{ email: 'ana@example.test' }, { email: 'ben' }] })
    expect(parsed.success ? [] : parsed.error.issues.map(({ path }) => path)).toEqual([['title'], ['email-1']])
  })
})
