import { describe, expect, it } from 'vitest'
import { ApiError } from '#lib/problems/api-error.ts'
import { stagesOf, stepErrorText } from './review-labels.ts'

const ana = { id: 'a', name: 'Ana' }
const ben = { id: 'b', name: 'Ben' }
const draft = {
  status: 'Draft' as const,
  author: ana,
  updated_at: 10,
  review_step: null,
  live_version: null,
}
const states = (stages: ReturnType<typeof stagesOf>) => stages.map(({ state }) => state)

describe('the stages of a review', () => {
  it("start with the author's draft", () => {
    const stages = stagesOf(draft, undefined)
    expect(states(stages)).toEqual(['current', 'ahead', 'ahead'])
    expect(stages[0]).toMatchObject({ note: 'Created by Ana, changed', at: 10 })
    expect(stages[2]).toMatchObject({ note: 'Not published yet' })
  })

  it('say who submitted it and when', () => {
    const stages = stagesOf({ ...draft, status: 'Staged', review_step: { by: ben, at: 20 } }, undefined)
    expect(states(stages)).toEqual(['done', 'current', 'ahead'])
    expect(stages[1]).toMatchObject({ at: 20, note: 'Submitted by Ben' })
  })

  it('say who rejected it', () => {
    const [first] = stagesOf({ ...draft, review_step: { by: ben, at: 30 } }, undefined)
    expect(first).toMatchObject({ at: 30, note: 'Rejected by Ben' })
  })

  it('still show the live version while a new draft is edited', () => {
    const stages = stagesOf(draft, { version: 4, author: ben, timestamp: 5 })
    expect(stages[2]).toMatchObject({ state: 'ahead', at: 5, note: 'Version 4 by Ben' })
    expect(stagesOf({ ...draft, live_version: 4 }, undefined)[2]).toMatchObject({ note: 'Version 4' })
  })

  it('end with publishing', () => {
    expect(states(stagesOf({ ...draft, status: 'Published' }, { version: 1, author: ana, timestamp: 1 }))).toEqual([
      'done',
      'done',
      'current',
    ])
  })
})

describe('a failed step', () => {
  const refused = (code: string) => new ApiError({ status: 409, code, sentence: 'no' })
  it("is explained if someone else was faster; otherwise the server's message is used", () => {
    expect(stepErrorText(refused('graph_changed'))).toMatch(/changed while you were reviewing/)
    expect(stepErrorText(refused('workflow_not_staged'))).toMatch(/no longer in review/)
    expect(stepErrorText(refused('forbidden'))).toBeUndefined()
  })
})
