import { describe, expect, it } from 'vitest'
import { errorOf } from './api-error.ts'
import { problemLines } from './problem-lines.ts'

const problem = (loc: (string | number)[], msg: string) => ({ loc, msg, type: 'invalid' })
const refusal = (problems: unknown[]) =>
  errorOf(Response.json({ code: 'validation_failed', detail: problems, request_id: 'r' }, { status: 422 }))

describe('a request that was refused for some of its values', () => {
  it.each([
    [['body', 'file'], 'A quoted cell has no end.', 'A quoted cell has no end.'],
    [['body', 'recipients', 2, 'email'], 'Invalid email address', 'Recipients 3, email: Enter a valid email.'],
    [['body', 'expiresAt'], 'Choose a time in the future.', 'Expires at: Choose a time in the future.'],
    [['body', 'bind_password'], 'must not be empty', 'Enter your bind password.'],
    [['body', 1, 'name'], 'must not be empty', '2, name: Enter a value.'],
    [['body'], 'A recipient is named twice.', 'A recipient is named twice.'],
    [['query', 'from'], 'must be a date', 'From: Enter a date.'],
    [['nodes', 0], 'odd', 'Nodes 1: Odd.'],
    [[], 'odd', 'Odd.'],
  ])('says where and what (%#)', (loc, msg, line) => {
    expect(problemLines([problem(loc, msg)])).toEqual([line])
  })

  it('lists what is wrong with a file', () => {
    const msg = 'The column “A. name” is missing. The column “Name” is unknown.'
    expect(problemLines([problem(['body', 'file'], msg)])).toEqual([
      'The column “A. name” is missing.',
      'The column “Name” is unknown.',
    ])
  })

  it('says each problem once', () => {
    expect(problemLines([problem(['body', 'a'], 'odd'), problem(['body', 'a'], 'odd')])).toHaveLength(1)
  })

  it('is explained wherever its error is shown as one line, without a word about highlighted fields', async () => {
    const { message } = await refusal([
      problem(['body', 'title'], 'must not be empty'),
      problem(['body', 'files'], 'odd'),
    ])
    expect(message).toBe('Enter a title. Files: Odd.')
    const many = await refusal(['a', 'b', 'c', 'd', 'e'].map((name) => problem(['body', name], 'odd')))
    expect(many.message).toBe('A: Odd. B: Odd. C: Odd. And 2 more.')
    for (const odd of [[], ['text'], [null, { msg: 1 }]])
      expect((await refusal(odd)).message).toBe('Something in this request isn’t valid.')
  })
})
