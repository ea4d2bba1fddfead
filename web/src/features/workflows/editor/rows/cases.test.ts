import { describe, expect, it } from 'vitest'
import { caseNameProblem, casesOf, freeCaseName } from './cases.ts'

const named = (...handles: string[]) => handles.map((handle) => ({ handle, expression: 'True' }))

describe('the cases of a condition', () => {
  it('are read from any value a draft may contain', () => {
    expect(casesOf('x')).toEqual([])
    expect(casesOf([null, { handle: 'big', expression: 1 }])).toEqual([
      { handle: '', expression: '' },
      { handle: 'big', expression: '' },
    ])
  })

  it('must not have the same name as another output', () => {
    const cases = named('case_1', 'case_2')
    for (const name of ['case_1', ' case_1 ', 'else', 'error'])
      expect(caseNameProblem(cases, 1, name)).toBe('Another output has this name.')
    for (const name of ['case_2', 'case_10', 'elsewhere']) expect(caseNameProblem(cases, 1, name)).toBeUndefined()
  })

  it('need a name', () => {
    expect(caseNameProblem(named('a'), 0, ' ')).toBe('Enter a name.')
  })

  it('get an unused name when added', () => {
    expect(freeCaseName(named('case_1'))).toBe('case_2')
    expect(freeCaseName(named('case_1', 'case_3'))).toBe('case_2')
    expect(freeCaseName(named('case_2', 'case_3'))).toBe('case_4')
  })
})
