import { hiddenSecret, isSecretHeader } from '@chancery/contract/plugins/secret-headers.ts'
import { describe, expect, it } from 'vitest'
import { firstProblem, pairProblem, pairsOf, readPairs, recordOf, renamed, writePairs } from './pairs.ts'

describe('rows of names and values', () => {
  it('convert from a record and back', () => {
    const record = { total: 'input["a"] + 1', name: '"x"' }
    expect(recordOf(pairsOf(record))).toEqual(record)
  })

  it('are empty if the draft holds something else', () => {
    expect(pairsOf(['a'])).toEqual([])
    expect(pairsOf(undefined)).toEqual([])
  })

  it('leave out rows without a name', () => {
    expect(recordOf([{ key: 0, name: ' ', value: 'x' }])).toEqual({})
  })

  it('report duplicate and missing names', () => {
    const pairs = [
      { key: 0, name: 'a', value: '1' },
      { key: 1, name: 'a', value: '2' },
      { key: 2, name: '', value: '3' },
    ]
    expect(pairs.map((pair) => pairProblem(pairs, pair))).toEqual([
      undefined,
      'Another row has this name.',
      'Enter a name.',
    ])
    expect(recordOf(pairs)).toEqual({ a: '1' })
    expect(firstProblem(pairs)).toBe('Another row has this name.')
    expect(firstProblem(pairs.slice(0, 1))).toBeUndefined()
    expect(readPairs(writePairs(pairs))).toEqual(pairs)
  })

  it("drop a hidden value when the new name doesn't hide its values", () => {
    const pair = { key: 0, name: 'X-Api-Key', value: hiddenSecret }
    expect(renamed(pair, 'Cookie', isSecretHeader)).toEqual({ ...pair, name: 'Cookie' })
    expect(renamed(pair, 'Accept', isSecretHeader)).toEqual({ key: 0, name: 'Accept', value: '' })
    expect(renamed({ ...pair, value: 'mine' }, 'Accept', isSecretHeader).value).toBe('mine')
  })
})
