import { describe, expect, it } from 'vitest'
import { listSteps, nextMissing, type StepField, stepAfter } from './steps.ts'

const field = (id: string, more: Partial<StepField> = {}): StepField => ({
  id,
  fileId: 'a',
  type: 'TEXT',
  page: 1,
  x: 0.1,
  y: 0.1,
  height: 0.04,
  required: true,
  readOnly: false,
  isMine: true,
  value: null,
  ...more,
})
const ids = (fields: readonly StepField[]) => fields.map(({ id }) => id).join('')

describe('the fields of a recipient', () => {
  it('are visited by file, by page, and line by line, even where a line is slightly uneven', () => {
    const fields = [
      field('d', { page: 2 }),
      field('e', { fileId: 'b' }),
      field('b', { x: 0.6, y: 0.098 }),
      field('c', { y: 0.3 }),
      field('a'),
    ]
    expect(ids(listSteps(fields, ['a', 'b']))).toBe('abcde')
  })

  it('leave out those of others and those that can’t be changed', () => {
    const fields = [field('a', { isMine: false }), field('b', { readOnly: true }), field('c')]
    expect(ids(listSteps(fields, ['a']))).toBe('c')
  })

  it('skip those that are filled in, and come back to a missing one before the end', () => {
    const steps = [field('a'), field('b', { value: 'x' }), field('c', { required: false }), field('d', { value: true })]
    expect(stepAfter(steps, 0)).toBe(2)
    expect(stepAfter(steps, 3)).toBe(0)
    expect(nextMissing(steps.slice(1))).toBeUndefined()
    expect(stepAfter(steps.slice(1), 2)).toBeUndefined()
  })
})
