import { describe, expect, it } from 'vitest'
import { caseNameProblem, casesOf, freeCaseName } from './cases.ts'

const named = (...handles: string[]) => handles.map((handle) => ({ handle, expression: 'True' }))

describe('the cases of a condition', () => {
  it('are read from whatever a draft holds', () => {
    expect(casesOf('x')).toEqual([])
    expect(casesOf([null, { handle: 'big', expression: 1 }])).toEqual([
      { handle: '', expression: '' },
      { handle: 'big', expression: '' },
    ])
  })

  it('may not be called as another way is', () => {
    const cases = named('case_1', 'case_2')
    for (const name of ['case_1', ' case_1 ', 'else', 'error'])
      expect(caseNameProblem(cases, 1, name)).toBe('Another way has this name.')
    for (const name of ['case_2', 'case_10', 'elsewhere']) expect(caseNameProblem(cases, 1, name)).toBeUndefined()
  })

  it('have a name', () => {
    expect(caseNameProblem(named('a'), 0, ' ')).toBe('Give it a name.')
  })

  it('get a free name when they are added', () => {
    expect(freeCaseName(named('case_1'))).toBe('case_2')
    expect(freeCaseName(named('case_1', 'case_3'))).toBe('case_2')
    expect(freeCaseName(named('case_2', 'case_3'))).toBe('case_4')
  })
})
