import { describe, expect, it } from 'vitest'
import { hiddenSecret, isSecretHeader } from '../state/secrets.ts'
import { firstProblem, pairProblem, pairsOf, readPairs, recordOf, renamed, writePairs } from './pairs.ts'

describe('rows of names and values', () => {
  it('come from a record and make the same again', () => {
    const record = { total: 'input["a"] + 1', name: '"x"' }
    expect(recordOf(pairsOf(record))).toEqual(record)
  })

  it('are none where a draft holds something else', () => {
    expect(pairsOf(['a'])).toEqual([])
    expect(pairsOf(undefined)).toEqual([])
  })

  it('leave out what has no name yet', () => {
    expect(recordOf([{ key: 0, name: ' ', value: 'x' }])).toEqual({})
  })

  it('are told when a name stands twice or is missing', () => {
    const pairs = [
      { key: 0, name: 'a', value: '1' },
      { key: 1, name: 'a', value: '2' },
      { key: 2, name: '', value: '3' },
    ]
    expect(pairs.map((pair) => pairProblem(pairs, pair))).toEqual([
      undefined,
      'Another row has this name.',
      'Give it a name.',
    ])
    expect(recordOf(pairs)).toEqual({ a: '1' })
    expect(firstProblem(pairs)).toBe('Another row has this name.')
    expect(firstProblem(pairs.slice(0, 1))).toBeUndefined()
    expect(readPairs(writePairs(pairs))).toEqual(pairs)
  })

  it('lose a hidden value with a name that hides it', () => {
    const pair = { key: 0, name: 'X-Api-Key', value: hiddenSecret }
    expect(renamed(pair, 'Cookie', isSecretHeader)).toEqual({ ...pair, name: 'Cookie' })
    expect(renamed(pair, 'Accept', isSecretHeader)).toEqual({ key: 0, name: 'Accept', value: '' })
    expect(renamed({ ...pair, value: 'mine' }, 'Accept', isSecretHeader).value).toBe('mine')
  })
})
