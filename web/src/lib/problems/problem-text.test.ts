import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { missingText, problemText } from './problem-text.ts'

const messageOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message ?? ''

describe('validation messages', () => {
  it.each([
    [z.string().min(1), '', 'Enter a value.'],
    [z.string(), undefined, 'Enter a value.'],
    [z.string().min(8), 'short', 'Use at least 8 characters.'],
    [z.string().max(2000), 'x'.repeat(2001), 'Use at most 2,000 characters.'],
    [z.number(), 'many', 'Enter a number.'],
    [z.int(), 1.5, 'Enter a whole number.'],
    [z.number().min(1), 0, 'Enter 1 or more.'],
    [z.number().max(60), 61, 'Enter 60 or less.'],
    [z.array(z.string()).min(1), [], 'Add at least one.'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'Add at most 2.'],
    [z.email(), 'ana', 'Enter a valid email.'],
    [z.url(), 'nowhere', 'Enter a valid URL, such as https://example.com.'],
    [z.uuid(), 'x', 'Enter a valid ID.'],
    [z.enum(['a', 'b']), 'c', 'Choose one of the options.'],
    [z.strictObject({}), { odd: 1 }, 'Remove the unknown field "odd".'],
    [z.string().regex(/^a$/), 'b', 'This value isn’t valid.'],
    [z.boolean(), 'yes', 'This value isn’t valid.'],
  ])('of the library read like a person wrote them (%#)', (schema, value, text) => {
    expect(problemText(messageOf(schema, value))).toBe(text)
  })

  it.each([
    ['must not be empty', 'Enter a value.'],
    ['is missing', 'Enter a value.'],
    ['must be a mail address', 'Enter a valid email.'],
    ['must be at least 8 characters', 'Use at least 8 characters.'],
    ['must be at most 100', 'Enter 100 or less.'],
    ['must not be negative', 'Enter 0 or more.'],
    ['must be a path such as /api/models', 'Enter a path such as /api/models.'],
    ['must hold {login}', 'Include {login}.'],
    ['must not hold control characters', 'Remove control characters.'],
    ['must have different names', 'Use different names.'],
    ['this workflow calls itself', 'This workflow calls itself.'],
  ])('of the contract, such as "%s", become sentences', (message, text) => {
    expect(problemText(message)).toBe(text)
  })

  it.each([
    ['Name', 'Enter a name.'],
    ['Your name', 'Enter your name.'],
    ['Email', 'Enter an email.'],
    ['Base DN', 'Enter a base DN.'],
    ['URL', 'Enter a URL.'],
    ['API key', 'Enter an API key.'],
    ['Current password', 'Enter your current password.'],
    ['Models', 'Enter models.'],
  ])('name the field that is empty: %s', (label, text) => {
    expect(missingText(label)).toBe(text)
  })
})
