import { LimitBody } from '@chancery/contract/models/usage.ts'
import { describe, expect, it } from 'vitest'
import { capsOf, subjectOf } from './limit-labels.ts'

const everyone = subjectOf({ type: 'everyone', id: undefined })

describe('the request body of a limit', () => {
  it('accepts thousands separators, and a blank as no limit', () => {
    const caps = capsOf({ tokens_per_day: '1,000 000', requests_per_minute: '' })
    expect(LimitBody.parse({ ...everyone, ...caps })).toEqual({
      subject_type: 'everyone',
      subject_id: null,
      requests_per_minute: null,
      tokens_per_day: 1_000_000,
      tokens_per_month: null,
    })
  })

  it('leaves invalid numbers to the schema, which names the field', () => {
    const checked = LimitBody.safeParse({ ...everyone, ...capsOf({ tokens_per_day: 'many' }) })
    expect(checked.error?.issues).toMatchObject([{ path: ['tokens_per_day'] }])
  })
})
